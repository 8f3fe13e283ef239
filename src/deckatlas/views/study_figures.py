"""The charts of a balance study as pictures: shifts as dumbbells, the maps and the matrix before and after."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from deckatlas.arguments import checked
from deckatlas.balancing.record import Answer, Matrices, MeanMap, StudyRecord, Verdict, read_study
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes
from deckatlas.search.evaluation import Floats
from deckatlas.shapes import nearest, show
from deckatlas.views.columns import axis_of
from deckatlas.views.figures import BLACK, GREY, colour, picture_of, quiet
from deckatlas.views.map_difference_figures import difference_colours
from deckatlas.views.map_figures import colour_bar, draw_hatching, title
from deckatlas.views.scale import Scale, colour_map
from deckatlas.views.study_charts import CHARTS, FULL_DIFFERENCE, MAPS, MATRIX, SHIFTS, map_name, maps_of, verdict_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINE = 0.27  # inches of a dumbbell
_CELL = 0.36  # inches of a matchup
_MOST_WRITTEN = 30  # decks; the numbers of more would not be legible
_STRONG = 0.72  # of the full colour, from which white ink is legible
_SIDES = "before", "after", "difference"


def study_picture(record: StudyRecord, what: str, ending: str, *, search: str = "") -> bytes:
    """A chart of a balance study, in the format of this file ending: .png, .svg or .pdf.

    Args:
        record: The study.
        what: One of `study_charts.CHARTS`.
        ending: The ending.
        search: Of maps: the search whose maps are drawn; all by default.

    Raises:
        RunError: If matplotlib is not installed, the study has no verdict or no such chart, or nothing can be
            drawn.
    """
    if what not in CHARTS:
        raise RunError(f"a balance study has no picture {show(what)}: {nearest(what, CHARTS)}")
    if search and what != MAPS:
        raise RunError(f"the picture {what} has no choice of searches: only {MAPS}")
    asked = _Asked(record, verdict_of(record), what, search)
    return picture_of(lambda figure: _DRAWN_BY[what](figure, asked), ending)


@checked
def plot_study(study: StudyRecord | Path | str, file: Path | str, *, what: str = "decks", search: str = "") -> None:
    """Draws a chart of a balance study into a file.

    Args:
        study: The study, or the file of its record, which ends in .study.json.
        file: The file; its ending (.png, .svg or .pdf) decides the format.
        what: "decks", "classes", "found" or "mix" (numbers before and after with the interval of the difference),
            "maps" or "matrix" (before, after and the difference).
        search: Of maps: the search whose maps are drawn, such as "hunter"; all by default.

    Raises:
        RunError: If matplotlib is not installed, the study cannot be read or has no such chart, or the file cannot be
            written.
    """
    record = study if isinstance(study, StudyRecord) else read_study(Path(study))
    write_bytes(file, study_picture(record, what, Path(file).suffix.lower(), search=search), error=RunError)


@dataclass(frozen=True)
class _Asked:
    """What is to be drawn: a chart of a study; of maps perhaps those of one search."""

    record: StudyRecord
    verdict: Verdict
    what: str
    search: str


# Numbers before and after


def _draw_shifts(figure: "Figure", asked: _Asked) -> None:
    chart, record = SHIFTS[asked.what], asked.record
    answers = chart.answers(asked.verdict)
    if not answers:
        raise RunError(f"there is nothing to draw: this study has no answers about {asked.what}")
    figure.set_size_inches(9.0, 1.5 + _LINE * len(answers))
    axes = figure.subplots()
    for place, answer in enumerate(answers):
        _draw_shift(axes, place, answer, chart.sample)
    several = len({each.topic for each in answers}) > 1
    names = [f"{each.subject}, {each.topic}" if several else each.subject for each in answers]
    quiet(axes, title="", x="%: ○ before, ● after, grey: the 95 % interval of the difference", y="")
    axes.set_yticks(range(len(answers)), names, fontsize=8.5)
    for label, answer in zip(axes.get_yticklabels(), answers, strict=True):
        label.set_fontweight("bold" if answer.is_change else "normal")
    axes.set_ylim(len(answers) - 0.4, -0.6)
    changes = sum(each.is_change for each in answers)
    heading = f"{record.patch}: {chart.title.format(several=record.several)}"
    title(
        axes, heading, f"{changes} of {len(answers)} changed beyond chance (coloured); percentage points at the right"
    )


def _draw_shift(axes: "Axes", place: int, answer: Answer, sample: str) -> None:
    found = answer.difference
    before, after = (100 * (each.value or 0.0) for each in (answer.before, answer.after))
    paint = {"rises": colour(0), "falls": colour(1)}.get(answer.claim, GREY)
    if found.low is not None and found.high is not None:
        low, high = (min(100.0, max(0.0, before + 100 * end)) for end in (found.low, found.high))
        axes.hlines(place, low, high, color="#d5d5d5", linewidth=7, zorder=1)
    axes.hlines(place, before, after, color=paint, linewidth=2, zorder=2)
    axes.plot(before, place, "o", color=GREY, markerfacecolor="white", markersize=6, zorder=3)
    axes.plot(after, place, "o", color=paint, markersize=6.5, zorder=4)
    words = f"{100 * (found.value or 0.0):+.1f}"
    if found.low is not None and found.high is not None:
        words += f" [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
    axes.annotate(
        f"{words}, {found.n:,} {sample}",
        (1.01, place),
        xycoords=("axes fraction", "data"),
        va="center",
        fontsize=8,
        color=paint,
    )


# Who beats whom


def _draw_matrices(figure: "Figure", asked: _Asked) -> None:
    verdict, found = asked.verdict, asked.verdict.matrices
    order = strongest_first(found)
    names = [found.names[at] for at in order]
    before, after = (np.array(rates)[np.ix_(order, order)] for rates in (found.before, found.after))
    decided = {frozenset((each.subject, each.place)) for each in verdict.matchups if each.is_change}
    figure.set_size_inches(3.2 + 3 * max(2.0, _CELL * len(names)), 2.6 + max(1.6, _CELL * len(names)))
    panels = figure.subplots(1, 3, sharey=True)
    for axes, side, rates in zip(panels, _SIDES, (before, after, after - before), strict=True):
        middle, full = (0.0, FULL_DIFFERENCE) if side == "difference" else (0.5, 0.5)
        _draw_matrix(axes, rates, middle, full)
        axes.set_title(f"{side}, {'points' if side == 'difference' else '%'}", loc="left", fontsize=10)
        axes.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize=8)
    panels[0].set_yticks(range(len(names)), names, fontsize=8)
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            if {one, other} in decided:
                _outline(panels[2], column - 0.5, row - 0.5)
    games = sorted({each.difference.n for each in verdict.matchups})
    often = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}" if games else "no"
    figure.suptitle(
        f"{asked.record.patch}: wins of the row against the column, in {often} games of each pair per edition; "
        "outlined: beyond noise",
        x=0.01,
        ha="left",
        fontsize=11,
    )


def strongest_first(found: Matrices) -> list[int]:
    """The numbers of decks, those that won most before the patch first, as the field has their opponents."""
    rates, weights = np.array(found.before), np.tile(np.array(found.shares), (len(found.shares), 1))
    np.fill_diagonal(weights, 0.0)
    whole = weights.sum(axis=1)
    mean = (rates * weights).sum(axis=1) / np.where(whole > 0, whole, 1.0)
    return [int(at) for at in np.argsort(-mean, kind="stable")]


def _draw_matrix(axes: "Axes", rates: Floats, middle: float, full: float) -> None:
    shown = np.where(np.eye(len(rates), dtype=np.bool_), np.nan, rates)
    axes.imshow(shown, cmap=difference_colours(), vmin=middle - full, vmax=middle + full, aspect="auto")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if len(rates) > _MOST_WRITTEN:
        return
    for (row, column), rate in np.ndenumerate(shown):
        if not np.isnan(rate):
            ink = "white" if abs(rate - middle) > _STRONG * full else BLACK
            words = f"{100 * rate:+.0f}" if middle == 0 and rate else f"{100 * rate:.0f}"
            axes.text(column, row, words, ha="center", va="center", fontsize=7, color=ink)


# Maps


def _draw_maps(figure: "Figure", asked: _Asked) -> None:
    verdict, maps = asked.verdict, maps_of(asked.verdict, asked.search)
    figure.set_size_inches(13.0, 0.5 + 4.0 * len(maps))
    for part, found in zip(figure.subfigures(len(maps), 1, squeeze=False).ravel(), maps, strict=True):
        before, after = (
            np.array([np.nan if each is None else each for each in side]).reshape(found.shape)
            for side in (found.before, found.after)
        )
        panels = part.subplots(1, 3)
        rates = 100 * np.concatenate([before, after])
        scale = Scale.over(rates[~np.isnan(rates)])
        apart = Scale(-100 * FULL_DIFFERENCE, 100 * FULL_DIFFERENCE)
        for axes, side, values in zip(panels, _SIDES, (before, after, after - before), strict=True):
            is_apart = side == "difference"
            _draw_cells(axes, found, 100 * values, apart if is_apart else scale, is_difference=is_apart)
            axes.set_title(side, loc="left", fontsize=10)
        rows, columns = found.shape
        (left, right), (bottom, top) = found.ranges
        for place in (divmod(cell, columns) for cell in found.changed):
            size = (right - left) / rows, (top - bottom) / columns
            _outline(panels[2], left + place[0] * size[0], bottom + place[1] * size[1], size)
        colour_bar(part, scale, "win rate of the elite, %", list(panels[:2]))
        colour_bar(part, apart, "points", [panels[2]], colours=difference_colours())
        part.suptitle(
            f"{asked.record.patch}: the map of {map_name(found, verdict)}, on average over {len(verdict.trials)} "
            f"trials; cells that changed beyond noise (outlined): {len(found.changed)}",
            x=0.01,
            ha="left",
            fontsize=11,
        )


def _draw_cells(axes: "Axes", found: MeanMap, values: Floats, scale: Scale, *, is_difference: bool) -> None:
    x, y = (np.linspace(low, high, cells + 1) for (low, high), cells in zip(found.ranges, found.shape, strict=True))
    draw_hatching(axes, x, y)
    axes.pcolormesh(
        x,
        y,
        np.ma.masked_invalid(values.T),
        cmap=difference_colours() if is_difference else colour_map(),
        vmin=scale.low,
        vmax=scale.high,
        edgecolors="white",
        linewidth=0.3,
    )
    axes.set_xticks(found.ranges[0])
    axes.set_yticks(found.ranges[1])
    axes.set_xlabel(axis_of(found.measures[0]))
    axes.set_ylabel(axis_of(found.measures[1]))
    axes.spines[:].set_visible(False)


def _outline(axes: "Axes", x: float, y: float, size: tuple[float, float] = (1.0, 1.0)) -> None:
    from matplotlib.patches import Rectangle  # an extra, and slow to import

    axes.add_patch(Rectangle((x, y), *size, fill=False, edgecolor=BLACK, linewidth=1.5, clip_on=False, zorder=3))


_DRAWN_BY: Mapping[str, Callable[["Figure", _Asked], None]] = {
    **dict.fromkeys(SHIFTS, _draw_shifts),
    MAPS: _draw_maps,
    MATRIX: _draw_matrices,
}
