"""What an archive is worth in numbers, at its end and over its solutions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive, Plan
from deckatlas.search.cells import Cells
from deckatlas.search.evaluation import Floats


@dataclass(frozen=True)
class Scoring:
    """What an elite adds to the QD score: (objective - offset) / scale.

    An elite below the offset lowers the score. The default suits all that cannot be negative.
    """

    offset: float = 0.0
    scale: float = 1.0

    def in_words(self, objective: str) -> str:
        """What an elite adds, with the objective by this name."""
        sign = "+" if self.offset < 0 else "-"
        scale = "" if self.scale == 1 else f" / {self.scale:,.10g}"
        return f"({objective} {sign} {abs(self.offset):,.10g}){scale}"


def health_scoring(games: int = 1) -> Scoring:
    """The scoring of health differences as the papers on Hearthstone have it: (difference + 30) / 60.

    A hero has 30 health. A difference below -30 is possible but rare: a hero may die of more damage than it has left.

    Args:
        games: How many games the objective is the sum over; a mean is one of one game.
    """
    return Scoring(offset=-30.0 * games, scale=60.0 * games)


@dataclass(frozen=True)
class ArchiveStatistics:
    """An archive in numbers.

    Attributes:
        solutions: How many solutions were told.
        elites: How many cells have an elite.
        cells: How many cells there are.
        reachable: How many of them measures can name.
        best: The largest objective of an elite; not a number if there are no elites.
        mean: The mean objective of the elites; not a number if there are none.
        qd_score: The sum over all elites of what each adds.
        scoring: What each adds.
        below_offset: How many elites are below its offset, so that they lower the score.
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
        """What the QD score is, with the objective by this name, and whether there are elites that lower it."""
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


def statistics(archive: Archive, scoring: Scoring = Scoring()) -> ArchiveStatistics:  # noqa: B008 - it cannot change
    """An archive in numbers."""
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
    options: Plan, objectives: Floats, measures: Floats, *, planned: int, solutions: Sequence[int]
) -> Iterator[Archive]:
    """The archive as it was after so many solutions, for each of these numbers, with what is known of them at the end.

    Args:
        options: The archive's options.
        objectives: The objective of each solution of the whole log.
        measures: The measures of each.
        planned: How many solutions were planned.
        solutions: After how many.

    Raises:
        SearchError: If the log is shorter than that.
    """
    for count in solutions:
        if not 0 <= count <= len(objectives):
            raise SearchError(f"a log of {len(objectives)} solutions does not say what was after {count}")
        yield Archive.from_log(options, objectives[:count], measures[:count], planned=planned)
