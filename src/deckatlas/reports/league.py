"""A league: everybody plays everybody of other groups."""

from typing import Literal, Self

from pydantic import Field

from deckatlas.reports.kind import Report, ReportOptions
from deckatlas.reports.study import Study


class League(ReportOptions):
    """All against all (skeleton)."""

    kind: Literal["league"] = "league"
    drafts: int = Field(default=500, ge=1, description="Drafts of a repetition.")

    def report(self, study: Study) -> Report:
        """Everybody against everybody."""
        return Report(rows={}, tables=())

    def smoke(self) -> Self:
        """Ten drafts."""
        return self.model_copy(update={"drafts": min(self.drafts, 10)})
