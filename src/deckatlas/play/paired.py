"""Paired comparisons: two sides play the same games, and the difference of each seed is the unit.

A *round* is one seed for each opponent, played by both sides in both seats. Rounds are played until a sequential test
is decided or the budget ends. Nothing here knows a game: a game says how the rounds are played.
"""

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import MatchError
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.play.runner import Progress, after
from deckatlas.stats.differences import freedom_of, standard_error, stratified_difference, weighted_difference
from deckatlas.stats.estimate import Estimate, Floats
from deckatlas.stats.sequential import ALPHA, detectable, planned_looks, spent_levels

SEATS = ("first", "second")
BETTER, WORSE, UNDECIDED = "better", "worse", "undecided"
GAMES = 10_000
_NARROW = 0.01  # a half-width of a point

_SIDES = 2
_STEP = 1 / len(SEATS)  # how much one game changes the difference of a seed
_LEAST_PAIRS = 16  # at the first look: with fewer, no interval means much
_LEAST_ROUNDS = 2


@dataclass(frozen=True, eq=False)
class PairedGames(ABC):
    """What two sides play.

    Attributes:
        kind: What is compared, in a word: deck, pilot, edition, policy.
        names: The names of the two sides.
        against: What they play against, in a few words.
        opponents: The names of the opponents; each round has one seed for each.
        weights: The weight of each opponent; their sum is 1.
        decks: The names of the decks that both sides play in turn, if there are such.
        claim: A difference in one sentence, from words such as "2.1 points more".
        forfeits: Of the games of each side so far, who forfeited, why, and how often; `play` adds to it.
    """

    kind: str
    names: tuple[str, str]
    against: str
    opponents: tuple[str, ...]
    weights: Floats
    decks: tuple[str, ...]
    claim: Callable[[str], str]
    forfeits: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()), kw_only=True)

    @property
    @abstractmethod
    def is_same(self) -> bool:
        """Whether both sides are the same and play the same seeds, so that all games go the same way."""

    @abstractmethod
    def play(self, rounds: range, *, progress: Progress | None) -> Floats:
        """Plays rounds.

        Returns:
            How much of each game each side won, 0 to 1, by side, round, opponent and seat.
        """

    def deck_numbers(self, rounds: range) -> npt.NDArray[np.int64]:
        """The number of the deck that both sides play, by round and opponent."""
        return np.zeros((len(rounds), len(self.opponents)), np.int64)


def verdict_of(difference: Estimate) -> str:
    """`better` or `worse` if the interval of a difference excludes zero, else `undecided`."""
    return BETTER if difference.low > 0 else WORSE if difference.high < 0 else UNDECIDED


@dataclass(frozen=True)
class Row:
    """A part of a comparison, such as the games against one opponent.

    Attributes:
        name: Its name.
        rates: How much of its games each side won.
        difference: The first less the second, with its interval.
    """

    name: str
    rates: tuple[float, float]
    difference: Estimate

    @property
    def verdict(self) -> str:
        """`better` or `worse` if the interval excludes zero, else `undecided`; it is about the first side."""
        return verdict_of(self.difference)

    def to_json(self, key: str) -> dict[str, Any]:
        """The row as plain data."""
        cells = self.difference.cells("difference", n="games", prefix="")
        return {key: self.name, "rate_a": self.rates[0], "rate_b": self.rates[1], **cells}


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison.

    Attributes:
        kind: What was compared: deck, pilot, edition, policy.
        names: The names of the two sides.
        against: What they played against.
        whole: All games, with the interval of the look at which the test stopped.
        parts: The same by opponent, by seat, and by deck if there are several.
        looks: The numbers of games at which the test could have stopped; the last is the budget.
        confidence: The probability with which the interval covers the truth, whenever the test stops.
        detectable: The difference that the whole budget finds in at least 4 of 5 comparisons.
        forfeits: Of the games of each side, who forfeited, why, and how often.
        sentence: What came out, in one sentence; another one if games were forfeited.
    """

    kind: str
    names: tuple[str, str]
    against: str
    whole: Row
    parts: Mapping[str, tuple[Row, ...]]
    looks: tuple[int, ...]
    confidence: float
    detectable: float
    forfeits: tuple[Mapping[str, int], Mapping[str, int]]
    sentence: str

    @property
    def difference(self) -> Estimate:
        """How much more of its games the first side won, as a share of 1."""
        return self.whole.difference

    @property
    def games(self) -> int:
        """The games that were played, by both sides together."""
        return self.difference.n

    @property
    def verdict(self) -> str:
        """`better` or `worse` if the interval excludes zero, else `undecided`; it is about the first side."""
        return self.whole.verdict

    def __str__(self) -> str:
        return self.sentence

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; differences and rates are shares of 1."""
        whole = self.whole.to_json("name")
        del whole["name"]
        return {
            "kind": self.kind,
            "a": self.names[0],
            "b": self.names[1],
            "against": self.against,
            "verdict": self.verdict,
            **whole,
            "confidence": self.confidence,
            "looks": list(self.looks),
            "detectable": self.detectable,
            "forfeits_a": dict(self.forfeits[0]),
            "forfeits_b": dict(self.forfeits[1]),
            "sentence": self.sentence,
            **{f"by_{part}": [row.to_json(part) for row in rows] for part, rows in self.parts.items()},
        }


