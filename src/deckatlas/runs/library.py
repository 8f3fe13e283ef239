"""A folder of runs: where the store of a name is, and what is there, in sub-folders too."""

import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from deckatlas.errors import RunError
from deckatlas.runs.lock import is_held
from deckatlas.runs.store import Store, open_store
from deckatlas.shapes import nearest

SUFFIX = ".db"
_POLL_SECONDS = 0.2


@dataclass(frozen=True)
class Summary:
    """A run in a line.

    Attributes:
        name: Its name: that of its file, after those of the sub-folders that it is in.
        state: finished, running, stopped, or unreadable.
        problem: Why it cannot be read.
        algorithm: How it searches.
        reached: How far it is, in words: its last complete generation, or the evaluations so far.
        games: Games played.
        budget: All games that the search will ask for at most, if that is known.
        best: The best value so far: of the last generation's first individual, or of the best elite.
        created: When it began.
    """

    name: str
    state: str
    problem: str = ""
    algorithm: str = ""
    reached: str = ""
    games: int = 0
    budget: int | None = None
    best: float | None = None
    created: datetime | None = None


def path_of(folder: Path, name: str) -> Path:
    """Where the store of a run is, or will be."""
    return folder / f"{name}{SUFFIX}"


def find_run(folder: Path, run: str) -> Path:
    """The store that a user means by a name in the folder, or by a path.

    Raises:
        RunError: If there is none; the message has the nearest name.
    """
    by_name = path_of(folder, run)
    if by_name.is_file():
        return by_name
    if Path(run).is_file():
        return Path(run)
    names = [_name_of(folder, path) for path in _stores(folder)]
    raise RunError(f"there is no run {run!r} in {folder}: {nearest(run, names)}")


def _stores(folder: Path) -> list[Path]:
    """The files of all runs in a folder and its sub-folders.

    Raises:
        RunError: If this is no folder.
    """
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is not a folder of runs")
    return sorted(path for path in folder.rglob(f"*{SUFFIX}") if path.is_file())


def _name_of(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix().removesuffix(SUFFIX)


def _summary_at(path: Path, name: str) -> Summary:
    """A run in a line; one that cannot be read says why."""
    try:
        with open_store(path) as store:
            return replace(summary_of(store), name=name)
    except RunError as error:
        return Summary(name, "unreadable", problem=str(error))


def summary_of(store: Store) -> Summary:
    """A run in a line, by the name of its file; two rows of its store are read for it."""
    run, progress = store.run(), store.progress()
    unfinished = "running" if is_held(store.path) else "stopped"
    reached = f"{progress.evaluations:,} evaluations" if progress.evaluations else ""
    if progress.generation is not None:
        reached = f"generation {progress.generation}"
    return Summary(
        name=store.path.stem,
        state=unfinished if run.finished is None else "finished",
        algorithm=run.algorithm,
        reached=reached,
        games=progress.games,
        budget=run.budget,
        best=progress.best,
        created=run.created,
    )


def summaries(folder: Path) -> list[Summary]:
    """All runs of a folder and its sub-folders: the oldest first, those that cannot be read last.

    Raises:
        RunError: If this is no folder.
    """
    found = [_summary_at(path, _name_of(folder, path)) for path in _stores(folder)]
    return sorted(found, key=lambda summary: (summary.created is None, str(summary.created)))


def wait_for_news(store: Store, *, seconds: float) -> bool:
    """Waits until a run under way has stored something more; returns whether it has. The store then shows it.

    Args:
        store: Its store, open to be read.
        seconds: How long to wait at most.
    """
    before = store.version()
    end = time.monotonic() + seconds
    while True:
        store.refresh()
        if store.version() != before:
            return True
        if time.monotonic() >= end:
            return False
        time.sleep(_POLL_SECONDS)
