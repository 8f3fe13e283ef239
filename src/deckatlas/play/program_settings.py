"""What programs of strangers may use, and where their standard error goes: settings of this process's environment.

| variable | meaning |
|---|---|
| `DECKATLAS_PROGRAM_MEMORY` | data of each process of a program, in GiB; 4 |
| `DECKATLAS_PROGRAM_PROCESSES` | processes of a program, with all that they started; 64 |
| `DECKATLAS_PROGRAM_LOGS` | a folder that keeps what programs write to standard error, a file each |
| `DECKATLAS_PROGRAM_SANDBOX` | `yes`: without network and, with bubblewrap, without writing to files |

Memory is limited by the system where it can; processes are counted on Linux.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import BinaryIO

from deckatlas.errors import AgentError
from deckatlas.shapes import show

OPEN_FILES = 1024
FILE_BYTES = 2**30  # of a file that a program writes
LOG_BYTES = 2**24  # of the log of one program in one game

_GIB = 2**30
_MEMORY, _PROCESSES = "DECKATLAS_PROGRAM_MEMORY", "DECKATLAS_PROGRAM_PROCESSES"
_LOGS, _SANDBOX = "DECKATLAS_PROGRAM_LOGS", "DECKATLAS_PROGRAM_SANDBOX"
_BUBBLEWRAP = ("--unshare-net", "--unshare-ipc", "--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/")
_BUBBLEWRAP_PLACES = ("--dev", "/dev", "--proc", "/proc")
_UNSHARE = ("--user", "--map-current-user", "--net")


class ProgramLog:
    """A file that keeps the standard error of a program, up to `LOG_BYTES`."""

    def __init__(self, file: BinaryIO) -> None:
        """Takes over the open file."""
        self._file = file
        self._left = LOG_BYTES

    def write(self, written: bytes) -> None:
        """Keeps what the program wrote, as long as there is room; a full disk ends the log, not the game."""
        try:
            self._file.write(written[: self._left])
        except (OSError, ValueError):
            self._left = 0
        self._left = max(0, self._left - len(written))

    def close(self) -> None:
        """Closes the file; further calls do nothing."""
        self._file.close()


@dataclass(frozen=True)
class ProgramSettings:
    """Limits of programs, the folder of their logs, and whether they play in a sandbox."""

    memory: float = 4.0
    processes: int = 64
    logs: Path | None = None
    sandbox: bool = False

    @property
    def limits(self) -> tuple[int, int, int, int]:
        """What the guardian takes: bytes of data, open files, bytes of a file, processes."""
        return int(self.memory * _GIB), OPEN_FILES, FILE_BYTES, self.processes

    def command(self, arguments: Sequence[str]) -> list[str]:
        """The command that starts a program, in a sandbox if that is wanted.

        Raises:
            AgentError: If this system has no sandbox.
        """
        return [*(_sandbox() if self.sandbox else ()), *arguments]

    def new_log(self, arguments: Sequence[str]) -> ProgramLog | None:
        """A new file for the standard error of a program, if a folder is set.

        Raises:
            AgentError: If it cannot be written.
        """
        if self.logs is None:
            return None
        name = Path(arguments[0]).name
        try:
            self.logs.mkdir(parents=True, exist_ok=True)
            for number in range(1, 10**9):
                try:
                    return ProgramLog((self.logs / f"{name}-{os.getpid()}-{number}.log").open("xb", buffering=0))
                except FileExistsError:
                    continue
        except OSError as error:
            raise AgentError(f"cannot write the log of a program to {self.logs}: {error.strerror}") from None
        raise AgentError(f"there are too many logs in {self.logs}")


def program_settings(environment: Mapping[str, str] | None = None) -> ProgramSettings:
    """The settings in an environment, by default that of this process.

    Raises:
        AgentError: If one is not valid.
    """
    found = os.environ if environment is None else environment
    memory = _number(found, _MEMORY, 4.0, 0.05, 10_000.0)
    processes = int(_number(found, _PROCESSES, 64, 1, 100_000))
    sandbox = found.get(_SANDBOX, "no")
    if sandbox not in ("yes", "no"):
        raise AgentError(f"{_SANDBOX} must be yes or no, not {show(sandbox)}")
    logs = found.get(_LOGS)
    return ProgramSettings(memory, processes, Path(logs) if logs else None, sandbox == "yes")


def _number(found: Mapping[str, str], name: str, default: float, low: float, high: float) -> float:
    text = found.get(name, "")
    try:
        number = float(text) if text else default
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise AgentError(f"{name} must be a number from {low:g} to {high:g}, not {show(text)}")
    return number


@cache
def _sandbox() -> tuple[str, ...]:
    """The beginning of a command that plays in a sandbox: bubblewrap's or, without it, the kernel's own.

    Raises:
        AgentError: If neither works here.
    """
    for name, options in (("bwrap", (*_BUBBLEWRAP, *_BUBBLEWRAP_PLACES)), ("unshare", _UNSHARE)):
        program = shutil.which(name)
        if program is not None:
            command = (program, *options, "--")
            if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
                return command
    raise AgentError(f"{_SANDBOX} is yes, but neither bubblewrap (bwrap) nor unshare works on this system")
