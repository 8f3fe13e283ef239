"""Shared by the records of all games: names of seats, and lines of text that can be read back."""

import json
from typing import Protocol

from deckatlas.errors import TraceError
from deckatlas.files.plain_data import NotPlainData, json_values

SEATS = ("first", "second")


class Record(Protocol):
    """A whole game that can be written as text and replayed exactly."""

    @property
    def winner(self) -> int | None:
        """The seat that won, or None if nobody did."""

    @property
    def forfeit(self) -> str | None:
        """Why the other player forfeited; None if the game was played to its end."""

    def to_text(self) -> str:
        """The game as text."""


def as_line(text: str) -> str:
    """A name or a reason on one line: unchanged, or as a JSON string if it is not one printable line."""
    return text if text.isprintable() and not text.startswith('"') else json.dumps(text)


def from_line(key: str, line: str) -> str:
    """The text that `as_line` wrote.

    Raises:
        TraceError: If it is a broken JSON string; the message names the key.
    """
    if not line.startswith('"'):
        return line
    try:
        return str(json_values(line))
    except NotPlainData:
        raise TraceError(f"{key}: {line[:80]!a} is not a JSON string") from None
