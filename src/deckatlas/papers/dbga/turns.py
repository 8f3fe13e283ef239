"""The lengths of games in turns, by winner."""

from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.games.locm.match import play
from deckatlas.papers.dbga.deck_figures import draw_turns
from deckatlas.papers.drafts.contenders import ContenderReport, Drafter, SeatedContender, drafters
from deckatlas.papers.drafts.finalists import runs_table
from deckatlas.papers.drafts.fresh_games import FORMAT, rate_cells
from deckatlas.runs.loop import Standing
from deckatlas.search.batches import seed_of
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval
from deckatlas.stats.rates import independent_rate
from deckatlas.stats.samples import box_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TurnNumbers = npt.NDArray[np.int64]


class Turns(ContenderReport):
    """The lengths of games, by winner."""

    kind: Literal["turns"] = "turns"
    opponent_label: str = Field(default="Coac", description="The label of the opponent.")
    games: int = Field(default=2500, ge=1, description="The number of games of each contender.")
    contenders: dict[str, SeatedContender] = Field(min_length=1, description="The contenders, by label.")

    def report(self, study: Study) -> Report:
        """One box for the games that each contender won, and one for those that it lost."""
        turns: dict[str, TurnNumbers] = {}
        choices: list[str] = []  # of the winners; the opponent is a named agent and has none
        rows: list[dict[str, Any]] = []
        runs: list[dict[str, Any]] = []
        for label, contender in self.contenders.items():
            chosen, found = drafters(self, study, label, contender)
            runs += found
            for drafter in chosen:
                won, lost = self._play(study, drafter)
                losers = f"{self.opponent_label} against {drafter.title}"
                turns |= {drafter.title: won, losers: lost}
                choices += [drafter.choice, ""]
                rows += [_row(drafter, won, winner=drafter.title, all_games=self.games)]
                rows += [_row(drafter, lost, winner=losers, all_games=self.games)]
        tables = [_table(rows)]
        by_name = {"turns": rows, "games": _histogram(turns)}
        if runs:
            tables.append(runs_table(runs))
            by_name["runs"] = runs

        def draw(figure: "Figure") -> None:
            figure.set_size_inches(1.5 + 1.9 * len(turns), 4.4)
            draw_turns(figure.add_subplot(), turns, choices)

        return Report(by_name, tuple(tables), self._notes(), {"turns": draw})

    def smoke(self) -> Self:
        """A few games."""
        sizes = {"games": min(self.games, 100), "validation_games": min(self.validation_games, 50)}
        return self.model_copy(update=sizes)

    def _play(self, study: Study, drafter: Drafter) -> tuple[TurnNumbers, TurnNumbers]:
        """The turns of the games that it won, and of those that it lost.

        A store keeps the winner but not the number of turns, so these few games are played again each time.
        """
        seats = (drafter.entrant, self.opponent) if drafter.seat == 0 else (self.opponent, drafter.entrant)
        match = play(
            *seats,
            games=self.games,
            seed=seed_of(study.seed, "turns"),
            format=FORMAT,
            swap_seats=False,
            threads=study.threads,
        )
        study.tally.add(Standing(self.games, games=self.games))
        own_turns = (match["turns"].astype(np.int64) + 1) // 2
        won = match["winner"] == drafter.seat
        return own_turns[won], own_turns[~won]

    def _notes(self) -> tuple[str, ...]:
        return (
            f"{self.games:,} games of every contender on the same seeds, which no search has seen. A turn counts one "
            "turn of each player. Intervals of means are 95 % intervals over games. In the figure, 1 % of the games "
            "are beyond each end, and a diamond is the mean.",
            self.choices_note,
        )


def _row(drafter: Drafter, turns: TurnNumbers, *, winner: str, all_games: int) -> dict[str, Any]:
    row: dict[str, Any] = {"winner": winner, "contender": drafter.label, "choice": drafter.choice}
    row |= rate_cells("won", independent_rate(len(turns), all_games))
    if len(turns):
        row |= mean_interval(turns).cells("turns", n="turns_games")
        row |= box_of(turns).to_json()
    return row


def _table(rows: list[dict[str, Any]]) -> TextTable:
    columns = ("winner", "games won", "mean turns", "lower quartile", "median", "upper quartile", "longest")
    lines = []
    for row in rows:
        if "turns" in row:
            mean = Estimate.from_cells(row, "turns", n=row["turns_games"]).plus_minus()
            five = tuple(f"{row[name]:g}" for name in ("lower_quartile", "median", "upper_quartile", "highest"))
            lines.append((row["winner"], f"{row['turns_games']:,}", mean, *five))
        else:
            lines.append((row["winner"], "0", *[""] * 5))
    return TextTable("Turns of games, by winner", columns, tuple(lines))


def _histogram(turns: dict[str, TurnNumbers]) -> list[dict[str, Any]]:
    """The number of games of each length, by winner."""
    return [
        {"winner": winner, "turns": int(number), "games": int(count)}
        for winner, sample in turns.items()
        for number, count in zip(*np.unique(sample, return_counts=True), strict=True)
    ]
