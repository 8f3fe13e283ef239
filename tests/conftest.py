"""Settings of all tests; pytest also finds the package `helpers` through this file's folder."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import settings

from deckatlas.runs import run_file, writer

# The same examples on every run, and no deadline: a loaded machine is no bug.
settings.register_profile("deckatlas", derandomize=True, deadline=None)
settings.load_profile("deckatlas")


@pytest.fixture
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets stores written by this process leave it to the system when bytes reach the disk: only a crash would tell."""

    def connect(path: Path) -> sqlite3.Connection:
        connection = run_file.connect(path)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    monkeypatch.setattr(writer, "connect", connect)
