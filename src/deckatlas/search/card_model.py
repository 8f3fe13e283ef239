"""A linear model of decks: how much each copy of each card adds to a deck's average, with its uncertainty.

An evaluation averages some column over its games. The model says: the average is a constant, plus the luck of the round
(all decks of a round play the same games), plus the value of each card in the deck, once for its first copy and with a
correction for each further copy, plus noise. All effects have normal priors around zero. The spread of the values and
the noise are those under which the results so far are the likeliest, among a few spreads. The core solves the
equations: with the same bits everywhere, and on one thread, since all others play games.
"""

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import numeric
from deckatlas.search.evaluation import Floats

# Spreads of priors, in units of the noise of one game.
SPREADS = (0.005, 0.01, 0.02, 0.04, 0.08)
FURTHER_SPREAD = 0.5  # of the correction for further copies, in units of the spread of values
ROUND_SPREAD = 0.2
CONSTANT_SPREAD = 1e3
LEAST_REST = 1e-9  # what the model leaves unexplained of columns without chance
DIGITS = 9  # numbers are rounded, so that machines whose sums differ in the last bit go on with the same decks


@dataclass(frozen=True)
class CopyValues:
    """The value of each card for a deck.

    Attributes:
        first: The value of each card's first copy.
        further: The value of each further copy of it.
    """

    first: Floats
    further: Floats

    def of(self, decks: npt.NDArray[Any]) -> Floats:
        """The sum over the cards of each deck; one row per deck. No part of it depends on a machine's libraries."""
        counts = decks.astype(np.int64)
        values = np.where(counts > 0, self.first, 0.0) + np.maximum(counts - 1, 0) * self.further
        return rounded(np.cumsum(values, axis=1)[:, -1])  # in the order of cards, unlike `sum`


def rounded(numbers: npt.NDArray[Any]) -> Floats:
    """Numbers on which all machines agree."""
    return np.asarray(np.round(numbers, DIGITS), np.float64)


def copy_features(decks: npt.NDArray[Any]) -> Floats:
    """One row per deck: the copies of each card, then the copies of each beyond the first."""
    counts = decks.astype(np.float64)
    return np.concatenate([counts, np.maximum(counts - 1, 0)], axis=1)


class CardModel:
    """All results so far, and what follows from them about cards."""

    def __init__(self, cards: int, rounds: int) -> None:
        """Takes the number of cards of the pool, and the number of rounds that can have luck of their own."""
        self._cards, self._rounds = cards, rounds
        self._size = 2 * cards + rounds + 1
        self._moments = np.zeros((self._size, self._size))
        self._targets = np.zeros(self._size)
        self._squares = 0.0
        self._evaluations = 0
        self.spread = SPREADS[0]  # of the values, in units of the noise

    def add(self, decks: npt.NDArray[Any], totals: Floats, games: int, number: int) -> None:
        """Adds a round: its decks, the sum of the column over the games of each, the games of each, its number."""
        rows = np.zeros((len(decks), self._size))
        rows[:, : 2 * self._cards] = copy_features(decks)
        rows[:, 2 * self._cards + number] = rows[:, -1] = 1
        # Totals and features are whole numbers in nearly all uses, so these sums are exact.
        self._moments += games * (rows.T @ rows)
        self._targets += rows.T @ totals
        self._squares += float(np.sum(totals**2)) / games
        self._evaluations += len(decks)

    def fit(self) -> "Posterior":
        """What is known about the values now."""
        fits = [self._fit(spread) for spread in SPREADS]
        best = int(np.argmax([round(evidence, 6) for evidence, *_ in fits]))
        _, mean, triangle, noise = fits[best]
        self.spread = SPREADS[best]
        return Posterior(mean, triangle, noise, self._cards)

    def _fit(self, spread: float) -> tuple[float, Floats, Floats, float]:
        """The logarithm of the evidence, the mean, the triangle of the precision, and the noise of one game."""
        spreads = np.concatenate(
            [
                np.full(self._cards, spread),
                np.full(self._cards, spread * FURTHER_SPREAD),
                np.full(self._rounds, ROUND_SPREAD),
                [CONSTANT_SPREAD],
            ]
        )
        triangle = numeric.triangle(self._moments + np.diag(spreads**-2))
        halfway = numeric.solve_triangle(triangle, self._targets[np.newaxis], transposed=True)
        mean = numeric.solve_triangle(triangle, halfway)[0]
        rest = max(self._squares - float(self._targets @ mean), LEAST_REST)
        noise = round((rest / self._evaluations) ** 0.5, DIGITS) if self._evaluations else 1.0
        volume = float(np.log(np.diag(triangle)).sum() + np.log(spreads).sum())
        return -self._evaluations * log(noise) - volume, rounded(mean), triangle, float(noise)


@dataclass(frozen=True)
class Posterior:
    """What is known about the values of cards.

    Attributes:
        mean: The expected effects: of each card, of further copies of each, of rounds, and the constant.
        triangle: The upper triangle U of their precision U^T U, in units of the noise.
        noise: The standard deviation of one game.
        cards: The number of cards.
    """

    mean: Floats
    triangle: Floats
    noise: float
    cards: int

    @property
    def values(self) -> CopyValues:
        """The expected values."""
        return self._values(self.mean)

    @property
    def constant(self) -> float:
        """The expected average of a deck without cards, in a round without luck."""
        return float(self.mean[-1])

    def samples(self, rng: np.random.Generator, count: int) -> list[CopyValues]:
        """Values drawn from what is known: the less is known about a card, the more its values differ."""
        drawn = numeric.solve_triangle(self.triangle, rng.standard_normal((count, len(self.mean))))
        return [self._values(effects) for effects in rounded(self.mean + self.noise * drawn)]

    def doubts(self, decks: npt.NDArray[Any]) -> Floats:
        """The standard deviation of the difference between each deck and the mean of all."""
        rows = copy_features(decks)
        rows = np.pad(rows - rows.mean(axis=0), ((0, 0), (0, len(self.mean) - 2 * self.cards)))
        spread = np.square(numeric.solve_triangle(self.triangle, rows, transposed=True)).sum(axis=1)
        return rounded(self.noise * np.sqrt(spread))

    def _values(self, effects: Floats) -> CopyValues:
        first, further = effects[: self.cards], effects[self.cards : 2 * self.cards]
        return CopyValues(first, rounded(first + further))
