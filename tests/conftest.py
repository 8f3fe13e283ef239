"""Settings and fixtures that all tests share; pytest also finds the package `helpers` through this folder."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import settings

from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.runs import loop, run_file, writer
from helpers.command_line import CommandLine, let_children_hear_interrupts
from helpers.map_reports import finished_maps, study_of
from helpers.surrogate_trials import finished_trials

# The same examples on every run, and no deadline: a loaded machine is no bug.
settings.register_profile("deckatlas", derandomize=True, deadline=None)
settings.load_profile("deckatlas")

let_children_hear_interrupts()


@pytest.fixture
def deckatlas(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    """The program, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DECKATLAS_RUNS", raising=False)
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets stores written by this process leave it to the system when bytes reach the disk: only a crash would tell."""

    def connect(path: Path) -> sqlite3.Connection:
        connection = run_file.connect(path)
        with run_file.told_of(path):
            connection.execute("PRAGMA synchronous = OFF")
        return connection

    monkeypatch.setattr(writer, "connect", connect)


@pytest.fixture(scope="session")
def maps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[FinishedRun, ...]]:
    """Small finished maps, to be read and not written: all tests have the same."""
    return finished_maps(tmp_path_factory.mktemp("maps"))


@pytest.fixture(scope="session")
def trial_runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[FinishedRun, ...]]:
    """Small finished trials of searches with and without a surrogate, to be read and not written."""
    return finished_trials(tmp_path_factory.mktemp("trials"))


@pytest.fixture
def study(maps: dict[str, tuple[FinishedRun, ...]], tmp_path: Path) -> Study:
    """A study that has carried out these maps."""
    return study_of(maps, tmp_path)


@pytest.fixture
def always_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports the standing of a run after every result that its search receives."""
    monkeypatch.setattr(loop, "_LOOK_SECONDS", 0.0)
    monkeypatch.setattr(loop, "_TOLD_TOGETHER", 1)
