"""Stores: what they hold, and that files which are not sound stores are refused and left as they are."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.runs import loop
from deckatlas.runs.config import RunConfig
from deckatlas.runs.hashes import names_hash
from deckatlas.runs.library import find_run, summaries
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.portion import Told
from deckatlas.runs.read_config import config_of, read_config
from deckatlas.runs.schema import APPLICATION, FORMAT
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import check_store
from deckatlas.runs.view import open_run
from deckatlas.runs.writer import open_to_write, versions
from helpers.runs import digest_of, write_config
from helpers.stores import add_steps, steps_of, write_store

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

TABLES = (
    *("run", "columns", "measures", "genes", "samples", "solutions", "evaluations", "notes", "generations"),
    *("populations", "commits", "elites", "rechecks", "recheck_cards"),
)
DBGA = """\
[space]
kind = "locm-draft"
genome.kind = "attributes"

[search]
algorithm = "dbga"
population = 4
generations = 2
games = 6
seat = "both"

[evaluation]
opponents = ["random"]
"""


@pytest.fixture
def config(tmp_path: Path) -> RunConfig:
    return read_config(write_config(tmp_path, DBGA, name="small"))


@pytest.fixture
def stored(tmp_path: Path, config: RunConfig) -> Path:
    path = tmp_path / "runs" / "small.db"
    execute(config, path)
    return path


def test_a_store_holds_every_matchup_and_every_individual(stored: Path, config: RunConfig) -> None:
    steps = steps_of(config.prepare())
    generations = [step.generation for step in steps if step.generation is not None]
    with closing(sqlite3.connect(stored)) as connection:
        genes = {
            number: np.frombuffer(blob, dtype="<f8").tolist()
            for number, blob in connection.execute("SELECT number, genes FROM solutions")
        }
        assert len(genes) == len({tuple(genome) for genome in genes.values()})
        for number, step in enumerate(steps):
            batch, outcomes = step.batch, step.outcomes
            assert batch is not None
            assert outcomes is not None
            rows = connection.execute(
                "SELECT first, second, games, numbers FROM evaluations WHERE batch = ? ORDER BY number", (number,)
            ).fetchall()
            for row, (first, second, games, numbers) in enumerate(rows):
                for player, entrant in ((first, batch.first[row]), (second, batch.second[row])):
                    assert player == entrant if entrant < 0 else genes[player] == batch.genes[entrant].tolist()
                won = int.from_bytes(numbers[:4], "little", signed=True)
                assert (games, won) == (3, outcomes.total[row, 0])
            assert len(rows) == len(batch)
        assert connection.execute("SELECT max(batch) FROM evaluations").fetchone() == (len(steps) - 1,)
    with open_store(stored) as store:
        found = store.generations()
        assert [entry.number for entry in found] == [generation.number for generation in generations]
        for entry, generation in zip(found, generations, strict=True):
            genomes, scores = store.population(entry.number)
            assert np.array_equal(genomes, generation.genomes)
            assert np.array_equal(scores, generation.scores)
            assert (entry.best, entry.facts) == (generation.scores[0], dict(generation.facts))
            assert entry.mean == pytest.approx(generation.scores.mean())
        played = np.cumsum([step.batch.games for step in steps if step.batch is not None])
        assert [entry.games for entry in found] == played.tolist()


def test_a_store_says_what_made_it(stored: Path, config: RunConfig) -> None:
    with open_store(stored) as store:
        run = store.run()
    assert config_of(Document("the store", run.config)) == config
    assert (run.versions, run.cards) == (versions(), config.cards_hash())
    assert set(run.versions) == {"deckatlas", "python", "numpy", "core"}
    assert run.finished is not None
    assert run.created <= run.finished
    with closing(sqlite3.connect(stored)) as connection:
        assert connection.execute("SELECT seed FROM run").fetchone() == (config.seed,)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
        assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert {name for (name,) in tables} == {*TABLES}


def test_a_finished_run_is_one_file(stored: Path) -> None:
    assert [path.name for path in stored.parent.iterdir()] == ["small.db"]


def test_the_digest_changes_with_a_single_outcome_and_not_with_the_name(stored: Path, config: RunConfig) -> None:
    digest = digest_of(stored)
    other = stored.with_name("other.db")
    execute(config.model_copy(update={"name": "other"}), other)
    assert digest_of(other) == digest

    run = config.prepare()
    *played, last = steps_of(run)

    def digest_with(values: dict[str, Any], step: Told) -> str:
        """The digest of the same run, written by hand with something else in its last step."""
        path = stored.with_name("by-hand.db")
        found = digest_of(write_store(path, replace(run, config={**run.config, **values}), [*played, step]))
        path.unlink()
        return found

    assert last.outcomes is not None
    assert last.generation is not None
    outcomes, generation = last.outcomes, last.generation
    total, outcome, margin = outcomes.total.copy(), outcomes.outcome.copy(), outcomes.margin.copy()
    total[0] += 1
    outcome[-1] ^= 1
    margin[-1] += 1
    scores = generation.scores.copy()
    scores[-1] += 1
    renamed = {"other": generation.facts["mean"], "spread": generation.facts["spread"]}
    changed = [
        last._replace(outcomes=replace(outcomes, total=total)),
        last._replace(outcomes=replace(outcomes, outcome=outcome)),
        last._replace(outcomes=replace(outcomes, margin=margin)),
        last._replace(generation=replace(generation, scores=scores)),
        last._replace(generation=replace(generation, facts=renamed)),
    ]
    assert digest_with({}, last) == digest
    found = {digest, digest_with({"seed": 1}, last), *(digest_with({}, step) for step in changed)}
    assert len(found) == 2 + len(changed)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute(
            "UPDATE run SET created = '2001-01-01T00:00:00+00:00', finished = NULL, versions = '{\"core\": \"x\"}'"
        )
        connection.execute("UPDATE commits SET made = '2001-01-02T00:00:00+00:00'")
        connection.execute("UPDATE run SET names = ?", (names_hash(connection),))
        connection.commit()
    assert digest_of(other) == digest


def test_a_log_is_the_same_however_it_was_cut(stored: Path, config: RunConfig) -> None:
    run = config.prepare()
    steps = steps_of(run)
    for name, cuts in (("one", ()), ("two", (1,)), ("three", (1, 2))):
        path = write_store(stored.with_name(f"{name}.db"), run, steps, cuts=cuts)
        with open_store(path) as store:
            check_store(store)
            assert len(store.rows("SELECT * FROM commits")) == len(cuts) + 1
        assert digest_of(path) == digest_of(stored)


# ---- files that are not sound stores ---------------------------------------------------------------------------------


def change_bytes(path: Path, at: int, new: bytes) -> None:
    content = bytearray(path.read_bytes())
    content[at : at + len(new)] = new
    path.write_bytes(content)


def spoil_header(path: Path) -> None:
    change_bytes(path, 0, b"not SQLite")


def spoil_middle(path: Path) -> None:
    size = path.stat().st_size
    change_bytes(path, 4096, b"\xa5" * (size - 4096))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])


def set_format(path: Path, number: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {number}")


def make_newer(path: Path) -> None:
    set_format(path, FORMAT + 1)


def make_ancient(path: Path) -> None:
    set_format(path, 1)


def make_foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (address TEXT)")
    connection.close()


def make_text(path: Path) -> None:
    path.write_text("dear diary", encoding="utf-8")


UNSOUND = {
    spoil_header: "is not the store of a run, or it is damaged; it was left as it is",
    spoil_middle: "is damaged",
    cut: "is damaged",
    cut_short: "is not the store of a run, or it is damaged; it was left as it is",
    make_ancient: "was written by an older deckatlas (format 1, this one knows 3); it was left as it is",
    make_newer: "was written by a newer deckatlas (format 4, this one knows 3); it was left as it is",
    make_foreign: "belongs to another program; it was left as it is",
    make_text: "is not the store of a run, or it is damaged; it was left as it is",
}


@pytest.mark.parametrize("spoil", UNSOUND, ids=lambda spoil: spoil.__name__)
def test_an_unsound_store_is_refused_and_left_as_it_is(stored: Path, config: RunConfig, spoil: object) -> None:
    assert callable(spoil)
    spoil(stored)
    before, changed = stored.read_bytes(), stored.stat().st_mtime_ns
    for use in (lambda: execute(config, stored), lambda: open_run(stored), lambda: digest_of(stored)):
        with pytest.raises(RunError) as error:
            use()
        assert str(error.value).startswith(f"{stored} {UNSOUND[spoil]}")
        assert "\n" not in str(error.value)
    assert (stored.read_bytes(), stored.stat().st_mtime_ns) == (before, changed)
    assert [path.name for path in stored.parent.iterdir()] == ["small.db"]


# What SQL can do to the store of a run that was stopped; the file is as sound as SQLite can tell.
DAMAGE = {
    "a commit is missing": "DELETE FROM commits WHERE evaluations = 8",
    "the last commit is missing": "DELETE FROM commits WHERE evaluations = 16",
    "all commits are missing": "DELETE FROM commits",
    "games are a text": "UPDATE commits SET games = 'x' WHERE evaluations = 16",
    "games of a commit are others": "UPDATE commits SET games = games + 1 WHERE evaluations = 8",
    "games of an evaluation are others": "UPDATE evaluations SET games = games + 1 WHERE number = 10",
    "numbers are a text": "UPDATE evaluations SET numbers = 'x' WHERE number = 10",
    "numbers are a fraction": "UPDATE evaluations SET numbers = 0.5 WHERE number = 10",
    "numbers are cut": "UPDATE evaluations SET numbers = substr(numbers, 1, 4) WHERE number = 10",
    "numbers are others": "UPDATE evaluations SET numbers = x'0500000000000000000000f0' WHERE number = 10",
    "numbers are missing": "UPDATE evaluations SET numbers = x'' WHERE number = 10",
    "outcomes are others": "UPDATE evaluations SET outcomes = x'2a' WHERE number = 10",
    "outcomes are missing": "UPDATE evaluations SET outcomes = NULL WHERE number = 10",
    "margins are others": "UPDATE evaluations SET margins = x'010101' WHERE number = 10",
    "margins are missing": "UPDATE evaluations SET margins = NULL WHERE number = 10",
    "a player is another": "UPDATE evaluations SET first = (first + 1) % 4 WHERE number = 8",
    "a player is nobody": "UPDATE evaluations SET first = 999 WHERE number = 8",
    "a batch is another": "UPDATE evaluations SET batch = 7 WHERE number = 8",
    "first games are others": "UPDATE evaluations SET first_game = 7 WHERE number = 8",
    "an evaluation is missing": "DELETE FROM evaluations WHERE number = 10",
    "the last evaluation is missing": "DELETE FROM evaluations WHERE number = 15",
    "all evaluations are missing": "DELETE FROM evaluations",
    "an evaluation is of no commit": "INSERT INTO evaluations VALUES (16, 2, 0, -1, 0, 3, x'00', NULL, NULL)",
    "a score is missing": "UPDATE populations SET score = '' WHERE generation = 1 AND rank = 0",
    "a score is another": "UPDATE populations SET score = score + 1 WHERE generation = 1 AND rank = 2",
    "an individual is missing": "DELETE FROM populations WHERE generation = 1 AND rank = 3",
    "an individual is another": "UPDATE populations SET solution = 3 - solution WHERE generation = 1 AND rank = 0",
    "a population is missing": "DELETE FROM populations WHERE generation = 1",
    "a generation is missing": "DELETE FROM generations WHERE number = 1",
    "the games of a generation are others": "UPDATE generations SET games = games + 1 WHERE number = 1",
    "a generation is earlier": "UPDATE generations SET evaluations = evaluations - 1 WHERE number = 1",
    "a generation is later": "UPDATE generations SET evaluations = 999 WHERE number = 1",
    "facts are others": "UPDATE generations SET facts = '{}' WHERE number = 1",
    "facts are no JSON": "UPDATE generations SET facts = '{' WHERE number = 1",
    "a genome is another": "UPDATE solutions SET genes = zeroblob(72) WHERE number = 1",
    "a genome is cut": "UPDATE solutions SET genes = substr(genes, 1, 8) WHERE number = 1",
    "a genome is a text": "UPDATE solutions SET genes = 'x' WHERE number = 1",
    "a genome is missing": "DELETE FROM solutions WHERE number = 2",
    "a parent is another": "UPDATE solutions SET parent = 1 WHERE number = 2",
    "measures are others": "UPDATE solutions SET measures = zeroblob(8) WHERE number = 2",
    "an elite is nobody": "INSERT INTO elites VALUES ('0', 999, 1.0, '', '{}')",
    "the configuration is another": "UPDATE run SET config = replace(config, '4', '5')",
    "the budget is a text": 'UPDATE run SET config = replace(config, \'"budget": null\', \'"budget": "x"\')',
    "the description is no JSON": "UPDATE run SET description = 'x'",
    "the run is missing": "DELETE FROM run",
    "there are two runs": "INSERT INTO run SELECT * FROM run",
    "when it began is no time": "UPDATE run SET created = 'x'",
    "versions are no JSON": "UPDATE run SET versions = 'x'",
    # Stores of earlier versions have no notes.
    **{
        f"there is no table {table}": f"DROP TABLE {table}"
        for table in TABLES
        if table not in ("notes", "recheck_cards")
    },
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_rows_that_have_changed_are_refused_and_left_as_they_are(
    tmp_path: Path, config: RunConfig, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    def stop(standing: Standing) -> None:
        if standing.generation == 1:
            raise KeyboardInterrupt

    path = tmp_path / "small.db"
    monkeypatch.setattr(loop, "_STORE_SECONDS", 0.0)
    monkeypatch.setattr(loop, "_LOOK_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        execute(config, path, watch=stop)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute("SELECT evaluations FROM commits").fetchall() == [(8,), (16,)]
        connection.execute(statement)
    before = path.read_bytes()
    for use in (lambda: execute(config, path), lambda: digest_of(path)):
        with pytest.raises(RunError) as error:
            use()
        assert str(error.value).startswith(f"{path} is damaged (")
        assert str(error.value).endswith("); it was left as it is")
        assert "\n" not in str(error.value)
    assert len(summaries(tmp_path)) == 1
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.glob("*.db*")] == ["small.db"]


def test_a_finished_run_of_which_the_end_is_missing_is_refused(stored: Path, config: RunConfig) -> None:
    run = config.prepare()
    path = write_store(stored.with_name("short.db"), run, steps_of(run)[:-1])
    with pytest.raises(RunError, match="it is finished after 48 games, not after 72"):
        execute(config, path)


def test_an_unsound_store_is_listed_without_failing(stored: Path) -> None:
    sound = stored.read_bytes()
    for spoil in UNSOUND:
        path = stored.with_name(f"{spoil.__name__}.db")
        path.write_bytes(sound)
        spoil(path)
    stored.with_name("empty.db").touch()
    found = summaries(stored.parent)
    assert [(summary.name, summary.state) for summary in found[:1]] == [("small", "finished")]
    assert {summary.state for summary in found[1:]} == {"unreadable"}
    assert len(found) == len(UNSOUND) + 2
    for spoil, words in UNSOUND.items():
        (problem,) = [summary.problem for summary in found if summary.name == spoil.__name__]
        assert words in problem


def test_bytes_changed_anywhere_are_never_a_traceback(stored: Path, config: RunConfig) -> None:
    sound = stored.read_bytes()
    rng = np.random.default_rng(1)
    refused = 0
    for at in rng.integers(0, len(sound), 150):
        change_bytes(stored, int(at), rng.bytes(int(rng.integers(1, 30))))
        before = stored.read_bytes()
        try:
            digest_of(stored)
            open_run(stored)
            execute(config, stored)
        except RunError:
            refused += 1
            assert stored.read_bytes() == before
        assert len(summaries(stored.parent)) == 1
        stored.write_bytes(sound)
    assert refused >= 5  # most of what a store holds are numbers that could be others


def test_an_empty_file_is_a_run_that_has_not_begun(stored: Path, config: RunConfig) -> None:
    digest = digest_of(stored)
    stored.write_bytes(b"")
    with pytest.raises(RunError, match="is empty: its run has not started"):
        open_store(stored)
    execute(config, stored)
    assert digest_of(stored) == digest


def test_a_store_that_cannot_be_there_is_one_line(tmp_path: Path, config: RunConfig) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.db").mkdir()
    for path in (tmp_path / "file" / "x.db", tmp_path / "folder.db"):
        with pytest.raises(RunError, match=str(path)) as error:
            execute(config, path)
        assert "\n" not in str(error.value)


def test_a_mistake_within_a_transaction_leaves_nothing_of_it(stored: Path, config: RunConfig) -> None:
    before = digest_of(stored)
    run = config.prepare()
    last = steps_of(run)[-1]
    with open_to_write(stored) as store, pytest.raises(RunError, match="UNIQUE constraint failed"):
        add_steps(store, run, [last])  # its generation is there already
    assert digest_of(stored) == before


# ---- finding ---------------------------------------------------------------------------------------------------------


def test_a_run_is_found_by_name_or_path(stored: Path) -> None:
    folder = stored.parent
    assert find_run(folder, "small") == find_run(folder / "elsewhere", str(stored)) == stored
    with pytest.raises(RunError, match=r"there is no run 'smal' in .*: did you mean 'small'"):
        find_run(folder, "smal")
    with pytest.raises(RunError, match="there are none"):
        find_run(folder / "elsewhere", "small")


def test_runs_in_sub_folders_are_listed_and_found_by_their_path_in_the_folder(stored: Path) -> None:
    folder = stored.parent
    inner = folder / "paper" / "item" / "a.b.db"
    inner.parent.mkdir(parents=True)
    inner.write_bytes(stored.read_bytes())
    inner.with_name("broken.db").write_bytes(b"x")
    found = {summary.name: summary.state for summary in summaries(folder)}
    assert found == {"small": "finished", "paper/item/a.b": "finished", "paper/item/broken": "unreadable"}
    assert find_run(folder, "paper/item/a.b") == inner
    with pytest.raises(RunError, match=r"did you mean 'paper/item/a\.b'"):
        find_run(folder, "paper/item/a")


def test_a_file_is_no_folder_of_runs(stored: Path) -> None:
    for use in (lambda: summaries(stored), lambda: find_run(stored, "small")):
        with pytest.raises(RunError, match=f"{stored} is not a folder of runs"):
            use()


def test_a_stored_configuration_that_is_no_json_is_damage(stored: Path) -> None:
    with closing(sqlite3.connect(stored)) as connection:
        connection.execute("UPDATE run SET config = ?", (json.dumps({"seed": 1})[:-1],))
        connection.commit()
    with open_store(stored) as store, pytest.raises(RunError, match="is damaged"):
        store.run()
