"""Known decks under both editions: the same pairs, seats and seeds, and what the patch changes for each deck."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deckatlas.balancing.questions import FIELD, MATCHUPS, Question, Shift, weighted_shift
from deckatlas.balancing.subject import Floats
from deckatlas.metagame.matchups import GAMES_PER_SEED, Matchups, Pair
from deckatlas.stats.estimate import Estimate

DECK, CLASS, MATCHUP = "deck", "class", "matchup"
MARGIN = 0.01  # of a win rate
_STEP = 1 / GAMES_PER_SEED


@dataclass(frozen=True)
class FieldGames:
    """The games of known decks under both editions.

    Attributes:
        before: The games under the base edition.
        after: Those under the patch: the same pairs, and as many seeds.
        shares: The share of each deck in today's games.
        classes: The class of each deck; empty texts if decks have no classes.
        paired: Whether both editions played the same seeds.
    """

    before: Matchups
    after: Matchups
    shares: Floats
    classes: tuple[str, ...]
    paired: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the decks."""
        return self.before.names

    @property
    def games(self) -> int:
        """The games under both editions together."""
        return self.before.games + self.after.games

    def questions(self) -> Iterator[Question]:
        """Whether decks, classes and matchups gain or lose."""
        for i, name in enumerate(self.names):
            yield self._question(DECK, name, f"the win rate of {name} against the field", self._of_decks([i]))
        for each in sorted({*self.classes} - {""}):
            members = [i for i, own in enumerate(self.classes) if own == each]
            number = f"the win rate of {each.title()} against the field"
            yield self._question(CLASS, each.title(), number, self._of_decks(members), place=each.title())
        for i, j in self.before.outcomes:
            one, other = self.names[i], self.names[j]
            number = f"the win rate of {one} against {other}"
            yield self._question(MATCHUP, one, number, {(i, j): 1.0}, place=other, family=MATCHUPS)

    def _of_decks(self, members: list[int]) -> dict[Pair, float]:
        return pair_weights(members, self.shares)

    def _question(
        self, topic: str, subject: str, number: str, weights: dict[Pair, float], *, place: str = "", family: str = FIELD
    ) -> Question:
        pairs = [pair for pair in weights if weights[pair]]
        factors = np.array([weights[pair] for pair in pairs])
        moved = [self.after.outcomes[pair] - self.before.outcomes[pair] for pair in pairs]
        games = GAMES_PER_SEED * sum(len(each) for each in moved)
        seeds = "on common seeds" if self.paired else "on different seeds"
        return Question(
            topic,
            subject,
            number,
            self._rate(self.before, pairs, factors, games),
            self._rate(self.after, pairs, factors, games),
            weighted_shift(moved, factors, step=_STEP),
            f"{games:,} games under each edition {seeds}",
            MARGIN,
            family=family,
            place=place,
            unit_games=max(1, round(self.games / max(1, games))),
        )

    def _rate(self, side: Matchups, pairs: list[Pair], factors: Floats, games: int) -> Estimate:
        """A win rate under one edition: the part that is not played, against own copies, is a half."""
        centred = [side.outcomes[pair] - 0.5 for pair in pairs]
        found: Shift = weighted_shift(centred, factors, step=_STEP)
        rate = found.estimate(games, is_share=True)
        return Estimate(0.5 + rate.value, max(0.0, 0.5 + rate.low), min(1.0, 0.5 + rate.high), games, is_share=True)


def pair_weights(members: Sequence[int], shares: Floats) -> dict[Pair, float]:
    """How much each pair counts in the win rate of some decks against the field; a loss of one is a win of another.

    Against its own copies a deck wins half under both editions, so these games need not be played.

    Args:
        members: The numbers of the decks.
        shares: The share of each deck of the field in today's games.
    """
    total = sum(float(shares[i]) for i in members)
    own = {i: float(shares[i]) / total if total > 0 else 1 / len(members) for i in members}
    weights: dict[Pair, float] = {}
    for i in members:
        for j in range(len(shares)):
            if i == j:
                continue
            pair, sign = ((i, j), 1.0) if i < j else ((j, i), -1.0)
            weights[pair] = weights.get(pair, 0.0) + sign * own[i] * float(shares[j])
    return weights
