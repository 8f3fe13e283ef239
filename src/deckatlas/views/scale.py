"""The colours of numbers: dark blue for low, through green, to light yellow for high.

Lightness rises evenly, so that the order stays visible in grey print and for people with any colour vision.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.colors import LinearSegmentedColormap  # an extra

STOPS = ("#2b1b6a", "#193d83", "#005d89", "#07798e", "#049694", "#22b48d", "#6ccc77", "#b8dc5c", "#ffe64b")

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Scale:
    """A range of numbers and the colours in it.

    Attributes:
        low: The number with the first colour.
        high: The number with the last colour.
    """

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float]) -> "Scale":
        """The scale over all finite values."""
        finite = [float(value) for value in values if isfinite(value)]
        low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
        return cls(low, high if high > low else low + 1.0)

    def share(self, value: float) -> float:
        """The position of a number between both ends, from 0 to 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def colour(self, value: float) -> Colour:
        """The red, green and blue of a number."""
        place = self.share(value) * (len(STOPS) - 1)
        before = min(int(place), len(STOPS) - 2)
        one, other = (_parts(STOPS[at]) for at in (before, before + 1))
        red, green, blue = (round(a + (b - a) * (place - before)) for a, b in zip(one, other, strict=True))
        return red, green, blue

    def hex(self, value: float) -> str:
        """The colour of a number in the notation of web pages."""
        return "#{:02x}{:02x}{:02x}".format(*self.colour(value))


def _parts(colour: str) -> Colour:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def colour_map() -> "LinearSegmentedColormap":
    """The same colours for matplotlib."""
    from matplotlib.colors import LinearSegmentedColormap  # an extra, and slow to import

    return LinearSegmentedColormap.from_list("deckatlas", STOPS)
