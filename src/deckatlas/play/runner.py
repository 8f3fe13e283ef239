"""The two ways to play the games of a match: inside the core, or at the table for players outside the core.

Both play the same games with the same seeds and give the same columns.
"""

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

from deckatlas.errors import MatchError
from deckatlas.games.chance import game_seed
from deckatlas.play.stopping import check_stopped, heeding, stops_here
from deckatlas.play.table import TableOutcome

Progress = Callable[[int], object]
Array = npt.NDArray[Any]
Columns = Mapping[str, Array]
Item = TypeVar("Item")
Result = TypeVar("Result")
Outcome = TypeVar("Outcome", bound=TableOutcome[Any, Any])


@overload
def after(done: int, progress: Progress) -> Progress: ...


@overload
def after(done: int, progress: Progress | None) -> Progress | None: ...


def after(done: int, progress: Progress | None) -> Progress | None:
    """The progress of some games, as progress of all games, of which some were done before."""
    return None if progress is None else lambda more: progress(done + more)


@contextmanager
def played_in_order(play: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Iterator[Result]]:
    """The results of games, in order; several games are played at once if there are several threads.

    Whatever ends the caller's loop early, such as Ctrl-C, also stops the games that are being played, and so does what
    stops the games of the calling thread.
    """
    if threads == 1:
        yield map(play, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # only needed for external programs

    stop = threading.Event()
    stops = (*stops_here(), stop)

    def play_until_stopped(item: Item) -> Result:
        with heeding(*stops):
            check_stopped()
            return play(item)

    pool = ThreadPoolExecutor(threads)
    try:
        yield pool.map(play_until_stopped, items)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Runner(ABC, Generic[Outcome]):
    """Plays any games of one match; the result of a game depends on its number, never on the number of threads.

    Attributes:
        names: The names of the entrants.
        seed: The seed of the match.
        swap_seats: Whether games 2k and 2k + 1 share a seed, with seats swapped.
        threads: The number of threads.
    """

    names: tuple[str, str]
    seed: int
    swap_seats: bool
    threads: int

    def play(
        self, games: range, times: npt.NDArray[np.float64], progress: Progress | None
    ) -> tuple[Columns, Counter[str]]:
        """Plays some games of the match.

        Args:
            games: Their numbers.
            times: Receives the times of turns of the first games: see `deckatlas.play.times`.
            progress: Called with the number of games done.

        Returns:
            The columns, and the reasons of forfeits with their counts.
        """
        play = self._match_in_core()
        if play is None:
            return self._play_at_table(games, times, progress)
        try:
            columns = play(
                first_game=games.start,
                games=len(games),
                seed=self.seed,
                swap_seats=self.swap_seats,
                threads=self.threads,
                times=times,
                progress=progress,
            )
        except MemoryError:
            raise MatchError(f"there is not enough memory for {len(games)} games") from None
        if progress is not None:
            progress(len(games))
        return columns, Counter()

    @property
    @abstractmethod
    def _has_callables(self) -> bool:
        """Whether an entrant is a Python callable, which may not be safe to call from several threads."""

    def _match_in_core(self) -> Callable[..., Columns] | None:
        """The function of the core that plays games of this match; None if an entrant is not an agent of the core."""
        return None

    @abstractmethod
    def _play_game(self, game: int) -> Outcome:
        """Plays one game at the table."""

    @abstractmethod
    def _row(self, game: int, outcome: Outcome) -> Columns:
        """The columns of one game."""

    def _play_at_table(
        self, games: range, times: npt.NDArray[np.float64], progress: Progress | None
    ) -> tuple[Columns, Counter[str]]:
        columns: dict[str, Array] = {}
        forfeits: Counter[str] = Counter()
        with played_in_order(self._play_game, games, 1 if self._has_callables else self.threads) as outcomes:
            for row, (game, outcome) in enumerate(zip(games, outcomes, strict=True)):
                for name, one in self._row(game, outcome).items():
                    if row == 0:
                        columns[name] = np.zeros((len(games), *one.shape[1:]), one.dtype)
                    columns[name][row] = one[0]
                first = self._first(game)
                if row < len(times):
                    _write_times(times[row], first, outcome)
                if outcome.forfeit is not None and outcome.loser is not None:
                    forfeits[f"{self.names[first ^ outcome.loser]}: {outcome.forfeit}"] += 1
                if progress is not None:
                    progress(row + 1)
        return columns, forfeits

    def _first(self, game: int) -> int:
        """The entrant that moves first."""
        return game % 2 if self.swap_seats else 0

    def _game_seed(self, game: int) -> int:
        return game_seed(self.seed, game, self.swap_seats)


def _write_times(row: npt.NDArray[np.float64], first: int, outcome: TableOutcome[Any, Any]) -> None:
    for seat, seconds in enumerate(outcome.turn_seconds):
        row[seat ^ first] = (sum(seconds), max(seconds, default=0.0), len(seconds))
