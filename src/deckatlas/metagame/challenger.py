"""How one deck does against a field: overall, by matchup, and its place among others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deckatlas.metagame.matchups import Floats, rate_of, weighted_rate
from deckatlas.stats.estimate import Estimate

if TYPE_CHECKING:
    from deckatlas.metagame.analysis import Analysis


@dataclass(frozen=True)
class Challenge:
    """The games of one deck against every deck of a metagame.

    Attributes:
        name: The deck's name.
        outcomes: For each deck of the metagame, the share of each seed's games that this deck won.
        field: The metagame.
    """

    name: str
    outcomes: Mapping[int, Floats]
    field: "Analysis"

    def rate(self, opponent: int) -> Estimate:
        """How often it won against a deck of the metagame."""
        return rate_of(self.outcomes[opponent])

    @property
    def overall(self) -> Estimate:
        """How often it wins against today's shares."""
        return weighted_rate(self.outcomes, self.field.shares)

    @property
    def against_mix(self) -> Estimate:
        """How often it wins against the equilibrium mix; above one half, it would change the mix."""
        return weighted_rate(self.outcomes, self.field.mix.shares)

    @property
    def order(self) -> list[int]:
        """The opponents from the best matchup to the worst."""
        return sorted(self.outcomes, key=lambda opponent: -float(self.outcomes[opponent].mean()))

    @property
    def percentile(self) -> Estimate:
        """The share of the field's decks that win less than it against today's shares."""
        scores = [self.field.score(i).value for i in range(len(self.field.names))]
        return percentile_among(self.overall, np.array(scores))

    def among(self, others: Iterable["Challenge"]) -> Estimate:
        """The share of other decks, such as the elites of an atlas, that win less against today's shares."""
        return percentile_among(self.overall, np.array([each.overall.value for each in others]))

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data, the best matchup first."""
        return {
            "deck": self.name,
            "metagame": self.field.metagame.name,
            **self.overall.cells("won", n="games"),
            **self.against_mix.cells("against_mix"),
            **self.percentile.cells("percentile"),
            "matchups": [
                {"against": self.field.names[j], **self.rate(j).cells("rate", n="games", prefix="")} for j in self.order
            ],
        }


def percentile_among(score: Estimate, others: Floats) -> Estimate:
    """The share of other scores that are below a score; equal ones count half. Its interval is that of the score.

    The others can be any decks with the same opponents: those of a field, or the elites of an atlas.
    """

    def below(mark: float) -> float:
        return float(((others < mark).sum() + 0.5 * (others == mark).sum()) / len(others))

    return Estimate(below(score.value), below(score.low), below(score.high), len(others), is_share=True)
