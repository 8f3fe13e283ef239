"""Stores that somebody has changed: one run is called unreadable, in one line, and all others are listed.

Each change here, made with the hashes that belong to it, once ended the command in a traceback.
"""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from deckatlas.errors import RunError
from deckatlas.runs.hashes import names_hash, text_hash
from deckatlas.runs.library import summaries
from deckatlas.runs.loop import execute
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import check_store
from deckatlas.runs.view import open_run
from helpers.command_line import CommandLine
from helpers.maps import hunters

Connection = sqlite3.Connection


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small finished map."""
    folder = tmp_path_factory.mktemp("whole")
    config = hunters(folder, "search.evaluations=40", "search.initial=20")
    execute(config, folder / "good.db")
    return folder / "good.db"


def with_config(change: Callable[[dict[str, Any]], object]) -> Callable[[Connection], None]:
    """Changes the configuration, and its hash."""

    def changed(connection: Connection) -> None:
        ((text,),) = connection.execute("SELECT config FROM run")
        config = json.loads(text)
        change(config)
        text = json.dumps(config)
        connection.execute("UPDATE run SET config = ?, hash = ?", (text, text_hash(text)))

    return changed


def sql(statement: str, *values: object) -> Callable[[Connection], None]:
    return lambda connection: (connection.execute(statement, values), None)[1]


DAMAGES: dict[str, Callable[[Connection], None]] = {
    "the configuration is a blob": sql("UPDATE run SET config = CAST(config AS BLOB)"),
    "infinity in the configuration": with_config(lambda config: config["search"].update(evaluations=float("inf"))),
    "a huge number in the configuration": with_config(lambda config: config["search"].update(evaluations=10**300)),
    "a text as the number of games": with_config(lambda config: config["evaluation"].update(games="many")),
    "a list as the configuration": sql("UPDATE run SET config = '[]', hash = ?", text_hash("[]")),
    "a list as the search": with_config(lambda config: config.update(search=[])),
    "a number as the name": with_config(lambda config: config.update(name=7)),
    "a deep list": with_config(lambda config: config.update(name=json.loads("[" * 500 + "]" * 500))),
    "a table in versions": sql("""UPDATE run SET versions = '{"core": {"a": 1}, "deckatlas": "1"}'"""),
    "a list as versions": sql("UPDATE run SET versions = '[1]'"),
    "no versions": sql("UPDATE run SET versions = x'00'"),
    "a date that is none": sql("UPDATE run SET created = 'yesterday'"),
    "a date in the year 1": sql("UPDATE run SET created = '0001-01-01T00:00:00+00:00'"),
    "a number as a date": sql("UPDATE run SET created = 3.5"),
    "an end that is none": sql("UPDATE run SET finished = x'ff'"),
    "games that are text": sql("UPDATE commits SET games = 'many'"),
    "games below none": sql("UPDATE commits SET games = -1"),
    "a best that is text": sql("UPDATE commits SET best = 'best'"),
    "no description": sql("UPDATE run SET description = x'00'"),
    "a description of objects": sql("UPDATE run SET description = json_set(description, '$.type', '|O')"),
    "a description of a billion genes": sql("""UPDATE run SET description = json_set(description, '$.length', 1e9)"""),
    "a gene with a table as its cost": sql("""UPDATE genes SET facts = '{"cost": {}}'"""),
    "a gene without a name": sql("UPDATE genes SET name = x'00ff'"),
    "a column of another storage": sql("UPDATE columns SET storage = 'O'"),
    "a column of a missing one": sql("UPDATE columns SET of = 'nothing'"),
    "a scale of infinity": sql("UPDATE columns SET scale = 9e999"),
    "evaluations that are text": sql("UPDATE evaluations SET first = 'x' WHERE number = 3"),
    "evaluations below none": sql("UPDATE evaluations SET games = -5 WHERE number = 3"),
    "an evaluation of a solution below none": sql(f"UPDATE evaluations SET first = {-(2**63)} WHERE number = 3"),
    "a parent in the future": sql("UPDATE solutions SET parent = 10000 WHERE number = 3"),
    "samples of text": sql("UPDATE samples SET units = 'x'"),
    "two runs": sql("INSERT INTO run SELECT * FROM run"),
    "no run": sql("DELETE FROM run"),
}


def damaged(whole: Path, folder: Path, damage: Callable[[Connection], None], *, hashes: bool = True) -> Path:
    folder.mkdir(exist_ok=True)
    copy(whole, folder / "good.db")
    copy(whole, folder / "bad.db")
    with closing(sqlite3.connect(folder / "bad.db")) as connection:
        damage(connection)
        if hashes:
            connection.execute("UPDATE run SET names = ?", (names_hash(connection),))
        connection.commit()
    return folder / "bad.db"


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_store_is_one_line_everywhere_and_hides_no_other(
    what: str, whole: Path, tmp_path: Path, deckatlas: CommandLine
) -> None:
    bad = damaged(whole, tmp_path / "runs", DAMAGES[what])
    code, out, errors = deckatlas("runs", "--store", str(bad.parent))
    assert (code, errors) == (0, "")
    assert "good" in out
    assert [each.state for each in summaries(bad.parent) if each.name == "good"] == ["finished"]
    for words in (("show", "bad"), ("verify-store", "bad"), ("report", "bad", "-o", str(tmp_path / "page.html"))):
        code, _, errors = deckatlas(*words, "--store", str(bad.parent))
        assert code == 2, (words, errors)
        assert errors.count("\n") == 1
        assert str(bad) in errors
    with pytest.raises(RunError):
        open_run(bad)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE run SET versions = json_set(versions, '$.numpy', '0.1')",
        "UPDATE run SET created = '2001-01-01T00:00:00+00:00'",
        "UPDATE genes SET name = 'Another' WHERE number = 1",
        "UPDATE run SET seed = seed + 1",
    ],
)
def test_what_never_changes_is_compared_with_its_hash_whenever_a_run_is_shown(
    statement: str, whole: Path, tmp_path: Path
) -> None:
    bad = damaged(whole, tmp_path / "runs", sql(statement), hashes=False)
    with pytest.raises(RunError, match="the description of the run has changed"):
        open_run(bad)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE commits SET best = best + 1", "have changed"),
        ("UPDATE commits SET made = 'x'", "is damaged"),
        ("UPDATE commits SET made = '2001-01-01T00:00:00+00:00'", "its dates are not in order"),
        ("UPDATE run SET finished = '2001-01-01T00:00:00+00:00'", "its dates are not in order"),
        ("UPDATE elites SET text = 'CS2_231'", "the table of elites differs from the archive"),
        ("UPDATE elites SET objective = 1.0", "the table of elites differs from the archive"),
    ],
)
def test_verification_finds_changed_bests_dates_and_elites(
    statement: str, why: str, whole: Path, tmp_path: Path
) -> None:
    bad = damaged(whole, tmp_path / "runs", sql(statement))
    with open_store(bad) as store, pytest.raises(RunError, match=why):
        check_store(store)


def test_a_store_whose_name_is_not_utf_8_is_read_and_hides_no_other(
    whole: Path, tmp_path: Path, deckatlas: CommandLine
) -> None:
    odd = tmp_path / "runs" / os.fsdecode(b"\xff\xfe.db")
    odd.parent.mkdir()
    copy(whole, odd.with_name("good.db"))
    copy(whole, odd)
    code, out, errors = deckatlas("runs", "--store", str(odd.parent))
    assert (code, errors) == (0, "")
    assert "good" in out
    assert open_run(odd).digest == open_run(whole).digest


def test_a_path_with_a_zero_is_one_line() -> None:
    with pytest.raises(RunError, match=r"^cannot read 'a\\x00b': embedded null byte$"):
        open_run("a\0b")


def test_a_best_value_that_is_no_number_is_damage(whole: Path, tmp_path: Path, deckatlas: CommandLine) -> None:
    bad = damaged(whole, tmp_path / "runs", sql("UPDATE commits SET best = 9e999"))
    code, out, _ = deckatlas("runs", "--store", str(bad.parent))
    assert (code, "damaged" in out) == (0, True)
    with open_store(bad) as store, pytest.raises(RunError, match="its best value is inf"):
        store.progress()


def test_names_in_a_store_do_not_reach_the_terminal_as_commands(
    whole: Path, tmp_path: Path, deckatlas: CommandLine
) -> None:
    named = sql("UPDATE run SET description = json_set(description, '$.title', 'a\x1b[31mb')")
    bad = damaged(whole, tmp_path / "runs", named)
    code, out, _ = deckatlas("show", "bad", "--store", str(bad.parent))
    assert (code, "\x1b[31mb" in out, "\\x1b[31mb" in out) == (0, False, True)
