"""Performance over the course of searches: the best of generations against a panel of opponents."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import a_number, tables
from deckatlas.experiments.study import Study
from deckatlas.papers.active_genes.panel import PanelOptions, spread_over
from deckatlas.papers.drafts.players import fresh_course
from deckatlas.shapes import nearest, show
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval
from deckatlas.views.figures import colour, label, marker, quiet

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # an extra
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class CurvePoint:
    """A generation of one run.

    Attributes:
        name: The name of the runs.
        run: The number of the run, from 1.
        generation: The number of the generation.
        games: The number of games that the search had played when it reached this generation.
        percent: Percent won by its best genomes against each opponent of the panel.
    """

    name: str
    run: int
    generation: int
    games: int
    percent: npt.NDArray[np.float64]


class PanelCurve(PanelOptions):
    """Percent won against a panel on fresh drafts, over the games that searches have played."""

    kind: Literal["curve"] = "curve"
    points: int = Field(default=15, ge=2, description="The number of generations of a run to rate, evenly spread.")
    panels: tuple[tuple[str, ...], ...] = Field(
        default=(), description="The searches in each part of the figure; one part with all searches if empty."
    )

    def smoke(self) -> Self:
        """Four generations."""
        return super().smoke().model_copy(update={"points": min(self.points, 4)})

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Panels must name runs; [published] may have the share of active genes of each run."""
        for place, panel in enumerate(self.panels):
            for name in panel:
                if name not in runs:
                    text = f"a panel shows {show(name)}, which is not a run: {nearest(name, runs)}"
                    yield Complaint((("report", "panels", place),), text)
        yield from tables({"active": tables(dict.fromkeys(runs, a_number))})(published, ("published",))

    def report(self, study: Study) -> Report:
        """Rates the best of some generations of every run."""
        points = list(self._points(study))
        curve = [row for name in study.runs for row in _curve_of(name, points)]
        return Report(
            rows={"curve": curve, "generations": [self._row(point) for point in points]},
            tables=(_table(study, curve),),
            notes=self._notes(study),
            figures={"curve": lambda figure: _draw(figure, curve, self.panels or (tuple(study.runs),))},
        )

    def _points(self, study: Study) -> Iterator[CurvePoint]:
        places, genomes = [], []
        for name, runs in study.runs.items():
            for number, run in enumerate(runs, start=1):
                generations = run.generations()
                chosen = [generations[i] for i in spread_over(len(generations), self.points)]
                for row, bests in zip(chosen, run.bests_of([row.number for row in chosen], self.bests), strict=True):
                    places.append((name, number, row.number, row.games, len(bests)))
                    genomes.append(bests)
        course = fresh_course(study.rng("drafts"), self.drafts, self.games)
        rows = np.arange(sum(map(len, genomes)))
        percent = self.rate(study, np.concatenate(genomes), [course], rows, np.zeros_like(rows))
        begin = 0
        for name, number, generation, games, count in places:
            yield CurvePoint(name, number, generation, games, percent[begin : begin + count].mean(axis=0))
            begin += count

    def _row(self, point: CurvePoint) -> dict[str, Any]:
        against = dict(zip(self.panel, point.percent.tolist(), strict=True))
        place = {"runs_of": point.name, "run": point.run, "generation": point.generation, "games": point.games}
        n = 2 * self.bests * self.drafts * self.games * len(self.panel)
        return {**place, "percent": float(point.percent.mean()), "n": n, **against}

    def _notes(self, study: Study) -> tuple[str, ...]:
        games = 2 * self.games
        return (
            f"The {self.bests} best of a generation play {games} games, {self.games} per side, on each of "
            f"{self.drafts:,} fresh drafts against each opponent of the panel: {', '.join(self.panel)} (drawn once).",
            "Intervals and bands are 95 % intervals over independent runs: "
            + ", ".join(f"{len(runs)} of {name}" for name, runs in study.runs.items())
            + ".",
        )


def _curve_of(name: str, points: list[CurvePoint]) -> Iterator[dict[str, Any]]:
    """The mean over the runs of a name at each generation; all have the same generations, since they cost the same."""
    by_generation: dict[tuple[int, int], list[float]] = {}
    for point in points:
        if point.name == name:
            by_generation.setdefault((point.generation, point.games), []).append(float(point.percent.mean()))
    for (generation, games), percents in by_generation.items():
        row = {"runs_of": name, "generation": generation, "games": games, "runs": len(percents)}
        yield {**row, **mean_interval(percents).cells("percent", prefix="")}


def _ends(curve: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The last row of each name, best first."""
    last = {row["runs_of"]: row for row in curve}
    return dict(sorted(last.items(), key=lambda entry: -entry[1]["percent"]))


def _table(study: Study, curve: list[dict[str, Any]]) -> TextTable:
    rows = []
    for name, end in _ends(curve).items():
        generations = (row for run in study.runs[name] for row in run.generations())
        active = [share for row in generations if (share := row.facts.get("active")) is not None]
        published = study.published.get("active", {}).get(name)
        rows.append(
            (
                name,
                f"{end['percent']:.2f}",
                Estimate.from_cells(end, "percent", n=end["runs"], prefix="").ends(),
                f"{end['games']:,}",
                str(end["generation"]),
                f"{100 * np.mean(active):.1f} %" if active else "",
                f"({published} %)" if published is not None else "",
            )
        )
    columns = ("search", "percent won", "95 % interval", "games", "generation", "active genes", "published")
    return TextTable("The best of the last generation against the panel", columns, tuple(rows))


def _draw(figure: "Figure", curve: list[dict[str, Any]], panels: tuple[tuple[str, ...], ...]) -> None:
    """One line per search with its band; a search with one generation is a point with a bar."""
    figure.set_size_inches(1 + 6 * len(panels), 6)
    names = list(dict.fromkeys(row["runs_of"] for row in curve))
    middle = [row["percent"] for row in curve]
    for axes, shown in zip(figure.subplots(1, len(panels), sharey=True, squeeze=False)[0], panels, strict=True):
        for name in (name for name in _ends(curve) if name in shown):
            rows = [row for row in curve if row["runs_of"] == name]
            _draw_line(axes, rows, color=colour(names.index(name)), marker=marker(names.index(name)), label=label(name))
        quiet(axes, title="", x="thousands of games that the search has played", y="percent won")
        axes.set_ylim(min(middle) - 3, max(middle) + 3)  # clips the wide bands of few runs
        axes.legend(loc="lower right", ncols=2, frameon=False)
    figure.suptitle("The best of a generation against a panel, on fresh drafts (bands: 95 % over runs)", fontsize=11)


def _draw_line(axes: "Axes", rows: list[dict[str, Any]], **style: Any) -> None:
    games = [row["games"] / 1000 for row in rows]
    percent = [row["percent"] for row in rows]
    low, high = ([row["percent"] if row[end] is None else row[end] for row in rows] for end in ("low", "high"))
    if len(rows) == 1:
        bars = [[percent[0] - low[0]], [high[0] - percent[0]]]
        axes.errorbar(games, percent, yerr=bars, capsize=3, markersize=7, linestyle="none", **style)
    else:
        axes.plot(games, percent, linewidth=1.8, markersize=4, **style)
        axes.fill_between(games, low, high, color=style["color"], alpha=0.12, linewidth=0)
