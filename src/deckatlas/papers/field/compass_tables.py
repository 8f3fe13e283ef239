"""The compass in tables for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deckatlas.experiments.kind import TextTable
from deckatlas.stats.estimate import Estimate

Rows = Sequence[Mapping[str, Any]]


def compass_tables(rates: Rows, strengths: Rows, matchups: Rows, agreement: Rows, order: Rows) -> Iterator[TextTable]:
    """All tables; those about what people know are left out if nothing is known about these decks."""
    yield _matrix_table(rates, strengths)
    yield _strengths_table(strengths)
    if matchups:
        yield _matchups_table(matchups)
        yield _agreement_table(agreement)
    if order:
        yield _order_table(order)


def _matrix_table(rates: Rows, strengths: Rows) -> TextTable:
    """Rows and columns in the order of strength; the columns have the numbers of the rows."""
    won = {(row["row"], row["column"]): f"{row['won']:.0f}" for row in rates}
    names = [row["archetype"] for row in strengths]
    lines = tuple(
        (f"{number} {name}", *(won.get((name, other), "") for other in names))
        for number, name in enumerate(names, start=1)
    )
    columns = ("archetype", *(str(number) for number in range(1, len(names) + 1)))
    return TextTable("Games that the row won against the column, %", columns, lines)


def _strengths_table(strengths: Rows) -> TextTable:
    lines = tuple((row["archetype"], _won(row), _reported(row)) for row in strengths)
    return TextTable("Games won against the field", ("archetype", "won % [95 %]", "reported %"), lines)


def _reported(row: Mapping[str, Any]) -> str:
    if row["reported"] is not None:
        return f"{row['reported']:.1f}"
    return "weaker" if row["is_weaker"] else ""


def _matchups_table(matchups: Rows) -> TextTable:
    lines = tuple(
        (f"{row['favoured']} beats {row['against']}", row["known"], _won(row), row["verdict"]) for row in matchups
    )
    return TextTable("Matchups that people know", ("matchup", "known as", "won % [95 %]", "our games"), lines)


def _agreement_table(agreement: Rows) -> TextTable:
    keys = ("matchups", "agree", "agree_beyond_doubt", "disagree_beyond_doubt")
    lines = tuple((row["known"], *(str(row[key]) for key in keys)) for row in agreement)
    columns = ("known as", "matchups", "right way", "beyond doubt", "wrong beyond doubt")
    return TextTable("Known matchups that point the right way", columns, lines)


def _order_table(order: Rows) -> TextTable:
    lines = tuple(
        (
            row["archetypes"],
            str(row["n"]),
            *(Estimate.from_cells(row, name, n=row["n"]).text() for name in ("spearman", "kendall")),
        )
        for row in order
    )
    columns = ("archetypes", "n", "Spearman [95 %]", "Kendall [95 %]")
    return TextTable("Our order and the reported one: rank correlation", columns, lines)


def _won(row: Mapping[str, Any]) -> str:
    return Estimate.from_cells(row, "won", n=row["won_games"]).text(1)
