"""Maps on the terminal: how one stands while it is searched, and what came of it."""

from collections.abc import Iterator
from datetime import timedelta
from math import isnan
from pathlib import Path

from rich import box
from rich.console import JustifyMethod
from rich.table import Table

from deckatlas.maps.statistics import ArchiveStatistics
from deckatlas.runs.map_loop import MapStanding
from deckatlas.runs.map_view import Elite, MapView, Rated

SHOWN_ELITES = 10
SHOWN_POINTS = 10
_LEFT = ("run", "deck code")


def map_standing_table(name: str, standing: MapStanding, seconds: float) -> Table:
    """How a map stands after so many seconds of this process."""
    rate = (standing.games - standing.stored) / seconds if seconds > 0 else 0.0
    left = str(timedelta(seconds=round((standing.all_games - standing.games) / rate))) if rate > 0 else ""
    cells = {
        "run": name,
        "evaluations": f"{standing.evaluations:,} of {standing.planned:,}",
        "games/s": f"{rate:,.0f}",
        "QD score": f"{standing.map.qd_score:,.1f}",
        "coverage": coverage(standing.map),
        "best": number(standing.map.best),
        "time left": left,
    }
    if standing.rechecked is not None:
        done, elites = standing.rechecked
        cells |= {"time left": "", "rechecked": f"{done} of {elites} elites"}
    table = make_table(*cells)
    table.add_row(*cells.values())
    return table


def closing_lines(name: str, path: Path, standing: MapStanding, seconds: float) -> Iterator[str]:
    """What to say of a map that is finished."""
    played = standing.games - standing.stored
    if played:
        yield (
            f"{name}: finished after {standing.evaluations:,} evaluations "
            f"({played:,} games now, {played / seconds:,.0f} a second)"
        )
    else:
        yield f"{name}: was finished already, after {standing.evaluations:,} evaluations"
    yield f"best {number(standing.map.best)}, coverage {coverage(standing.map)}, QD score {standing.map.qd_score:,.1f}"
    yield f"stored in {path}"


def curve_table(view: MapView) -> Table:
    """How the archive grew."""
    table = make_table("evaluations", "cells", "elites", "coverage", "QD score", "best", "mean")
    for then in view.curve(SHOWN_POINTS):
        table.add_row(
            f"{then.evaluations:,}",
            f"{then.cells:,}",
            f"{then.elites:,}",
            coverage(then),
            f"{then.qd_score:,.1f}",
            number(then.best),
            number(then.mean),
        )
    return table


def map_story(view: MapView) -> Iterator[str | Table]:
    """How a map grew, its best elites, and what a recheck found."""
    yield curve_table(view)
    scoring = view.trial.scoring
    yield f"QD score: the sum over elites of ({view.objective} {-scoring.offset:+g}) / {scoring.scale:g}"
    elites = view.elites()
    yield f"the best of {len(elites)} elites:"
    yield elites_table(view, elites[:SHOWN_ELITES])


def elites_table(view: MapView, elites: list[Elite]) -> Table:
    """The best elites: where they are, how good, and what they are in one word."""
    rechecked = ["on fresh games"] if any(elite.rechecked for elite in elites) else []
    table = make_table("cell", *view.measures, view.objective, *rechecked, "deck code")
    for elite in elites:
        again = [interval(elite.rechecked) if elite.rechecked else ""] if rechecked else []
        table.add_row(
            ", ".join(map(str, elite.cell)),
            *(number(value) for value in elite.measures.values()),
            interval(elite.objective),
            *again,
            view.config.words_of(elite.solution),
        )
    return table


def interval(rated: Rated) -> str:
    """A number with its interval."""
    return f"{rated.value:.2f} [{rated.low:.2f}, {rated.high:.2f}]"


def number(value: float) -> str:
    """A number that may not be one."""
    return "" if isnan(value) else f"{value:.2f}"


def coverage(statistics: ArchiveStatistics) -> str:
    """How many cells have an elite."""
    return f"{100 * statistics.coverage:.1f} %"


def make_table(*columns: str) -> Table:
    """A table whose numbers stand on the right."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        justify: JustifyMethod = "left" if column in _LEFT else "right"
        table.add_column(column, justify=justify, style="green" if column == "best" else None, no_wrap=True)
    return table
