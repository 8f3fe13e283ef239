"""A map of Hearthstone decks in one call."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deckatlas.runs.library import SUFFIX
from deckatlas.runs.map_loop import Watch, execute_map
from deckatlas.runs.map_view import MapView, open_map
from deckatlas.runs.read_config import map_from


def map_elites(
    hero_class: str,
    *,
    pilot: str = "planner:score=control",
    objective: str = "avg_health_diff",
    measures: Sequence[str] = ("deck_mana_sum", "deck_mana_variance"),
    resolution: Sequence[int] = (20, 20),
    evaluations: int = 1000,
    games: int = 200,
    seed: int = 0,
    settings: Sequence[str] = (),
    recheck: int | None = None,
    path: Path | str | None = None,
    threads: int | None = None,
    watch: Watch = lambda standing: None,
) -> MapView:
    """Searches for the best deck of every kind, by MAP-Elites with sliding boundaries.

    Args:
        hero_class: The class of the decks, such as "hunter".
        pilot: The agent that plays them.
        objective: What elites are best in: a column of evaluations or of decks.
        measures: The columns that tell kinds of decks apart.
        resolution: How many cells there are along each measure in the end; the map grows from 2 along each.
        evaluations: How many evaluations there are.
        games: The games of an evaluation.
        seed: Where everything random comes from.
        settings: Whatever else a configuration can say, as `--set` of the command line takes it, such as
            "evaluation.suite=elite" or "search.most_games=800".
        recheck: If given, elites are played again at the end, over so many games of fresh seeds.
        path: A file to keep the run in, which is resumed if it is there; without one, nothing is kept on the disk.
        threads: How many threads play; the result does not depend on it.
        watch: Hears how the map stands, several times a second.

    Raises:
        RunError: If something in this cannot be, or the file cannot be used.
    """
    values: dict[str, Any] = {
        "name": hero_class if path is None else Path(path).stem,
        "seed": seed,
        "solution": {"kind": "hearthstone-deck", "class": hero_class},
        "evaluation": {"pilot": pilot, "games": games},
        "archive": {
            "kind": "sliding",
            "measures": list(measures),
            "resolution": list(resolution),
            "grow_from": [min(2, count) for count in resolution],
        },
        "search": {
            "algorithm": "map-elites",
            "objective": objective,
            "evaluations": evaluations,
            "initial": min(evaluations, 100),
        },
    }
    config = map_from(values, name="map_elites", settings=settings)
    with _file(path, hero_class) as file:
        execute_map(config, file, threads=threads, recheck=recheck, watch=watch)
        view = open_map(file)
        _ = view.digest  # read now: the file may be gone when it is asked for
    return view


@contextmanager
def _file(path: Path | str | None, name: str) -> Iterator[Path]:
    """The file of a run; one that is gone in the end if there is no path."""
    if path is not None:
        yield Path(path)
        return
    with TemporaryDirectory() as folder:
        yield Path(folder) / f"{name}{SUFFIX}"
