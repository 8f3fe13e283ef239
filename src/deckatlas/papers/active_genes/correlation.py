"""The correlation of percent won on training drafts with percent won on fresh drafts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.papers.active_genes.panel import PanelOptions, spread_over
from deckatlas.papers.drafts.games import training_drafts
from deckatlas.papers.drafts.players import course_on, fresh_course
from deckatlas.search.batches import Course
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import bootstrap_interval
from deckatlas.stats.samples import least_squares, pearson, spearman
from deckatlas.views.figures import colour, label, marker, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

STATISTICS = {"pearson": pearson, "spearman": spearman}


@dataclass(frozen=True)
class CorrelationPoint:
    """The best of a generation: percent won on its run's training drafts and on fresh ones."""

    name: str
    run: int
    generation: int
    training: float
    fresh: float


class Correlation(PanelOptions):
    """Percent won on training drafts against percent won on fresh drafts, by the best of generations."""

    kind: Literal["correlation"] = "correlation"
    points: int = Field(default=11, ge=2, description="The number of generations of a run to rate, evenly spread.")
    samples: int = Field(default=2000, ge=100, description="The number of bootstrap samples.")

    def smoke(self) -> Self:
        """Four generations."""
        return super().smoke().model_copy(update={"points": min(self.points, 4), "samples": 100})

    def report(self, study: Study) -> Report:
        """Rates the best of some generations on both kinds of drafts."""
        points = list(self._points(study))
        found = [self._summary(study, name, points) for name in study.runs]
        rows = [
            {
                "runs_of": point.name,
                "run": point.run,
                "generation": point.generation,
                "training": point.training,
                "fresh": point.fresh,
            }
            for point in points
        ]
        return Report(
            rows={"points": rows, "correlations": found},
            tables=(_table(found),),
            notes=self._notes(study),
            figures={"correlation": lambda figure: _draw(figure, points, found)},
        )

    def _points(self, study: Study) -> Iterator[CorrelationPoint]:
        """Every run has a course on its own training drafts; all runs share the last course, on fresh drafts."""
        rng = study.rng("games")
        places, genomes, course = [], [], list[int]()
        courses: list[Course] = []
        for name, runs in study.runs.items():
            for number, run in enumerate(runs, start=1):
                generations = [row.number for row in run.generations()]
                chosen = [generations[i] for i in spread_over(len(generations), self.points)]
                for generation, bests in zip(chosen, run.bests_of(chosen, self.bests), strict=True):
                    places.append((name, number, generation, len(bests)))
                    genomes.append(bests)
                    course += [len(courses)] * len(bests)
                courses.append(course_on(rng, training_drafts(run), self.games))
        courses.append(fresh_course(study.rng("drafts"), self.drafts, self.games))
        rows = np.arange(len(course))
        both = np.concatenate([course, np.full(len(rows), len(courses) - 1)])
        percent = self.rate(study, np.concatenate(genomes), courses, np.tile(rows, 2), both)
        training, fresh = percent.mean(axis=1).reshape(2, -1)
        begin = 0
        for name, number, generation, count in places:
            part = slice(begin, begin + count)
            yield CorrelationPoint(name, number, generation, float(training[part].mean()), float(fresh[part].mean()))
            begin += count

    def _summary(self, study: Study, name: str, points: list[CorrelationPoint]) -> dict[str, Any]:
        runs = range(1, len(study.runs[name]) + 1)
        of_run = [
            np.array([(p.training, p.fresh) for p in points if (p.name, p.run) == (name, number)]) for number in runs
        ]
        everything = np.concatenate(of_run)
        line = least_squares(*everything.T)
        summary: dict[str, Any] = {"runs_of": name, "runs": len(of_run), "points": len(everything)}
        for title, statistic in STATISTICS.items():

            def of_runs(drawn: npt.NDArray[np.intp], statistic: Any = statistic) -> float:
                return float(statistic(*np.concatenate([of_run[number] for number in drawn]).T))

            rng = study.rng(f"bootstrap {name} {title}")
            summary |= bootstrap_interval(of_runs, len(of_run), rng, samples=self.samples).cells(title)
        return {**summary, "slope": line.slope, "at_zero": line.at_zero}

    def _notes(self, study: Study) -> tuple[str, ...]:
        return (
            f"A point is a generation of a run: percent won by its {self.bests} best against {', '.join(self.panel)}, "
            f"{2 * self.games} games with each on every draft, {self.games} per side; on all training drafts of the "
            f"run, and on {self.drafts:,} fresh ones, the same for all.",
            f"[Intervals] are 95 % intervals from {self.samples:,} bootstrap samples of whole runs.",
        )


def _table(found: list[dict[str, Any]]) -> TextTable:
    rows = tuple(
        (
            row["runs_of"],
            *(
                text
                for title in STATISTICS
                for text in (f"{row[title]:.3f}", Estimate.from_cells(row, title, n=row["runs"]).ends(3))
            ),
            f"{row['slope']:.3f}",
            str(row["points"]),
            str(row["runs"]),
        )
        for row in found
    )
    columns = ("search", "Pearson", "95 % interval", "Spearman", "95 % interval", "slope", "points", "runs")
    return TextTable("Correlation of percent won on training drafts and on fresh drafts", columns, rows)


def _draw(figure: "Figure", points: list[CorrelationPoint], found: list[dict[str, Any]]) -> None:
    """Points in one colour per search, each with its least-squares line."""
    figure.set_size_inches(8.5, 6.5)
    axes = figure.add_subplot()
    for number, row in enumerate(found):
        own = [point for point in points if point.name == row["runs_of"]]
        training = np.array([point.training for point in own])
        fresh = [point.fresh for point in own]
        axes.scatter(training, fresh, s=16, alpha=0.45, color=colour(number), marker=marker(number), linewidths=0)
        ends = np.array([training.min(), training.max()])
        name = f"{label(row['runs_of'])}   r = {row['pearson']:.2f}, slope {row['slope']:.2f}"
        axes.plot(ends, row["at_zero"] + row["slope"] * ends, color=colour(number), linewidth=2.2, label=name)
    low, high = min(*axes.get_xlim(), *axes.get_ylim()), max(*axes.get_xlim(), *axes.get_ylim())
    axes.plot([low, high], [low, high], color="#999999", linewidth=1, linestyle=":", label="the same on both")
    quiet(
        axes,
        title="Percent won on training drafts and on fresh ones (a point is the best of a generation)",
        x="percent won on training drafts",
        y="percent won on fresh drafts",
    )
    axes.legend(loc="upper left", frameon=False)
