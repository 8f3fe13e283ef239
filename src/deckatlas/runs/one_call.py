"""Maps in one call from Python: the arguments become a configuration, which is checked like a configuration file."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.library import SUFFIX
from deckatlas.runs.loop import Watch, execute
from deckatlas.runs.read_config import config_from
from deckatlas.runs.run import Runnable
from deckatlas.runs.view import RunView, open_run
from deckatlas.search.batches import CardQuestion
from deckatlas.shapes import show

NAME = "map_elites"  # the place that errors in arguments name
RESOLUTION = 20
EVALUATIONS = 1000
GAMES = 200

_INITIAL = 100
_FIRST_RESOLUTION = 2


def archive_table(measures: Sequence[str] | str, resolution: Sequence[int] | int) -> dict[str, Any]:
    """The table of an archive with sliding boundaries and a growing number of cells; one number is for all measures."""
    names = listed(measures)
    counts = listed(resolution)
    if isinstance(names, list) and isinstance(counts, list) and isinstance(resolution, int | np.integer):
        counts = counts * len(names)
    table = {"kind": "sliding", "measures": names, "resolution": counts}
    if isinstance(counts, list):
        table["grow_from"] = [min(_FIRST_RESOLUTION, each) if isinstance(each, int) else each for each in counts]
    return table


def search_table(algorithm: str, objective: str, evaluations: int) -> dict[str, Any]:
    """The table of the search; in a map of few evaluations, all solutions are random."""
    count = plain(evaluations)
    table: dict[str, Any] = {"algorithm": algorithm, "objective": objective, "evaluations": count}
    if algorithm in ("map-elites", "dsa-me") and isinstance(count, int) and count < _INITIAL:
        table["initial"] = count
    return table


def make_map(
    name: str,
    tables: Mapping[str, Any],
    *,
    seed: int,
    settings: Sequence[str],
    recheck: int | None,
    cards: Sequence[CardQuestion] = (),
    path: Path | str | None,
    threads: int | None,
    watch: Watch | None,
) -> RunView:
    """Makes the map that the tables of a configuration describe, or resumes it.

    Args:
        name: Its name if it has no file.
        tables: The tables space, evaluation, archive and search.
        seed: The seed of everything random.
        settings: Values that replace those of the tables, each as `a.b=3`.
        recheck: If given, each elite plays this many games with fresh seeds at the end.
        cards: What these games are asked about the cards of elites.
        path: Its store; without one, nothing is kept on disk.
        threads: The number of threads.
        watch: Called with the progress of the map.

    Raises:
        MatchError: If `threads` or `recheck` is not a positive whole number.
        RunError: If an argument is impossible, or the file cannot be used.
    """
    if not isinstance(path, str | Path | None):
        raise RunError(f"{NAME}: path must be a path, not {show(path)}")
    values = plain({"name": name if path is None else Path(path).stem, "seed": seed, **tables})
    wanted = listed(settings)
    if not isinstance(wanted, list) or not all(isinstance(setting, str) for setting in wanted):
        raise RunError(f"{NAME}: settings must be texts such as 'search.window=16', not {show(settings)}")
    config = config_from(values, name=NAME, settings=wanted)
    return execute_in_file(config, name, path=path, threads=threads, recheck=recheck, cards=cards, watch=watch)


def execute_in_file(
    run: Runnable,
    name: str,
    *,
    path: Path | str | None,
    threads: int | None,
    recheck: int | None,
    cards: Sequence[CardQuestion] = (),
    watch: Watch | None,
) -> RunView:
    """Executes a run in a file or, without a path, in a temporary file."""
    with _file(path, name) as file:
        execute(run, file, threads=threads, recheck=recheck, cards=cards, watch=watch)
        view = open_run(file)
        _ = view.digest  # read now: a temporary file is removed after the block
    return view


def listed(values: Any) -> Any:
    """Several values as a list, or one value as a list of one; the configuration refuses anything else."""
    given = plain(values)
    return [given] if isinstance(given, str | int) else given


def plain(value: Any, *path: str) -> Any:
    """A value as plain data, as in a configuration file.

    Raises:
        RunError: If a file cannot hold it.
    """
    if isinstance(value, Mapping):
        return {key: plain(each, *path, key) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple | range):
        return [plain(each, *path) for each in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, str | int | float):
        return value
    raise RunError(f"{NAME}: {'.'.join(path) or 'an argument'} cannot be {show(value)}")


@contextmanager
def _file(path: Path | str | None, name: str) -> Iterator[Path]:
    """The file of a run; without a path, a temporary one."""
    if path is not None:
        yield Path(path)
        return
    with TemporaryDirectory() as folder:
        yield Path(folder) / f"{name}{SUFFIX}"
