"""What people know about a field: reported strengths, and matchups in which one side is favoured.

It is the table [published] of an experiment, by archetype:

    weaker = ["Handlock"]           # weaker than all of [published.strength], in no known order

    [published.strength]            # the share of games won against the field, in percent
    Zoo = 55.2

    [published.favoured.clear]      # who is favoured against whom, and how clearly: extreme, clear or slight
    "Face Hunter" = ["Freeze Mage"]
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from deckatlas.documents.complaints import Complaint
from deckatlas.experiments.published import a_number, some_of, tables

STRONG = ("extreme", "clear")
WEAK = ("slight",)
STRENGTHS = (*STRONG, *WEAK)


@dataclass(frozen=True)
class KnownMatchup:
    """A matchup in which people call one side favoured.

    Attributes:
        favoured: The archetype that is favoured.
        against: The other one.
        strength: How clearly.
    """

    favoured: str
    against: str
    strength: str


@dataclass(frozen=True)
class Knowledge:
    """What people know about some archetypes.

    Attributes:
        strength: The reported share of games won against the field, in percent.
        weaker: Archetypes that are weaker than all of these, in no known order.
        matchups: Matchups with a favoured side.
    """

    strength: Mapping[str, float]
    weaker: tuple[str, ...]
    matchups: tuple[KnownMatchup, ...]

    @classmethod
    def of(cls, published: Mapping[str, Any], archetypes: Collection[str]) -> "Knowledge":
        """What a table [published] says about these archetypes."""
        matchups = (
            KnownMatchup(favoured, against, strength)
            for strength in STRENGTHS
            for favoured, others in published.get("favoured", {}).get(strength, {}).items()
            for against in others
        )
        return cls(
            {name: float(won) for name, won in published.get("strength", {}).items() if name in archetypes},
            tuple(name for name in published.get("weaker", ()) if name in archetypes),
            tuple(one for one in matchups if {one.favoured, one.against} <= set(archetypes)),
        )

    @property
    def order(self) -> dict[str, float]:
        """A number for each archetype whose place in the order is known; those that are weaker share the lowest."""
        lowest = min(self.strength.values(), default=0.0) - 1
        return {**dict.fromkeys(self.weaker, lowest), **self.strength}


def complaints(published: Mapping[str, Any], known: Collection[str]) -> Iterator[Complaint]:
    """Complains about a table [published] that is not of this form, or has unknown archetypes."""
    favoured = tables(dict.fromkeys(STRENGTHS, tables(dict.fromkeys(known, some_of(known)))))
    strength = tables(dict.fromkeys(known, a_number))
    checks = {"strength": strength, "weaker": some_of(known), "favoured": favoured}
    yield from tables(checks)(published, ("published",))
