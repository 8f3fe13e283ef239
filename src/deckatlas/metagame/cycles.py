"""Cycles: three decks of which each beats the next, beyond what chance explains."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from deckatlas.metagame.matchups import Floats, Matchups, Pair
from deckatlas.stats.distributions import incomplete_beta
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.multiple import holm

ALPHA = 0.05  # the chance that a field without any favourite shows one


@dataclass(frozen=True)
class Cycle:
    """Three decks of which each beats the next.

    Attributes:
        decks: Their numbers; the first beats the second, the second the third, the third the first.
        rates: How often the winner of each of these three pairs won.
    """

    decks: tuple[int, int, int]
    rates: tuple[Estimate, Estimate, Estimate]

    @property
    def strength(self) -> float:
        """How far the weakest of the three rates is above a half."""
        return min(each.value for each in self.rates) - 0.5


def sign_test(outcomes: Floats) -> float:
    """The probability of so uneven outcomes, or more uneven ones, if both sides win as often: exact.

    Only seeds count of which one side won both games, as in McNemar's test.
    """
    ahead, behind = int((outcomes > 0.5).sum()), int((outcomes < 0.5).sum())
    fewer, decided = min(ahead, behind), ahead + behind
    if 2 * fewer >= decided - 1:  # as even as it can be
        return 1.0
    # At most `fewer` heads in `decided` throws of a coin.
    return min(1.0, 2 * incomplete_beta(decided - fewer, fewer + 1, 0.5))


def decided_pairs(matchups: Matchups, *, alpha: float = ALPHA) -> dict[Pair, float]:
    """The pairs with a favourite, the favourite first, each with its adjusted p value.

    By Holm's method over all pairs: the chance that any pair without a favourite is named is at most `alpha`.
    """
    pairs = list(matchups.outcomes)
    adjusted = holm([sign_test(matchups.outcomes[pair]) for pair in pairs])
    decided = sorted((p, at) for at, p in enumerate(adjusted) if p < alpha)
    found: dict[Pair, float] = {}
    for p, at in decided:
        i, j = pairs[at]
        found[(i, j) if matchups.rates[i, j] > 0.5 else (j, i)] = p
    return found


def cycles_of(matchups: Matchups, decided: Mapping[Pair, float]) -> list[Cycle]:
    """All cycles among decided pairs, the strongest first; each starts with its deck of the lowest number."""
    beats = np.zeros((len(matchups), len(matchups)), np.bool_)
    for winner, loser in decided:
        beats[winner, loser] = True
    found = []
    for a, b, c in combinations(range(len(matchups)), 3):
        for x, y in ((b, c), (c, b)):
            if beats[a, x] and beats[x, y] and beats[y, a]:
                edges = matchups.rate(a, x), matchups.rate(x, y), matchups.rate(y, a)
                found.append(Cycle((a, x, y), edges))
    return sorted(found, key=lambda cycle: -cycle.strength)
