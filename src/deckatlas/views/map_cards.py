"""What fresh games say about the cards of an elite, for the page of a map."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deckatlas.search.card_questions import CardRow

_HEADINGS = {
    "drawn_share": "drawn %",
    "kept_share": "kept %",
    "played_share": "played %",
    "turn_played": "turn",
    "win_rate_drawn": "won if drawn %",
    "win_rate_kept": "won if kept %",
    "win_rate_played": "won if played %",
    "swap_out": "swap-out, points",
}
_WITH_ENDS = ("win_rate_drawn", "win_rate_kept", "win_rate_played", "swap_out")
_SHARES = ("drawn_share", "kept_share", "played_share")


def card_columns(rows: Sequence[CardRow]) -> tuple[str, ...]:
    """The headings of the table: the card, and what was asked about it."""
    return ("card", *(heading for name, heading in _HEADINGS.items() if name in rows[0]))


def card_cells(rows: Sequence[CardRow]) -> Iterator[tuple[str, ...]]:
    """The cells of the table, a row per card."""
    names = [name for name in _HEADINGS if name in rows[0]]
    for row in rows:
        yield (f"{row['copies']} {row['name']}", *(_cell(row, name) for name in names))


def _cell(row: Mapping[str, Any], name: str) -> str:
    value = row[name]
    if value is None:
        return ""
    if name in _SHARES:
        return f"{100 * value:.0f}"
    if name not in _WITH_ENDS:
        return f"{value:.1f}"
    digits, sign = (1, "+") if name == "swap_out" else (0, "")
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    ends = "" if low is None else f" [{100 * low:{sign}.{digits}f}, {100 * high:{sign}.{digits}f}]"
    return f"{100 * value:{sign}.{digits}f}{ends}"
