"""What is known to differ when recorded games of Hearthstone are replayed, each with its name and its exact place.

docs/deviations.md says under the same names why. A difference counts as known only if it is here with all that it is:
the recorded game, the step, the field and both values.
"""

from typing import NamedTuple


class Difference(NamedTuple):
    """A number that came out in another way: in which recorded game (its seed), at which step, and both values."""

    seed: int
    step: int
    field: str
    recorded: int
    found: int


KNOWN_DEVIATIONS: dict[Difference, str] = {
    Difference(1121855020, 26, "end nodes", recorded=11, found=10): "copies-by-deck-list",
    Difference(1102316833, 13, "score", recorded=137, found=147): "copies-by-deck-list",
    Difference(1906515857, 59, "end nodes", recorded=26, found=25): "made-cards-in-order",
    Difference(1481316514, 48, "end nodes", recorded=38, found=36): "faceless-set-aside",
}
