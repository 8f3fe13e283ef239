"""Settings of the tests of runs."""

import sqlite3
from pathlib import Path

import pytest

from deckatlas.runs import store, writer


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets stores written by this process leave it to the system when bytes reach the disk: only a crash would tell."""

    def connect(path: Path) -> sqlite3.Connection:
        connection = store.connect(path)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    monkeypatch.setattr(writer, "connect", connect)
