"""Stores: what they hold, and that files which are not sound stores are refused and left as they are."""

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.runs.config import RunConfig, read_config
from deckatlas.runs.library import find_run, summaries
from deckatlas.runs.loop import execute
from deckatlas.runs.store import APPLICATION, FORMAT, open_store
from deckatlas.runs.writer import card_table_hash, open_to_write, versions
from deckatlas.search.protocol import Ask, Generation
from helpers.runs import digest_of, write_config

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

DBGA = """\
[genome]
kind = "attributes"

[search]
algorithm = "dbga"
population = 4
generations = 2
games = 6
seat = "both"

[arena]
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


def played_by_hand(config: RunConfig) -> list[tuple[Ask, list[int], Generation | None]]:
    arena = config.make_arena()
    search = config.make_search(arena)
    played = []
    while (ask := search.ask()) is not None:
        wins = arena.play(ask)
        played.append((ask, wins.tolist(), search.tell(wins)))
    return played


def test_a_store_holds_every_matchup_and_every_individual(stored: Path, config: RunConfig) -> None:
    played = played_by_hand(config)
    generations = [generation for _, _, generation in played if generation is not None]
    connection = sqlite3.connect(stored)
    genes = {
        number: np.frombuffer(blob, dtype="<f8").tolist()
        for number, blob in connection.execute("SELECT id, genes FROM genomes")
    }
    assert len(genes) == len({tuple(genome) for genome in genes.values()})
    for number, (ask, wins, _) in enumerate(played):
        rows = connection.execute(
            "SELECT first, second, games, wins FROM evaluations WHERE ask = ? ORDER BY row", (number,)
        ).fetchall()
        for row, (first, second, games, won) in enumerate(rows):
            for player, entrant in ((first, ask.first[row]), (second, ask.second[row])):
                assert player == entrant if entrant < 0 else genes[player] == ask.genomes[entrant].tolist()
            assert (games, won) == (3, wins[row])
        assert len(rows) == len(wins)
        assert connection.execute("SELECT games FROM asks WHERE number = ?", (number,)).fetchone() == (ask.games,)
    assert connection.execute("SELECT count(*) FROM asks").fetchone() == (len(played),)
    with open_store(stored) as store:
        found = store.generations()
        assert [entry.number for entry in found] == [generation.number for generation in generations]
        for entry, generation in zip(found, generations, strict=True):
            genomes, scores = store.population(entry.number)
            assert np.array_equal(genomes, generation.genomes)
            assert np.array_equal(scores, generation.scores)
            assert (entry.best, entry.facts) == (generation.scores[0], dict(generation.facts))
            assert entry.mean == pytest.approx(generation.scores.mean())
        assert [entry.games for entry in found] == np.cumsum([ask.games for ask, _, _ in played]).tolist()
    connection.close()


def test_a_store_says_what_made_it(stored: Path, config: RunConfig) -> None:
    with open_store(stored) as store:
        run = store.run()
    assert RunConfig.from_json(run.config) == config
    assert (run.versions, run.cards) == (versions(), card_table_hash())
    assert set(run.versions) == {"deckatlas", "python", "numpy", "core"}
    assert run.finished is not None
    assert run.created <= run.finished
    connection = sqlite3.connect(stored)
    assert connection.execute("SELECT seed FROM run").fetchone() == (config.seed,)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
    connection.close()


def test_a_finished_run_is_one_file(stored: Path) -> None:
    assert [path.name for path in stored.parent.iterdir()] == ["small.db"]


def test_the_digest_changes_with_a_single_outcome_and_not_with_the_name(stored: Path, config: RunConfig) -> None:
    digest = digest_of(stored)
    other = stored.with_name("other.db")
    execute(config.model_copy(update={"name": "other"}), other)
    assert digest_of(other) == digest
    for change in (
        "UPDATE evaluations SET wins = wins + 1 WHERE ask = 1 AND row = 3",
        "UPDATE populations SET score = score + 1 WHERE generation = 2 AND rank = 3",
        "UPDATE run SET config = replace(config, '\"seed\": 0', '\"seed\": 1')",
        "UPDATE generations SET facts = '{}' WHERE number = 1",
        "DELETE FROM populations WHERE generation = 0 AND rank = 3",
    ):
        changed = stored.with_name("changed.db")
        changed.write_bytes(stored.read_bytes())
        connection = sqlite3.connect(changed)
        assert connection.execute(change).rowcount == 1
        connection.commit()
        connection.close()
        assert digest_of(changed) != digest
    connection = sqlite3.connect(other)
    connection.execute("UPDATE run SET created = '2001-01-01', finished = NULL, versions = '{\"core\": \"x\"}'")
    connection.execute("UPDATE asks SET played = 'x'")
    connection.commit()
    connection.close()
    assert digest_of(other) == digest


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


def make_newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()


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
    make_newer: "was written by a newer deckatlas (format 3, this one knows 2); it was left as it is",
    make_foreign: "belongs to another program; it was left as it is",
    make_text: "is not the store of a run, or it is damaged; it was left as it is",
}


@pytest.mark.parametrize("spoil", UNSOUND, ids=lambda spoil: spoil.__name__)
def test_an_unsound_store_is_refused_and_left_as_it_is(stored: Path, config: RunConfig, spoil: object) -> None:
    assert callable(spoil)
    spoil(stored)
    before = stored.read_bytes()
    for use in (lambda: execute(config, stored), lambda: open_store(stored), lambda: digest_of(stored)):
        with pytest.raises(RunError) as error:
            use()
        assert str(error.value).startswith(f"{stored} {UNSOUND[spoil]}")
        assert "\n" not in str(error.value)
    assert stored.read_bytes() == before
    assert [path.name for path in stored.parent.iterdir()] == ["small.db"]


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
    with pytest.raises(RunError, match="is empty: its run has not begun"):
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
    ask, wins, generation = played_by_hand(config)[-1]
    with open_to_write(stored) as store, pytest.raises(sqlite3.IntegrityError):
        store.add(99, ask, np.array(wins), generation)  # this generation is there already
    assert digest_of(stored) == before


# ---- finding ---------------------------------------------------------------------------------------------------------


def test_a_run_is_found_by_name_or_path(stored: Path) -> None:
    folder = stored.parent
    assert find_run(folder, "small") == find_run(folder / "elsewhere", str(stored)) == stored
    with pytest.raises(RunError, match=r"there is no run 'smal' in .*: did you mean 'small'"):
        find_run(folder, "smal")
    with pytest.raises(RunError, match="there are none"):
        find_run(folder / "elsewhere", "small")


def test_a_stored_configuration_that_is_no_json_is_damage(stored: Path) -> None:
    connection = sqlite3.connect(stored)
    connection.execute("UPDATE run SET config = ?", (json.dumps({"seed": 1})[:-1],))
    connection.commit()
    connection.close()
    with open_store(stored) as store, pytest.raises(RunError, match="is damaged"):
        store.run()
