"""Runs in tests: small configurations, and what their stores hold."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

from deckatlas.runs.config import RunConfig
from deckatlas.runs.loop import Standing
from deckatlas.runs.read_config import read_config
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import run_digest
from deckatlas.search.algorithms import AnySearch
from deckatlas.search.options import MatchupOptions
from helpers.maps import hunters

# A hundred asks of four or eight games: the store is written all the time.
EVOLUTION = """\
seed = 5
budget = 792
space.kind = "locm-draft"

[search]
algorithm = "E_aw"
population = 4
tournament_size = 2
tournament_games = 2
score_games = 2

[evaluation]
format = "distinct"
"""

# A quarter of a second for an ask, minutes for the whole.
LONG = """\
budget = 10_000_000
space.kind = "locm-draft"

[search]
algorithm = "E_aw"
population = 20
tournament_games = 4

[evaluation]
pilot = "greedy"
"""

# The options of every algorithm whose genomes meet each other or named opponents.
ALGORITHMS: dict[str, type[MatchupOptions]] = {
    algorithm: options
    for options in get_args(get_args(AnySearch)[0])
    if issubclass(options, MatchupOptions)
    for algorithm in get_args(options.model_fields["algorithm"].annotation)
}

# A configuration of each of them, at its own size.
EVERY_ALGORITHM = {
    algorithm: f"""\
budget = 1_000_000
space.kind = "locm-draft"
space.genome.kind = "{"curve" if algorithm == "card-values" else "priorities"}"
search.algorithm = "{algorithm}"
evaluation.opponents = ["random"]
"""
    for algorithm in ALGORITHMS
}


def write_config(folder: Path, text: str = EVOLUTION, *, name: str = "evolution") -> Path:
    """Writes a configuration; returns its file."""
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return file


def small_run(kind: str, folder: Path) -> RunConfig:
    """An evolution whose genomes meet each other, or a map of decks; both play 480 games."""
    if kind == "evolution":
        return read_config(write_config(folder), settings=["budget=480"])
    return hunters(folder, "search.evaluations=40", "search.initial=12")


def digest_of(path: Path) -> str:
    """The digest of a store."""
    with open_store(path) as store:
        return run_digest(store)


def stop_after(games: int) -> Callable[[Standing], None]:
    """Interrupts a run when so many games are over; those under way count too."""

    def watch(standing: Standing) -> None:
        if standing.games >= games:
            raise KeyboardInterrupt

    return watch


def games_of(path: Path) -> int:
    with open_store(path) as store:
        return store.progress().games


def evaluations_of(path: Path) -> int:
    """How many evaluations are stored, as far as can be told without disturbing the writer."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)) as connection:
            return int(connection.execute("SELECT count(*) FROM evaluations").fetchone()[0])
    except sqlite3.Error:
        return 0


def query(path: Path, statement: str) -> Any:
    """The only value that a query gives."""
    with closing(sqlite3.connect(path)) as connection:
        ((value,),) = connection.execute(statement).fetchall()
    return value


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(statement).rowcount >= 1
        connection.commit()
