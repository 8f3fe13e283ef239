"""The steps of a search for the best deck: rounds of explorers, then a comparison of finalists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.search.batches import Batch, Stream, seed_of
from deckatlas.search.card_model import CardModel, CopyValues, Posterior, rounded
from deckatlas.search.deck_space import Counts, DeckSpace
from deckatlas.search.deck_swaps import Swaps
from deckatlas.search.evaluation import Floats
from deckatlas.search.protocol import Generation
from deckatlas.search.scripts import OutcomeSteps

Decks = npt.NDArray[np.uint8]

APART = 2  # finalists differ in at least this many cards, where there are enough decks
MISFIT = 0.04  # how far decks are from the sum of their cards, in units of the noise of one game
SCORE_DIGITS = 6
_TRIES = 4  # to draw an explorer that is not in the round yet


@dataclass(frozen=True)
class DeckSearchPlan:
    """What a search for the best deck does.

    Attributes:
        rounds: The number of rounds.
        explorers: The decks of a round.
        radius: The most cards in which an explorer differs from the deck it is made of.
        finalists: The decks that are compared in the end.
        final_evaluations: The evaluations that the comparison may take.
        games: The games of an evaluation.
        fresh: Whether every explorer plays its own games; otherwise all explorers of a round play the same.
        seed: The seed of all games.
        column: The place of the objective among the measured columns.
        in_percent: Whether scores are given in percent.
    """

    rounds: int
    explorers: int
    radius: int
    finalists: int
    final_evaluations: int
    games: int
    fresh: bool
    seed: int
    column: int
    in_percent: bool

    @property
    def stages(self) -> list[int]:
        """How many finalists each stage of the comparison has: half of those before, two in the last."""
        return _stages(self.finalists)

    @property
    def laps(self) -> list[int]:
        """How many evaluations long the games of each stage are; all stages take about as many games."""
        return laps_of(self.finalists, self.final_evaluations)

    @property
    def all_games(self) -> int:
        """The games of the whole search."""
        final = sum(decks * laps for decks, laps in zip(self.stages, self.laps, strict=True))
        return (self.rounds * self.explorers + final) * self.games

    def steps(self, space: DeckSpace[Any], starts: Decks, rng: np.random.Generator) -> OutcomeSteps:
        """The search as a script.

        Args:
            space: The decks that are searched.
            starts: The decks that the first explorers are made of.
            rng: Draws everything random but games.
        """
        swaps = Swaps(space)
        model = CardModel(space.length, self.rounds)
        posterior = model.fit()
        known = starts  # what explorers are made of: the starts, and the best deck of each round
        played: dict[bytes, Counts] = {}
        for number in range(self.rounds):
            decks = self._explorers(swaps, posterior, known, rng, starts if number == 0 else starts[:0])
            outcomes = yield self._round(number, decks)
            totals = outcomes.total[:, self.column]
            model.add(decks, totals, self.games, number)
            posterior = model.fit()
            played |= {deck.tobytes(): deck for deck in decks}
            values = posterior.values
            best = swaps.climbed(_best(known, values), values, most=self.radius)
            known = np.concatenate([known, best[np.newaxis]])
            expected = posterior.constant + values.of(best[np.newaxis])
            facts = {
                "explorers": self._score(float(totals.sum()) / (self.games * len(decks))),
                "value spread": self._score(posterior.noise * model.spread),
            }
            yield Generation(number, best[np.newaxis], np.array([self._score(float(expected[0]))]), facts)
        every = np.stack([*known[::-1], *played.values()])
        yield from self._final(_finalists(every, posterior.values, self.finalists), posterior)

    def _explorers(
        self, swaps: Swaps, posterior: Posterior, known: Decks, rng: np.random.Generator, given: Decks
    ) -> Decks:
        """The decks of a round, all different where possible: those given, then decks that may be the best."""
        decks = {deck.tobytes(): deck for deck in given[: self.explorers]}
        for tries in range(_TRIES):
            for values in posterior.samples(rng, self.explorers - len(decks)):
                deck = swaps.climbed(_best(known, values), values, most=self.radius)
                if tries:  # what is known leaves little to choose: something near
                    deck = swaps.space.mutate(deck, rng)
                decks.setdefault(deck.tobytes(), deck)
        found = list(decks.values())
        return np.stack([found[at % len(found)] for at in range(self.explorers)])

    def _round(self, number: int, decks: Decks) -> Batch:
        seed = seed_of(self.seed, "games")
        if not self.fresh:
            return _evaluations(decks, [Stream(seed, number * self.games, self.games)])
        first = number * self.explorers
        return _evaluations(decks, [Stream(seed, (first + at) * self.games, self.games) for at in range(len(decks))])

    def _final(self, decks: Decks, posterior: Posterior) -> OutcomeSteps:
        """Compares decks over the same fresh games; each stage keeps the better half."""
        seed, first = seed_of(self.seed, "final games"), 0
        expected, doubts = posterior.values.of(decks), posterior.doubts(decks)
        doubts = np.hypot(doubts, MISFIT * posterior.noise)
        totals, games = np.zeros(len(decks)), np.zeros(len(decks))
        order = np.arange(len(decks))  # the best first, those of earlier stages behind
        for number, (count, laps) in enumerate(zip(self.stages, self.laps, strict=True)):
            left = order[:count]
            outcomes = yield _evaluations(decks[left], [Stream(seed, first, laps * self.games)])
            first += laps * self.games
            totals[left] += outcomes.total[:, self.column]
            games[left] = first
            rated = _combined(expected[left], doubts[left], totals[left] / first, posterior.noise / first**0.5)
            order[:count] = left[np.argsort(-rated, kind="stable")]
            scores = np.array([self._score(score) for score in (totals / games)[order].tolist()])
            yield Generation(self.rounds + number, decks[order], scores)

    def _score(self, value: float) -> float:
        return round(value * (100 if self.in_percent else 1), SCORE_DIGITS)


def _stages(finalists: int) -> list[int]:
    left = [finalists]
    while left[-1] > 2:
        left.append((left[-1] + 1) // 2)
    return left


def laps_of(finalists: int, evaluations: int) -> list[int]:
    """How many evaluations long the games of each stage of a comparison are."""
    stages = _stages(finalists)
    return [evaluations // (len(stages) * decks) for decks in stages]


def _evaluations(decks: Decks, streams: Sequence[Stream]) -> Batch:
    """One evaluation for each deck, over the same games or each over its own."""
    numbers = np.arange(len(decks), dtype=np.int32)
    course = numbers if len(streams) > 1 else np.zeros(len(decks), np.int32)
    return Batch(decks, numbers[:, np.newaxis], tuple(streams), course)


def _best(decks: Decks, values: CopyValues) -> Counts:
    best: Counts = decks[int(np.argmax(values.of(decks)))]
    return best


def _finalists(decks: Decks, values: CopyValues, count: int) -> Decks:
    """The best decks by value that are not too near each other; the next best where there are too few."""
    order = np.argsort(-values.of(decks), kind="stable")
    apart: list[int] = []
    for at in order.tolist():
        if len(apart) < count and all(distance(decks[at], decks[other]) >= APART for other in apart):
            apart.append(at)
    others = [at for at in order.tolist() if at not in apart]
    chosen = [*apart, *others][:count]
    return np.stack([decks[chosen[at % len(chosen)]] for at in range(count)])


def distance(one: Counts, other: Counts) -> int:
    """The number of cards that must be replaced to make one deck of another."""
    return int(np.abs(one.astype(np.int64) - other).sum()) // 2


def _combined(expected: Floats, doubts: Floats, seen: Floats, noise: float) -> Floats:
    """What is known of decks from the model and from games; both are relative to the mean of the decks."""
    prior, games = 1 / doubts**2, 1 / noise**2
    return rounded((prior * (expected - expected.mean()) + games * (seen - seen.mean())) / (prior + games))
