"""Questions about the single cards of a deck: what happens to them in games, and what they are worth.

An evaluator that counts cards answers with a table: one row per card, which names it by its id. A table is kept as
text, with the names of its columns once, since a map has many decks of many cards.
"""

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any, Protocol, runtime_checkable

from deckatlas.files.plain_data import json_values
from deckatlas.search.batches import CardQuestion

CardRow = dict[str, Any]

BIAS = (
    "These win rates compare different games, not different decks. Long games draw more cards; a card is played where "
    "it is affordable and its player is alive and has use for it; a card is kept with hands that suit it. For what a "
    "card is worth, see --swap-out."
)
CARD = "card"  # the column with the card's id
_DIGITS = 6


@runtime_checkable
class CountsCards(Protocol):
    """An evaluator whose outcomes also have a table for each evaluation if a batch asks a question about cards."""

    @property
    def questions(self) -> tuple[CardQuestion, ...]:
        """What it can be asked."""
        ...


def card_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """A table as text; numbers are rounded, and what is not known is null."""
    kept = list(rows)
    names = list(kept[0]) if kept else [CARD]
    table = {"columns": names, "rows": [[_plain(row[name]) for name in names] for row in kept]}
    return json.dumps(table, separators=(",", ":"), allow_nan=False)


def card_rows(text: str) -> list[CardRow]:
    """The rows of a table."""
    table = json_values(text)
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def _plain(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return round(value, _DIGITS) if isfinite(value) else None
