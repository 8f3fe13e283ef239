"""The gate in tables for people, and in a picture."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deckatlas.experiments.findings import HOLDS
from deckatlas.experiments.kind import TextTable
from deckatlas.stats.estimate import Estimate
from deckatlas.views.figures import GREY, colour, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

Rows = Sequence[Mapping[str, Any]]


def gate_tables(rows: Rows, outcome: Mapping[str, Any], choices: Rows) -> Iterator[TextTable]:
    """The classes with their verdicts, the outcome, and how decks were chosen."""
    lines = tuple(
        (
            row["class"].title(),
            row["found"] or "",
            _text(row, "found_won"),
            row["list"] or "",
            _text(row, "list_won"),
            _text(row, "ahead"),
            row["verdict"],
        )
        for row in rows
    )
    columns = ("class", "deck found", "won % [95 %]", "list of people", "won % [95 %]", "ahead, points", "above zero")
    yield TextTable("The best deck found and the best list of people, on fresh games against the field", columns, lines)
    summary = (f"{outcome['hold']} of {outcome['classes']}", str(outcome["needed"]), outcome["verdict"])
    yield TextTable("The gate", ("classes that hold", "needed", "verdict"), (summary,))
    chosen = tuple(
        (row["class"].title(), row["by"], row["deck"], _text(row, "won"), "chosen" if row["is_chosen"] else "")
        for row in choices
    )
    yield TextTable("How the decks were chosen", ("class", "by", "deck", "won % [95 %]", ""), chosen)


def _text(row: Mapping[str, Any], name: str) -> str:
    return "" if row[name] is None else Estimate.from_cells(row, name, n=0).text(1)


def draw_gate(figure: "Figure", rows: Rows) -> None:
    """By how many points the deck found is ahead in each class, with its interval."""
    figure.set_size_inches(8, 1.6 + 0.36 * len(rows))
    axes = figure.add_subplot()
    for place, row in enumerate(rows):
        if row["ahead"] is None:
            continue
        paint = colour(0) if row["verdict"] == HOLDS else GREY
        axes.hlines(place, row["ahead_low"], row["ahead_high"], color=paint, linewidth=1.8)
        axes.plot(row["ahead"], place, "o", color=paint, markersize=6)
    axes.axvline(0, color=GREY, linewidth=1.2)
    title = "Lead of the best deck found over the best list of people, points"
    quiet(axes, title=title, x="lines: 95 %", y="")
    axes.set_yticks(range(len(rows)), [row["class"].title() for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
