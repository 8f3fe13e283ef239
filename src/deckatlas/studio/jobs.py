"""Jobs: work that pages start with `--allow-run`. Each is a process of its own that survives the studio.

A job has three files in the folder `jobs` beside the runs: what it does and which process does it, its output, and,
once it has ended, its exit status. A process is known by its number and its start time, so that a number that the
system has given to another process since is not taken for the job.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deckatlas.errors import RunError
from deckatlas.files.plain_data import read_json
from deckatlas.files.writing import make_folder, write_text
from deckatlas.studio.shelf import UnknownRunError

FOLDER = "jobs"
MOST_RUNNING = 4
MOST_LISTED = 200
_SUFFIX = ".job.json"
_LOG_BYTES = 16_384
_ENDED_BY_SIGNAL = (130, 143, -2, -15)  # interrupted or terminated
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[^\n\t -\U0010ffff]")
_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{8}")


class JobRecord(BaseModel):
    """What a job does, and which process does it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    id: str = Field(pattern=_ID.pattern)
    kind: str = Field(max_length=40)
    title: str = Field(max_length=400)
    arguments: list[str] = Field(max_length=200)
    process: int = Field(gt=1)
    process_start: str = Field(max_length=80)
    begun: datetime


class JobEnd(BaseModel):
    """How a job ended."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: int
    ended: datetime


@dataclass(frozen=True)
class Job:
    """A job as it is now.

    Attributes:
        record: What it does.
        state: `running`, `finished`, `failed`, or `stopped` if it was ended before it could say how it went.
        end: How it ended, if it says so.
    """

    record: JobRecord
    state: str
    end: JobEnd | None


@dataclass
class Jobs:
    """The jobs of a folder of runs.

    Attributes:
        folder: The folder of runs.
    """

    folder: Path
    _started: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _starting: Lock = field(default_factory=Lock)

    @property
    def _own(self) -> Path:
        return self.folder / FOLDER

    def new_id(self) -> str:
        """An id for a new job: when it begins, and something that no other has."""
        return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{token_hex(4)}"

    def file_of(self, job: str, suffix: str) -> Path:
        """A file for a job, such as the patch that it studies."""
        make_folder(self._own, error=RunError)
        return self._own / f"{job}{suffix}"

    def start(self, job: str, *, kind: str, title: str, arguments: Sequence[str]) -> Job:
        """Starts a command of Deckatlas as a process of its own.

        Args:
            job: The id of the job, from `new_id`.
            kind: What kind of work it is.
            title: What it does, for people.
            arguments: The words of the command after `deckatlas`.

        Raises:
            RunError: If too many jobs are running, or it cannot be started.
        """
        with self._starting:
            return self._start(job, kind, title, arguments)

    def _start(self, job: str, kind: str, title: str, arguments: Sequence[str]) -> Job:
        if sum(each.state == "running" for each in self.all()) >= MOST_RUNNING:
            raise RunError(f"{MOST_RUNNING} jobs are running: wait for one, or stop one")
        end = self.file_of(job, ".end.json")
        words = [sys.executable, "-m", "deckatlas.studio.job_process", str(end), *arguments]
        try:
            with open(self.file_of(job, ".log"), "xb") as log:
                process = subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
                )
        except OSError as error:
            raise RunError(f"the job cannot be started: {error.strerror}") from None
        self._started.append(process)
        record = JobRecord(
            id=job,
            kind=kind,
            title=title,
            arguments=list(arguments),
            process=process.pid,
            process_start=start_of(process.pid) or "",
            begun=datetime.now(UTC),
        )
        try:
            write_text(self.file_of(job, _SUFFIX), record.model_dump_json(indent=1) + "\n", error=RunError)
        except RunError:
            os.killpg(process.pid, signal.SIGKILL)  # nobody could stop what is not recorded
            raise
        return self._job(record)

    def all(self) -> list[Job]:
        """All jobs of the folder, the newest first; files that are none are left out."""
        self._started = [each for each in self._started if each.poll() is None]  # or ended ones stay as zombies
        paths = sorted(self._own.glob(f"*{_SUFFIX}"), reverse=True)[:MOST_LISTED] if self._own.is_dir() else []
        records = (_read(path) for path in paths)
        return [self._job(each) for each in records if each is not None]

    def find(self, job: str) -> Job:
        """A job by its id.

        Raises:
            UnknownRunError: If there is no such job.
        """
        found = next((each for each in self.all() if each.record.id == job), None)
        if found is None:
            raise UnknownRunError("there is no job with this id in the folder of this studio")
        return found

    def last_lines(self, job: Job, lines: int) -> list[str]:
        """The last lines of a job's output, without control characters."""
        try:
            with open(self._own / f"{job.record.id}.log", "rb") as log:
                log.seek(max(0, log.seek(0, os.SEEK_END) - _LOG_BYTES))
                content = log.read(_LOG_BYTES)
        except OSError:
            return []
        text = _CONTROL.sub("", content.decode("utf-8", "replace").replace("\r", "\n"))
        return [line.rstrip() for line in text.split("\n") if line.strip()][-lines:]

    def stop(self, job: str) -> Job:
        """Asks the process of a job, and what it started, to end; what it has done is stored.

        Raises:
            RunError: If there is no such job, or it is not running.
        """
        found = self.find(job)
        if found.state != "running":
            raise RunError(f"this job is {found.state}, not running")
        try:
            if os.getpgid(found.record.process) != found.record.process:
                raise RunError("this job cannot be stopped from here: it has no process group of its own")
            os.killpg(found.record.process, signal.SIGTERM)
        except ProcessLookupError:
            pass  # it has just ended
        return self._job(found.record)

    def _job(self, record: JobRecord) -> Job:
        end = _read_end(self._own / f"{record.id}.end.json")
        if end is not None:
            return Job(record, "stopped" if end.code in _ENDED_BY_SIGNAL else "failed" if end.code else "finished", end)
        alive = bool(record.process_start) and start_of(record.process) == record.process_start
        return Job(record, "running" if alive else "stopped", None)


def start_of(process: int) -> str | None:
    """When a process started, in the system's own words; None if there is no such process, or it has ended."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return None
        shown = subprocess.run(["ps", "-o", "stat=,lstart=", "-p", str(process)], capture_output=True, text=True)
        state, _, started = shown.stdout.strip().partition(" ")
        return started.strip() or None if state and not state.startswith("Z") else None
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in ("Z", "X") else fields[19]


def _read(path: Path) -> JobRecord | None:
    try:
        record = JobRecord.model_validate(read_json(path, error=RunError))
    except (RunError, ValidationError):
        return None
    return record if path.name == f"{record.id}{_SUFFIX}" else None


def _read_end(path: Path) -> JobEnd | None:
    if not path.is_file():
        return None
    try:
        return JobEnd.model_validate(read_json(path, error=RunError))
    except (RunError, ValidationError):
        return None
