"""Patterns for other programs: as JSON, and as CSV with one row per pattern."""

import csv
import io
from typing import Any

from deckatlas.patterns.patterns import Patterns


def patterns_json(patterns: Patterns, source: str) -> dict[str, Any]:
    """Everything as plain data; `source` names what they were found in."""
    return {
        "source": source,
        "decks": len(patterns.decks),
        "least_support": patterns.least,
        "only_maximal": patterns.only_maximal,
        "found": patterns.found,
        "lift_unknown": patterns.decks.unknown or None,
        "patterns": [each.to_json() for each in patterns],
    }


def patterns_csv(patterns: Patterns) -> str:
    """One row per pattern; its cards are separated by semicolons."""
    buffer = io.StringIO()
    spans = [f"{name}_{end}" for name in patterns.decks.measures for end in ("low", "mean", "high")]
    columns = ["size", "count", "support", "support_low", "support_high", "expected", "lift", *spans, "cards"]
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    for each in patterns:
        row: dict[str, Any] = {"size": each.size, "count": each.count, **each.support.cells("support")}
        row |= {"expected": each.expected, "lift": each.lift, "cards": "; ".join(each.lines)}
        for name, span in each.region.items():
            row |= {f"{name}_low": span.low, f"{name}_mean": span.mean, f"{name}_high": span.high}
        writer.writerow(row)
    return buffer.getvalue()
