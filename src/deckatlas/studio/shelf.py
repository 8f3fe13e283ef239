"""The runs of a folder as the studio knows them: each has an id, and is read again only when it has changed.

An id from a URL is looked up in the list of runs, and never becomes a part of a path.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from deckatlas.errors import RunError
from deckatlas.runs.course import Course, course_of
from deckatlas.runs.library import SUFFIX, Summary, named_stores, summary_of
from deckatlas.runs.lock import is_held
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView, open_run
from deckatlas.shapes import is_text
from deckatlas.studio.answers import Answers, Same

Found = TypeVar("Found")
State = tuple[tuple[int, int] | None, tuple[int, int] | None, bool]

_NO_TEXT = "the name of its file is not UTF-8: rename it"
KEPT_VIEWS = 32  # whole runs, the largest things in memory
KEPT_ANSWERS = 256  # what was made of them for pages
KEPT_LINES = 20_000  # a line or two of a file each, so that lists of large folders are not read again
_LONGEST_PLAIN = 100
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


class UnknownRunError(RunError):
    """There is no run with this id."""


def id_of(name: str) -> str:
    """The id of a run in addresses: its name where that is plain, otherwise a readable part of it and a hash.

    A plain name has no tilde, so no run can have the id of another.
    """
    if len(name) <= _LONGEST_PLAIN and _PLAIN.fullmatch(name):
        return name
    readable = re.sub(r"[^A-Za-z0-9_.]+", "-", name).strip("-.")[:60]
    return f"{readable or 'run'}~{sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}"


@dataclass(frozen=True)
class Entry:
    """A run in the list of runs: its summary, its course, and what kind of space it searches."""

    summary: Summary
    course: Course = field(default_factory=Course)
    searched: str = ""


class Shelf:
    """The runs of a folder.

    Attributes:
        folder: The folder, or the file of a single run.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._views = Answers(KEPT_VIEWS)
        self._answers = Answers(KEPT_ANSWERS)
        self._lines = Answers(KEPT_LINES)

    @property
    def store(self) -> Path:
        """The folder that new runs would go to."""
        return self.folder.parent if self.folder.is_file() else self.folder

    def paths(self) -> dict[str, tuple[str, Path]]:
        """The name and the store of each run, by id."""
        if self.folder.is_file():
            name = self.folder.name.removesuffix(SUFFIX)
            return {id_of(name): (name, self.folder)}
        return {id_of(name): (name, path) for name, path in named_stores(self.folder)}

    def find(self, run: str) -> tuple[str, Path]:
        """The name and the store of a run.

        Raises:
            UnknownRunError: If there is no run with this id.
            RunError: If the name of its file is no text.
        """
        name, path = self._known(run)
        if not is_text(name):
            raise RunError(_NO_TEXT)
        return name, path

    def entries(self) -> list[tuple[str, Entry]]:
        """All runs with their ids, in the order of `deckatlas runs`."""
        found = [(run, self._entry(name, path)) for run, (name, path) in self.paths().items()]
        return sorted(found, key=lambda each: (each[1].summary.created is None, str(each[1].summary.created)))

    def entry(self, run: str) -> Entry:
        """A run in one line.

        Raises:
            UnknownRunError: If there is no run with this id.
        """
        return self._entry(*self._known(run))

    def view(self, run: str) -> RunView:
        """A run as it is now.

        Raises:
            RunError: If there is no such run, or it cannot be read.
        """
        _, path = self.find(run)
        return self._views.get(path, state_of(path), lambda: open_run(path))

    def derived(self, view: RunView, what: str, make: Callable[[], Found]) -> Found:
        """What is made of a run as it was at one moment: made once for all who ask.

        Args:
            view: The run.
            what: What it is, with everything that it depends on beside the run.
            make: Makes it; it may take long.
        """
        return self.made_of(view, view.path, what, make)

    def made_of(self, source: object, path: Path, what: str, make: Callable[[], Found]) -> Found:
        """What is made of something that was read of a file: made again only of something else.

        Args:
            source: What it is made of.
            path: The file.
            what: What it is, with everything that it depends on beside the source.
            make: Makes it; it may take long.
        """
        return self._answers.get((path, what), Same(source), make)

    def read(self, path: Path, what: str, make: Callable[[], Found]) -> Found:
        """What is read of a file, and is not large: read again only after the file has changed.

        Args:
            path: The file.
            what: What it is, with everything that it depends on beside the file.
            make: Reads it.
        """
        return self._lines.get((path, what), state_of(path), make)

    def _known(self, run: str) -> tuple[str, Path]:
        found = self.paths().get(run)
        if found is None:
            raise UnknownRunError("there is no run with this id in the folder of this studio")
        return found

    def _entry(self, name: str, path: Path) -> Entry:
        if not is_text(name):
            shown = name.encode("utf-8", "backslashreplace").decode()
            return Entry(Summary(shown, "unreadable", problem=_NO_TEXT))
        return self.read(path, "entry", lambda: entry_at(path, name))


def entry_at(path: Path, name: str) -> Entry:
    """The entry of a run; if it cannot be read, its summary says why."""
    try:
        with open_store(path) as store:
            run = store.run()
            return Entry(replace(summary_of(store, run), name=name), course_of(store, run.config), run.searched)
    except RunError as error:
        return Entry(Summary(name, "unreadable", problem=str(error)))


def state_of(path: Path) -> State:
    """What changes whenever a run is written, ends or is killed: times and sizes of its files, and its lock."""
    return (_facts(path), _facts(path.with_name(f"{path.name}-wal")), is_held(path))


def _facts(path: Path) -> tuple[int, int] | None:
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size
