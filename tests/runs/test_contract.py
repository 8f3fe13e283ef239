"""The store as a contract: read without anything of ours, checked to the byte, and compared game by game."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import locm
from deckatlas.errors import RunError
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.store import Store, open_store
from deckatlas.runs.verification import check_store
from deckatlas.runs.view import open_run
from deckatlas.search.evaluation import VOID, WON
from helpers.command_line import CommandLine
from helpers.maps import HUNTERS, hunters
from helpers.runs import write_config

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

EVEN = 'evaluation.opponents=[{deck = "Starter Mage", pilot = "random"}]'  # some games are won and some lost


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A finished map whose elites were played again, and a finished evolution; to be read and not written."""
    folder = tmp_path_factory.mktemp("stores")
    execute(hunters(folder, "search.evaluations=40", EVEN), folder / "map.db", recheck=6)
    execute(read_config(write_config(folder), settings=["budget=240"]), folder / "evolution.db")
    return {name: folder / f"{name}.db" for name in ("map", "evolution")}


# ---- nothing of ours -------------------------------------------------------------------------------------------------

# Somebody else's program: Python's standard library, and docs/store.md.
ELITES_BY_SQL = """
import json, sqlite3, struct, sys

store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
(config, description, seed), = store.execute("SELECT config, description, seed FROM run").fetchall()
cards = dict(store.execute("SELECT number, id FROM genes"))
names = dict(store.execute("SELECT id, name FROM genes"))
columns = store.execute("SELECT name, storage, over FROM columns WHERE of = '' ORDER BY number").fetchall()
formats = {"i4": "i", "i8": "q", "f8": "d"}
totals = struct.Struct("<" + "".join(formats[storage] for _, storage, _ in columns))
place, = [at for at, (name, _, _) in enumerate(columns) if name == "win_rate"]
found = []
for cell, solution, objective, text, known, genes in store.execute(
    "SELECT cell, solution, objective, text, columns, genes FROM elites JOIN solutions ON number = solution "
    "ORDER BY objective DESC, solution"
):
    won = games = 0
    for numbers, count in store.execute("SELECT numbers, games FROM evaluations WHERE first = ?", (solution,)):
        won, games = won + totals.unpack_from(numbers)[place], games + count
    found.append({
        "cell": [int(each) for each in cell.split(",")],
        "solution": solution,
        "objective": objective,
        "cards": text.split(),
        "cards of the genes": [cards[each] for each in genes],
        "names": [names[card] for card in text.split()],
        "win_rate": json.loads(known)["win_rate"],
        "win_rate of the games": won / games,
    })
assert not [name for name in sys.modules if name.startswith(("deckatlas", "numpy"))]
print(json.dumps({"name": json.loads(config)["name"], "kind": json.loads(description)["kind"], "elites": found}))
"""


def test_elites_are_listed_with_their_cards_and_win_rates_by_sql_alone(stores: dict[str, Path]) -> None:
    command = [sys.executable, "-I", "-S", "-c", ELITES_BY_SQL, str(stores["map"])]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)
    view = open_run(stores["map"])
    assert (found["name"], found["kind"]) == (view.name, "hearthstone-deck")
    assert len(found["elites"]) == view.statistics.elites > 5
    assert len({row["win_rate"] for row in found["elites"]}) > 2
    for row, elite in zip(found["elites"], view.elites(), strict=True):
        assert (tuple(row["cell"]), row["solution"]) == (elite.cell, elite.number)
        assert row["objective"] == elite.objective.value
        assert row["win_rate"] == row["win_rate of the games"] == elite.columns["win_rate"]
        assert row["cards"] == row["cards of the genes"]
        copies = {line.name: line.copies for line in view.deck_list(elite)}
        assert {name: row["names"].count(name) for name in row["names"]} == copies
        assert len(row["cards"]) == sum(copies.values()) == 30


def test_the_elites_of_a_store_are_those_of_its_log_while_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "hunters.db"

    def stop(standing: Any) -> None:
        if standing.evaluations > 15:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("deckatlas.runs.loop._LOOK_SECONDS", 0.0)
        with pytest.raises(KeyboardInterrupt):
            execute(hunters(tmp_path), path, watch=stop)
    view = open_run(path)
    with open_store(path) as store:
        rows = store.rows("SELECT cell, solution, objective FROM elites ORDER BY objective DESC, solution")
    assert 0 < view.log.evaluations < 300
    assert rows == [(",".join(map(str, each.cell)), each.number, each.objective.value) for each in view.elites()]