def compare_sides(
    played: PairedGames,
    *,
    games: int = GAMES,
    alpha: float = ALPHA,
    stops_early: bool = True,
    progress: Progress | None = None,
) -> Comparison:
    """Lets two sides play until it is decided which is better, or the budget ends.

    Args:
        played: What they play.
        games: The most games, of both sides together; only whole rounds are played.
        alpha: The probability that the interval misses the truth, whenever the test stops.
        stops_early: Whether fewer games are played if they decide it; without it the interval is a bit narrower.
        progress: Called with the number of games done.

    Raises:
        MatchError: If there are not enough games for two rounds.
    """
    rounds = check_budget(played, games)
    played = replace(played, forfeits=(Counter(), Counter()))  # those of this comparison alone
    looks = _looks(rounds, len(played.opponents)) if stops_early else (rounds,)
    levels = spent_levels(looks, alpha=alpha)
    per_round = games_per_round(played)
    won = np.empty((_SIDES, 0, len(played.opponents), len(SEATS)))
    for look, level in zip(looks, levels, strict=True):
        done = won.shape[1]
        more = played.play(range(done, look), progress=after(done * per_round, progress))
        won = np.concatenate([won, more], axis=1)
        whole = _whole(won, played.weights, level)
        if whole.verdict != UNDECIDED or played.is_same:
            break
    by_seed = won.mean(axis=3)
    error = standard_error(by_seed[0] - by_seed[1], played.weights, step=_STEP)
    freedom = freedom_of(by_seed[0] - by_seed[1], played.weights, seeds=looks[-1])
    smallest = detectable(error * math.sqrt(len(by_seed[0]) / looks[-1]), levels[-1], freedom=freedom)
    return Comparison(
        kind=played.kind,
        names=played.names,
        against=played.against,
        whole=whole,
        parts=_parts(played, won, level),
        looks=tuple(per_round * look for look in looks),
        confidence=1 - alpha,
        detectable=smallest,
        forfeits=played.forfeits,
        sentence=_sentence(played, whole, 1 - alpha, looks[-1] * per_round, smallest) + _forfeits(played, whole),
    )


def games_per_round(played: PairedGames) -> int:
    """The games of a round, of both sides together."""
    return _SIDES * len(SEATS) * len(played.opponents)


def check_budget(played: PairedGames, games: int) -> int:
    """The rounds that so many games are enough for.

    Raises:
        MatchError: If there are not enough games for two rounds.
    """
    positive("games", games, MAX_GAMES)
    per_round = games_per_round(played)
    if games < _LEAST_ROUNDS * per_round:
        raise MatchError(
            f"a comparison needs {_LEAST_ROUNDS * per_round:,} games or more, not {games:,}: two seeds for each "
            "opponent, with both seats and both sides"
        )
    return games // per_round


