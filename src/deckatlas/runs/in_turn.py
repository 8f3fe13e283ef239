"""Runs that several programs may want at once, such as the searches that two balance studies share.

Whoever comes second waits until the first has finished or stopped, and then reads the result or resumes the run.
"""

import time
from pathlib import Path

from deckatlas.errors import BusyRunError
from deckatlas.runs.lock import is_held
from deckatlas.runs.loop import Standing, Watch, execute
from deckatlas.runs.run import Runnable

_PAUSE = 0.2


def execute_in_turn(
    config: Runnable,
    path: Path,
    *,
    threads: int | None = None,
    watch: Watch | None = None,
    advice: str = "choose another file",
) -> Standing:
    """Executes a run, resumes it, or waits while another process does; the result is the same.

    Args:
        config: The run.
        path: Its store.
        threads: The number of threads.
        watch: Called with the progress of the run.
        advice: What the error message suggests if the store holds another run.

    Raises:
        RunError: If the store cannot be used, or holds another run.
    """
    while True:
        while is_held(path):
            time.sleep(_PAUSE)
        try:
            return execute(config, path, threads=threads, watch=watch, advice=advice)
        except BusyRunError:
            continue  # another process was quicker; it may have ended since
