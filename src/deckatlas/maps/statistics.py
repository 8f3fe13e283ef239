"""What an archive is worth in numbers, at its end and over its evaluations."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deckatlas.errors import SearchError
from deckatlas.maps.archive import Archive, Plan
from deckatlas.maps.cells import Cells
from deckatlas.maps.protocol import Floats


@dataclass(frozen=True)
class Scoring:
    """What an elite adds to the QD score: (objective - offset) / scale.

    Without an offset below all objectives, filling a cell can lower the score.
    """

    offset: float = 0.0
    scale: float = 1.0


# Health differences from -30 to 30, as the papers on Hearthstone have it: the sum of (fitness + 30) / 60.
PUBLISHED_SCORING = Scoring(offset=-30.0, scale=60.0)


@dataclass(frozen=True)
class ArchiveStatistics:
    """An archive in numbers.

    Attributes:
        evaluations: How many individuals were told.
        elites: How many cells have an elite.
        cells: How many cells there are.
        reachable: How many of them measures can name.
        best: The largest objective of an elite; not a number if there are no elites.
        mean: The mean objective of the elites; not a number if there are none.
        qd_score: The sum over all elites of what each adds.
        scoring: What each adds.
    """

    evaluations: int
    elites: int
    cells: int
    reachable: int
    best: float
    mean: float
    qd_score: float
    scoring: Scoring

    @property
    def coverage(self) -> float:
        """The share of all cells that have an elite."""
        return self.elites / self.cells

    @property
    def reachable_coverage(self) -> float:
        """The share of the reachable cells that have an elite."""
        return self.elites / self.reachable


def statistics(archive: Archive, scoring: Scoring = Scoring()) -> ArchiveStatistics:  # noqa: B008 - it cannot change
    """An archive in numbers."""
    return summary(archive.objectives[archive.elites], archive.cells, evaluations=archive.told, scoring=scoring)


def summary(objectives: Floats, cells: Cells, *, evaluations: int, scoring: Scoring) -> ArchiveStatistics:
    """The statistics of elites with these objectives."""
    return ArchiveStatistics(
        evaluations=evaluations,
        elites=len(objectives),
        cells=cells.count,
        reachable=cells.reachable,
        best=float(objectives.max()) if len(objectives) else float("nan"),
        mean=float(objectives.mean()) if len(objectives) else float("nan"),
        qd_score=float(((objectives - scoring.offset) / scoring.scale).sum()),
        scoring=scoring,
    )


def archives_at(
    options: Plan, objectives: Floats, measures: Floats, *, planned: int, evaluations: Sequence[int]
) -> Iterator[Archive]:
    """The archive as it was after so many evaluations, for each of them, with the numbers known at the end.

    Args:
        options: The archive's options.
        objectives: The objective of each individual of the whole log.
        measures: The measures of each.
        planned: How many evaluations were planned.
        evaluations: After how many.

    Raises:
        SearchError: If the log is shorter than that.
    """
    for count in evaluations:
        if not 0 <= count <= len(objectives):
            raise SearchError(f"a log of {len(objectives)} evaluations does not say what was after {count}")
        yield Archive.from_log(options, objectives[:count], measures[:count], planned=planned)
