"""Reports that follow from rows about single trials, so that some trials may be carried out by other calls.

Twenty trials of hours each need not be carried out by one machine, or in one night. Each call carries out some of them
(`repeat` and `first` of the runs) and writes its results; a last one reads the others' `result.json`.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import ClassVar

from pydantic import Field, PrivateAttr

from deckatlas.experiments.kind import ReportOptions
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import Study
from deckatlas.papers.other_results import ColumnType, OtherResult, Row, TrialRows
from deckatlas.runs.view import RunView
from deckatlas.shapes import show

Rows = dict[str, list[Row]]  # of trials, by table


class JoinedReport(ReportOptions):
    """A report that follows from rows about single trials alone, so that some trials may come from other calls."""

    trial_key: ClassVar[tuple[str, str]]  # the columns that say whose row it is: the name of a run, and its number
    trial_tables: ClassVar[Mapping[str, TrialRows]]
    shaping: ClassVar[tuple[str, ...]] = ()  # the options on which rows of trials depend

    elsewhere: tuple[str, ...] = Field(
        default=(), description="Files result.json of the same item with other trials, which join those of this call."
    )
    # By file: what was checked is what is used, even if hours lie between.
    _results_read: dict[str, OtherResult] = PrivateAttr(default_factory=dict)

    @abstractmethod
    def trial_runs(self, known: Collection[str]) -> Mapping[str, str]:
        """The runs whose trials are joined, by the names that rows give them.

        Args:
            known: The names of all runs.
        """

    @abstractmethod
    def own_rows(self, name: str, view: RunView) -> Rows:
        """The rows of a trial of this call, by table, without its name and number.

        Raises:
            RunError: If the trial lacks what a row needs.
        """

    def has_rows(self, name: str, table: str) -> bool:
        """Whether trials of that name have rows in a table; by default in all."""
        return True

    def check_rows(self, other: OtherResult, rows: Rows, series: Mapping[str, Series]) -> None:
        """Checks what the rows of another result mean; by default nothing.

        Raises:
            RunError: If they are impossible.
        """

    def check_series(self, series: Mapping[str, Series]) -> None:
        """Checks that other results are about the same runs, and have other trials of them.

        Raises:
            RunError: If a file cannot be read or joined.
        """
        super().check_series(series)
        self._results_read = {file: OtherResult.read(Path(file)) for file in self.elsewhere}
        runs = self.trial_runs(series)
        known = {(name, number) for name, run in runs.items() for number in series[run].numbers}
        for other in self._other_results():
            for run in _with_needs(runs.values(), series):
                other.check_run(run, series[run])
            for option in self.shaping:
                if other.report.get(option) != getattr(self, option):
                    theirs, ours = show(other.report.get(option)), show(getattr(self, option))
                    raise other.refused(f"its report has {option} = {theirs}, but this one has {ours}")
            rows = self._rows_of(other, runs)
            trials = self._trials(rows)
            for name, number in (trial for trial in trials if trial in known):
                is_shared = len(series[runs[name]].numbers) == len(other.numbers(runs[name])) == 1
                if not is_shared or known.issuperset(trials):
                    raise other.refused(f"trial {number} of {name} is known already")
            known.update(trials)
            self.check_rows(other, rows, series)
        self._check_counterparts(runs, series)

    def rows(self, study: Study) -> Rows:
        """The rows of all trials, run by run: of this call and of the others, whose games count as well.

        Raises:
            RunError: If a file cannot be read, or a trial lacks what a row needs.
        """
        runs = self.trial_runs(study.maps)
        found: Rows = {table: [] for table in self.trial_tables}
        for name, run in runs.items():
            for each in study.maps[run]:
                own = dict(zip(self.trial_key, (name, each.number), strict=True))
                for table, rows in self.own_rows(name, each.view).items():
                    found[table] += [{**own, **row} for row in rows]
        for other in self._other_results():
            self._add(found, other, self._rows_of(other, runs))
            study.tally.all += other.games
        place = {name: number for number, name in enumerate(runs)}

        def order(row: Row) -> tuple[int, int]:
            name, number = self._trial(row)
            return place[name], number

        return {table: sorted(rows, key=order) for table, rows in found.items()}

    def join_notes(self, rows: Rows) -> tuple[str, ...]:
        """Where trials come from that this call did not carry out, and how many there are with them."""
        if not self.elsewhere:
            return ()
        trials = Counter(name for name, _ in self._trials(rows))
        each = " or ".join(map(str, sorted(set(trials.values()))))
        return (f"Further trials are from {', '.join(self.elsewhere)}: with them, there are {each} of each.",)

    def _other_results(self) -> list[OtherResult]:
        return [self._results_read.get(file) or OtherResult.read(Path(file)) for file in self.elsewhere]

    def _trial(self, row: Row) -> tuple[str, int]:
        name, number = self.trial_key
        return row[name], row[number]

    def _trials(self, rows: Rows) -> dict[tuple[str, int], None]:
        return dict.fromkeys(self._trial(row) for table in rows.values() for row in table)

    def _add(self, found: Rows, other: OtherResult, rows: Rows) -> None:
        """Adds the rows of another result; those of a trial that both calls share have to be the same.

        Raises:
            RunError: If they are not.
        """
        known = self._trials(found)
        for table, theirs in rows.items():
            ours = [{key: row[key] for key in theirs[0]} for row in found[table]] if theirs else []
            for row in theirs:
                if self._trial(row) in known and row not in ours:
                    name, number = self._trial(row)
                    raise other.refused(f"trial {number} of {name} has other rows in {table} than here")
            found[table] += [row for row in theirs if self._trial(row) not in known]

    def _rows_of(self, other: OtherResult, names: Collection[str]) -> Rows:
        """The rows of trials of another result, by table, checked.

        Raises:
            RunError: If there are none, one lacks something, or a table does not have the rows of all trials.
        """
        name, number = self.trial_key
        own: dict[str, ColumnType] = {name: "text", number: "whole number"}
        found = {table: other.table(table, {**own, **kind.columns}) for table, kind in self.trial_tables.items()}
        trials = self._trials(found)
        if not trials:
            raise other.refused("it has no trials")
        for trial, _ in sorted(trials):
            if trial not in names:
                raise other.refused(f"there is no {name} {show(trial)} here")
        for table, rows in found.items():
            counts = Counter(map(self._trial, rows))
            for trial, at in sorted(trials):
                has, expected = counts[trial, at], self.has_rows(trial, table)
                if bool(has) != expected:
                    raise other.refused(
                        f"trial {at} of {trial} has {'no' if expected else 'unexpected'} rows in {table}"
                    )
                if has > 1 and self.trial_tables[table].is_single:
                    raise other.refused(f"trial {at} of {trial} has {has} rows in {table} instead of one")
        return found

    def _check_counterparts(self, runs: Mapping[str, str], series: Mapping[str, Series]) -> None:
        """Checks that trials need the same trials of other runs as in one call: those of their number, or the only one.

        Raises:
            RunError: If they do not.
        """
        for run in _with_needs(runs.values(), series):
            for needed in series[run].needs:
                pairs = _counterparts(series[run].numbers, series[needed].numbers)
                for other in self._other_results():
                    pairs |= _counterparts(other.numbers(run), other.numbers(needed))
                    if any(one != its for one, its in pairs) and len({its for _, its in pairs}) > 1:
                        raise other.refused(f"its trials of {run} have other trials of {needed} than those here would")


def _with_needs(runs: Iterable[str], series: Mapping[str, Series]) -> list[str]:
    """Some runs and all that they need."""
    found: dict[str, None] = {}
    waiting = list(runs)
    while waiting:
        run = waiting.pop(0)
        if run not in found:
            found[run] = None
            waiting += series[run].needs
    return list(found)


def _counterparts(numbers: range, needed: range) -> set[tuple[int, int]]:
    """The number of each trial and of the other run's trial that it needs: the one at its place, or the only one."""
    if len(needed) == 1:
        return {(number, needed[0]) for number in numbers}
    return set(zip(numbers, needed, strict=False))
