"""A match: two entrants over many games, seats swapped and seeds paired; columns of numpy arrays out."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.agents.entrants import Entrant, EntrantLike, entrant, entrant_with_deck
from deckatlas.cards.locm import cards, official_table
from deckatlas.errors import MatchError
from deckatlas.games.locm import FORMATS, Rng, State, check_seed, new_game
from deckatlas.games.shapes import show
from deckatlas.play.stats import Rate, independent_rate, paired_rate
from deckatlas.play.table import GameOutcome, play_game

Progress = Callable[[int], object]
Array = npt.NDArray[Any]

MAX_GAMES = 1_000_000_000
MAX_THREADS = 1024

# Columns with one entry a game, and columns with one entry for each entrant.
_SINGLE = {"seed": np.uint64, "first": np.uint8, "winner": np.uint8, "turns": np.int16, "actions": np.int16}
_DOUBLE = {"health": np.int32, "cards_drawn": np.int16, "cards_played": np.int16, "mana_spent": np.int16}


@dataclass(frozen=True)
class MatchResult:
    """What a match gave. Entrant 0 is `a`, entrant 1 is `b`; columns hold one row a game.

    Columns: `seed` (the official referee's), `first` (who moved first), `winner`, `turns` (half-turns), `actions`
    (decisions in the battle), `final_hash` (of the last state), and with an entry for each entrant `health`,
    `cards_drawn`, `cards_played` and `mana_spent`.
    """

    a: str
    b: str
    columns: Mapping[str, Array]
    swapped_seats: bool
    forfeits: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, column: str) -> Array:
        return self.columns[column]

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.columns["winner"])

    @property
    def wins(self) -> int:
        """How many of them `a` won."""
        return int(np.sum(self.columns["winner"] == 0))

    @property
    def pair_outcomes(self) -> npt.NDArray[np.float64]:
        """The share of games `a` won of each seed: 0, ½ or 1 where seats were swapped, otherwise 0 or 1."""
        return self._by_seed(self.columns["winner"] == 0)

    def _by_seed(self, won: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        share = won.astype(np.float64)
        if not self.swapped_seats:
            return share
        pairs = share[: self.games // 2 * 2].reshape(-1, 2).mean(axis=1)
        return np.append(pairs, share[len(pairs) * 2 :])  # an odd last game stands for its seed alone

    def _rate(self, won: npt.NDArray[np.bool_]) -> Rate:
        wins = int(np.sum(won))
        if not self.swapped_seats:
            return independent_rate(wins, self.games)
        return paired_rate(self._by_seed(won), wins=wins, games=self.games)

    @property
    def rate(self) -> Rate:
        """How often `a` won, with an interval from pairs where seats were swapped."""
        return self._rate(self.columns["winner"] == 0)

    def rate_in_seat(self, seat: int) -> Rate | None:
        """How often `a` won moving first (seat 0) or second (seat 1); None if it never sat there."""
        here = self.columns["first"] == seat
        if not here.any():
            return None
        return independent_rate(int(np.sum(self.columns["winner"][here] == 0)), int(np.sum(here)))

    @property
    def first_seat_rate(self) -> Rate:
        """How often the player who moved first won."""
        return self._rate(self.columns["winner"] == self.columns["first"])

    def __str__(self) -> str:
        lines = [f"{self.a} against {self.b}: {self.rate}"]
        for seat, name in enumerate(("first", "second")):
            rate = self.rate_in_seat(seat)
            if rate is not None:
                lines.append(f"  moving {name + ':':<7} {rate}")
        turns, actions = self.columns["turns"].mean(), self.columns["actions"].mean()
        lines.append(f"  half-turns a game {turns:.2f}, decisions {actions:.2f}")
        lines += [f"  forfeits: {count} x {reason}" for reason, count in self.forfeits.items()]
        return "\n".join(lines)


def available_threads() -> int:
    """How many threads this process may run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _entrants(a: EntrantLike, b: EntrantLike, decks: Sequence[Sequence[int]] | None) -> tuple[Entrant, Entrant]:
    if decks is None:
        return entrant(a), entrant(b)
    if len(decks) != 2:
        raise MatchError(f"a match has two decks, one for each entrant, not {len(decks)}")
    return entrant_with_deck(a, decks[0]), entrant_with_deck(b, decks[1])


def _start(seed: int, format: str, decks: Sequence[Sequence[int]] | None, first: int) -> State:
    seats = None if decks is None else (decks[first], decks[1 - first])
    return new_game(seed=seed, format=format, decks=seats)


def _write_row(columns: Mapping[str, Array], game: int, seed: int, first: int, outcome: GameOutcome) -> None:
    final = outcome.final
    started = final.in_battle
    row: dict[str, int | list[int]] = {
        "seed": seed,
        "first": first,
        "winner": outcome.winner ^ first,
        "turns": final.turn + 1 if started else 0,
        "actions": outcome.decisions,
        "final_hash": final.battle_hash,
    }
    sides = [final.side(seat) for seat in (first, 1 - first)]
    hands = [{card.instance for card in side.hand} for side in sides]
    row["health"] = [side.health for side in sides]
    row["cards_drawn"] = [side.drawn for side in sides]
    row["cards_played"] = [side.drawn - len(hand) for side, hand in zip(sides, hands, strict=True)]
    row["mana_spent"] = [
        sum(
            cards()[card - 1].cost
            for position, card in enumerate(final.deck(seat)[: side.drawn])
            if 2 * position + seat + 1 not in hand
        )
        for seat, side, hand in zip((first, 1 - first), sides, hands, strict=True)
    ]
    for name, value in row.items():
        columns[name][game] = value


def _play_at_table(
    entrants: tuple[Entrant, Entrant],
    *,
    games: int,
    seed: int,
    format: str,
    decks: Sequence[Sequence[int]] | None,
    swap_seats: bool,
    time_factor: float,
    progress: Progress | None,
) -> tuple[dict[str, Array], dict[str, int]]:
    """The same games as the core's runner, one action at a time, for players outside the core."""
    columns: dict[str, Array] = {name: np.zeros(games, dtype) for name, dtype in _SINGLE.items()}
    columns |= {name: np.zeros((games, 2), dtype) for name, dtype in _DOUBLE.items()}
    columns["final_hash"] = np.zeros(games, np.uint64)
    forfeits: Counter[str] = Counter()
    for game in range(games):
        first = game % 2 if swap_seats else 0
        game_seed = core.game_seed(seed, game, swap_seats)
        seats = (entrants[first], entrants[1 - first])
        players = [each.player(Rng(game_seed, seat), time_factor=time_factor) for seat, each in enumerate(seats)]
        outcome = play_game(_start(game_seed, format, decks, first), players)
        _write_row(columns, game, game_seed, first, outcome)
        if outcome.forfeit is not None:
            forfeits[f"{seats[1 - outcome.winner].name}: {outcome.forfeit}"] += 1
        if progress is not None:
            progress(game + 1)
    return columns, dict(forfeits)


def _positive(name: str, value: int, most: int) -> int:
    number = int(value) if isinstance(value, np.integer) else value
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
        raise MatchError(f"{name} must be a whole number from 1 to {most}, not {show(number)}")
    return number


def play(
    a: EntrantLike,
    b: EntrantLike,
    *,
    games: int = 1000,
    seed: int = 0,
    format: str = "referee",
    decks: tuple[Sequence[int], Sequence[int]] | None = None,
    swap_seats: bool = True,
    threads: int | None = None,
    time_factor: float = 1.0,
    progress: Progress | None = None,
) -> MatchResult:
    """Plays a match; the result depends on the seed, never on the number of threads.

    Args:
        a: First entrant, such as "icebox/greedy": see `deckatlas.agents.entrants` for all ways to write one.
        b: Second entrant.
        games: How many games; an even number where seats are swapped, or the last has no partner.
        seed: Seed of the match. Games 2k and 2k + 1 share a draft and shuffles, with seats swapped.
        format: Draft format, "referee" or "distinct".
        decks: A deck for each entrant; there is no draft then, and entrants are battle agents.
        swap_seats: If false, `a` always moves first and every game has its own seed.
        threads: How many threads; all available ones if not given.
        time_factor: Multiplies the official time limits of external programs.
        progress: Called with the number of games done, about ten times a second and when all are.

    Raises:
        AgentError: If an entrant is unknown.
        DeckError: If a deck is not valid.
        MatchError: If the match cannot be played as asked for.
    """
    games = _positive("games", games, MAX_GAMES)
    threads = available_threads() if threads is None else _positive("threads", threads, MAX_THREADS)
    if format not in FORMATS:
        raise MatchError(f"unknown draft format {format!r}: use {' or '.join(FORMATS)}")
    swap_seats = bool(swap_seats)
    entrants = _entrants(a, b, decks)
    match_seed = check_seed(seed)
    forfeits: dict[str, int] = {}
    core_a, core_b = (each.agents_of_core() for each in entrants)
    if core_a is not None and core_b is not None:
        try:
            columns: dict[str, Array] = core.play_match(
                official_table(),
                *core_a,
                *core_b,
                games=games,
                seed=match_seed,
                format=format,
                swap_seats=swap_seats,
                threads=threads,
                progress=progress,
            )
        except MemoryError:
            raise MatchError(f"there is not enough memory for {games} games") from None
        if progress is not None:
            progress(games)
    else:
        columns, forfeits = _play_at_table(
            entrants,
            games=games,
            seed=match_seed,
            format=format,
            decks=decks,
            swap_seats=swap_seats,
            time_factor=time_factor,
            progress=progress,
        )
    return MatchResult(entrants[0].name, entrants[1].name, columns, swap_seats, forfeits)
