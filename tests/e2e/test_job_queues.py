"""The files for job queues: dask-jobqueue makes the job scripts that are kept beside them. No real queue ran them."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "clusters"


@pytest.mark.parametrize("queue", ["slurm", "sge"])
@pytest.mark.filterwarnings("ignore:Port")
def test_the_job_script_of_a_queue_is_the_one_that_is_kept(queue: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.delitem(sys.modules, "start", raising=False)
    with import_module("start").start(queue) as cluster:
        script = re.sub(r"tcp://\S+", "tcp://HOST:PORT", cluster.job_script())
    assert script == (FOLDER / f"{queue}.sh").read_text()
