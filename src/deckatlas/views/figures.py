"""The style of figures: colours that people with any colour vision can distinguish, and plain axes."""

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from deckatlas.errors import RunError

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # an extra
    from matplotlib.figure import Figure

FIGURES = (".png", ".svg", ".pdf")

# Okabe and Ito's colours without yellow, which is too faint for lines; then dark shades for more than seven.
COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
    *("#7F3C8D", "#8C6D31", "#6B6B6B", "#8B0000", "#2F4F2F"),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "p", "h")

GREY, BLACK = "#6B6B6B", "#000000"


def colour(number: int) -> str:
    """The colour of the line with this number."""
    return COLOURS[number % len(COLOURS)]


def marker(number: int) -> str:
    """The marker of the line with this number."""
    return MARKERS[number % len(MARKERS)]


def label(name: str) -> str:
    """A name such as E_aw-2d in mathematical notation, for matplotlib."""
    letter, underscore, index = name.partition("_")
    if len(letter) != 1 or not underscore:
        return name
    return rf"${letter}_{{\mathrm{{{index.replace('-', '/')}}}}}$"


def quiet(axes: "Axes", *, title: str, x: str, y: str) -> None:
    """Labels axes, and hides the lines that are not needed."""
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def logarithmic(axes: "Axes") -> None:
    """Makes the upright axis logarithmic, with numbers at 1, 2 and 5 of each power of ten."""
    axes.set_yscale("log", subs=(2, 5))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")


def figure_of(ending: str) -> "type[Figure]":
    """Matplotlib's `Figure`, if files with this ending can hold figures.

    Raises:
        RunError: If matplotlib is not installed, or the ending is unknown.
    """
    if ending not in FIGURES:
        raise RunError(f"a figure's file ends in {', '.join(FIGURES[:-1])} or {FIGURES[-1]}, not {ending!r}")
    try:
        from matplotlib.figure import Figure  # an extra, and slow to import
    except ImportError:
        raise RunError("figures need matplotlib: pip install 'deckatlas[plot]'") from None
    return Figure


def picture_of(
    draw: "Callable[[Figure], None]", ending: str, *, dpi: int = 150, size: tuple[float, float] | None = None
) -> bytes:
    """A drawing as the content of a PNG, SVG or PDF file.

    Args:
        draw: Draws it.
        ending: .png, .svg or .pdf.
        dpi: Dots per inch of a PNG file.
        size: Its width and height, in inches, unless `draw` sets them.

    Raises:
        RunError: If matplotlib is not installed, or the ending is unknown.
    """
    figure = figure_of(ending)(figsize=size, layout="constrained")
    from matplotlib import rc_context  # an extra, as above

    content = io.BytesIO()
    with rc_context({"text.parse_math": False}):  # names are as people write them, with dollars too
        draw(figure)
        figure.savefig(content, format=ending.removeprefix("."), dpi=dpi)
    return content.getvalue()
