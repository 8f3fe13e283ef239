"""What a pilot was not trained with, in tables for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deckatlas.experiments.kind import TextTable
from deckatlas.papers.field.matches import won_text

Rows = Sequence[Mapping[str, Any]]


def unseen_tables(overall: Rows, lists: Rows, patches: Rows, *, goal: float) -> Iterator[TextTable]:
    """Both parts overall, then the lists, then the patches."""
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
        "Patches that were not in training",
        ("patch", "cards", "lists", "won % [95 %]", above),
        tuple((row["patch"], row["cards"], str(row["lists"]), won_text(row), row["verdict"]) for row in patches),
    )
