"""The program under limits of memory, time and file size, as a hostile file or a full disk would meet it."""

import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

from helpers.command_line import PROGRAM, environment

MEMORY = 3 << 30  # of addresses: numpy and the core take about one already
SECONDS = 20


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The one line of a refusal."""
        assert self.code == 2, (self.code, self.err[-2000:])
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err[-2000:]
        assert lines[0].startswith("deckatlas: ")
        return lines[0].removeprefix("deckatlas: ")


def bounded(*arguments: str | Path, folder: Path, largest_file: int | None = None) -> Ended:
    """Runs a command with little memory and time.

    Args:
        arguments: The words after `deckatlas`.
        folder: Where it runs.
        largest_file: The largest file that it can write, as `ulimit -f` says it; a full disk looks the same.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

    ended = subprocess.run(
        [PROGRAM, *map(str, arguments)],
        cwd=folder,
        env=environment(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        preexec_fn=limit,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)
