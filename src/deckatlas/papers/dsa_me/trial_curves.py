"""QD score and number of elites over evaluations, and how good the final elites are: the lines of figures 2 and 4."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck, some_of
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import Study
from deckatlas.papers.budget import budget_note
from deckatlas.papers.dsa_me.joined_trials import NUMBERS, TRIALS, JoinedTrials
from deckatlas.papers.dsa_me.published import CELLS, QD_SCORE, finding_title
from deckatlas.papers.dsa_me.trial_growth import CURVES, GROWN, curves_of_rows, growth_rows
from deckatlas.papers.dsa_me.trials import (
    FRESH_OF,
    IN_THE_SEARCH,
    NOTES,
    ON_FRESH_GAMES,
    Values,
    ahead,
    mean_of,
    numbers_of_trials,
)
from deckatlas.papers.joined import Rows
from deckatlas.papers.other_results import OtherResult, TrialRows
from deckatlas.runs.view import RunView
from deckatlas.stats.means import magnitude
from deckatlas.stats.samples import shares_above
from deckatlas.views.figures import colour, quiet
from deckatlas.views.map_curves import GrowthCurve, band_of
from deckatlas.views.map_figures import draw_band

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_MARKS = np.arange(-30.0, 30.5, 0.5)  # health differences
_EVALUATIONS, _ABOVE, _MARK, _SHARE = "evaluations", "above", "health_difference", "cells"
_SHOWN = {"qd_score": "QD score, Σ (f + 30) / 60", "elites": "number of elites"}
_COMPARED = {QD_SCORE: "QD score", CELLS: "cells filled, %"}
_BOTH_WAYS = {"": _COMPARED, ", on fresh games": {FRESH_OF[key]: words for key, words in _COMPARED.items()}}

Curves = Mapping[str, Sequence[GrowthCurve]]  # of all trials, by algorithm


class TrialCurves(JoinedTrials):
    """The growth of the archives of several algorithms, and the share of cells above each health difference."""

    trial_tables: ClassVar[Mapping[str, TrialRows]] = {
        TRIALS: TrialRows(NUMBERS, is_single=True),
        CURVES: TrialRows({_EVALUATIONS: "whole number", **GROWN}),
        _ABOVE: TrialRows({_MARK: "number", _SHARE: "number"}),
    }
    shaping: ClassVar[tuple[str, ...]] = ("points",)

    kind: Literal["trial-curves"] = "trial-curves"
    points: int = Field(default=100, ge=2, le=1000, description="The number of moments shown.")
    marks: tuple[Annotated[float, Field(ge=-30, le=30, multiple_of=0.5)], ...] = Field(
        default=(-20, -10, 0, 10), description="The health differences at which numbers of elites are compared."
    )
    margin: float = Field(
        default=0.05, gt=0, lt=1, description="Means that differ by less than this share of the second are alike."
    )

    def own_rows(self, name: str, view: RunView) -> Rows:
        """The numbers of a trial, its growth, and its share of cells above each health difference, in percent.

        Raises:
            RunError: If its elites have played no fresh games.
        """
        shares = 100 * shares_above(
            view.archive.objectives[view.archive.elites], _MARKS, total=view.archive.cells.count
        )
        return {
            **super().own_rows(name, view),
            CURVES: growth_rows(view, self.points, at=_EVALUATIONS),
            _ABOVE: [
                {_MARK: mark, _SHARE: share} for mark, share in zip(_MARKS.tolist(), shares.tolist(), strict=True)
            ],
        }

    def check_rows(self, other: OtherResult, rows: Rows, series: Mapping[str, Series]) -> None:
        """Checks that algorithms have their names, and that all trials have a share for each health difference.

        Raises:
            RunError: If one does not.
        """
        super().check_rows(other, rows, series)
        for name, curves in curves_of_rows(rows[_ABOVE], at=_MARK, numbers=()).items():
            if not all(np.array_equal(curve.evaluated, _MARKS) for curve in curves):
                raise other.refused(f"a trial of {name} does not have the same health differences in {_ABOVE} as here")

    def report(self, study: Study) -> Report:
        """Curves with 95 % bands, final numbers, and the published findings."""
        rows = self.rows(study)
        numbers = numbers_of_trials(rows[TRIALS])
        curves = curves_of_rows(rows[CURVES], at=_EVALUATIONS)
        shares = curves_of_rows(rows[_ABOVE], at=_MARK, numbers=(_SHARE,))
        notes = (
            "Bands are 95 % intervals of the mean over trials. Curves place all decks evaluated so far. The share of "
            "cells above a health difference counts final elites strictly above it, over all cells of the map.",
            "Claims compare means over trials by the t test that pools their variance. Algorithms are alike if the "
            f"difference is less than {100 * self.margin:g} % of the second's mean: that a difference is not "
            "significant, as the paper says, does not show that there is none.",
        )
        tables = (
            _table("In the search", numbers, IN_THE_SEARCH),
            _table("Final elites on fresh games", numbers, ON_FRESH_GAMES),
        )
        figures = {"curves": lambda figure: _draw(figure, curves, shares)}
        report = Report(rows, tables, (budget_note(study), *self.join_notes(rows), *NOTES, *notes), figures)
        return with_findings(report, list(self._findings(numbers, shares, study.published)), digits=1)

    def published_checks(self) -> Mapping[str, PublishedCheck]:
        """Checks of findings: which algorithms do better, which are alike, which have more elites of any quality."""
        pairs = self.pairs_check()
        return {"higher": pairs, "alike": pairs, "more_at_every_quality": some_of(self.algorithms)}

    def _findings(
        self, numbers: Mapping[str, Mapping[str, Values]], shares: Curves, published: Mapping[str, Any]
    ) -> Iterator[Finding]:
        for title, pairs in published.get("higher", {}).items():
            for ending, words in _BOTH_WAYS.items():
                claims = [
                    Claim(f"{one} is above {other}", f"{words[key]}{ending}", ahead(*_both(numbers[key], one, other)))
                    for one, other in _pairs(pairs)
                    for key in words
                ]
                yield Finding(f"{finding_title(title)}{ending}", tuple(claims))
        for title, pairs in published.get("alike", {}).items():
            for ending, words in _BOTH_WAYS.items():
                claims = [
                    self._alike(one, other, numbers[key], f"{words[key]}{ending}")
                    for one, other in _pairs(pairs)
                    for key in words
                ]
                yield Finding(f"{finding_title(title)}{ending}", tuple(claims))
        for name in published.get("more_at_every_quality", ()):
            yield Finding(finding_title("more-at-every-quality"), self._more(name, shares))

    def _alike(self, one: str, other: str, values: Mapping[str, Values], words: str) -> Claim:
        apart = magnitude(ahead(*_both(values, one, other)))
        mark = self.margin * abs(float(values[other].mean()))
        return Claim(f"{one} is like {other}", f"{words}, apart by", apart, "below", mark)

    def _more(self, name: str, shares: Curves) -> tuple[Claim, ...]:
        places = np.searchsorted(_MARKS, self.marks)
        found = {each: np.array([curve.numbers[_SHARE][places] for curve in of]) for each, of in shares.items()}
        return tuple(
            Claim(
                f"{name} has more than {other}", f"% of cells above {mark:g}", ahead(found[name][:, at], values[:, at])
            )
            for other, values in found.items()
            if other != name
            for at, mark in enumerate(self.marks)
        )


def _pairs(published: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    return [(one, other) for one, others in published.items() for other in others]


def _both(values: Mapping[str, Values], one: str, other: str) -> tuple[Values, Values]:
    return values[one], values[other]


def _table(title: str, numbers: Mapping[str, Mapping[str, Values]], words: Mapping[str, str]) -> TextTable:
    names = list(next(iter(numbers.values())))
    lines = []
    for name in names:
        lines.append((name, *(mean_of(numbers[key][name], key).text(1) for key in words)))
    return TextTable(f"{title}, mean of trials [95 %]", ("algorithm", *words.values()), tuple(lines))


def _draw(figure: "Figure", curves: Curves, shares: Curves) -> None:
    figure.set_size_inches(13.5, 4.6)
    panels = figure.subplots(1, len(_SHOWN) + 1)
    for panel, (key, words) in zip(panels, _SHOWN.items(), strict=False):
        for number, (name, of_trials) in enumerate(curves.items()):
            within = (0.0, np.inf) if key == "elites" else (-np.inf, np.inf)
            draw_band(panel, band_of(of_trials, key, within=within), color=colour(number), label=name)
        quiet(panel, title=words, x="evaluations", y="")
    for number, (name, of_trials) in enumerate(shares.items()):
        draw_band(panels[-1], band_of(of_trials, _SHARE, within=(0.0, 100.0)), color=colour(number), label=name)
    quiet(panels[-1], title="% of cells above a health difference", x="health difference", y="")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
