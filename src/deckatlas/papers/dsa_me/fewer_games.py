"""How many games a QD score on fresh games takes: our search against a baseline, and what each of its parts brings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.papers.budget import budget_note
from deckatlas.papers.dsa_me.joined_trials import NUMBERS, TRIALS, JoinedTrials
from deckatlas.papers.dsa_me.published import QD_SCORE
from deckatlas.papers.dsa_me.trial_growth import CURVES, GROWN, curves_of_rows, growth_rows
from deckatlas.papers.dsa_me.trials import (
    FRESH_CELLS,
    FRESH_QD,
    NOTES,
    Values,
    ahead,
    mean_of,
    numbers_of_trials,
)
from deckatlas.papers.joined import Rows
from deckatlas.papers.other_results import TrialRows
from deckatlas.runs.view import RunView
from deckatlas.shapes import nearest, show
from deckatlas.stats.means import mean_interval
from deckatlas.views.figures import colour, quiet
from deckatlas.views.map_curves import GrowthCurve, band_of
from deckatlas.views.map_figures import draw_band

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_SHOWN = {"qd_score": "QD score in the search, Σ (f + 30) / 60", "elites": "number of elites"}
_FRESH = "QD score on fresh games"
_GAMES = "games"

Of = Mapping[str, Mapping[str, Values]]  # by number and algorithm


class FewerGames(JoinedTrials):
    """Trials of our search, of a baseline with more games, and of our search with one part changed."""

    trial_tables: ClassVar[Mapping[str, TrialRows]] = {
        TRIALS: TrialRows({**NUMBERS, _GAMES: "whole number"}, is_single=True),
        CURVES: TrialRows({_GAMES: "whole number", **GROWN}),
    }
    shaping: ClassVar[tuple[str, ...]] = ("points",)

    kind: Literal["fewer-games"] = "fewer-games"
    ours: str = Field(description="The name of our search.")
    baseline: str = Field(description="The name of the search to match.")
    share: float = Field(default=0.2, gt=0, lt=1, description="The most games of ours, as a share of the baseline's.")
    points: int = Field(default=100, ge=2, le=1000, description="The number of moments shown.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about names that no algorithm has."""
        for key, name in (("ours", self.ours), ("baseline", self.baseline)):
            if name not in self.algorithms:
                yield Complaint((("report", key),), f"no algorithm {show(name)}: {nearest(name, self.algorithms)}")
        yield from super().complaints(published, runs)

    def own_rows(self, name: str, view: RunView) -> Rows:
        """The numbers of a trial, the games of its search, and its growth over these games.

        Raises:
            RunError: If its elites have played no fresh games.
        """
        found = super().own_rows(name, view)
        per_deck = view.config["evaluation"]["games"]
        return {
            TRIALS: [{**row, _GAMES: view.games} for row in found[TRIALS]],
            CURVES: growth_rows(view, self.points, at=_GAMES, per_evaluation=per_deck),
        }

    def report(self, study: Study) -> Report:
        """QD scores on fresh games beside the games that the searches took, and curves over games."""
        rows = self.rows(study)
        numbers = numbers_of_trials(rows[TRIALS])
        games = {
            name: np.array([float(row[_GAMES]) for row in rows[TRIALS] if row["algorithm"] == name])
            for name in self.algorithms
        }
        curves = curves_of_rows(rows[CURVES], at=_GAMES)
        notes = (
            "Only the games of the search count. Fresh games come after it, and are the same number for every elite "
            "of every search. Intervals are Student's over trials, and differences have the interval of the t test "
            "that pools their variance.",
            "Curves show archives by the games of the search, so a search with few games per deck is the luckier. "
            "Decks that played again have the numbers known in the end. Points at the end of the lines are the same "
            "archives on fresh games.",
        )
        report = Report(
            {**rows, "differences": list(self._differences(numbers))},
            (self._table(numbers, games),),
            (budget_note(study), *self.join_notes(rows), *NOTES, *notes),
            {"curves": lambda figure: _draw(figure, curves, numbers[FRESH_QD])},
        )
        return with_findings(report, list(self._findings(numbers, games)), digits=1)

    @property
    def _others(self) -> list[str]:
        """Our search with one part changed."""
        return [name for name in self.algorithms if name not in (self.ours, self.baseline)]

    def _differences(self, numbers: Of) -> Iterator[dict[str, Any]]:
        """Our search minus each other one, on fresh games."""
        values = numbers[FRESH_QD]
        for name in (self.baseline, *self._others):
            yield {"other": name, **ahead(values[self.ours], values[name]).cells("ours_ahead_by")}

    def _findings(self, numbers: Of, games: Mapping[str, Values]) -> Iterator[Finding]:
        values, share = numbers[FRESH_QD], games[self.ours] / games[self.baseline].mean()
        few = f"{100 * self.share:g} %"
        yield Finding(
            f"{self.ours} reaches the QD score of {self.baseline} on fresh games with {few} of its games",
            (
                Claim(f"{self.ours} is above {self.baseline}", _FRESH, ahead(values[self.ours], values[self.baseline])),
                Claim(
                    f"{self.ours} plays at most {few} of the games",
                    "games, % of the baseline's",
                    mean_interval(100 * share),
                    "below",
                    100 * self.share * (1 + 1e-9),
                ),
            ),
        )
        for name in self._others:
            claim = Claim(f"{self.ours} is above: {name}", _FRESH, ahead(values[self.ours], values[name]))
            yield Finding(f"{self.ours} is better than {name}", (claim,))

    def _table(self, numbers: Of, games: Mapping[str, Values]) -> TextTable:
        lines = []
        for name in self.algorithms:
            apart = ahead(numbers[FRESH_QD][self.ours], numbers[FRESH_QD][name])
            lines.append(
                (
                    name,
                    f"{games[name].mean():,.0f}",
                    *(mean_of(numbers[key][name], key).text(1) for key in (QD_SCORE, FRESH_QD, FRESH_CELLS)),
                    "" if name == self.ours else apart.text(1),
                )
            )
        columns = (
            *("algorithm", "games of a trial", "QD score in the search", "on fresh games"),
            *("cells on fresh games, %", f"{self.ours} ahead by"),
        )
        return TextTable("QD scores and games, mean of trials [95 %]", columns, tuple(lines))


def _draw(figure: "Figure", curves: Mapping[str, Sequence[GrowthCurve]], fresh: Mapping[str, Values]) -> None:
    figure.set_size_inches(11, 5)
    panels = figure.subplots(1, len(_SHOWN))
    for panel, (key, words) in zip(panels, _SHOWN.items(), strict=True):
        for number, (name, of_trials) in enumerate(curves.items()):
            band = band_of(of_trials, key, within=(0.0, np.inf) if key == "elites" else (-np.inf, np.inf))
            draw_band(panel, band, color=colour(number), label=name)
            if key == "qd_score":
                panel.plot(
                    np.full(len(fresh[name]), band.evaluated[-1]), fresh[name], "o", color=colour(number), markersize=4
                )
        panel.set_xscale("log")
        quiet(panel, title=words, x="games", y="")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
