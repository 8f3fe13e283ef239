"""Reports on trials of algorithms that follow from rows of numbers, so that some trials may come from other calls."""

from collections.abc import Collection, Mapping
from typing import ClassVar

from deckatlas.experiments.series import Series
from deckatlas.experiments.study import Study
from deckatlas.papers.dsa_me.trials import IN_THE_SEARCH, ON_FRESH_GAMES, TrialsReport, numbers_of
from deckatlas.papers.joined import JoinedReport, Rows
from deckatlas.papers.other_results import ColumnType, OtherResult, TrialRows
from deckatlas.runs.view import RunView

TRIALS = "trials"
NUMBERS: Mapping[str, ColumnType] = dict.fromkeys((*IN_THE_SEARCH, *ON_FRESH_GAMES), "number")


class JoinedTrials(JoinedReport, TrialsReport):
    """A report on the numbers of trials, in the search and on fresh games; some need further tables."""

    trial_key: ClassVar[tuple[str, str]] = ("algorithm", "trial")
    trial_tables: ClassVar[Mapping[str, TrialRows]] = {TRIALS: TrialRows(NUMBERS, is_single=True)}

    def trial_runs(self, known: Collection[str]) -> Mapping[str, str]:
        """The run of each algorithm."""
        return self.algorithms

    def own_rows(self, name: str, view: RunView) -> Rows:
        """The numbers of a trial.

        Raises:
            RunError: If its elites have played no fresh games.
        """
        return {TRIALS: [numbers_of(view)]}

    def check_rows(self, other: OtherResult, rows: Rows, series: Mapping[str, Series]) -> None:
        """Checks that the other report gives its algorithms the names that they have here.

        Raises:
            RunError: If it does not.
        """
        theirs = other.report.get("algorithms")
        for name in dict.fromkeys(row["algorithm"] for row in rows[TRIALS]):
            if not isinstance(theirs, dict) or theirs.get(name) != self.algorithms[name]:
                raise other.refused(f"its {name} is not the run {self.algorithms[name]}, as here")

    def rows(self, study: Study) -> Rows:
        """The rows of all trials, of this call and of the others.

        Raises:
            RunError: If a file cannot be read, or a trial has no elite or no fresh games.
        """
        self.trials(study)
        return super().rows(study)
