"""Published findings, checked against our numbers: each holds, does not hold, or is undecided at 95 %."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from deckatlas.experiments.kind import Report, TextTable
from deckatlas.stats.estimate import Estimate

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided at 95 %"


@dataclass(frozen=True)
class Claim:
    """The claim that a number is above or below a mark.

    Attributes:
        statement: The published statement, such as "hunter-control beats hunter-aggro".
        measure: What is measured, with its unit.
        found: The measured value.
        is_claimed: The claimed side of the mark.
        mark: The mark.
    """

    statement: str
    measure: str
    found: Estimate
    is_claimed: Literal["above", "below"] = "above"
    mark: float = 0.0

    @property
    def verdict(self) -> str:
        """Whether the whole interval is on the claimed side, on the other side, or neither."""
        above, below = self.found.low > self.mark, self.found.high < self.mark
        if self.is_claimed == "below":
            above, below = below, above
        return HOLDS if above else FAILS if below else UNDECIDED


@dataclass(frozen=True)
class Finding:
    """A published finding: one or several claims that must all hold.

    Attributes:
        title: What was published.
        claims: The claims; empty if the report does not show the numbers they need.
    """

    title: str
    claims: tuple[Claim, ...]

    @property
    def verdict(self) -> str:
        """The finding holds if all claims hold, and does not hold if one of them does not."""
        verdicts = {claim.verdict for claim in self.claims}
        return FAILS if FAILS in verdicts else UNDECIDED if UNDECIDED in verdicts else HOLDS


TITLE = "Published findings, by our numbers"
NOTE = (
    "A finding holds if all of its claims hold, and does not hold if one of them does not. A claim is undecided if its "
    "95 % interval reaches to both sides; of forty claims without any real difference, one would seem to hold."
)


def with_findings(
    report: Report, findings: Sequence[Finding], *, digits: int = 2, title: str = TITLE, what: str = "published"
) -> Report:
    """The report with the findings added at its end; unchanged if no finding has claims.

    Args:
        report: The report.
        findings: The findings.
        digits: Decimal places of the numbers in the table.
        title: The title of the table.
        what: What the statements are, as the title of their column.
    """
    findings = [finding for finding in findings if finding.claims]
    if not findings:
        return report
    return replace(
        report,
        rows={**report.rows, "findings": _rows(findings)},
        tables=(*report.tables, _table(findings, digits, title, what)),
        notes=(*report.notes, NOTE),
    )


def _rows(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """One row per claim."""
    return [
        {
            "finding": finding.title,
            "finding_verdict": finding.verdict,
            "claim": claim.statement,
            "measure": claim.measure,
            **claim.found.cells("found"),
            "claimed": f"{claim.is_claimed} {claim.mark:g}",
            "verdict": claim.verdict,
        }
        for finding in findings
        for claim in finding.claims
    ]


def _table(findings: Sequence[Finding], digits: int, title: str, what: str) -> TextTable:
    """All claims; the claims of each finding are followed by a line for the finding."""
    lines = []
    for finding in findings:
        for claim in finding.claims:
            claimed = f"{claim.is_claimed} {claim.mark:g}"
            lines.append((claim.statement, claim.measure, claim.found.text(digits), claimed, claim.verdict))
        held = sum(claim.verdict == HOLDS for claim in finding.claims)
        lines.append((f"FINDING: {finding.title}", f"{held} of {len(finding.claims)} hold", "", "", finding.verdict))
    return TextTable(title, (what, "measured", "found [95 %]", "claimed", "verdict"), tuple(lines))
