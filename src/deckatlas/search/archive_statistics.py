"""Statistics of an archive, at the end and over the course of the search: QD score, coverage, best."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive, BinningFactory
from deckatlas.search.cells import Cells
from deckatlas.search.evaluation import Floats


@dataclass(frozen=True)
class Scoring:
    """How much an elite adds to the QD score: (objective - offset) / scale.

    An elite below the offset lowers the score. The default suits any objective that cannot be negative.
    """

    offset: float = 0.0
    scale: float = 1.0

    def in_words(self, objective: str) -> str:
        """The formula of what an elite adds, with the objective's name."""
        sign = "+" if self.offset < 0 else "-"
        scale = "" if self.scale == 1 else f" / {self.scale:,.10g}"
        return f"({objective} {sign} {abs(self.offset):,.10g}){scale}"


@dataclass(frozen=True)
class ArchiveStatistics:
    """The statistics of an archive.

    Attributes:
        solutions: The number of solutions evaluated.
        elites: The number of cells with an elite.
        cells: The number of cells.
        reachable: The number of cells that measures can reach.
        best: The largest objective of an elite; NaN if there are no elites.
        mean: The mean objective of the elites; NaN if there are no elites.
        qd_score: The sum over all elites of what each adds.
        scoring: How much an elite adds.
        below_offset: The number of elites below the offset of `scoring`; these lower the score.
    """

    solutions: int
    elites: int
    cells: int
    reachable: int
    best: float
    mean: float
    qd_score: float
    scoring: Scoring
    below_offset: int

    def score_in_words(self, objective: str) -> str:
        """The formula of the QD score, with the objective's name and the number of elites that lower it."""
        below = self.below_offset
        who = "1 elite is" if below == 1 else f"{below:,} elites are"
        lowered = f"; {who} below the offset, which lowers it" if below else ""
        return f"sum over elites of {self.scoring.in_words(objective)}{lowered}"

    @property
    def coverage(self) -> float:
        """The share of all cells that have an elite."""
        return self.elites / self.cells

    @property
    def reachable_coverage(self) -> float:
        """The share of the reachable cells that have an elite."""
        return self.elites / self.reachable


def statistics(archive: Archive, scoring: Scoring = Scoring()) -> ArchiveStatistics:
    """The statistics of an archive."""
    return summary(archive.objectives[archive.elites], archive.cells, solutions=archive.told, scoring=scoring)


def summary(objectives: Floats, cells: Cells, *, solutions: int, scoring: Scoring) -> ArchiveStatistics:
    """The statistics of elites with these objectives."""
    return ArchiveStatistics(
        solutions=solutions,
        elites=len(objectives),
        cells=cells.count,
        reachable=cells.reachable,
        best=float(objectives.max()) if len(objectives) else float("nan"),
        mean=float(objectives.mean()) if len(objectives) else float("nan"),
        qd_score=float(((objectives - scoring.offset) / scoring.scale).sum()),
        scoring=scoring,
        below_offset=int((objectives < scoring.offset).sum()),
    )


def archives_at(
    options: BinningFactory, objectives: Floats, measures: Floats, *, planned: int, solutions: Sequence[int]
) -> Iterator[Archive]:
    """The archive after each of these numbers of solutions, with the final numbers of each solution.

    Args:
        options: The archive's options.
        objectives: The objective of each solution of the whole log.
        measures: The measures of each.
        planned: The number of planned solutions.
        solutions: The numbers of solutions.

    Raises:
        SearchError: If the log has fewer solutions.
    """
    for count in solutions:
        if not 0 <= count <= len(objectives):
            raise SearchError(f"a log of {len(objectives)} solutions has no archive after {count} solutions")
        yield Archive.from_log(options, objectives[:count], measures[:count], planned=planned)
