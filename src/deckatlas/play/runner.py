"""The two ways to play the games of a match: inside the core, or at the table for players outside of it.

Both play the same games from the same seeds and give the same columns.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.agents.entrants import Entrant
from deckatlas.cards.locm import cards, official_table
from deckatlas.errors import MatchError
from deckatlas.games.locm import Rng, new_game
from deckatlas.play.table import GameOutcome, play_game

Progress = Callable[[int], object]
Array = npt.NDArray[Any]
Columns = Mapping[str, Array]

# Columns with one entry a game, and columns with one entry for each entrant.
_SINGLE = {"seed": np.uint64, "first": np.uint8, "winner": np.uint8, "turns": np.int16, "actions": np.int16}
_DOUBLE = {"health": np.int32, "cards_drawn": np.int16, "cards_played": np.int16, "mana_spent": np.int16}


def available_threads() -> int:
    """How many threads this process may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Runner:
    """Plays any games of one match; what a game gives depends on its number and the fields before `threads`."""

    entrants: tuple[Entrant, Entrant]
    seed: int
    format: str
    decks: Sequence[Sequence[int]] | None
    swap_seats: bool
    threads: int
    time_factor: float

    def play(
        self, games: range, times: npt.NDArray[np.float64], progress: Progress | None
    ) -> tuple[Columns, Counter[str]]:
        """Plays some games of the match.

        Args:
            games: Their numbers.
            times: Takes what the turns of the first games took: see `deckatlas.play.times`.
            progress: Called with the number of games done.

        Returns:
            The columns, and why games were forfeited with how often.
        """
        core_a, core_b = (each.agents_of_core() for each in self.entrants)
        if core_a is None or core_b is None:
            return self._play_at_table(games, times, progress)
        try:
            columns = core.play_match(
                official_table(),
                *core_a,
                *core_b,
                first_game=games.start,
                games=len(games),
                seed=self.seed,
                format=self.format,
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

    def _play_at_table(
        self, games: range, times: npt.NDArray[np.float64], progress: Progress | None
    ) -> tuple[Columns, Counter[str]]:
        columns: dict[str, Array] = {name: np.zeros(len(games), dtype) for name, dtype in _SINGLE.items()}
        columns |= {name: np.zeros((len(games), 2), dtype) for name, dtype in _DOUBLE.items()}
        columns["final_hash"] = np.zeros(len(games), np.uint64)
        forfeits: Counter[str] = Counter()
        with self._outcomes(games) as outcomes:
            for row, (game, outcome) in enumerate(zip(games, outcomes, strict=True)):
                first = self._first(game)
                _write_row(columns, row, self._game_seed(game), first, outcome)
                if row < len(times):
                    _write_times(times[row], first, outcome)
                if outcome.forfeit is not None:
                    forfeits[f"{self.entrants[first ^ 1 ^ outcome.winner].name}: {outcome.forfeit}"] += 1
                if progress is not None:
                    progress(row + 1)
        return columns, forfeits

    @contextmanager
    def _outcomes(self, games: range) -> Iterator[Iterator[GameOutcome]]:
        """Games in order; those of external programs are played several at once, callables may not stand that."""
        callables = any(each.command is None and each.agents_of_core() is None for each in self.entrants)
        if callables or self.threads == 1:
            yield map(self._play_game, games)
            return
        from concurrent.futures import ThreadPoolExecutor  # needed for external programs alone

        pool = ThreadPoolExecutor(self.threads)
        try:
            yield pool.map(self._play_game, games)
        finally:
            pool.shutdown(cancel_futures=True)

    def _play_game(self, game: int) -> GameOutcome:
        first, seed = self._first(game), self._game_seed(game)
        seats = (self.entrants[first], self.entrants[1 - first])
        players = [each.player(Rng(seed, seat), time_factor=self.time_factor) for seat, each in enumerate(seats)]
        decks = None if self.decks is None else (self.decks[first], self.decks[1 - first])
        return play_game(new_game(seed=seed, format=self.format, decks=decks), players)

    def _first(self, game: int) -> int:
        """The entrant that moves first."""
        return game % 2 if self.swap_seats else 0

    def _game_seed(self, game: int) -> int:
        return core.game_seed(self.seed, game, self.swap_seats)


def _write_row(columns: Columns, row: int, seed: int, first: int, outcome: GameOutcome) -> None:
    final = outcome.final
    started = final.in_battle
    values: dict[str, int | list[int]] = {
        "seed": seed,
        "first": first,
        "winner": outcome.winner ^ first,
        "turns": final.turn + 1 if started else 0,
        "actions": outcome.decisions,
        "final_hash": final.battle_hash,
    }
    sides = [final.side(seat) for seat in (first, 1 - first)]
    hands = [{card.instance for card in side.hand} for side in sides]
    values["health"] = [side.health for side in sides]
    values["cards_drawn"] = [side.drawn for side in sides]
    values["cards_played"] = [side.drawn - len(hand) for side, hand in zip(sides, hands, strict=True)]
    values["mana_spent"] = [
        sum(
            cards()[card - 1].cost
            for position, card in enumerate(final.deck(seat)[: side.drawn])
            if 2 * position + seat + 1 not in hand
        )
        for seat, side, hand in zip((first, 1 - first), sides, hands, strict=True)
    ]
    for name, value in values.items():
        columns[name][row] = value


def _write_times(row: npt.NDArray[np.float64], first: int, outcome: GameOutcome) -> None:
    for seat, seconds in enumerate(outcome.turn_seconds):
        row[seat ^ first] = (sum(seconds), max(seconds, default=0.0), len(seconds))
