"""Maps in one call from Python: what the arguments say becomes a configuration, held to the same as a file of one."""

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
from deckatlas.shapes import show

NAME = "map_elites"  # what the arguments are called together, where one is wrong
MEASURES = ("deck_mana_sum", "deck_mana_variance")
OBJECTIVE = "avg_health_diff"
RESOLUTION = 20
EVALUATIONS = 1000
GAMES = 200

_INITIAL = 100
_FIRST_RESOLUTION = 2


def archive_table(measures: Sequence[str] | str, resolution: Sequence[int] | int) -> dict[str, Any]:
    """Boundaries that slide, and cells whose number grows; one number of cells is meant for every measure."""
    names = listed(measures)
    counts = listed(resolution)
    if isinstance(names, list) and isinstance(counts, list) and isinstance(resolution, int | np.integer):
        counts = counts * len(names)
    table = {"kind": "sliding", "measures": names, "resolution": counts}
    if isinstance(counts, list):
        table["grow_from"] = [min(_FIRST_RESOLUTION, each) if isinstance(each, int) else each for each in counts]
    return table


def search_table(algorithm: str, objective: str, evaluations: int) -> dict[str, Any]:
    """How it is searched; a map of few evaluations begins with all of them at random."""
    count = plain(evaluations)
    table: dict[str, Any] = {"algorithm": algorithm, "objective": objective, "evaluations": count}
    if algorithm == "map-elites" and isinstance(count, int) and count < _INITIAL:
        table["initial"] = count
    return table


def make_map(
    name: str,
    tables: Mapping[str, Any],
    *,
    seed: int,
    settings: Sequence[str],
    recheck: int | None,
    path: Path | str | None,
    threads: int | None,
    watch: Watch | None,
) -> RunView:
    """Carries out the map that tables of a configuration describe, or what is left of it.

    Args:
        name: What it is called if it has no file.
        tables: The tables space, evaluation, archive and search.
        seed: Where everything random comes from.
        settings: Values that replace those of the tables, each as `a.b=3`.
        recheck: If given, elites are played again at the end, over so many games of fresh seeds.
        path: Its store; without one, nothing is kept on the disk.
        threads: How many threads play.
        watch: Hears how the map stands.

    Raises:
        MatchError: If the number of threads or of games of the recheck is none.
        RunError: If something in this cannot be, or the file cannot be used.
    """
    if not isinstance(path, str | Path | None):
        raise RunError(f"{NAME}: path must be a path, not {show(path)}")
    values = plain({"name": name if path is None else Path(path).stem, "seed": seed, **tables})
    wanted = listed(settings)
    if not isinstance(wanted, list) or not all(isinstance(setting, str) for setting in wanted):
        raise RunError(f"{NAME}: settings must be texts such as 'search.window=16', not {show(settings)}")
    config = config_from(values, name=NAME, settings=wanted)
    return execute_in_file(config, name, path=path, threads=threads, recheck=recheck, watch=watch)


def execute_in_file(
    run: Runnable,
    name: str,
    *,
    path: Path | str | None,
    threads: int | None,
    recheck: int | None,
    watch: Watch | None,
) -> RunView:
    """Carries out a run in a file that is kept or, without a path, in one that is gone afterwards."""
    with _file(path, name) as file:
        execute(run, file, threads=threads, recheck=recheck, watch=watch)
        view = open_run(file)
        _ = view.digest  # read now: the file may be gone when it is asked for
    return view


def listed(values: Any) -> Any:
    """A list of what there are several of, or of the one that was given; what is neither is left to be refused."""
    given = plain(values)
    return [given] if isinstance(given, str | int) else given


def plain(value: Any, *path: str) -> Any:
    """Values as a file has them.

    Raises:
        RunError: If no file could hold one.
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
    """The file of a run; one that is gone in the end if there is no path."""
    if path is not None:
        yield Path(path)
        return
    with TemporaryDirectory() as folder:
        yield Path(folder) / f"{name}{SUFFIX}"