# ---- every byte ------------------------------------------------------------------------------------------------------

CHECKED = {
    "map": {
        "run": ("config", "hash"),
        "evaluations": ("batch", "first", "first_game", "games", "numbers", "outcomes", "margins"),
        "solutions": ("parent", "genes", "measures"),
        "rechecks": ("games", "units", "freedom", "numbers", "outcomes", "margins", "hash"),
        "commits": ("evaluations", "solutions", "games", "hash"),
        "elites": ("solution",),
    },
    "evolution": {
        "run": ("config", "hash"),
        "evaluations": ("batch", "first", "second", "games", "numbers", "outcomes", "margins"),
        "solutions": ("genes",),
        "generations": ("facts", "hash"),
        "populations": ("solution", "score"),
        "commits": ("generations",),
    },
}
FLIPS = [
    (kind, table, column) for kind, tables in CHECKED.items() for table, columns in tables.items() for column in columns
]


def flipped(value: Any, rng: np.random.Generator) -> Any:
    """A value with one bit of one of its bytes changed, or a number that is another."""
    if isinstance(value, float):
        return value + 0.5
    if isinstance(value, int) or value is None:
        return (value or 0) + 1_000_000
    content = bytearray(value.encode() if isinstance(value, str) else value)
    at = int(rng.integers(len(content)))
    content[at] ^= 1
    return content.decode() if isinstance(value, str) else bytes(content)


@pytest.mark.parametrize(("kind", "table", "column"), FLIPS, ids="-".join)
def test_a_flipped_byte_is_found_in_every_table(
    stores: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    table: str,
    column: str,
) -> None:
    path = tmp_path / f"{kind}.db"
    deckatlas = CommandLine(monkeypatch, capsys)
    rng = np.random.default_rng(len(table + column))
    for _ in range(3):
        shutil.copy(stores[kind], path)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            keys = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            key = _key_of(connection, table, int(rng.integers(keys)))
            where = " AND ".join(f"{name} IS ?" for name in key)
            (value,) = connection.execute(f"SELECT {column} FROM {table} WHERE {where}", [*key.values()]).fetchone()
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", [flipped(value, rng), *key.values()])
        before = path.read_bytes()
        code, out, errors = deckatlas("verify-store", str(path))
        assert (code, out, errors.count("\n")) == (2, "", 1)
        assert errors.startswith(f"deckatlas: {path} is damaged (")
        assert path.read_bytes() == before


def _key_of(connection: sqlite3.Connection, table: str, row: int) -> dict[str, Any]:
    """What tells a row from others."""
    keys = [name for _, name, _, _, _, key in connection.execute(f"PRAGMA table_info({table})") if key] or ["seed"]
    found = connection.execute(f"SELECT {', '.join(keys)} FROM {table} LIMIT 1 OFFSET ?", (row,)).fetchone()
    return dict(zip(keys, found, strict=True))


def test_a_whole_store_is_said_to_be(
    stores: dict[str, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, errors = CommandLine(monkeypatch, capsys)("verify-store", *map(str, stores.values()))
    assert (code, errors) == (0, "")
    assert f"{stores['map']}: all 40 evaluations are as they were stored\n" in out
    assert len(out.splitlines()) == 2


def test_bytes_changed_in_the_log_are_found_wherever_they_are(stores: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "map.db"
    sound = stores["map"].read_bytes()
    with open_store(stores["map"]) as store:
        rows = [b"".join(row) for row in store.rows("SELECT numbers, outcomes, margins FROM evaluations")]
    rng = np.random.default_rng(1)
    for number in rng.integers(len(rows), size=20):
        blob = rows[number]  # one after the other, as the row itself has them
        assert sound.count(blob) == 1
        at = sound.find(blob) + int(rng.integers(len(blob)))
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 4]) + sound[at + 1 :])
        with open_store(path) as store, pytest.raises(RunError, match="is damaged"):
            check_store(store)


# ---- game by game ----------------------------------------------------------------------------------------------------


def sums_of(store: Store, numbers: range) -> list[tuple[int, int, int]]:
    """Of each evaluation the games won, those void, and the sum of all margins."""
    games = (store.games_of(number) for number in numbers)
    return [(int((won == WON).sum()), int((won == VOID).sum()), int(margin.sum())) for won, margin in games]


