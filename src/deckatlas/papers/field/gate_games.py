"""Decks against a field, on the same seeds: how often each wins, and by how much one does better than another."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.metagame import HearthstoneMetagame
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.metagame.metagame import whole_parts
from deckatlas.runs.hashes import canonical_json, text_hash
from deckatlas.search.batches import Batch, Course, matchups
from deckatlas.search.scripts import draw_seeds
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import VariancePart, sum_interval

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_GAMES_PER_SEED = 2
_FEWEST_SEEDS = 2  # against one opponent: fewer have no spread


@dataclass(frozen=True)
class FieldGames:
    """The games of some decks against all decks of a field.

    Every opponent has seeds of its own, each played twice with seats swapped. All decks play the same ones.

    Attributes:
        shares: The share of each opponent in the field.
        outcomes: For each deck and opponent, the share of each seed's games that the deck won.
    """

    shares: Floats
    outcomes: tuple[tuple[Floats, ...], ...]

    @classmethod
    def played(
        cls, study: Study, purpose: str, field: HearthstoneMetagame, decks: Sequence[Deck], *, pilot: str, games: int
    ) -> "FieldGames":
        """Plays about `games` games with each deck, in proportion to the shares of the field.

        Args:
            study: Plays and stores them.
            purpose: Games of another purpose have other seeds.
            field: The opponents.
            decks: The decks.
            pilot: The agent that plays the decks.
            games: Games per deck.
        """
        seeds = np.maximum(_FEWEST_SEEDS, whole_parts(field.shares, games // _GAMES_PER_SEED))
        known = draw_seeds(study.rng(purpose), int(seeds.sum()))
        entries = tuple(OpponentTable(deck=str(each), pilot=pilot) for each in decks)
        opponents = field.players()
        players = opponents.model_copy(update={"players": (*opponents.players, *entries)})
        key = text_hash(canonical_json({**players.to_json(), "cards": players.cards, "seed": study.seed})).hex()[:8]
        wins = study.play(f"gate {purpose} {games} {key}", _batch(seeds, known, len(decks)), players)
        ends = np.cumsum(seeds)[:-1]
        both = wins.reshape(len(decks), 2, -1).astype(np.float64)
        outcomes = (both[:, 0] + 1 - both[:, 1]) / 2  # in the second half the opponent moves first: wins are its own
        return cls(field.shares, tuple(tuple(np.split(each, ends)) for each in outcomes))

    def rate(self, deck: int) -> Estimate:
        """How often a deck won against the field, in percent."""
        return self._weighted([100 * each for each in self.outcomes[deck]])

    def difference(self, one: int, other: int) -> Estimate:
        """By how many points one deck won more often than another, seed by seed."""
        both = zip(self.outcomes[one], self.outcomes[other], strict=True)
        return self._weighted([100 * (ours - theirs) for ours, theirs in both])

    @property
    def games(self) -> int:
        """Games per deck."""
        return _GAMES_PER_SEED * sum(map(len, self.outcomes[0]))

    def _weighted(self, by_opponent: Sequence[Floats]) -> Estimate:
        """The mean over opponents by their shares; variances add up, since no two opponents have a seed in common."""
        value = sum(float(share * each.mean()) for share, each in zip(self.shares, by_opponent, strict=True))
        parts = [
            VariancePart(float(share**2 * each.var(ddof=1)) / len(each), len(each) - 1)
            for share, each in zip(self.shares, by_opponent, strict=True)
        ]
        return sum_interval(value, parts, n=self.games)


def _batch(seeds: Counts, known: npt.NDArray[np.uint64], decks: int) -> Batch:
    """The games of each deck: all in which it moves first, then all in which it moves second."""
    opponent = -1 - np.repeat(np.arange(len(seeds)), seeds)
    courses = [Course(seed, seed) for seed in np.split(known, len(known))]
    numbers = np.arange(len(known))
    first, second, course = [], [], []
    for deck in range(decks):
        own = np.full(len(known), -1 - len(seeds) - deck)
        first += [own, opponent]
        second += [opponent, own]
        course += [numbers, numbers]
    joined = (np.concatenate(each).astype(np.int32) for each in (first, second, course))
    return matchups(np.empty((0, 0)), courses, *joined)
