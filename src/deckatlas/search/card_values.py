"""Card values: how much each card adds to the probability of winning, estimated from all games at once.

A genetic algorithm only learns which genome won a game. A game tells more: two decks played, and the difference between
their cards made one win. So this search lets explorers (the best genome so far with noise) draft and play each other,
and fits one linear model over the cards in the two decks to the wins of all games so far. The coefficients are the
values of cards, and how they bend with the number of cards of a kind; they are the next genome. Every game tells
something about sixty cards, so the search needs few games. docs/search.md derives the model.
"""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.errors import SearchError
from deckatlas.search.batches import Batch, Course, Numbers, Seeds, matchups
from deckatlas.search.options import MatchupOptions
from deckatlas.search.protocol import Generation, Genomes, World
from deckatlas.search.scripts import Script, Steps, draw_seeds, generator_of
from deckatlas.search.spaces import GenomeSpace

Matrix = npt.NDArray[np.float64]
MOST_DRAFTS = 500_000  # per round: describing its decks takes gigabytes
NOISE = 0.25  # variance of one game around its win probability
DIGITS = 9  # numbers are rounded, so that machines whose sums differ in the last bit continue with the same genome


class CardValues(MatchupOptions):
    """The search for card values."""

    algorithm: Literal["card-values"] = "card-values"
    rounds: int = Field(default=10, ge=1, le=10_000, description="How often the values are estimated again.")
    explorers: int = Field(default=200, ge=2, le=10_000, description="Genomes with noise that play in a round.")
    games: int = Field(default=5, ge=1, le=1_000, description="Games per pair of explorers on one draft.")
    noise: float = Field(
        default=0.7, gt=0, description="The noise of explorers, in units of the spread of the values so far."
    )
    value_spread: float = Field(default=0.015, gt=0, description="The expected spread of the values.")
    seat_spread: float = Field(
        default=0.004, gt=0, description="The expected spread between the values of the two seats."
    )
    bend_spread: float = Field(default=0.001, gt=0, description="The expected spread of the bends around zero.")

    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Script:
        """Makes the search; it divides the whole budget into rounds of equal size."""
        if space.kind != "curve":
            raise SearchError(
                f"card-values needs genomes of the kind 'curve', not {space.kind!r}", "space.genome.kind", "algorithm"
            )
        if budget is None:
            raise SearchError("card-values does not end by itself: it needs a budget", "algorithm")
        drafts = budget // (self.rounds * self.games)
        if drafts < 1:
            message = f"card-values plays at least {self.rounds * self.games} games, more than the budget of {budget}"
            raise SearchError(message, "budget", "rounds", "games")
        if drafts > MOST_DRAFTS:
            message = (
                f"{drafts:,} drafts per round are more than {MOST_DRAFTS:,}: use more rounds, or more games per draft"
            )
            raise SearchError(message, "budget", "rounds", "games")
        return Script(_estimate(self, space, drafts, seed, world), games=self.rounds * drafts * self.games)

    def smoke(self) -> Self:
        """Three rounds of eight explorers, five games per draft."""
        sizes = {"rounds": 3, "explorers": 8, "games": 5}
        smaller = {name: min(getattr(self, name), size) for name, size in sizes.items()}
        return self.model_validate({**self.model_dump(), **smaller})


