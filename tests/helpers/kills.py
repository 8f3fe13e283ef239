"""Commands of several runs that are killed in the midst of one of them."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from helpers.command_line import environment
from helpers.runs import evaluations_of

_MOST_SECONDS = 120

# The program, but it stores something fifty times a second: a run that lasts less than a second is not stored at once.
_STORES_OFTEN = """
import sys
from deckatlas.cli.main import run
from deckatlas.runs import loop

loop._STORE_SECONDS = 0.02
sys.argv = ["deckatlas", *sys.argv[1:]]
run()
"""


def kill_once_stored(runs: int, files: str, *arguments: str, folder: Path) -> None:
    """Starts a command, and kills it with SIGKILL as soon as so many runs have stored evaluations.

    The command must still be at work then: a kill after its end would prove nothing.

    Args:
        runs: How many runs.
        files: The stores of the runs that count, as a pattern for files of the folder.
        arguments: The command.
        folder: Where it works.
    """
    deadline = time.monotonic() + _MOST_SECONDS
    process = subprocess.Popen(
        [sys.executable, "-c", _STORES_OFTEN, *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while process.poll() is None and sum(evaluations_of(path) > 0 for path in folder.glob(files)) < runs:
            assert time.monotonic() < deadline, f"{runs} of {files} had stored nothing after {_MOST_SECONDS} seconds"
            time.sleep(0.005)
    finally:
        process.kill()
        code = process.wait()
    assert code == -signal.SIGKILL, f"it ended before {runs} of {files} had stored anything"
