"""Champions of a run against the best of every generation."""

from typing import Literal, Self

from deckatlas.reports.kind import Report, ReportOptions
from deckatlas.reports.study import Study


class Champions(ReportOptions):
    """Champions against generations (skeleton)."""

    kind: Literal["champions"] = "champions"

    def report(self, study: Study) -> Report:
        """Champions against generations."""
        return Report(rows={}, tables=())

    def smoke(self) -> Self:
        """The same."""
        return self
