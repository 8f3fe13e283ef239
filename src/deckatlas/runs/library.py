"""Folders of runs: finding a run by its name, and listing all runs, including those in sub-folders."""

import time
from dataclasses import dataclass, replace
from datetime import datetime
from os.path import isfile  # which takes what may not be looked at as no file
from pathlib import Path

from deckatlas.errors import RunError
from deckatlas.runs.lock import is_held
from deckatlas.runs.rows import RunRow
from deckatlas.runs.store import Store, open_store
from deckatlas.shapes import nearest

SUFFIX = ".db"
_POLL_SECONDS = 0.2


@dataclass(frozen=True)
class Summary:
    """A run in one line.

    Attributes:
        name: The name of its file, with the sub-folders before it.
        state: finished, running, stopped, or unreadable.
        problem: Why it cannot be read.
        algorithm: The search algorithm.
        reached: Its progress in words: the last complete generation, or the evaluations so far.
        games: Games played.
        budget: The most games that the search will ask for, if known.
        best: The best value so far: of the last generation's first individual, or of the best elite.
        created: When it started.
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
    """The store of a run, given by its name in the folder or by a path.

    Raises:
        RunError: If there is no such run; the message has the nearest name.
    """
    by_name = path_of(folder, run)
    if by_name.is_file():
        return by_name
    if Path(run).is_file():
        return Path(run)
    names = [name for name, _ in named_stores(folder)]
    raise RunError(f"there is no run {run!r} in {folder}: {nearest(run, names)}")


def named_stores(folder: Path) -> list[tuple[str, Path]]:
    """The files of all runs in a folder and its sub-folders, each with the name of the run.

    Raises:
        RunError: If this is not a folder.
    """
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is not a folder of runs")
    paths = sorted(path for path in folder.rglob(f"*{SUFFIX}") if isfile(path))
    return [(path.relative_to(folder).as_posix().removesuffix(SUFFIX), path) for path in paths]


def summary_at(path: Path, name: str) -> Summary:
    """The summary of a run; if it cannot be read, the summary says why."""
    try:
        with open_store(path) as store:
            return replace(summary_of(store, store.run()), name=name)
    except RunError as error:
        return Summary(name, "unreadable", problem=str(error))


def summary_of(store: Store, run: RunRow) -> Summary:
    """The summary of a run, given as its store has it; it reads one more row."""
    progress = store.progress()
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
    """All runs of a folder and its sub-folders: the oldest first, unreadable ones last.

    Raises:
        RunError: If this is not a folder.
    """
    found = [summary_at(path, name) for name, path in named_stores(folder)]
    return sorted(found, key=lambda summary: (summary.created is None, str(summary.created)))


def wait_for_news(store: Store, *, seconds: float) -> bool:
    """Waits until a running run has stored something new, and refreshes the store; returns whether it has.

    Args:
        store: Its store, open for reading.
        seconds: The longest time to wait.
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
