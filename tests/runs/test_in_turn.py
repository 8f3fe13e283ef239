"""Runs that several programs want at once: who comes second waits, and nobody is refused."""

from pathlib import Path
from typing import Any

import pytest

from deckatlas.errors import BusyRunError, RunError
from deckatlas.runs import in_turn

DONE: Any = object()  # stands for the standing of a finished run


def _executing(monkeypatch: pytest.MonkeyPatch, *ends: Any) -> list[Path]:
    """Lets executions end so, one after the other; returns the stores they were asked for."""
    asked: list[Path] = []

    def execute(config: Any, path: Path, **options: Any) -> Any:
        end = ends[len(asked)]
        asked.append(path)
        if isinstance(end, Exception):
            raise end
        return end

    monkeypatch.setattr(in_turn, "execute", execute)
    return asked


def test_a_writer_that_was_quicker_and_has_ended_since_is_no_reason_to_fail(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = _executing(monkeypatch, BusyRunError("somebody writes it"), BusyRunError("and again"), DONE)
    assert in_turn.execute_in_turn(DONE, tmp_path / "shared.db") is DONE
    assert len(asked) == 3


def test_a_store_that_cannot_be_used_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _executing(monkeypatch, RunError("it holds another run"), DONE)
    with pytest.raises(RunError, match="another run"):
        in_turn.execute_in_turn(DONE, tmp_path / "shared.db")
