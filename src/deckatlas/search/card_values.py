"""Card values: what each card adds to the chance to win, estimated from all games at once.

A genetic algorithm learns from a game whether a genome won. Far more is in it: two decks met, and the difference of
their cards made one win. So this search lets explorers (the best genome so far with noise) draft and play each other,
and fits the wins of all games so far by one linear model over the cards in the two decks. The coefficients are the
values of cards, and how they bend with the number of cards of a kind; they are the next genome. Every game says
something about sixty cards, which is why it needs so few of them. The model is derived in docs/search.md.
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
MOST_DRAFTS = 500_000  # of a round: its decks are described by gigabytes
NOISE = 0.25  # variance of one game around its chance
DIGITS = 9  # numbers are rounded, so that machines whose sums differ in the last bit go on with the same genome


class CardValues(MatchupOptions):
    """The search for card values."""

    algorithm: Literal["card-values"] = "card-values"
    rounds: int = Field(default=10, ge=1, le=10_000, description="How often the values are estimated again.")
    explorers: int = Field(default=200, ge=2, le=10_000, description="Genomes with noise that play a round.")
    games: int = Field(default=5, ge=1, le=1_000, description="Games of two explorers on one draft.")
    noise: float = Field(default=0.7, gt=0, description="Noise of explorers, in spreads of the values so far.")
    value_spread: float = Field(default=0.015, gt=0, description="How far values are expected to lie apart.")
    seat_spread: float = Field(default=0.004, gt=0, description="How far the values of the two seats may lie apart.")
    bend_spread: float = Field(default=0.001, gt=0, description="How far bends are expected to lie from none.")

    def make(self, *, space: GenomeSpace, budget: int | None, seed: int, world: World) -> Script:
        """The search: all of the budget in rounds of equal size."""
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
            message = f"{drafts:,} drafts a round are more than {MOST_DRAFTS:,}: more rounds or games make them fewer"
            raise SearchError(message, "budget", "rounds", "games")
        return Script(_estimate(self, space, drafts, seed, world), games=self.rounds * drafts * self.games)

    def smoke(self) -> Self:
        """Three rounds of eight explorers, five games a draft."""
        sizes = {"rounds": 3, "explorers": 8, "games": 5}
        smaller = {name: min(getattr(self, name), size) for name, size in sizes.items()}
        return self.model_validate({**self.model_dump(), **smaller})


@dataclass
class Fit:
    """Least squares with a prior, over all games so far.

    The chance that the first player wins is a constant, plus the worth of its deck in the first seat, less the worth of
    the other deck in the second seat. A deck is described by its number of each card and the squared numbers of its
    kinds. What the seats share and what they differ by are fitted as two parts with priors of their own.
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
        """A row a deck: the number of each card, then the squared number of each kind."""
        cards = len(self.kinds)
        rows = np.arange(len(decks))[:, None] * cards + (decks.astype(np.int64) - 1)
        counts = np.bincount(rows.ravel(), minlength=len(decks) * cards).reshape(len(decks), cards).astype(np.float64)
        return np.concatenate([counts, np.square(counts @ self.kinds)], axis=1)

    def add(self, first: Matrix, second: Matrix, wins: Numbers) -> None:
        """Takes the decks of a round and how many of its games the first player won."""
        games = self.options.games
        rows = np.concatenate([np.ones((len(wins), 1)), first - second, first + second], axis=1)
        self._moments += games * (rows.T @ rows)
        self._targets += rows.T @ wins

    def solve(self) -> tuple[float, Matrix]:
        """The constant, and a row a seat with what each feature is worth there."""
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
    """A draft after the other, two different explorers on each."""
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
    """The percentage that the model expects a genome to win against the explorers of the round."""
    rows = np.zeros(len(seeds), dtype=np.int32)
    own = [fit.features(world.decks(genome[None, :], rows, seeds, seat=seat)) for seat in (0, 1)]
    moving_first = constant + np.mean(own[0] @ worth[0] - explorers[1] @ worth[1])
    moving_second = 1 - constant - np.mean(explorers[0] @ worth[0] - own[1] @ worth[1])
    return round(float(50 * (moving_first + moving_second)), DIGITS)
