"""Stores: what they hold, and that files which are not sound stores are refused and left as they are."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.runs.config import RunConfig
from deckatlas.runs.hashes import locm_cards_hash
from deckatlas.runs.library import find_run, summaries
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.matchups import MatchupWriter, open_store
from deckatlas.runs.run_file import APPLICATION, FORMAT
from deckatlas.runs.writer import open_to_write, versions
from deckatlas.search.protocol import Ask, Generation
from helpers.runs import digest_of, read_search, write_config

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

TABLES = {"run", "genomes", "asks", "evaluations", "generations", "populations"}
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
    return read_search(write_config(tmp_path, DBGA, name="small"))


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
    assert (run.versions, run.cards) == (versions(), locm_cards_hash())
    assert set(run.versions) == {"deckatlas", "python", "numpy", "core"}
    assert run.finished is not None
    assert run.created <= run.finished
    connection = sqlite3.connect(stored)
    assert connection.execute("SELECT seed FROM run").fetchone() == (config.seed,)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
    connection.close()


def test_everything_that_is_read_is_of_one_moment(stored: Path) -> None:
    with open_store(stored) as store:
        counts = store.counts()
        other = sqlite3.connect(stored, timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.executescript("DELETE FROM asks")
        other.close()
        assert store.counts() == counts


def test_a_finished_run_is_one_file(stored: Path) -> None:
    assert [path.name for path in stored.parent.iterdir()] == ["small.db"]


def test_the_digest_changes_with_a_single_outcome_and_not_with_the_name(stored: Path, config: RunConfig) -> None:
    digest = digest_of(stored)
    other = stored.with_name("other.db")
    execute(config.model_copy(update={"name": "other"}), other)
    assert digest_of(other) == digest

    def digest_with(values: dict[str, Any], wins: int = 0, score: float = 0, facts: str = "mean") -> str:
        """The digest of the same run, written by hand with something else in its last ask."""
        *played, (ask, last, generation) = played_by_hand(config)
        assert generation is not None
        scores = generation.scores.copy()
        scores[-1] += score
        renamed = {facts: generation.facts["mean"], "spread": generation.facts["spread"]}
        changed = Generation(generation.number, generation.genomes, scores, renamed)
        path = stored.with_name("by-hand.db")
        with open_to_write(path, MatchupWriter) as store:
            store.begin(config.to_json() | values, locm_cards_hash(), None)
            for number, entry in enumerate([*played, (ask, [last[0] + wins, *last[1:]], changed)]):
                store.add(number, entry[0], np.array(entry[1]), entry[2])
        found = digest_of(path)
        path.unlink()
        return found

    assert digest_with({}) == digest
    assert len({digest, digest_with({"seed": 1}), digest_with({}, wins=1)}) == 3
    assert len({digest, digest_with({}, score=1), digest_with({}, facts="other")}) == 3
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
    before, changed = stored.read_bytes(), stored.stat().st_mtime_ns
    for use in (lambda: execute(config, stored), lambda: open_store(stored), lambda: digest_of(stored)):
        with pytest.raises(RunError) as error:
            use()
        assert str(error.value).startswith(f"{stored} {UNSOUND[spoil]}")
        assert "\n" not in str(error.value)
    assert (stored.read_bytes(), stored.stat().st_mtime_ns) == (before, changed)
    assert [path.name for path in stored.parent.iterdir()] == ["small.db"]


# What SQL can do to the store of a run that was stopped; the file is as sound as SQLite can tell.
DAMAGE = {
    "an ask is missing": "DELETE FROM asks WHERE number = 1",
    "the first ask is missing": "DELETE FROM asks WHERE number = 0",
    "games are a text": "UPDATE asks SET games = 'x' WHERE number = 1",
    "games of an ask are others": "UPDATE asks SET games = games + 1 WHERE number = 1",
    "wins are a text": "UPDATE evaluations SET wins = 'x' WHERE ask = 1 AND row = 2",
    "wins are a fraction": "UPDATE evaluations SET wins = wins + 0.5 WHERE ask = 1 AND row = 2",
    "wins are bytes": "UPDATE evaluations SET wins = x'00ff' WHERE ask = 1 AND row = 2",
    "wins are below none": "UPDATE evaluations SET wins = -5 WHERE ask = 1 AND row = 2",
    "wins are more than games": "UPDATE evaluations SET wins = games + 1 WHERE ask = 1 AND row = 2",
    "wins are others": "UPDATE evaluations SET wins = games - wins WHERE ask = 1",
    "a player is another": "UPDATE evaluations SET first = 1 WHERE ask = 1 AND row = 0",
    "an evaluation is missing": "DELETE FROM evaluations WHERE ask = 1 AND row = 2",
    "the last evaluation is missing": "DELETE FROM evaluations WHERE ask = 1 AND row = 7",
    "all evaluations are missing": "DELETE FROM evaluations",
    "evaluations are of no ask": "INSERT INTO evaluations VALUES (7, 0, 1, -1, 3, 1)",
    "a score is missing": "UPDATE populations SET score = '' WHERE generation = 1 AND rank = 0",
    "a score is another": "UPDATE populations SET score = score + 1 WHERE generation = 1 AND rank = 2",
    "an individual is missing": "DELETE FROM populations WHERE generation = 1 AND rank = 3",
    "an individual is another": "UPDATE populations SET genome = genome % 4 + 1 WHERE generation = 1 AND rank = 0",
    "a population is missing": "DELETE FROM populations WHERE generation = 1",
    "a generation is missing": "DELETE FROM generations WHERE number = 1",
    "facts are others": "UPDATE generations SET facts = '{}' WHERE number = 1",
    "facts are no JSON": "UPDATE generations SET facts = '{' WHERE number = 1",
    "a generation is of another ask": "UPDATE generations SET ask = NULL WHERE number = 1",
    "a genome is another": "UPDATE genomes SET genes = zeroblob(72) WHERE id = 1",
    "a genome is cut": "UPDATE genomes SET genes = substr(genes, 1, 8) WHERE id = 1",
    "a genome is a text": "UPDATE genomes SET genes = 'x' WHERE id = 1",
    "a genome is missing": "DELETE FROM genomes WHERE id = 2",
    "the configuration is another": "UPDATE run SET config = replace(config, '4', '5')",
    "the budget is a text": 'UPDATE run SET config = replace(config, \'"budget": null\', \'"budget": "x"\')',
    "the run is missing": "DELETE FROM run",
    "there are two runs": "INSERT INTO run SELECT * FROM run",
    "when it began is no time": "UPDATE run SET created = 'x'",
    "versions are no JSON": "UPDATE run SET versions = 'x'",
    **{f"there is no table {table}": f"DROP TABLE {table}" for table in sorted(TABLES)},
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_rows_that_have_changed_are_refused_and_left_as_they_are(
    tmp_path: Path, config: RunConfig, statement: str
) -> None:
    def stop(standing: Standing) -> None:
        if standing.generation == 1:
            raise KeyboardInterrupt

    path = tmp_path / "small.db"
    with pytest.raises(KeyboardInterrupt):
        execute(config, path, watch=stop)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement)
    connection.close()
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
    connection = sqlite3.connect(stored)
    for table, column in (
        ("asks", "number"),
        ("evaluations", "ask"),
        ("generations", "ask"),
        ("populations", "generation"),
    ):
        connection.execute(f"DELETE FROM {table} WHERE {column} = 2")
    connection.commit()
    connection.close()
    with pytest.raises(RunError, match="it is finished after 48 games, and not 72"):
        execute(config, stored)


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
    with open_to_write(stored, MatchupWriter) as store, pytest.raises(RunError, match="UNIQUE constraint failed"):
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
    connection = sqlite3.connect(stored)
    connection.execute("UPDATE run SET config = ?", (json.dumps({"seed": 1})[:-1],))
    connection.commit()
    connection.close()
    with open_store(stored) as store, pytest.raises(RunError, match="is damaged"):
        store.run()
