"""Sets of cards that many decks of a map share, in a box of its cells or all over it."""

from math import floor, inf
from shlex import join
from typing import NamedTuple

from deckatlas.errors import RunError
from deckatlas.patterns.patterns import supports_of
from deckatlas.patterns.regions import Region
from deckatlas.patterns.sources import decks_of_runs, find_patterns
from deckatlas.runs.view import RunView
from deckatlas.views.answers.shapes import AsCode, Number, Rate, Shape
from deckatlas.views.map_filling import Plane, plane_of

MOST_PATTERNS = 12


class PatternShape(Shape):
    """A set of cards that many decks in a box share.

    `support` is its share of the decks in the box, `everywhere` that of all decks of the map; `lift` says how many
    times more often it is there than in random decks. `numbers` are the solutions in the box that have it.
    """

    cards: list[str]
    count: int
    numbers: list[int]
    support: Rate
    everywhere: Rate
    lift: Number


class BoxPatterns(Shape):
    """The patterns of the decks in a box of cells. Why lifts are not known, if so."""

    decks: int
    least: float
    found: int
    unknown_lifts: str
    patterns: list[PatternShape]
    code: AsCode


class Box(NamedTuple):
    """A box of cells, all ends included."""

    left: int
    right: int
    bottom: int
    top: int


def patterns_of(view: RunView, box: Box, x: str = "", y: str = "", *, support: float) -> BoxPatterns:
    """Sets of cards that many decks in a box of cells share.

    Args:
        view: The run.
        box: The cells.
        x: The column of the map along x; a measure of its own by default.
        y: The column along y.
        support: The least share of the decks that have a set.

    Raises:
        DeckatlasError: If the run has no decks, there are fewer than two in the box, or they share too many sets.
    """
    plane = plane_of(view, x, y)
    ends = {plane.places[0]: (float(box.left), float(box.right))}
    if len(plane.places) > 1:
        ends[plane.places[1]] = (float(box.bottom), float(box.top))
    region = Region(cells=tuple(ends.get(place, (-inf, inf)) for place in range(len(plane.view.measures))))
    decks = region.elites(plane.view)
    if len(decks) < 2:
        raise RunError(f"the box has {'one elite' if decks else 'no elite'}: two or more can share cards")
    least = max(support, floor(2e4 / len(decks)) / 1e4)  # two decks; rounded down, so that people can write it
    found = find_patterns(plane.view, support=least, region=region, most=MOST_PATTERNS, distinct=True)
    everywhere = supports_of(decks_of_runs([plane.view]), found)
    return BoxPatterns(
        decks=len(decks),
        least=least,
        found=found.found,
        unknown_lifts=found.decks.unknown,
        patterns=[
            PatternShape(
                cards=list(pattern.lines),
                count=pattern.count,
                numbers=sorted(decks[at].number for at in pattern.decks),
                support=Rate.of(pattern.support),
                everywhere=Rate.of(of_all),
                lift=pattern.lift,
            )
            for pattern, of_all in zip(found, everywhere, strict=True)
        ],
        code=_patterns_code(view, plane, region, least),
    )


def _patterns_code(view: RunView, plane: Plane, region: Region, support: float) -> AsCode:
    cells = ",".join(".." if low == -inf else f"{low:.0f}..{high:.0f}" for low, high in region.cells)
    path, asked, file = str(view.path), f"cells={cells}", "patterns.png"
    words = ["deckatlas", "patterns", path, "--region", asked, "--support", str(support), "--most", str(MOST_PATTERNS)]
    words += ["--picture", file]
    shown = f"deckatlas.open_run({path!r})"
    if plane.view is not view:
        words += ["--measures", ",".join(plane.view.measures)]
        shown += f".by({list(plane.view.measures)!r})"
    return AsCode(
        command=join(words),
        python="import deckatlas\nfrom deckatlas.views.pattern_figures import plot_patterns\n\n"
        f"plot_patterns({shown}, {file!r}, region={asked!r}, support={support}, most={MOST_PATTERNS})",
    )
