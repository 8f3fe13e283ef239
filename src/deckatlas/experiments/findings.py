"""Findings that were published, held against our numbers: each holds, does not hold, or is undecided at 95 %."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from deckatlas.experiments.kind import Report, TextTable
from deckatlas.stats.estimate import Estimate

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided at 95 %"


@dataclass(frozen=True)
class Claim:
    """That a number is on one side of a mark.

    Attributes:
        statement: What was published, such as "hunter-control beats hunter-aggro".
        measure: What is measured, with its unit.
        found: What it came to.
        is_claimed: On which side of the mark it is said to be.
        mark: The mark.
    """

    statement: str
    measure: str
    found: Estimate
    is_claimed: Literal["above", "below"] = "above"
    mark: float = 0.0

    @property
    def verdict(self) -> str:
        """Whether all of the interval is on the side that was claimed, on the other one, or neither."""
        above, below = self.found.low > self.mark, self.found.high < self.mark
        if self.is_claimed == "below":
            above, below = below, above
        return HOLDS if above else FAILS if below else UNDECIDED


@dataclass(frozen=True)
class Finding:
    """What was published, as one claim or several that must all hold.

    Attributes:
        title: What was published.
        claims: What must hold; none where the report does not show what it is about.
    """

    title: str
    claims: tuple[Claim, ...]

    @property
    def verdict(self) -> str:
        """Holds if all claims do, and does not if one of them does not."""
        verdicts = {claim.verdict for claim in self.claims}
        return FAILS if FAILS in verdicts else UNDECIDED if UNDECIDED in verdicts else HOLDS


NOTE = (
    "A finding holds where all of its claims do, and does not hold where one of them does not. A claim is undecided "
    "where its 95 % interval reaches to both sides; of forty claims that nothing speaks for, one would seem to hold."
)


def with_findings(report: Report, findings: Sequence[Finding], *, digits: int = 2) -> Report:
    """A report that closes with what was published about what it shows; the same where that is nothing."""
    findings = [finding for finding in findings if finding.claims]
    if not findings:
        return report
    return replace(
        report,
        rows={**report.rows, "findings": _rows(findings)},
        tables=(*report.tables, _table(findings, digits)),
        notes=(*report.notes, NOTE),
    )


def _rows(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """A row a claim."""
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


def _table(findings: Sequence[Finding], digits: int) -> TextTable:
    """All claims, and after those of each finding a line for the whole."""
    lines = []
    for finding in findings:
        for claim in finding.claims:
            claimed = f"{claim.is_claimed} {claim.mark:g}"
            lines.append((claim.statement, claim.measure, claim.found.text(digits), claimed, claim.verdict))
        held = sum(claim.verdict == HOLDS for claim in finding.claims)
        lines.append((f"FINDING: {finding.title}", f"{held} of {len(finding.claims)} hold", "", "", finding.verdict))
    return TextTable(
        "What was published, by our numbers",
        ("published", "measured", "found [95 %]", "claimed", "verdict"),
        tuple(lines),
    )
