"""docs/store.md is true: its SQL answers what it promises, with sqlite3 alone, and every table and column is in it."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.schema import FORMAT, TABLES
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView, open_run
from helpers.maps import hunters
from helpers.runs import write_config

DOCUMENT = (Path(__file__).parents[2] / "docs" / "store.md").read_text(encoding="utf-8")
QUERIES = dict(re.findall(r"^```sql (\w+)\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the stores that the page speaks of: two maps with other searches over the same games, a search."""
    folder = tmp_path_factory.mktemp("store")
    execute(hunters(folder, "search.evaluations=60"), folder / "runs" / "hunter.db", threads=2)
    at_random = 'search={algorithm="random-solutions", evaluations=30}'
    execute(hunters(folder, at_random), folder / "runs" / "second.db", threads=2)
    execute(read_config(write_config(folder)), folder / "runs" / "evolution.db", threads=2)
    return folder


def rows_of(folder: Path, run: str, query: str) -> list[tuple[Any, ...]]:
    """What a query of the page gives, asked from the folder that has the runs."""
    statements = QUERIES[query].replace("'runs/", f"'{folder}/runs/")
    with closing(sqlite3.connect(folder / "runs" / f"{run}.db")) as store:
        *before, last = filter(str.strip, statements.split(";"))
        for statement in before:
            store.execute(statement)
        return store.execute(last).fetchall()


def view_of(folder: Path, run: str) -> RunView:
    return open_run(folder / "runs" / f"{run}.db")


def test_the_elites_are_listed_with_card_ids_and_win_rates(folder: Path) -> None:
    view = view_of(folder, "hunter")
    listed = rows_of(folder, "hunter", "elites")
    assert len(listed) == 5
    for (cell, solution, objective, win_rate, cards), elite in zip(listed, view.elites(), strict=False):
        assert cell == ",".join(map(str, elite.cell))
        assert (solution, objective) == (elite.number, elite.objective.value)
        assert win_rate == elite.columns["win_rate"]
        assert cards == view.description.text_of(elite.solution)
        assert len(cards.split()) == 30


def test_the_best_deck_is_listed_with_its_cards(folder: Path) -> None:
    view = view_of(folder, "hunter")
    best = view.best()
    assert best is not None
    listed = rows_of(folder, "hunter", "deck")
    assert [(copies, name, cost) for copies, _, name, cost in listed] == [
        (line.copies, line.name, line.cost) for line in view.deck_list(best)
    ]
    ids = [card for copies, card, _, _ in listed for _ in range(copies)]
    assert sorted(ids) == sorted(view.description.text_of(best.solution).split())


def test_the_best_generation_is_found_with_its_population(folder: Path) -> None:
    generations = view_of(folder, "evolution").generations
    best = max(generations, key=lambda row: row.best)
    ((number, games, score, mean),) = rows_of(folder, "evolution", "generation")
    assert (number, games, score) == (best.number, best.games, best.best)
    assert mean == pytest.approx(best.mean)
    with open_store(folder / "runs" / "evolution.db") as store:
        _, scores = store.population(best.number)
    listed = rows_of(folder, "evolution", "population")
    assert [(rank, score) for rank, _, score, _ in listed] == list(enumerate(scores[:5].tolist()))
    assert {genes for *_, genes in listed} == {160}


def test_two_runs_are_compared_game_by_game(folder: Path) -> None:
    listed = rows_of(folder, "hunter", "pairs")
    for run, column in (("hunter", 1), ("second", 2)):
        with open_store(folder / "runs" / f"{run}.db") as store:
            best = view_of(folder, run).best()
            assert best is not None
            evaluation = int(view_of(folder, run).log.first_evaluations[best.number])
            outcomes, _ = store.games_of(evaluation)
        assert [row[column] for row in listed] == outcomes.tolist()
    assert [row[0] for row in listed] == list(range(12))
    assert any(ours != theirs for _, ours, theirs in listed)
    assert {1} <= {outcome for row in listed for outcome in row[1:]}


def test_the_numbers_of_the_table_of_elites_are_those_of_the_log(folder: Path) -> None:
    view = view_of(folder, "hunter")
    with closing(sqlite3.connect(folder / "runs" / "hunter.db")) as store:
        stored = store.execute("SELECT solution, columns FROM elites").fetchall()
    assert sorted(solution for solution, _ in stored) == sorted(view.archive.elites.tolist())
    for solution, columns in stored:
        known = {name: np.nan if value is None else value for name, value in json.loads(columns).items()}
        told = {name: float(view.log.column(name, solution)) for name in view.log.columns}
        assert known == pytest.approx(told, rel=0, abs=0, nan_ok=True)


def tables() -> Iterator[tuple[str, set[str]]]:
    """Each table of a store with its columns."""
    with closing(sqlite3.connect(":memory:")) as store:
        store.executescript(TABLES)
        for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            yield name, {row[1] for row in store.execute(f"PRAGMA table_info({name})")}


@pytest.mark.parametrize(("table", "columns"), [*tables()], ids=lambda each: each if isinstance(each, str) else "")
def test_every_table_and_column_is_explained(table: str, columns: set[str]) -> None:
    section = re.search(rf"^\*\*`{table}`\*\*(.*?)(?=^\*\*`|^## )", DOCUMENT, re.MULTILINE | re.DOTALL)
    assert section is not None
    assert columns <= {*re.findall(r"`([^`\n]+)`", section[1])}


def test_the_format_number_and_the_letters_of_the_page_are_those_of_a_store(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "runs" / "hunter.db")) as store:
        found = [store.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")]
    assert found[0] == FORMAT
    assert f"`PRAGMA user_version` ({found[0]} today), and `PRAGMA application_id` is {found[1]}" in DOCUMENT
