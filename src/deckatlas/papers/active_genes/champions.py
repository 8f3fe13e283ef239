"""Champions of one run against the best of its generations, on the training drafts of the run."""

from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.papers.active_genes.panel import spread_over
from deckatlas.papers.drafts.games import genome_of, play_drafts, training_drafts
from deckatlas.papers.drafts.players import Pairs, PlayerOptions, course_on
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval
from deckatlas.views.figures import colour, marker, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra


class Champions(PlayerOptions):
    """Percent won by the best of some generations against the best of all generations, or of every `step`-th one."""

    kind: Literal["champions"] = "champions"
    champion_step: int = Field(default=200, ge=1, description="The number of generations between champions.")
    step: int = Field(default=1, ge=1, description="The number of generations between opponents.")
    bests: int = Field(default=5, ge=1, description="The number of best genomes of a generation that play.")
    drafts: int | None = Field(default=None, ge=1, description="The number of training drafts; all if absent.")
    blocks: int = Field(default=10, ge=2, description="The number of parts of the drafts, for intervals over parts.")
    games: int = Field(default=1, ge=1, description="Games per side of every two players on each draft.")

    def smoke(self) -> Self:
        """Few drafts and generations."""
        smaller = {"champion_step": 5, "step": 5, "bests": min(self.bests, 2), "drafts": 4, "blocks": 2}
        return self.model_copy(update=smaller)

    def report(self, study: Study) -> Report:
        """Plays the champions of the only run against its generations."""
        ((run, *more),) = study.runs.values()
        if more:
            raise RunError("a report on champions needs exactly one run: write repeat = 1")
        last = run.generations()[-1].number
        champions = list(range(0, last + 1, self.champion_step))
        generations = sorted({*range(0, last + 1, self.step), last})
        percent, drafts, games = self._play(study, run, champions, generations)
        rows = [
            {"champion": champion, "generation": generation}
            | mean_interval(of_blocks).cells("percent", prefix="")
            | {"n": games}
            for champion, of_champion in zip(champions, percent, strict=True)
            for generation, of_blocks in zip(generations, of_champion, strict=True)
        ]
        means = _means(percent, champions)
        return Report(
            rows={"champions": rows, "means": means},
            tables=(_table(rows, champions, generations), _means_table(means, self.blocks)),
            notes=(
                f"The {self.bests} best of every {self.champion_step} generations against the {self.bests} best of "
                f"every {self.step} generations: {games:,} games per point, {2 * self.games} of every two players on "
                f"each of {drafts:,} training drafts.",
                f"[Intervals] and bands are 95 % intervals over {self.blocks} parts of the drafts, for exactly these "
                "players.",
            ),
            figures={"champions": lambda figure: _draw(figure, rows, champions)},
        )

    def _play(
        self, study: Study, run: FinishedRun, champions: list[int], generations: list[int]
    ) -> tuple[npt.NDArray[np.float64], int, int]:
        """Percent won by each champion against each generation on each block; the drafts, and the games per point."""
        rng = study.rng("games")
        drafts = training_drafts(run)
        if self.drafts is not None:
            drafts = rng.permutation(drafts)[: self.drafts]
        if len(drafts) < self.blocks:
            raise RunError(f"{len(drafts)} training drafts cannot be divided into {self.blocks} blocks")
        courses = [course_on(rng, part, self.games) for part in np.array_split(drafts, self.blocks)]
        genomes = np.concatenate(run.bests_of(champions + generations, self.bests))
        places = np.arange(len(genomes)).reshape(-1, self.bests)
        shape = (len(champions), len(generations), self.bests, self.bests, self.blocks)
        one = np.broadcast_to(places[: len(champions), None, :, None, None], shape)
        other = np.broadcast_to(places[None, len(champions) :, None, :, None], shape)
        course = np.broadcast_to(np.arange(self.blocks), shape)
        pairs = Pairs(one.ravel(), other.ravel(), course.ravel())
        ask = pairs.ask(genomes, courses)
        wins = play_drafts(study, "champions", ask, genome=genome_of(study), arena=self.arena())
        won, games = (counts.reshape(shape).sum(axis=(2, 3)) for counts in (pairs.won(ask, wins), pairs.games(ask)))
        return 100 * won / games, len(drafts), int(games[0, 0].sum())


def _means(percent: npt.NDArray[np.float64], champions: list[int]) -> list[dict[str, Any]]:
    """The average of champions over all generations, and their gain on the champions before them."""
    of_blocks = percent.mean(axis=1)
    first = dict.fromkeys(("more", "more_low", "more_high"))
    more = (first, *(mean_interval(gains).cells("more") for gains in np.diff(of_blocks, axis=0)))
    return [
        {"champion": champion, **mean_interval(own).cells("percent"), **gain}
        for champion, own, gain in zip(champions, of_blocks, more, strict=True)
    ]


def _means_table(means: list[dict[str, Any]], blocks: int) -> TextTable:
    lines = []
    for row in means:
        more = "" if row["more"] is None else Estimate.from_cells(row, "more", n=blocks).text()
        percent = Estimate.from_cells(row, "percent", n=blocks).text()
        lines.append((f"best of generation {row['champion']}", percent, more))
    columns = ("champions", "percent won", "more than the champions before")
    return TextTable("Percent won by champions, mean over all generations", columns, tuple(lines))


def _table(rows: list[dict[str, Any]], champions: list[int], generations: list[int]) -> TextTable:
    """Some generations for each champion."""
    shown = [generations[i] for i in spread_over(len(generations), 6)]
    lines = []
    for champion in champions:
        own = {row["generation"]: row for row in rows if row["champion"] == champion}
        cells = (Estimate.from_cells(own[g], "percent", n=own[g]["n"], prefix="").text() for g in shown)
        lines.append((f"best of generation {champion}", *cells))
    columns = ("champions", *(f"against {generation}" for generation in shown))
    return TextTable("Percent won by champions against the best of generations", columns, tuple(lines))


def _draw(figure: "Figure", rows: list[dict[str, Any]], champions: list[int]) -> None:
    """One line per champion."""
    figure.set_size_inches(10, 6)
    axes = figure.add_subplot()
    for number, champion in enumerate(champions):
        own = [row for row in rows if row["champion"] == champion]
        generations, percent, low, high = (
            [row[key] for row in own] for key in ("generation", "percent", "low", "high")
        )
        name = f"generation {champion}" + (" (random)" if champion == 0 else "")
        axes.plot(generations, percent, color=colour(number), linewidth=1.6, label=name)
        axes.fill_between(generations, low, high, color=colour(number), alpha=0.12, linewidth=0)
        here = [row for row in own if row["generation"] == champion]
        axes.scatter(
            [champion] * len(here),
            [row["percent"] for row in here],
            color=colour(number),
            s=45,
            zorder=3,
            marker=marker(number),
        )
    axes.axhline(50, color="#999999", linewidth=1, linestyle=":")
    quiet(
        axes,
        title="Champions against the best of each generation, on training drafts (mark: against itself)",
        x="generation",
        y="percent won by the champions",
    )
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, title="the five best of")
