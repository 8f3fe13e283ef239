"""Runs on the terminal: their progress while they run, and their results.

Functions return lines of text and tables and print nothing; the caller knows whether its terminal has colours.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from math import isnan
from pathlib import Path
from textwrap import wrap

import numpy as np
from rich import box
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from deckatlas.runs.elites import Elite
from deckatlas.runs.executors import WorkerStanding
from deckatlas.runs.export import fact_names
from deckatlas.runs.loop import Standing
from deckatlas.runs.round_statistics import RoundStatistics, round_statistics, targets_of
from deckatlas.runs.rows import GenerationRow
from deckatlas.runs.view import RunView
from deckatlas.search.archive_statistics import ArchiveStatistics
from deckatlas.search.recheck import Recheck
from deckatlas.views.columns import column_name
from deckatlas.views.map_curves import moments_of
from deckatlas.views.map_recheck import recheck_rows, recheck_sentences
from deckatlas.views.settings import settings_of
from deckatlas.views.terminal_map import map_text

Part = str | Text | Table  # anything that a terminal can show

SHOWN_ELITES = 10
SHOWN_POINTS = 10
SHOWN_WORKERS = 12
SHOWN_GENERATIONS = 12
_NO_BREAK = "\N{NO-BREAK SPACE}"
_LONGEST_CODE = 130  # characters of a deck in a table
_LEFT = ("", "run", "deck code", "worker")
_CURVE_COLUMNS = (
    "evaluations", "solutions", "cells", "in reach", "elites", "coverage", "QD score", "best", "mean",
)  # fmt: skip


def standing_table(name: str, standing: Standing, seconds: float) -> Table:
    """The progress of a run after this number of seconds of this process."""
    rate = (standing.games - standing.stored) / seconds if seconds > 0 else 0.0
    left = str(timedelta(seconds=round((standing.planned - standing.games) / rate))) if rate > 0 else ""
    cells = {"run": name}
    if standing.generation is not None:
        cells["generation"] = str(standing.generation)
    if standing.archive is not None:
        cells["evaluations"] = f"{standing.evaluations:,}"
        cells["QD score"] = f"{standing.archive.qd_score:,.1f}"
        cells["coverage"] = percent(standing.archive.coverage)
    cells["best"] = _score(standing.best)
    cells["games"] = f"{standing.games:,} of {standing.planned:,}"
    cells["games/s"] = f"{rate:,.0f}"
    if standing.rechecked is None:
        cells["time left"] = left
    else:
        cells["elites rechecked"] = "{} of {}".format(*standing.rechecked)
    table = make_table(*cells)
    table.add_row(*cells.values())
    if standing.archive is not None:
        table.caption = Text(f"QD score: {standing.archive.score_in_words(standing.objective)}")
    return table


def workers_in_words(workers: Sequence[WorkerStanding]) -> str:
    """How many workers of a cluster play; empty if threads of this process do."""
    if not workers:
        return ""
    able = [each for each in workers if not each.note]
    threads = sum(each.threads for each in able)
    return f"{len(able)} of {len(workers)} workers with {threads} threads"


def workers_table(workers: Sequence[WorkerStanding]) -> Table:
    """The workers of a cluster with their rates: first those that do not play, then the slowest."""
    table = make_table("worker", "threads", "games", "games/s", "")
    for each in sorted(workers, key=lambda each: (not each.note, each.rate / max(1, each.threads)))[:SHOWN_WORKERS]:
        table.add_row(each.name, str(each.threads), f"{each.games:,}", f"{each.rate:,.0f}", each.note)
    if len(workers) > 1:
        rate, games = sum(each.rate for each in workers), sum(each.games for each in workers)
        threads = sum(each.threads for each in workers)
        table.add_section()
        table.add_row(f"all {len(workers)}", str(threads), f"{games:,}", f"{rate:,.0f}", "")
    return table


def closing_lines(name: str, path: Path, standing: Standing, seconds: float) -> Iterator[str]:
    """The summary of a finished run."""
    played = standing.games - standing.stored
    done = f"{standing.evaluations:,} evaluations, {standing.games:,} games"
    if played:
        yield f"{name}: finished after {done} ({played:,} of them now, {played / seconds:,.0f} per second)"
    else:
        yield f"{name}: was already finished, after {done}"
    if standing.generation is not None:
        yield f"generation {standing.generation}, best {_score(standing.best)}"
    if standing.archive is not None:
        yield f"best {_score(standing.best)}, coverage {coverage(standing.archive)}"
        yield f"QD score {standing.archive.qd_score:,.1f}, the {standing.archive.score_in_words(standing.objective)}"
    if standing.workers:
        yield f"played by {workers_in_words(standing.workers)}"
    yield f"stored in {path}"


def _score(score: float | None) -> str:
    return "" if score is None else f"{score:.2f}"


def overview(view: RunView, state: str) -> Iterator[str]:
    """A run's configuration and progress, as lines of text.

    Args:
        view: The run.
        state: Its state: running, stopped or finished.
    """
    run = view.run
    games = f"{view.games:,}" if view.budget is None else f"{view.games:,} of {view.budget:,}"
    finished = f", finished {local_time(run.finished)}" if run.finished is not None else ""
    yield f"{view.name}: {run.algorithm}, {state}, {games} games"
    yield view.title
    yield f"stored in {view.path}, started {local_time(run.created)}{finished}"
    yield "made with " + ", ".join(f"{name} {version}" for name, version in run.versions.items() if name != "core")
    yield f"core built with {run.versions['core']}"
    yield f"cards {run.cards[:16]}"
    yield ""
    for key, value in settings_of(run.config):
        yield f"  {key} = {value}"


def run_story(view: RunView, *, colours: bool) -> Iterator[Part]:
    """The results of a run: its generations and its best genome in words, or its map.

    Args:
        view: The run.
        colours: Whether the output can be coloured.
    """
    if view.generations:
        yield generations_table(view.generations)
        genomes, scores = view.best_population
        yield f"best of generation {view.generations[-1].number}, rated {_score(float(scores[0]))}:"
        yield from (f"  {line}" for line in view.in_words(genomes[0]))
    if view.has_archive:
        yield from map_story(view, colours=colours)


def generations_table(generations: Sequence[GenerationRow]) -> Table:
    """The first generation, the last, and some in between."""
    facts = fact_names(generations)
    table = make_table("generation", "games", "best", "population mean", *facts)
    chosen = np.unique(np.linspace(0, len(generations) - 1, SHOWN_GENERATIONS).round().astype(int))
    for row in (generations[number] for number in chosen):
        values = (_score(row.facts.get(name)) for name in facts)
        table.add_row(str(row.number), f"{row.games:,}", _score(row.best), _score(row.mean), *values)
    return table


def local_time(moment: datetime | None) -> str:
    """A moment in local time."""
    return "" if moment is None else f"{moment.astimezone():%Y-%m-%d %H:%M}"


def curve_table(view: RunView) -> Table:
    """How the present cells of the map were filled over the run."""
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
    same = {"solutions": "evaluations", "in reach": "cells"}  # the same in most maps, and then shown once
    shown = [name for name in _CURVE_COLUMNS if name not in same or any(row[name] != row[same[name]] for row in rows)]
    table = make_table(*shown)
    for row in rows:
        table.add_row(*(row[name] for name in shown))
    return table


def map_story(view: RunView, *, colours: bool) -> Iterator[Part]:
    """The growth of a map, the map itself, its best elites, and the results of a recheck.

    Args:
        view: The map.
        colours: Whether the output can be coloured.
    """
    yield "how the cells of this map were filled:"
    yield curve_table(view)
    yield from rounds_story(view)
    yield from map_text(view, colours=colours)
    yield f"QD score: {view.statistics.score_in_words(view.objective)}"
    if view.void_games:
        yield f"games that were void on every attempt, and count as not won: {view.void_games:,}"
    elites = view.elites()
    yield f"the best of {len(elites)} elites, by {column_name(view.objective)} in the search, with 95 % intervals:"
    yield elites_table(view, elites[:SHOWN_ELITES])
    yield from long_codes(view, elites[:SHOWN_ELITES])
    yield from recheck_story(view)


def rounds_story(view: RunView) -> Iterator[Part]:
    """The rounds of a search with a surrogate, if the map has any."""
    rounds = round_statistics(view)
    if rounds:
        yield "rounds of the surrogate: how many candidates entered the map, and mean squared errors of predictions:"
        yield rounds_table(view, rounds)


def rounds_table(view: RunView, rounds: Sequence[RoundStatistics]) -> Table:
    """The first round, the last, and some in between."""
    targets = [name for name in targets_of(view) if name in (view.objective, *view.measures)]
    table = make_table("round", "after evaluations", "candidates", "entered", "in their cell", "cells away", *targets)
    chosen = np.unique(np.linspace(0, len(rounds) - 1, SHOWN_GENERATIONS).round().astype(int))
    for each in (rounds[place] for place in chosen):
        placed = each.placement
        where = ("", "") if placed is None else (percent(placed.same_cell), number(placed.distance))
        errors = (number(each.errors.get(name, float("nan"))) for name in targets)
        counts = f"{each.round.evaluations[0]:,}", f"{len(each.solutions):,}", percent(float(each.entered.mean()))
        table.add_row(str(each.number), *counts, *where, *errors)
    return table


def recheck_story(view: RunView) -> Iterator[Part]:
    """The results of a recheck, if all elites have played fresh games."""
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
    """The best elites: their cells, measures and objectives, and their codes if they are decks."""
    rechecked = ["on fresh games"] if any(elite.rechecked for elite in elites) else []
    are_decks = any(view.deck_list(elite) for elite in elites) and not _have_long_codes(view, elites)
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


def long_codes(view: RunView, elites: list[Elite]) -> Iterator[str]:
    """The decks of elites below their table, if a deck with new cards makes its text too long for a column."""
    if _have_long_codes(view, elites):
        for elite in elites:
            yield f"cell {', '.join(map(str, elite.cell))}:"
            yield view.code(elite)  # unbroken, to be copied


def _have_long_codes(view: RunView, elites: list[Elite]) -> bool:
    return any(view.deck_list(elite) and len(view.code(elite)) > _LONGEST_CODE for elite in elites)


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
    """A number as text; empty if it is not a number (nan)."""
    return "" if isnan(value) else f"{value:.2f}"


def coverage(statistics: ArchiveStatistics) -> str:
    """The share of cells with an elite; also the share of cells in reach, if some are out of reach."""
    in_reach = f" ({percent(statistics.reachable_coverage)} of those in reach)"
    return percent(statistics.coverage) + (in_reach if statistics.reachable < statistics.cells else "")


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.1f} %"


def make_table(*columns: str) -> Table:
    """A table whose numbers are aligned to the right."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        justify: JustifyMethod = "left" if column in _LEFT else "right"
        table.add_column(column, justify=justify, style="green" if column == "best" else None, no_wrap=True)
    return table
