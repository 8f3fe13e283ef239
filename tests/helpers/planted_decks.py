"""Decks whose win rate is known: every card has a planted value, and games are drawn with that probability."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from deckatlas.search.batches import Batch, Stream
from deckatlas.search.deck_space import DeckColumn, DeckSpace, Limit
from deckatlas.search.evaluation import Column, Floats, Outcomes
from deckatlas.search.options import SearchOptions, SearchSetting

COLUMNS = (Column("win_rate"), Column("num_turns"))


@dataclass(frozen=True)
class Planted:
    """A space of decks with the truth about them.

    Attributes:
        space: The decks.
        first: What the first copy of each card adds to the win rate.
        further: What each further copy adds.
        pairs: What two cards add if a deck has both.
        constant: The win rate of a deck whose cards add nothing.
    """

    space: DeckSpace[int]
    first: Floats
    further: Floats
    pairs: Floats
    constant: float = 0.3

    def rates(self, decks: Any) -> Floats:
        """The true win rates."""
        has = (decks > 0).astype(np.float64)
        more = np.maximum(decks.astype(np.float64) - 1, 0)
        pairs = np.einsum("di,ij,dj->d", has, self.pairs, has) / 2
        return np.asarray(np.clip(self.constant + has @ self.first + more @ self.further + pairs, 0.01, 0.99))

    def evaluate(self, batch: Batch) -> Outcomes:
        """The outcomes of a batch; the games of a stream have some luck that all decks share."""
        rates = self.rates(batch.genes)
        wins = np.zeros(len(batch))
        for row in range(len(batch)):
            stream = batch.courses[int(batch.course[row])]
            assert isinstance(stream, Stream)
            genes = batch.genes[int(batch.first[row])]
            luck = np.random.default_rng([stream.seed, stream.first]).normal(0, 0.3 / stream.games**0.5)
            own = np.random.default_rng([stream.seed, stream.first, *genes.tolist()])
            wins[row] = own.binomial(stream.games, np.clip(rates[int(batch.first[row])] + luck, 0, 1))
        games = batch.lengths
        total = np.stack([wins, 5.0 * games], axis=1)
        weight = np.stack([games, games], axis=1).astype(np.float64)
        return Outcomes(games, total, weight, np.full_like(total, 0.01))


def planted(
    seed: int,
    *,
    cards: int = 60,
    size: int = 20,
    spread: float = 0.015,
    pair_spread: float = 0.0,
    least_copies: Any = None,
    limits: tuple[Limit, ...] = (),
) -> Planted:
    """A space with values drawn at random."""
    rng = np.random.default_rng(seed)
    most = rng.choice([1, 2, 2, 2], cards).tolist()
    columns = {"cost": DeckColumn(rng.integers(0, 10, cards))}
    space = DeckSpace(range(cards), most, size=size, columns=columns, least_copies=least_copies, limits=limits)
    first, further = rng.normal(0, spread, (2, cards))
    pairs = np.triu(rng.normal(0, pair_spread, (cards, cards)), 1)
    return Planted(space, first, first + further / 3, pairs + pairs.T)


def best_rate(truth: Planted) -> float:
    """The win rate of the best deck by single values, copies chosen greedily; exact where further copies add less."""
    values = np.concatenate([truth.first, np.where(truth.space.most_copies > 1, truth.further, -np.inf)])
    chosen = np.argsort(-values, kind="stable")[: truth.space.size] % truth.space.length
    return float(truth.rates(np.bincount(chosen, minlength=truth.space.length)[np.newaxis])[0])


def searched(
    options: SearchOptions, truth: Planted, *, budget: int, games: int = 20, seed: int = 1, **more: Any
) -> Any:
    """The last generation of a search."""
    setting = SearchSetting(
        space=truth.space, columns=COLUMNS, archive=None, games=games, fresh=False, budget=budget, seed=seed, **more
    )
    search = options.search(setting)
    generation = None
    played = 0
    while not search.is_over:
        batch = search.ask()
        assert batch is not None
        played += batch.games
        generation = search.tell(truth.evaluate(batch)) or generation
    assert played == search.games <= budget
    return generation
