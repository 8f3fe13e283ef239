"""The known differences in replays of recorded Hearthstone games, each with its name and exact place.

docs/deviations.md explains them under the same names. A difference counts as known only if everything matches: the
recorded game, the step, the field and both values.
"""

from typing import NamedTuple


class Deviation(NamedTuple):
    """A number that differs: the recorded game (by seed), the step, and both values."""

    seed: int
    step: int
    field: str
    recorded: int
    found: int


KNOWN_DEVIATIONS: dict[Deviation, str] = {
    Deviation(1121855020, 26, "end nodes", recorded=11, found=10): "copies-by-deck-list",
    Deviation(1102316833, 13, "score", recorded=137, found=147): "copies-by-deck-list",
    Deviation(1906515857, 59, "end nodes", recorded=26, found=25): "made-cards-in-order",
    Deviation(1481316514, 48, "end nodes", recorded=38, found=36): "faceless-set-aside",
}
