"""Profiles: how games of an evaluation of Hearthstone decks are set up, and how what happens in them is counted.

`fair` is how we would measure a deck. The others are what two published programs did, so that their numbers can be
compared with: the deck always moves first, opening hands keep what should be thrown away, and pilots see everything.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from deckatlas.errors import MatchError
from deckatlas.games.hearthstone.agents import AGENTS
from deckatlas.games.hearthstone.pilots import PilotLike
from deckatlas.play.spec import EXEC, with_defaults
from deckatlas.shapes import nearest, show


@dataclass(frozen=True)
class Profile:
    """How decks are evaluated.

    Attributes:
        name: What it is called.
        swap_seats: Whether the deck moves first in every other game, from the same seed, or in all.
        mulligan: Which cards of an opening hand are kept: "cheap" ones (of cost 3 or less), or "inverted", the others.
        information: What pilots know that plan their turns: "honest", what a player can see, or "perfect", everything.
        replan: Whether such pilots of this profile plan anew after a random event, or carry out what they have planned.
        hand_size: When cards in hand are counted: at the "start" of the own turn, after the draw, or at its "end".
        counts: How damage, draws and mana are counted: "plain", or as the "published" programs did.
        health_difference: What the fitness is: the "mean" of the health difference over games, or its "sum".
    """

    name: str
    swap_seats: bool
    mulligan: Literal["cheap", "inverted"]
    information: Literal["honest", "perfect"]
    replan: bool
    hand_size: Literal["start", "end"]
    counts: Literal["plain", "published"]
    health_difference: Literal["mean", "sum"]

    def pilot(self, given: PilotLike) -> PilotLike:
        """A pilot, with what the profile says where the spec of an agent leaves it open.

        Raises:
            AgentError: If it has an empty option.
        """
        if not isinstance(given, str) or given.startswith(EXEC):
            return given
        options = {"information": self.information, "replan": str(self.replan).lower()}
        return with_defaults(given, AGENTS, options)


FAIR = Profile(
    name="fair",
    swap_seats=True,
    mulligan="cheap",
    information="honest",
    replan=True,
    hand_size="start",
    counts="plain",
    health_difference="mean",
)
EVOSTONE = Profile(
    name="evostone",
    swap_seats=False,
    mulligan="inverted",
    information="perfect",
    replan=True,
    hand_size="end",
    counts="published",
    health_difference="mean",
)
EVOSABBER = Profile(
    name="evosabber",
    swap_seats=False,
    mulligan="inverted",
    information="perfect",
    replan=False,
    hand_size="end",
    counts="published",
    health_difference="sum",
)
PROFILES: Mapping[str, Profile] = MappingProxyType({each.name: each for each in (FAIR, EVOSTONE, EVOSABBER)})


def profile_of(given: Profile | str) -> Profile:
    """A profile given by itself or by its name.

    Raises:
        MatchError: If there is none of that name.
    """
    if isinstance(given, Profile):
        return given
    if not isinstance(given, str) or given not in PROFILES:
        raise MatchError(f"unknown profile {show(given)}: {nearest(given, PROFILES)}")
    return PROFILES[given]
