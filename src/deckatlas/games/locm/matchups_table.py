"""Matchups with players outside the core: external programs and Python callables.

They are played one action at a time, with the same seeds as in the core. A program is started again for every game, so
such a search takes hours where one inside the core takes minutes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.errors import SearchError
from deckatlas.games.locm.editions import DEFAULT, EditionLike
from deckatlas.games.locm.entrants import Entrant
from deckatlas.games.locm.state import Rng, new_game
from deckatlas.games.locm.table import play_game
from deckatlas.play.runner import played_in_order
from deckatlas.search.batches import Batch, Course
from deckatlas.search.evaluation import LOST, WON, clamped_margins

# The time limits of a contest do not apply here, but a program that hangs must not stop the search.
TIME_FACTOR = 10.0


@dataclass(frozen=True)
class TableGame:
    """One game: its players and seeds.

    Attributes:
        seats: The player that moves first and the one that moves second.
        draft_seed: The seed of its draft.
        seed: The seed of its shuffles and of the players' random choices.
    """

    seats: tuple[Entrant, Entrant]
    draft_seed: int
    seed: int


def play_at_table(
    batch: Batch,
    *,
    entrants: Callable[[int], Entrant],
    format: str,
    edition: EditionLike = DEFAULT,
    threads: int,
    progress: Callable[[int], object] | None = None,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]:
    """Plays all matchups of a batch; returns the outcome and the margin of each game, from the first player's view.

    Args:
        batch: The matchups.
        entrants: The player of each number in the batch.
        format: The draft format.
        edition: The edition of the cards.
        threads: How many games are played at once; one with callables, which need not be thread-safe.
        progress: Called with the number of games done.

    Raises:
        SearchError: If a player forfeits a game: it would count as won, and the search would learn to beat a program
            that does not play.
    """
    seated = {int(number): entrants(int(number)) for number in np.unique(batch.participants)}
    has_callables = any(each.is_callable for each in seated.values())
    games = list(_games(batch, seated))
    outcome, margins = np.zeros(len(games), np.uint8), np.zeros(len(games), np.int64)

    def play(game: TableGame) -> tuple[int, int]:
        return _play(game, format, edition)

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


def _play(game: TableGame, format: str, edition: EditionLike) -> tuple[int, int]:
    """The seat that wins, and the lead of the first seat at the end."""
    players = [each.player(Rng(game.seed, seat), time_factor=TIME_FACTOR) for seat, each in enumerate(game.seats)]
    start = new_game(seed=game.seed, draft_seed=game.draft_seed, format=format, edition=edition)
    outcome = play_game(start, players)
    if outcome.forfeit is not None:
        raise SearchError(f"{game.seats[outcome.loser].name!r} forfeits a game of the search: {outcome.forfeit}")
    own, other = (outcome.final.side(seat).health for seat in (0, 1))
    return outcome.winner, own - other
