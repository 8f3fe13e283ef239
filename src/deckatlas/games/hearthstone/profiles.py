"""Profiles: how the games of an evaluation of Hearthstone decks are set up and counted.

`fair` is how we would measure a deck. The others do what two published programs did, so that results can be compared
with theirs: the deck always moves first, the mulligan keeps the wrong cards, and pilots see everything.
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
        name: The profile's name.
        swap_seats: Whether the deck moves first in every other game, with the same seed for both, or in all games.
        mulligan: Which cards of an opening hand are kept: the pilot's "own" choice (for most pilots "cheap"), "cheap"
            cards (of cost 3 or less), or "inverted", the others.
        information: What planning pilots know: "honest", what a player can see, or "perfect", everything.
        replan: Whether planning pilots plan again after a random event, or carry out their plan.
        hand_size: When cards in hand are counted: at the "start" of the player's turn, after the draw, or at its "end".
        counts: How damage, draws and mana are counted: "plain", or as the "published" programs did.
        health_difference: The fitness: the "mean" of the health difference over games, or its "sum".
    """

    name: str
    swap_seats: bool
    mulligan: Literal["own", "cheap", "inverted"]
    information: Literal["honest", "perfect"]
    replan: bool
    hand_size: Literal["start", "end"]
    counts: Literal["plain", "published"]
    health_difference: Literal["mean", "sum"]

    def pilot(self, given: PilotLike) -> PilotLike:
        """A pilot, with the profile's options where the spec of an agent does not set them.

        Raises:
            AgentError: If an option is empty.
        """
        if not isinstance(given, str) or given.startswith(EXEC):
            return given
        options = {"information": self.information, "replan": str(self.replan).lower()}
        return with_defaults(given, AGENTS, options)


FAIR = Profile(
    name="fair",
    swap_seats=True,
    mulligan="own",
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
    """A profile, given as a `Profile` or by its name.

    Raises:
        MatchError: If there is no profile of that name.
    """
    if isinstance(given, Profile):
        return given
    if not isinstance(given, str) or given not in PROFILES:
        raise MatchError(f"unknown profile {show(given)}: {nearest(given, PROFILES)}")
    return PROFILES[given]
