"""Box plots of win rates: contenders against one opponent, each over several batches of fresh games."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import a_number, tables
from deckatlas.experiments.study import Study
from deckatlas.papers.dbga.box_figure import BoxLine, draw_boxes
from deckatlas.papers.drafts.contenders import ContenderReport, SeatedContender
from deckatlas.papers.drafts.finalists import Finalists, runs_table, searches_table
from deckatlas.papers.drafts.fresh_games import (
    SEAT_NAMES,
    agent_games_won,
    genome_games_won,
    name_in_stores,
    rate_cells,
    referee_course,
    split_course,
)
from deckatlas.stats.rates import independent_rate
from deckatlas.stats.samples import box_of
from deckatlas.views.figures import quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PUBLISHED = ("median", "highest")


@dataclass(frozen=True)
class ContenderGames:
    """A contender over all batches.

    Attributes:
        label: Its label.
        choice: The choice among runs that selected it, or empty.
        run: The run that found it, or the name of the agent.
        seat: Its seat: 0 or 1.
        won: The games won in each batch.
        batch: The number of games in each batch.
    """

    label: str
    choice: str
    run: str
    seat: int
    won: npt.NDArray[np.int64]
    batch: int

    @property
    def line(self) -> BoxLine:
        """Its box."""
        overall = independent_rate(int(self.won.sum()), len(self.won) * self.batch)
        return BoxLine(self.label, self.choice, 100 * self.won / self.batch, overall)


class Boxes(ContenderReport):
    """Box plots of win rates."""

    kind: Literal["boxes"] = "boxes"
    batches: int = Field(default=10, ge=1, description="The number of win rates in a box.")
    games: int = Field(default=250, ge=1, description="The number of games behind each win rate.")
    contenders: dict[str, SeatedContender] = Field(min_length=1, description="The contenders, by label.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Checks that [published] has only medians and highest values of the contenders' win rates."""
        rates = tables(dict.fromkeys(self.contenders, a_number))
        yield from tables(dict.fromkeys(PUBLISHED, rates))(published, ("published",))

    def report(self, study: Study) -> Report:
        """One box for every contender; two if fitness and validation choose different runs."""
        medians, highest = (study.published.get(table, {}) for table in PUBLISHED)
        found: dict[str, Finalists] = {}
        played: list[ContenderGames] = []
        for label, contender in self.contenders.items():
            if contender.search is not None:
                found[label] = self.finalists(study, contender.search)
            played += self._play(study, label, contender, found.get(label))
        bests = {label: [finalist.fresh for finalist in finalists.runs] for label, finalists in found.items()}
        lines = [each.line for each in played]

        def draw(figure: "Figure") -> None:
            figure.set_size_inches(max(6.0, 1.9 + 1.4 * len(self.contenders)), 4.8)
            axes = figure.add_subplot()
            draw_boxes(axes, lines, bests=bests, published=medians)
            title = f"{self.batches} win rates over {self.games} games each, and the rate over all"
            quiet(axes, title=title, x="", y=f"games won against {self.opponent}, %")
            axes.grid(visible=False, axis="x")

        runs = [row for finalists in found.values() for row in finalists.rows()]
        rows = {"boxes": [self._row(each, medians, highest) for each in played], "batches": _batch_rows(played)}
        tables = [self._table(played, medians)]
        if runs:
            rows["runs"] = runs
            rows["searches"] = [finalists.summary() for finalists in found.values()]
            tables += [searches_table(rows["searches"]), runs_table(runs)]
        return Report(rows, tuple(tables), self._notes(), {"boxes": draw})

    def smoke(self) -> Self:
        """A few games per batch."""
        sizes = {"games": min(self.games, 10), "validation_games": min(self.validation_games, 50)}
        return self.model_copy(update=sizes)

    def _play(
        self, study: Study, label: str, contender: SeatedContender, found: Finalists | None
    ) -> list[ContenderGames]:
        courses = split_course(referee_course(study, "test", self.batches * self.games), self.batches)
        if found is None:
            assert contender.agent is not None, "checked by the model"
            assert contender.seat is not None, "checked by the model"
            seat = SEAT_NAMES.index(contender.seat)
            won = agent_games_won(study, contender.agent, courses, seat=seat, against=self.opponent)
            return [ContenderGames(label, "", contender.agent, seat, won, self.games)]
        choices = found.choices()
        all_won = genome_games_won(
            study,
            f"{found.search} test {self.batches}x{self.games} {name_in_stores(self.opponent)}",
            np.array([finalist.genome for finalist in choices.values()]),
            courses,
            seat=found.seat,
            genome=found.genome,
            arena=found.arena,
        )
        return [
            ContenderGames(label, choice, finalist.run, found.seat, won, self.games)
            for (choice, finalist), won in zip(choices.items(), all_won, strict=True)
        ]

    def _row(
        self, played: ContenderGames, medians: Mapping[str, float], highest: Mapping[str, float]
    ) -> dict[str, Any]:
        line = played.line
        return {
            "contender": played.label,
            "choice": played.choice,
            "player": played.run,
            "seat": SEAT_NAMES[played.seat],
            **rate_cells("won", line.overall),
            **box_of(line.rates).to_json(),
            "published_median": medians.get(played.label),
            "published_highest": highest.get(played.label),
        }

    def _table(self, played: Sequence[ContenderGames], medians: Mapping[str, float]) -> TextTable:
        columns = ("contender", "choice", "seat", "won % [95 %]", "games", "lowest", "median", "highest", "published")
        rows = []
        for each in played:
            line, box = each.line, box_of(each.line.rates)
            published = f"{medians[each.label]:g}" if each.label in medians else ""
            five = (f"{value:.1f}" for value in (box.lowest, box.median, box.highest))
            games = f"{line.overall.n:,}"
            seat = SEAT_NAMES[each.seat]
            rows.append((each.label, each.choice, seat, line.overall.in_percent().text(1), games, *five, published))
        return TextTable(f"Games won against {self.opponent}", columns, tuple(rows))

    def _notes(self) -> tuple[str, ...]:
        return (
            f"A box shows {self.batches} win rates over {self.games} games each; all contenders play the same seeds, "
            "which no search has seen. Whiskers end at the lowest and the highest rate. Intervals are Wilson's 95 % "
            "intervals over all games of a line; `published` is the published median.",
            self.choices_note,
        )


def _batch_rows(played: Sequence[ContenderGames]) -> list[dict[str, Any]]:
    rows = []
    for each in played:
        for number, won in enumerate(each.won.tolist(), start=1):
            rate = independent_rate(won, each.batch)
            rows.append({"contender": each.label, "choice": each.choice, "batch": number, **rate_cells("won", rate)})
    return rows