def total(store: Store, name: str) -> list[int]:
    """A column's total of each evaluation."""
    measured = [column.name for column in store.columns if not column.of]
    return [int(value) for value in store.history().total[:, measured.index(name)]]


def test_single_games_agree_with_what_is_known_of_all(stores: dict[str, Path]) -> None:
    with open_store(stores["map"]) as store:
        won, void, margins = zip(*sums_of(store, range(40)), strict=True)
        assert list(won) == total(store, "win_rate")
        assert list(void) == total(store, "void_games")
        assert list(margins) == total(store, "avg_health_diff")
        assert 0 < sum(won) < 480
        outcome, margin = store.games_of(7)
        assert (len(outcome), len(margin)) == (12, 12)
        assert (outcome.dtype.name, margin.dtype.name) == ("uint8", "int8")
        with pytest.raises(RunError, match="has no evaluation 40"):
            store.games_of(40)
    with open_store(stores["evolution"]) as store:
        count = store.progress().evaluations
        assert [won for won, _, _ in sums_of(store, range(count))] == total(store, "won")


def test_void_games_are_kept_as_such(tmp_path: Path) -> None:
    power = 'effect = "power(gain_armor(100), repeat(2, gain_armor(99 * armor_of(MINE))))"\ncost = 0\n'
    (tmp_path / "void.toml").write_text(f'name = "void"\n[cards."CS2_034"]\n{power}')
    settings = ["space.class=mage", f"space.edition={tmp_path / 'void.toml'}", "evaluation.pilot=random:active"]
    execute(hunters(tmp_path, *settings, "search.evaluations=30", "evaluation.games=4"), tmp_path / "void.db")
    with open_store(tmp_path / "void.db") as store:
        void = [void for _, void, _ in sums_of(store, range(30))]
        assert void == total(store, "void_games")
    assert sum(void) > 0


def test_two_runs_on_common_seeds_are_compared_game_by_game(tmp_path: Path) -> None:
    """Two searches of one seed meet the same games; what they begin with is the same, and what follows is not."""
    settings = ["search.evaluations=24", EVEN]
    initial = ["search.initial=8"]
    execute(hunters(tmp_path, *settings, *initial), tmp_path / "one.db")
    file = tmp_path / "other.toml"
    file.write_text(HUNTERS.replace("map-elites", "random-solutions").replace("initial = 30\n", ""))
    execute(read_config(file, settings=settings), tmp_path / "other.db")
    with open_store(tmp_path / "one.db") as one, open_store(tmp_path / "other.db") as other:
        same = (one.history().genes == other.history().genes).all(axis=1)
        assert same[:8].all()
        assert not same[8:].any()
        for number in range(24):
            (won, margin), (other_won, other_margin) = one.games_of(number), other.games_of(number)
            assert np.array_equal(won, other_won) or not same[number]
            assert np.array_equal(margin, other_margin) or not same[number]
            # Game by game the difference is that of the averages, and most of the chance is in neither of them.
            paired = margin.astype(int) - other_margin
            assert paired.sum() == total(one, "avg_health_diff")[number] - total(other, "avg_health_diff")[number]
        fresh = hunters(tmp_path, *settings, *initial, "evaluation.seeds=fresh")
        execute(fresh, tmp_path / "fresh.db")
        with open_store(tmp_path / "fresh.db") as alone:
            assert any(not np.array_equal(one.games_of(n)[1], alone.games_of(n)[1]) for n in range(8))


def test_games_of_a_map_of_the_other_game_are_kept_too(tmp_path: Path) -> None:
    path = tmp_path / "decks.db"
    locm.map_elites("deck", evaluations=10, games=6, resolution=3, seed=2, threads=1, path=path)
    with open_store(path) as store:
        won, void, margins = zip(*sums_of(store, range(10)), strict=True)
        assert list(won) == total(store, "win_rate")
        assert list(margins) == total(store, "avg_health_diff")
    assert not any(void)


def test_games_take_two_bits_and_a_byte_each(stores: dict[str, Path]) -> None:
    with open_store(stores["map"]) as store:
        sizes = store.rows("SELECT DISTINCT games, length(outcomes), length(margins) FROM evaluations")
    assert sizes == [(12, 3, 12)]
