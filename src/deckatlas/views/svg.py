"""Small drawings for web pages: SVG in the colours of the page, by classes of its style sheet.

Classes: `axis` (lines), `tick` and `label` (texts), `grid` (faint lines), and those that a drawing gives its elements.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10

Range = tuple[float, float]


def element(name: str, content: str = "", **attributes: object) -> str:
    """An element; its content is markup, its attributes are plain text. An underscore in a name becomes a hyphen."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_number(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text_element(words: str, **attributes: object) -> str:
    """A text."""
    return element("text", escape(words), **attributes)


def points(xs: Iterable[float], ys: Iterable[float]) -> str:
    """The points of a line, in the form of its attribute; points that are not finite are left out."""
    pairs = ((x, y) for x, y in zip(xs, ys, strict=True) if isfinite(x) and isfinite(y))
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in pairs)


def dots(xs: Iterable[float], ys: Iterable[float], *, class_: str) -> str:
    """Many dots as one element, which stays small: lines without length, whose round ends the style sheet draws."""
    pairs = ((x, y) for x, y in zip(xs, ys, strict=True) if isfinite(x) and isfinite(y))
    return element("path", d="".join(f"M{x:.1f} {y:.1f}h0" for x, y in pairs), class_=class_)


def _number(value: object) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) and abs(value) < 1e5 else str(value)


@dataclass(frozen=True)
class Frame:
    """A drawing with two axes.

    Attributes:
        x: The values at the left and right ends.
        y: The values at the bottom and top.
        width: The width of the drawing, including axes and texts.
        height: Its height.
        left: The margin left of the axes.
        bottom: The margin below them.
        top: The margin above them.
        right: The margin right of them.
    """

    x: Range
    y: Range
    width: float = 420.0
    height: float = 280.0
    left: float = 48.0
    bottom: float = 38.0
    top: float = 26.0
    right: float = 12.0

    def across(self, value: float) -> float:
        """The horizontal position of a value, from the left."""
        share = (value - self.x[0]) / (self.x[1] - self.x[0])
        return self.left + share * (self.width - self.left - self.right)

    def down(self, value: float) -> float:
        """The vertical position of a value, from the top."""
        share = (value - self.y[0]) / (self.y[1] - self.y[0])
        return self.height - self.bottom - share * (self.height - self.bottom - self.top)

    def drawing(self, parts: Iterable[str], *, title: str) -> str:
        """The whole drawing; the title is for people who cannot see it."""
        return element(
            "svg",
            "".join(parts),
            viewBox=f"0 0 {self.width:g} {self.height:g}",
            role="img",
            aria_label=title,
            xmlns="http://www.w3.org/2000/svg",
        )

    def axes(
        self,
        *,
        title: str,
        x: str,
        y: str,
        x_ticks: Sequence[float],
        y_ticks: Sequence[float],
    ) -> list[str]:
        """Axes with ticks and names."""
        bottom, right = self.height - self.bottom, self.width - self.right
        parts = []
        for value in x_ticks:
            at = self.across(value)
            parts.append(element("line", x1=at, x2=at, y1=bottom, y2=bottom + 4, class_="axis"))
            parts.append(text_element(tick(value), x=at, y=bottom + 16, text_anchor="middle", class_="tick"))
        for value in y_ticks:
            at = self.down(value)
            parts.append(element("line", x1=self.left, x2=right, y1=at, y2=at, class_="grid"))
            parts.append(text_element(tick(value), x=self.left - 6, y=at + 3.5, text_anchor="end", class_="tick"))
        parts.append(element("line", x1=self.left, x2=right, y1=bottom, y2=bottom, class_="axis"))
        parts.append(element("line", x1=self.left, x2=self.left, y1=self.top, y2=bottom, class_="axis"))
        middle = (self.top + bottom) / 2
        parts.append(text_element(title, x=self.left, y=self.top - 10, class_="label"))
        parts.append(text_element(x, x=(self.left + right) / 2, y=self.height - 5, text_anchor="middle", class_="tick"))
        turned = f"rotate(-90 11 {middle:g})"
        parts.append(text_element(y, x=11, y=middle, text_anchor="middle", transform=turned, class_="tick"))
        return parts


def tick(value: float) -> str:
    """A number at an axis."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{round(value, 6):g}"


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two ends, at most `most` of them."""
    rough = (high - low) / max(most - 1, 1)
    if not rough > 0:
        return [low]
    unit = 10.0 ** floor(log10(rough))
    step = next(factor * unit for factor in (1, 2, 2.5, 5, 10) if factor * unit >= rough * 0.999)
    return [number * step for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def padded(values: Iterable[float], share: float = 0.05) -> Range:
    """The lowest and highest value, with some room on both sides."""
    finite = [value for value in values if isfinite(value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    room = share * (high - low) or 0.5
    return low - room, high + room
