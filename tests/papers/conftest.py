"""Runs that several tests of reports share."""

from pathlib import Path

import pytest

from deckatlas.experiments.study import FinishedRun
from helpers.surrogate_trials import finished_trials


@pytest.fixture(scope="session")
def trial_runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[FinishedRun, ...]]:
    """Small trials of searches with and without a surrogate."""
    folder: Path = tmp_path_factory.mktemp("trials")
    return finished_trials(folder)
