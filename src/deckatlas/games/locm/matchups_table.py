"""Games that a search asks for with players outside the core: external programs and Python callables.

They are played one action at a time, from the same seeds as in the core. A program is started again for every game, so
that a search with it takes hours where one inside the core takes minutes.
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
from deckatlas.search.batches import Batch, Course
from deckatlas.search.evaluation import LOST, WON, clamped_margins

# Nobody enforces a contest's time limits here, but a program that hangs must not hang the search.
TIME_FACTOR = 10.0


@dataclass(frozen=True)
class TableGame:
    """One game: who sits where, and from which seeds.

    Attributes:
        seats: Who moves first and who second.
        draft_seed: The seed of its draft.
        seed: The seed of its shuffles and of the players' own draws.
    """

    seats: tuple[Entrant, Entrant]
    draft_seed: int
    seed: int


def play_at_table(
    batch: Batch,
    *,
    entrants: Callable[[int], Entrant],
    format: str,
    threads: int,
    progress: Callable[[int], object] | None = None,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]:
    """Plays all matchups of a batch; returns the outcome and the margin of each game, as the first player sees them.

    Args:
        batch: The matchups.
        entrants: Who a number of the batch stands for.
        format: Draft format.
        threads: How many games are played at once. With callables it is one: they need not be thread-safe.
        progress: Called with the number of games done.

    Raises:
        SearchError: If somebody forfeits a game: it would count as won, and the search learn to meet a program that
            does not play.
    """
    seated = {int(number): entrants(int(number)) for number in np.unique(batch.participants)}
    has_callables = any(each.is_callable for each in seated.values())
    games = list(_games(batch, seated))
    outcome, margins = np.zeros(len(games), np.uint8), np.zeros(len(games), np.int64)

    def play(game: TableGame) -> tuple[int, int]:
        return _play(game, format)

    with played_in_order(play, games, 1 if has_callables else threads) as played:
        for number, (winner, margin) in enumerate(played):
            outcome[number] = WON if winner == 0 else LOST
            margins[number] = margin
            if progress is not None:
                progress(number + 1)
    return outcome, clamped_margins(margins)


def _games(batch: Batch, seated: dict[int, Entrant]) -> Iterator[TableGame]:
    for (first, second), number in zip(batch.participants.tolist(), batch.course.tolist(), strict=True):
        course = batch.courses[number]
        assert isinstance(course, Course)
        for draft_seed, seed in zip(course.draft_seeds.tolist(), course.game_seeds.tolist(), strict=True):
            yield TableGame((seated[first], seated[second]), draft_seed, seed)


def _play(game: TableGame, format: str) -> tuple[int, int]:
    """The seat that wins, and by how much the first seat leads at the end."""
    players = [each.player(Rng(game.seed, seat), time_factor=TIME_FACTOR) for seat, each in enumerate(game.seats)]
    outcome = play_game(new_game(seed=game.seed, draft_seed=game.draft_seed, format=format), players)
    if outcome.forfeit is not None:
        raise SearchError(f"{game.seats[outcome.loser].name!r} forfeits a game of the search: {outcome.forfeit}")
    own, other = (outcome.final.side(seat).health for seat in (0, 1))
    return outcome.winner, own - other
