"""Games that a search asks for with somebody who does not live in the core: external programs and Python callables.

They are played one action at a time, a game from the same seeds as in the core. A program is started anew for every
game, so that a search with it takes hours where one inside the core takes minutes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.games.locm.entrants import Entrant
from deckatlas.games.locm.state import Rng, new_game
from deckatlas.games.locm.table import play_game
from deckatlas.play.runner import played_in_order
from deckatlas.search.protocol import Ask

# Nobody enforces a contest's time limits here, but a program that hangs must not hang the search.
TIME_FACTOR = 10.0


@dataclass(frozen=True)
class TableGame:
    """One game: who sits where, and from which seeds.

    Attributes:
        matchup: The row of the matchup it belongs to.
        seats: Who moves first and who second.
        draft_seed: The seed of its draft.
        seed: The seed of its shuffles and of the players' own draws.
    """

    matchup: int
    seats: tuple[Entrant, Entrant]
    draft_seed: int
    seed: int


def play_at_table(
    ask: Ask,
    *,
    entrants: Callable[[int], Entrant],
    format: str,
    threads: int,
    progress: Callable[[int], object] | None = None,
) -> npt.NDArray[np.int32]:
    """Plays all matchups of an ask; returns how many games the first player of each won.

    Args:
        ask: The matchups.
        entrants: Who a number of the ask stands for.
        format: Draft format.
        threads: How many games are played at once. With callables it is one: they may not stand more.
        progress: Called with the number of games done.

    Raises:
        SearchError: If somebody forfeits a game: it would count as won, and the search learn to meet a program that
            does not play.
    """
    seated = {int(number): entrants(int(number)) for number in np.unique([ask.first, ask.second])}
    has_callables = any(each.is_callable for each in seated.values())
    games = list(_games(ask, seated))
    wins = np.zeros(len(ask.first), dtype=np.int32)

    def winner(game: TableGame) -> int:
        return _winner(game, format)

    with played_in_order(winner, games, 1 if has_callables else threads) as winners:
        for done, (game, seat) in enumerate(zip(games, winners, strict=True), start=1):
            wins[game.matchup] += seat == 0
            if progress is not None:
                progress(done)
    return wins


def _games(ask: Ask, seated: dict[int, Entrant]) -> Iterator[TableGame]:
    for matchup, (first, second, number) in enumerate(
        zip(ask.first.tolist(), ask.second.tolist(), ask.course.tolist(), strict=True)
    ):
        course = ask.courses[number]
        for draft_seed, seed in zip(course.draft_seeds.tolist(), course.game_seeds.tolist(), strict=True):
            yield TableGame(matchup, (seated[first], seated[second]), draft_seed, seed)


def _winner(game: TableGame, format: str) -> int:
    """The seat that wins."""
    players = [each.player(Rng(game.seed, seat), time_factor=TIME_FACTOR) for seat, each in enumerate(game.seats)]
    outcome = play_game(new_game(seed=game.seed, draft_seed=game.draft_seed, format=format), players)
    if outcome.forfeit is not None:
        raise SearchError(f"{game.seats[outcome.loser].name!r} forfeits a game of the search: {outcome.forfeit}")
    return outcome.winner
