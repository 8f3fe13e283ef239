"""Runs in tests: small configurations, and what their stores hold."""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from deckatlas.runs.config import RunConfig
from deckatlas.runs.digest import run_digest
from deckatlas.runs.matchups import open_store
from deckatlas.runs.read_config import read_config
from deckatlas.search.algorithms import AnySearch
from deckatlas.search.options import SearchOptions

# A hundred asks of four or eight games: the store is written all the time.
EVOLUTION = """\
seed = 5
budget = 792

[search]
algorithm = "E_aw"
population = 4
tournament_size = 2
tournament_games = 2
score_games = 2

[arena]
format = "distinct"
"""

# A quarter of a second for an ask, minutes for the whole.
LONG = """\
budget = 10_000_000

[search]
algorithm = "E_aw"
population = 20
tournament_games = 4

[arena]
pilot = "greedy"
"""

# The options of every algorithm.
ALGORITHMS: dict[str, type[SearchOptions]] = {
    algorithm: options
    for options in get_args(get_args(AnySearch)[0])
    for algorithm in get_args(options.model_fields["algorithm"].annotation)
}

# A configuration of every algorithm, at its own size.
EVERY_ALGORITHM = {
    algorithm: f"""\
budget = 1_000_000
genome.kind = "{"curve" if algorithm == "card-values" else "priorities"}"
search.algorithm = "{algorithm}"
arena.opponents = ["random"]
"""
    for algorithm in ALGORITHMS
}


def read_search(
    file: Path, *, settings: Sequence[str] = (), smoke: bool = False, seed: int | None = None, name: str | None = None
) -> RunConfig:
    """Reads the configuration of a search that is no map."""
    config = read_config(file, settings=settings, smoke=smoke, seed=seed, name=name)
    assert isinstance(config, RunConfig)
    return config


def write_config(folder: Path, text: str = EVOLUTION, *, name: str = "evolution") -> Path:
    """Writes a configuration; returns its file."""
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return file


def digest_of(path: Path) -> str:
    """The digest of a store."""
    with open_store(path) as store:
        return run_digest(store)