@dataclass
class Fit:
    """Least squares with a prior, over all games so far.

    The probability that the first player wins is a constant, plus the value of its deck in the first seat, minus the
    value of the other deck in the second seat. A deck is described by its number of each card and the squared number of
    each kind. The part that the seats share and the part in which they differ have separate priors.
    """

    options: CardValues
    kinds: Matrix

    def __post_init__(self) -> None:
        cards, kinds = self.kinds.shape
        values, bends = np.full(cards, self.options.value_spread), np.full(kinds, self.options.bend_spread)
        apart = self.options.seat_spread / self.options.value_spread
        spreads = np.concatenate([[1e3], values, bends, apart * values, apart * bends])
        self._precision = NOISE / np.square(spreads)  # in games
        self._moments = np.zeros((len(spreads), len(spreads)))
        self._targets = np.zeros(len(spreads))

    def features(self, decks: npt.NDArray[np.uint8]) -> Matrix:
        """One row per deck: the number of each card, then the squared number of each kind."""
        cards = len(self.kinds)
        rows = np.arange(len(decks))[:, None] * cards + (decks.astype(np.int64) - 1)
        counts = np.bincount(rows.ravel(), minlength=len(decks) * cards).reshape(len(decks), cards).astype(np.float64)
        return np.concatenate([counts, np.square(counts @ self.kinds)], axis=1)

    def add(self, first: Matrix, second: Matrix, wins: Numbers) -> None:
        """Adds the decks of a round and the number of games that the first player won."""
        games = self.options.games
        rows = np.concatenate([np.ones((len(wins), 1)), first - second, first + second], axis=1)
        self._moments += games * (rows.T @ rows)
        self._targets += rows.T @ wins

    def solve(self) -> tuple[float, Matrix]:
        """The constant, and one row per seat with the value of each feature."""
        solution = np.linalg.solve(self._moments + np.diag(self._precision), self._targets)
        constant, *_ = solution = np.round(solution, DIGITS)
        shared, apart = np.split(solution[1:], 2)
        return float(constant), np.stack([shared + apart, shared - apart])


def _estimate(options: CardValues, space: GenomeSpace, drafts: int, seed: int, world: World) -> Steps:
    rng = generator_of(seed)
    kinds = world.card_kinds
    cards = len(kinds)
    fit = Fit(options, kinds)
    genome = np.zeros(space.genes)
    spread = 1.0  # before anything is known, any noise drafts at random
    for number in range(options.rounds):
        explorers = _explorers(rng, genome, cards, options.explorers, spread * (options.noise if number else 1))
        seeds = draw_seeds(rng, drafts)
        ask = _pairs(rng, explorers, seeds, options.games)
        wins = yield ask
        first, second = (
            fit.features(world.decks(explorers, rows, seeds, seat=seat))
            for seat, rows in enumerate((ask.first, ask.second))
        )
        fit.add(first, second, wins.astype(np.int32))
        constant, worth = fit.solve()
        usual = [np.sqrt(features[:, cards:]).mean(axis=0).round(DIGITS) for features in (first, second)]
        genome = np.concatenate([part for seat in (0, 1) for part in (worth[seat], usual[seat])])
        spread = round(float(worth[:, :cards].std()), DIGITS)
        score = _expected(world, fit, genome, seeds, constant, worth, (first, second))
        yield Generation(number, genome[None, :], np.array([score]), {"spread": 100 * spread})


def _explorers(rng: np.random.Generator, genome: Matrix, cards: int, count: int, noise: float) -> Genomes:
    """Copies of a genome whose values have noise, the same in both seats."""
    half = len(genome) // 2
    explorers = np.tile(genome, (count, 1))
    shift = noise * rng.standard_normal((count, cards))
    explorers[:, :cards] += shift
    explorers[:, half : half + cards] += shift
    return explorers


def _pairs(rng: np.random.Generator, explorers: Genomes, seeds: Seeds, games: int) -> Batch:
    """One matchup per draft, between two different explorers."""
    count = len(explorers)
    first = np.arange(len(seeds)) * count // len(seeds)
    second = (first + rng.integers(1, count, len(seeds))) % count
    shuffles = draw_seeds(rng, len(seeds) * games).reshape(len(seeds), games)
    courses = tuple(Course(np.repeat(seeds[i], games), shuffles[i]) for i in range(len(seeds)))
    return matchups(
        explorers, courses, first.astype(np.int32), second.astype(np.int32), np.arange(len(seeds), dtype=np.int32)
    )


def _expected(
    world: World, fit: Fit, genome: Matrix, seeds: Seeds, constant: float, worth: Matrix, explorers: tuple[Matrix, ...]
) -> float:
    """The percentage of games that the model expects a genome to win against the explorers of the round."""
    rows = np.zeros(len(seeds), dtype=np.int32)
    own = [fit.features(world.decks(genome[None, :], rows, seeds, seat=seat)) for seat in (0, 1)]
    moving_first = constant + np.mean(own[0] @ worth[0] - explorers[1] @ worth[1])
    moving_second = 1 - constant - np.mean(explorers[0] @ worth[0] - own[1] @ worth[1])
    return round(float(50 * (moving_first + moving_second)), DIGITS)
