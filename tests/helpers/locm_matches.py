"""Matches of Legends of Code and Magic to compare: their bytes, and the slow way to play them."""

import pytest

from deckatlas.games.locm.entrants import Entrant
from deckatlas.play.match import MatchResult


def column_bytes(result: MatchResult) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    """Type, shape and bytes of every column."""
    return {name: (str(column.dtype), column.shape, column.tobytes()) for name, column in result.columns.items()}


def play_at_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets all matches of a test be played action by action through Python, as if no agent lived in the core."""
    monkeypatch.setattr(Entrant, "agents_of_core", lambda entrant: None)
