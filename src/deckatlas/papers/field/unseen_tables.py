"""What a pilot was not trained with, in tables for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deckatlas.experiments.kind import TextTable
from deckatlas.papers.field.matches import won_text
from deckatlas.stats.estimate import Estimate

Rows = Sequence[Mapping[str, Any]]


def unseen_tables(overall: Rows, lists: Rows, field: Rows, patches: Rows, *, goal: float) -> Iterator[TextTable]:
    """Both parts overall, then the lists, alone and against the field, then the patches."""
    above = f"above {goal:g} %"
    yield TextTable(
        "Games won against the pilot that was trained with it",
        ("not in training", "pilot", "opponent", "won % [95 %]", "games"),
        tuple((row["part"], row["pilot"], row["opponent"], won_text(row), f"{row['won_games']:,}") for row in overall),
    )
    yield TextTable(
        "Lists that were not in training",
        ("list", "won % [95 %]", above),
        tuple((row["list"], won_text(row), row["verdict"]) for row in lists),
    )
    yield TextTable(
        "The same lists against the field, games won by the pilot that was trained",
        ("list", "without it, %", "with it, %", "ahead, points [95 %]", "games of each"),
        tuple(_field_line(row) for row in field),
    )
    yield TextTable(
        "Patches that were not in training",
        ("patch", "cards", "lists", "won % [95 %]", above),
        tuple((row["patch"], row["cards"], str(row["lists"]), won_text(row), row["verdict"]) for row in patches),
    )


def _field_line(row: Mapping[str, Any]) -> tuple[str, ...]:
    ahead = Estimate.from_cells(row, "ahead", n=row["games"]).text(1)
    return row["list"], f"{row['won_without']:.1f}", f"{row['won_with']:.1f}", ahead, f"{row['games']:,}"
