"""Mutated stores: single values changed inside SQLite, with the hashes that belong to them, and changed bytes."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from deckatlas.errors import DeckatlasError
from deckatlas.runs.export import TEXTS
from deckatlas.runs.hashes import names_hash, text_hash
from deckatlas.runs.library import summaries
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import check_store
from deckatlas.runs.view import open_run
from deckatlas.views.map_report import recorded_answers
from deckatlas.views.terminal import overview, run_story
from fuzz.mutations import mutated

TABLES = (
    *("run", "columns", "measures", "genes", "samples", "solutions", "evaluations", "notes", "generations"),
    *("populations", "commits", "elites", "rechecks", "recheck_cards"),
)
VALUES: tuple[object, ...] = (
    *(None, 0, 1, -1, 7, 2**31, 2**62, -(2**63), 0.5, -1e308, float("inf"), "", "x", "NaN", "1e999", "\x1b[31m"),
    *(b"", b"\x00", b"\xff" * 40, "[]", "{}", "null", '{"a":1}', "2001-01-01T00:00:00+00:00", "9" * 400),
)


def mutated_store(content: bytes, rng: random.Random, place: Path) -> bytes:
    """A store with some changes; the hashes are written again, so that they do not hide what comes after them."""
    if rng.random() < 0.3:  # damage on the disk
        changed = bytearray(content)
        for _ in range(rng.choice((1, 2, 20))):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        return bytes(changed)
    place.write_bytes(content)
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = MEMORY")
        for _ in range(rng.choice((1, 1, 2, 4))):
            with suppress(sqlite3.Error):  # such as a value that a column must have
                _change(connection, rng)
        with suppress(sqlite3.Error, UnicodeError):
            for (config,) in connection.execute("SELECT config FROM run").fetchall():
                if isinstance(config, str):
                    connection.execute("UPDATE run SET hash = ?", (text_hash(config),))
            connection.execute("UPDATE run SET names = ?", (names_hash(connection),))
    return place.read_bytes()


def _change(connection: sqlite3.Connection, rng: random.Random) -> None:
    table = rng.choice(TABLES)
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    column = rng.choice(columns)
    ((count,),) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()
    if not count:
        return
    rows = connection.execute(f"SELECT * FROM {table} LIMIT 1 OFFSET ?", (rng.randrange(count),)).fetchall()
    row = dict(zip(columns, rows[0], strict=True))
    if rng.random() < 0.05:
        connection.execute(f"DELETE FROM {table} WHERE {columns[0]} IS ?", (row[columns[0]],))
        return
    value = row[column]
    if isinstance(value, str) and rng.random() < 0.7:
        new: object = mutated(value.encode(), [value.encode()], rng).decode("utf-8", "replace")
    elif isinstance(value, bytes) and rng.random() < 0.7:
        new = mutated(value, [value], rng)
    else:
        new = rng.choice(VALUES)
    connection.execute(f"UPDATE {table} SET {column} = ? WHERE {columns[0]} IS ?", (new, row[columns[0]]))


def read_store(path: Path) -> None:
    """Everything that people do with a store: each part alone, since one may refuse what another can show."""
    summaries(path.parent)
    with suppress(DeckatlasError), open_store(path) as store:
        check_store(store)
    view = open_run(path)

    def show() -> None:
        list(overview(view, "finished"))
        list(run_story(view, colours=False))

    uses: list[Callable[[], object]] = [show, partial(recorded_answers, view)]
    uses += [partial(TEXTS[name], view) for name in ("csv", "json", "elites", "frame", "cards")]
    for use in uses:
        with suppress(DeckatlasError):
            use()
