"""The course of a run over time, from what each write to its store says; cheap, without reading the log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from math import prod
from statistics import median
from typing import Any

import numpy as np

from deckatlas.runs.run_file import content_of
from deckatlas.runs.store import Store
from deckatlas.runs.stored_values import check_rows, stored_date
from deckatlas.search.evaluation import Floats

POINTS = 40
_LEAST_PAUSE = 60.0  # seconds; a run writes about once a second, or after each batch
_PAUSE = 20.0  # times the usual time between two writes
_LATELY = 30  # writes from which the present speed is estimated


@dataclass(frozen=True)
class Commit:
    """A write to the store.

    Attributes:
        evaluations: All evaluations so far.
        games: All games so far.
        best: The best value so far, if there is one.
        made: When it was made.
    """

    evaluations: int
    games: int
    best: float | None
    made: datetime


@dataclass(frozen=True)
class Course:
    """A run in a few numbers.

    Attributes:
        best: The best value at up to `POINTS` moments.
        elites: The number of elites; None without an archive.
        cells: The number of cells that its map has in the end; None without an archive.
    """

    best: tuple[float, ...] = ()
    elites: int | None = None
    cells: int | None = None


def commits_of(store: Store) -> list[Commit]:
    """All writes to a store, in order."""
    rows = store.rows("SELECT evaluations, games, best, made FROM commits ORDER BY evaluations")
    with content_of(store.path):
        check_rows(rows, int, int, (float, type(None)), str)
        return [Commit(evaluations, games, best, stored_date(made)) for evaluations, games, best, made in rows]


def course_of(store: Store, config: Mapping[str, Any]) -> Course:
    """The course of a run with this configuration in a few numbers."""
    rows = store.rows("SELECT best FROM commits WHERE best IS NOT NULL ORDER BY evaluations")
    with content_of(store.path):
        check_rows(rows, float)
        chosen = np.unique(np.linspace(0, len(rows) - 1, POINTS).round().astype(int)) if rows else ()
        best = tuple(rows[at][0] for at in chosen)
        archive = config.get("archive")
        if archive is None:
            return Course(best)
        cells = prod(int(count) for count in archive["resolution"])
        if cells < 1:
            raise ValueError(f"a map has {cells} cells")
    ((elites,),) = store.rows("SELECT count(*) FROM elites")
    return Course(best, elites, cells)


def working_seconds(commits: Sequence[Commit], created: datetime) -> Floats:
    """How long a run had worked at each write; long pauses, as between an end and its resumption, do not count."""
    moments = [created, *(each.made for each in commits)]
    gaps = [max(0.0, (after - before).total_seconds()) for before, after in pairwise(moments)]
    longest = max(_LEAST_PAUSE, _PAUSE * median(gaps)) if gaps else 0.0
    return np.cumsum([gap if gap <= longest else 0.0 for gap in gaps])


def seconds_left(commits: Sequence[Commit], budget: int | None) -> float | None:
    """How long a running run still takes, at the speed of its last writes; None if that cannot be known."""
    lately = commits[-_LATELY:]
    if budget is None or len(lately) < 2:
        return None
    worked = working_seconds(lately[1:], lately[0].made)
    games = lately[-1].games - lately[0].games
    return (budget - lately[-1].games) * float(worked[-1]) / games if games > 0 else None