def _looks(rounds: int, opponents: int) -> tuple[int, ...]:
    """The rounds after which the test looks."""
    return planned_looks(rounds, least=max(_LEAST_ROUNDS, math.ceil(_LEAST_PAIRS / opponents)))


def _whole(won: Floats, weights: Floats, level: float) -> Row:
    by_seed = won.mean(axis=3)
    found = stratified_difference(by_seed[0] - by_seed[1], weights, step=_STEP, level=level, games=int(won.size))
    return Row("all", _rates(by_seed, weights), found)


def _parts(played: PairedGames, won: Floats, level: float) -> dict[str, tuple[Row, ...]]:
    by_seed = won.mean(axis=3)
    opponent = np.broadcast_to(np.arange(len(played.opponents)), by_seed[0].shape)
    parts = {
        "opponent": _rows_of(played.opponents, opponent, by_seed, played.weights, level),
        "seat": tuple(_seat_row(seat, won, played.weights, level) for seat in range(len(SEATS))),
    }
    if len(played.decks) > 1:
        decks = played.deck_numbers(range(won.shape[1]))
        parts["deck"] = _rows_of(played.decks, decks, by_seed, played.weights, level)
    return parts


def _seat_row(seat: int, won: Floats, weights: Floats, level: float) -> Row:
    one, other = won[..., seat]
    found = stratified_difference(one - other, weights, step=1, level=level, games=int(won.size) // len(SEATS))
    return Row(SEATS[seat], _rates(won[..., seat], weights), found)


def _rates(by_seed: Floats, weights: Floats) -> tuple[float, float]:
    one, other = (float(side.mean(axis=0) @ weights) for side in by_seed)
    return one, other


def _rows_of(
    names: Sequence[str], numbers: npt.NDArray[np.int64], by_seed: Floats, weights: Floats, level: float
) -> tuple[Row, ...]:
    """A row for each name: the seeds that have its number."""
    rows = []
    for number, name in enumerate(names):
        chosen = numbers == number
        if chosen.any():
            one, other = by_seed[:, chosen]
            shares = np.broadcast_to(weights, numbers.shape)[chosen]
            shares = shares / shares.sum()
            games = _SIDES * len(SEATS) * len(one)
            found = weighted_difference(one - other, shares, step=_STEP, level=level, games=games)
            rows.append(Row(name, (float(one @ shares), float(other @ shares)), found))
    return tuple(rows)


def _sentence(played: PairedGames, whole: Row, confidence: float, budget: int, smallest: float) -> str:
    if played.is_same:
        return f"Undecided: {played.names[0]} and {played.names[1]} are the same, so all games go the same way."
    value, ends = in_points(whole.difference)
    claim = played.claim(f"{value[1:]} points {'less' if value.startswith('-') else 'more'}")
    numbers = f"{ends} with {100 * confidence:g} % confidence, {whole.difference.n:,} games"
    if whole.verdict != UNDECIDED:
        return f"{whole.verdict.title()}: {claim} ({numbers})."
    power = f"{budget:,} games find a difference of {100 * smallest:.{_digits(smallest)}f} points in 4 of 5 cases"
    return f"Undecided: {claim} ({numbers}); {power}."


def _forfeits(played: PairedGames, whole: Row) -> str:
    """How many games of each side were forfeited, in a sentence that follows another; empty if none were."""
    if not any(played.forfeits):
        return ""
    games = whole.difference.n // _SIDES
    a, b = (
        f"{reasons.total():,} of {games:,} games of {name}"
        for reasons, name in zip(played.forfeits, played.names, strict=True)
    )
    return f" Forfeits ended {a} and {b}."


def in_points(difference: Estimate) -> tuple[str, str]:
    """A difference of shares in points, and its interval; a narrow one has two digits after the point."""
    shown, digits = difference.in_percent(), _digits(difference.half_width)
    ends = f"[{shown.low:+.{digits}f}, {shown.high:+.{digits}f}]" if shown.has_ends else ""
    return f"{shown.value:+.{digits}f}", ends


def _digits(width: float) -> int:
    return 2 if width < _NARROW else 1
