"""Commands under limits of memory, time and file size, as a hostile file or a full disk would meet them."""

import os
import resource
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from deckatlas.cli.main import run

MEMORY = 1 << 30  # of addresses, beyond what the tests have
SECONDS = 15  # of CPU time


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
    """Runs a command in a process of its own, forked since that takes no time, with little memory and time.

    Args:
        arguments: The words after `deckatlas`.
        folder: Where it runs.
        largest_file: The largest file that it can write, as `ulimit -f` says it; a full disk looks the same.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = os.fork()
        if not process:
            _become([str(word) for word in arguments], folder, largest_file, out.fileno(), err.fileno())
        _, status = os.waitpid(process, 0)
        code = os.waitstatus_to_exitcode(status)
        assert code != -signal.SIGXCPU, f"it took more than {SECONDS} s"
        for file in (out, err):
            file.seek(0)
        return Ended(code, out.read().decode(), err.read().decode())


def _become(arguments: list[str], folder: Path, largest_file: int | None, out: int, err: int) -> None:
    """Turns this process into the command; never returns."""
    code = 1
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        os.chdir(folder)
        sys.argv = ["deckatlas", *arguments]
        pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
        memory = pages * os.sysconf("SC_PAGESIZE") + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
        run()
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
