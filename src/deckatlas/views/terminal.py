"""Maps on the terminal: how one stands while it is searched, and what it found.

Functions return lines of text and tables and print nothing; the caller knows whether its terminal has colours.
"""

from collections.abc import Iterator
from datetime import timedelta
from math import isnan
from pathlib import Path
from textwrap import wrap

from rich import box
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from deckatlas.runs.map_loop import MapStanding
from deckatlas.runs.view import Elite, RunView
from deckatlas.search.archive_statistics import ArchiveStatistics
from deckatlas.search.recheck import Recheck
from deckatlas.views.columns import column_name
from deckatlas.views.map_curves import moments_of
from deckatlas.views.map_recheck import recheck_rows, recheck_sentences
from deckatlas.views.terminal_map import map_text

Part = str | Text | Table  # what a terminal shows

SHOWN_ELITES = 10
SHOWN_POINTS = 10
_NO_BREAK = "\N{NO-BREAK SPACE}"
_LEFT = ("", "run", "deck code")
_CURVE_COLUMNS = (
    "evaluations", "solutions", "cells", "in reach", "elites", "coverage", "QD score", "best", "mean",
)  # fmt: skip


def map_standing_table(name: str, standing: MapStanding, seconds: float) -> Table:
    """How a map stands after so many seconds of this process."""
    rate = (standing.games - standing.stored) / seconds if seconds > 0 else 0.0
    left = str(timedelta(seconds=round((standing.all_games - standing.games) / rate))) if rate > 0 else ""
    cells = {
        "run": name,
        "evaluations": f"{standing.evaluations:,} of {standing.planned:,}",
        "games/s": f"{rate:,.0f}",
        "QD score": f"{standing.map.qd_score:,.1f}",
        "coverage": percent(standing.map.coverage),
        "best": number(standing.map.best),
        "time left": left,
    }
    if standing.rechecked is not None:
        done, elites = standing.rechecked
        del cells["time left"]  # how many games are left to the recheck is not known here
        cells["elites rechecked"] = f"{done} of {elites}"
    table = make_table(*cells)
    table.add_row(*cells.values())
    table.caption = Text(f"QD score: {standing.map.score_in_words(standing.objective)}")
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
    yield f"best {number(standing.map.best)}, coverage {coverage(standing.map)}"
    yield f"QD score {standing.map.qd_score:,.1f}, the {standing.map.score_in_words(standing.objective)}"
    yield f"stored in {path}"


def curve_table(view: RunView) -> Table:
    """How the cells of the map, as they are now, were filled over the run."""
    moments = [(moment.evaluations, moment.statistics) for moment in moments_of(view, SHOWN_POINTS)]
    rows = [
        {
            "evaluations": f"{evaluations:,}",
            "solutions": f"{then.solutions:,}",
            "cells": f"{then.cells:,}",
            "in reach": f"{then.reachable:,}",
            "elites": f"{then.elites:,}",
            "coverage": percent(then.coverage),
            "QD score": f"{then.qd_score:,.1f}",
            "best": number(then.best),
            "mean": number(then.mean),
        }
        for evaluations, then in moments
    ]
    same = {"solutions": "evaluations", "in reach": "cells"}  # in most maps, and then shown once
    shown = [name for name in _CURVE_COLUMNS if name not in same or any(row[name] != row[same[name]] for row in rows)]
    table = make_table(*shown)
    for row in rows:
        table.add_row(*(row[name] for name in shown))
    return table


def map_story(view: RunView, *, colours: bool) -> Iterator[Part]:
    """How a map grew, the map itself, its best elites, and what a recheck found.

    Args:
        view: The map.
        colours: Whether what is printed can be coloured.
    """
    yield "how the cells of this map were filled:"
    yield curve_table(view)
    yield from map_text(view, colours=colours)
    yield f"QD score: {view.statistics.score_in_words(view.objective)}"
    if view.void_games:
        yield f"games that were void each time they were played, and count as not won: {view.void_games:,}"
    elites = view.elites()
    yield f"the best of {len(elites)} elites, by {column_name(view.objective)} in the search, with 95 % intervals:"
    yield elites_table(view, elites[:SHOWN_ELITES])
    yield from recheck_story(view)


def recheck_story(view: RunView) -> Iterator[Part]:
    """What a recheck found, if all elites have played fresh games."""
    if (found := view.recheck()) is not None:
        yield "all elites on fresh games:"
        yield recheck_table(view, found)
        yield from recheck_sentences(found)


def recheck_table(view: RunView, found: Recheck) -> Table:
    """The map before and after its elites played fresh games."""
    table = make_table("", "before", "on fresh games")
    for row in recheck_rows(found, view.objective):
        table.add_row(*row)
    return table


def elites_table(view: RunView, elites: list[Elite]) -> Table:
    """The best elites: where they are, how good, and what they are in one word, if one line holds it."""
    rechecked = ["on fresh games"] if any(elite.rechecked for elite in elites) else []
    are_decks = any(view.deck_list(elite) for elite in elites)
    table = make_table("cell", *view.measures, view.objective, *rechecked, *(["deck code"] if are_decks else []))
    for elite in elites:
        again = [elite.rechecked.text() if elite.rechecked else ""] if rechecked else []
        table.add_row(
            ", ".join(map(str, elite.cell)),
            *(number(value) for value in elite.measures.values()),
            elite.objective.text(),
            *again,
            *([view.code(elite)] if are_decks else []),
        )
    return table


def deck_lines(view: RunView, elite: Elite, *, title: str) -> Iterator[str]:
    """An elite with its deck list and its code."""
    measures = ", ".join(f"{column_name(name)} {number(value)}" for name, value in elite.measures.items())
    yield f"{title}: {measures}; {column_name(view.objective)} {(elite.rechecked or elite.objective).text()}"
    cards = (f"{line.copies}x ({line.cost}) {line.name}" for line in view.deck_list(elite))
    kept = ", ".join(card.replace(" ", _NO_BREAK) for card in cards)
    for line in wrap(kept, width=100, initial_indent="  ", subsequent_indent="  "):
        yield line.replace(_NO_BREAK, " ")
    yield view.code(elite)


def number(value: float) -> str:
    """A number that may not be one."""
    return "" if isnan(value) else f"{value:.2f}"


def coverage(statistics: ArchiveStatistics) -> str:
    """How many cells have an elite, and how many of those that measures can name where these are not all."""
    in_reach = f" ({percent(statistics.reachable_coverage)} of those in reach)"
    return percent(statistics.coverage) + (in_reach if statistics.reachable < statistics.cells else "")


def percent(share: float) -> str:
    """A share of all."""
    return f"{100 * share:.1f} %"


def make_table(*columns: str) -> Table:
    """A table whose numbers stand on the right."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        justify: JustifyMethod = "left" if column in _LEFT else "right"
        table.add_column(column, justify=justify, style="green" if column == "best" else None, no_wrap=True)
    return table
