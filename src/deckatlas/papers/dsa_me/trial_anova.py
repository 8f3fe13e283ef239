"""The paper's tests on our trials: analyses of variance, differences, hypotheses; in the search and on fresh games."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from deckatlas.documents.complaints import Complaint
from deckatlas.experiments.kind import Report
from deckatlas.experiments.study import Study
from deckatlas.papers.budget import budget_note
from deckatlas.papers.dsa_me.anova_report import anova_report
from deckatlas.papers.dsa_me.hypotheses import Verdict, verdicts
from deckatlas.papers.dsa_me.joined_trials import TRIALS, JoinedTrials
from deckatlas.papers.dsa_me.published import ALGORITHMS, METRICS
from deckatlas.papers.dsa_me.trial_figures import draw_trials
from deckatlas.papers.dsa_me.trial_tests import analyse_trials
from deckatlas.papers.dsa_me.trials import (
    FRESH_OF,
    FRESH_REACHABLE,
    IN_THE_SEARCH,
    NOTES,
    ON_FRESH_GAMES,
    SUM,
    numbers_of_trials,
)
from deckatlas.shapes import show

_FRESH = ", on fresh games"


class TrialAnova(JoinedTrials):
    """The tests of section 5 on the four numbers of table 1, on Σ f, and on all of them on fresh games."""

    kind: Literal["trial-anova"] = "trial-anova"

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about algorithms of the paper that are missing."""
        for name in ALGORITHMS:
            if name not in self.algorithms:
                yield Complaint((("report", "algorithms"),), f"the tests need the algorithm {show(name)}")
        yield from super().complaints(published, runs)

    def report(self, study: Study) -> Report:
        """The report of `anova_report`, with the verdicts on fresh games beside those of the search."""
        trials = self.rows(study)[TRIALS]
        numbers = numbers_of_trials(trials)
        tested = {
            **{metric: numbers[metric] for metric in METRICS},
            IN_THE_SEARCH[SUM]: numbers[SUM],
            **{f"{words}{_FRESH}": numbers[key] for key, words in ON_FRESH_GAMES.items() if key != FRESH_REACHABLE},
        }
        found = anova_report(tested)
        again = verdicts(analyse_trials({metric: numbers[FRESH_OF[metric]] for metric in METRICS}))
        rows = [_with_fresh(row, verdict) for row, verdict in zip(found.rows["hypotheses"], again, strict=True)]
        *tables, hypotheses = found.tables
        lines = tuple(
            (*line, "supported" if verdict.is_supported else "not supported")
            for line, verdict in zip(hypotheses.rows, again, strict=True)
        )
        hypotheses = replace(hypotheses, columns=(*hypotheses.columns, "verdict on fresh games"), rows=lines)
        notes = (*found.notes, "The verdict on fresh games follows the same rule with the numbers on fresh games.")
        return Report(
            {**found.rows, "hypotheses": rows, TRIALS: trials},
            (*tables, hypotheses),
            (budget_note(study), *self.join_notes({TRIALS: trials}), *NOTES, *notes),
            {"trials": lambda figure: draw_trials(figure, numbers, METRICS)},
        )


def _with_fresh(row: Mapping[str, Any], again: Verdict) -> dict[str, Any]:
    return {
        **row,
        "supported_on_fresh_games": again.is_supported,
        "confirmed_on_fresh_games": again.confirmed,
        "contradicted_on_fresh_games": again.contradicted,
    }
