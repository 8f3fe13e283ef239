"""Reading stores of format 2: their content is converted to today's tables, in memory. They cannot be resumed.

Format 2 had two kinds of stores. One had matchups (tables genomes, asks, evaluations, generations, populations), the
other maps (columns, evaluations, portions, rechecks). Single games were not kept, and averages were stored as floats;
their totals are whole numbers, which can be recovered exactly. Names of cards were not stored: those of a map come from
the game, if it still has the same cards.
"""

import sqlite3
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.documents.document import Document
from deckatlas.errors import DeckatlasError, RunError
from deckatlas.runs.config import RunConfig
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.elite_rows import EliteTable
from deckatlas.runs.encoding import GeneLayout, NumberLayout
from deckatlas.runs.hashes import file_hash
from deckatlas.runs.portion import Portion, Told, rows_of
from deckatlas.runs.read_config import config_of
from deckatlas.runs.run import Run
from deckatlas.runs.run_file import content_of, told_of
from deckatlas.runs.store import Store
from deckatlas.runs.stored_values import anything, by_name, check_facts, check_versions, stored_json
from deckatlas.runs.view import view_of
from deckatlas.runs.writer import create, insert_portion, insert_progress, insert_recheck
from deckatlas.search.batches import NONE, Batch, Stream
from deckatlas.search.evaluation import Column, Floats, Ints, Outcomes, measured
from deckatlas.search.protocol import Generation

_MATCHUPS = (Column("won", unit="games"),)
_STAND_IN = "random"
_KIND = "locm-draft"  # the kind of all runs with matchups in format 2


def migrated(path: Path, old: sqlite3.Connection) -> sqlite3.Connection:
    """The content of an older store, in a database in memory.

    Raises:
        RunError: If the store cannot be read.
    """
    with told_of(path), content_of(path):
        ((config, versions, cards, created, finished),) = old.execute(
            "SELECT config, versions, cards, created, finished FROM run"
        ).fetchall()
        values = stored_json(config, by_name(anything))
        new = sqlite3.connect(":memory:", isolation_level=None)
        if "archive" in values:
            current = {**_without(values, "solution"), "budget": None, "space": values["solution"]}
            run = _prepared_map(path, current, str(cards))
            description, columns = run.description, run.evaluator.columns
        else:
            current = _matchup_config(values)
            description, columns = _matchup_description(values, old), _MATCHUPS
        create(
            new,
            current,
            cards=str(cards),
            description=description,
            columns=columns,
            versions=stored_json(versions, check_versions),
            created=str(created),
        )
        if "archive" in values:
            _copy_map(old, new, run, current)
        else:
            _copy_matchups(old, new, description)
        new.execute("UPDATE run SET finished = ?", (finished,))
        new.execute("UPDATE commits SET made = ?", (str(created),))  # not now: old stores do not say when
        _insert_elites(Store(path, new))
    return new


def _insert_elites(store: Store) -> None:
    """Fills the table of elites, which older stores did not have."""
    view = view_of(store)
    if view.options is not None:
        rows, _ = EliteTable(view.description, {}).changes(view.archive, view.log)
        store.connection.executemany("INSERT INTO elites VALUES (?, ?, ?, ?, ?)", rows)


def _without(values: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in keys}


# Maps


def _prepared_map(path: Path, config: dict[str, Any], cards: str) -> Run:
    """The run, prepared by today's game.

    Raises:
        RunError: If the game has other cards now, or does not know this kind of run.
    """
    changed = [name for name, content in config["evaluation"]["files"].items() if not _has(Path(name), content)]
    readable = config | {"evaluation": _with_stand_ins(config["evaluation"], changed) | {"files": {}}}
    try:
        found: RunConfig = config_of(Document("the stored configuration", readable if changed else config))
        if found.cards_hash() != cards:
            raise RunError("it was made with other cards, and stores of that format have no card names")
        run = found.prepare()
        if not changed:
            return run
        title = f"{found.title}, played by agents of files that are gone or have changed"
        return replace(run, description=replace(run.description, title=title))
    except DeckatlasError as error:
        raise RunError(f"{path} was written by an older deckatlas and can no longer be read: {error}") from None


def _has(path: Path, content: str) -> bool:
    """Whether a file is still there, with the content of this hash."""
    return path.is_file() and file_hash(str(path)) == content


def _with_stand_ins(value: Any, files: list[str]) -> Any:
    """The same values with an agent that every game has in place of those made of these files: nothing is played."""
    if isinstance(value, dict):
        return {key: _with_stand_ins(each, files) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_stand_ins(each, files) for each in value]
    return _STAND_IN if isinstance(value, str) and any(file in value for file in files) else value


def _copy_map(old: sqlite3.Connection, new: sqlite3.Connection, run: Run, config: dict[str, Any]) -> None:
    rows = old.execute(
        "SELECT solution, coalesce(parent, -1), games, genes, outcome FROM evaluations ORDER BY number"
    ).fetchall()
    names = [name for (name,) in old.execute("SELECT name FROM columns ORDER BY number")]
    columns = run.evaluator.columns
    if names != [column.name for column in columns]:
        raise ValueError("its evaluations measure something else")
    layout = run.description.layout
    solution = np.array([row[0] for row in rows], dtype=np.int64)
    games = np.array([row[2] for row in rows], dtype=np.int64)
    new_rows = [row for row in rows if row[3] is not None]
    genes = np.frombuffer(b"".join(row[3] for row in new_rows), layout.dtype.newbyteorder("<"))
    is_fresh = config["evaluation"]["seeds"] == "fresh"
    first_game = np.zeros_like(games) if is_fresh else _games_before(solution, games)
    streams, course = np.unique(np.stack([first_game, games], axis=1), axis=0, return_inverse=True)
    batch = Batch(
        genes.reshape(len(new_rows), layout.length).astype(layout.dtype),
        solution.astype(np.int32)[:, np.newaxis],
        tuple(Stream(0, first, count) for first, count in streams.tolist()),
        course.ravel().astype(np.int32),
        solutions=np.arange(len(new_rows)),
        parents=np.array([row[1] for row in new_rows], dtype=np.int64),
    )
    outcomes = _outcomes(b"".join(row[4] for row in rows), games, columns)
    best = old.execute("SELECT best FROM portions WHERE best IS NOT NULL ORDER BY next DESC LIMIT 1").fetchone()
    if rows:
        portion = Portion(0, 0, [Told(batch, outcomes, b"", None, best[0] if best else None)])
        _insert(new, portion, run.description, NumberLayout(measured(columns)), run.measures_of)
    for first, count in streams.tolist():
        sample = run.evaluator.sample(first_game=first, games=count)
        new.execute("INSERT INTO samples VALUES (?, ?, ?, ?)", (first, count, sample.units, sample.freedom))
    for number, count, content in old.execute("SELECT solution, games, outcome FROM rechecks").fetchall():
        again = _outcomes(content, np.array([count]), columns)
        sample = run.evaluator.sample(first_game=0, games=count)
        insert_recheck(new, NumberLayout(measured(columns)), number, again, sample)


def _games_before(solution: Ints, games: Ints) -> Ints:
    """For each evaluation, the number of games that its solution had played before."""
    played: dict[int, int] = {}
    before = np.zeros_like(games)
    for at, (number, count) in enumerate(zip(solution.tolist(), games.tolist(), strict=True)):
        before[at] = played.get(number, 0)
        played[number] = before[at] + count
    return before


def _outcomes(content: bytes, games: Ints, columns: tuple[Column, ...]) -> Outcomes:
    """Stored averages, errors and weights as totals, which are whole numbers."""
    chosen = [place for place, column in enumerate(columns) if not column.of]
    value, error, weight = np.moveaxis(
        np.frombuffer(content, "<f8").reshape(len(games), 3, len(columns))[:, :, chosen], 1, 0
    )
    return Outcomes(games, np.round(value * weight), weight.copy(), error.copy())


# Matchups


def _matchup_config(values: dict[str, Any]) -> dict[str, Any]:
    """The configuration in today's tables."""
    genome, arena = values["genome"], values["arena"]
    space = {"kind": _KIND, "genome": genome} if genome["kind"] != "hearthstone-deck" else genome
    return {**_without(values, "genome", "arena"), "space": space, "evaluation": arena}


def _matchup_description(values: dict[str, Any], old: sqlite3.Connection) -> Description:
    """The description of the genomes: the number of genes and their meaning."""
    kind = str(values["genome"]["kind"])
    row = old.execute("SELECT genes FROM genomes LIMIT 1").fetchone()
    length = len(row[0]) // 8 if row else 0
    return Description(
        title=f"genomes ({kind}) that meet each other, played by {values['arena'].get('pilot', 'several pilots')}",
        kind=_KIND if kind != "hearthstone-deck" else kind,
        genes=tuple(Gene(f"gene {number}") for number in range(length)),
        layout=GeneLayout(length, np.dtype(np.float64)),
        participants=2,
        facts={"genome": kind},
    )


def _copy_matchups(old: sqlite3.Connection, new: sqlite3.Connection, description: Description) -> None:
    stored = old.execute("SELECT id, genes FROM genomes ORDER BY id").fetchall()
    number_of = {identity: number for number, (identity, _) in enumerate(stored)}
    genes = np.frombuffer(b"".join(content for _, content in stored), "<f8")
    genes = genes.reshape(len(stored), description.layout.length)  # games among named players alone have no genomes
    generations = {
        ask: (number, stored_json(facts, check_facts))
        for number, ask, facts in old.execute("SELECT number, ask, facts FROM generations").fetchall()
    }
    steps = []
    if None in generations:
        steps.append(Told(None, None, b"", _generation(old, *generations[None], genes, number_of), None))
    rows = old.execute("SELECT ask, first, second, games, wins FROM evaluations ORDER BY ask, row").fetchall()
    for ask, of_ask in groupby(rows, key=lambda row: row[0]):
        batch, outcomes = _matchup_batch(np.array([row[1:] for row in of_ask]), genes, number_of)
        reached = _generation(old, *generations[ask], genes, number_of) if ask in generations else None
        steps.append(Told(batch, outcomes, b"", reached, None))
    best = old.execute("SELECT score FROM populations WHERE rank = 0 ORDER BY generation DESC LIMIT 1").fetchone()
    if steps:
        last = steps[-1]
        steps[-1] = Told(last.batch, last.outcomes, b"", last.generation, best[0] if best else None)
        _insert(
            new, Portion(0, 0, steps), description, NumberLayout(_MATCHUPS), lambda genes: np.empty((len(genes), 0))
        )


def _matchup_batch(rows: npt.NDArray[np.int64], genes: Floats, number_of: dict[int, int]) -> tuple[Batch, Outcomes]:
    """The matchups of one ask; a row has first, second, games and wins."""
    players = [[number_of.get(player, player) for player in pair] for pair in rows[:, :2].tolist()]
    lengths, course = np.unique(rows[:, 2], return_inverse=True)
    batch = Batch(
        genes,
        np.array(players, dtype=np.int32),
        tuple(Stream(0, 0, length) for length in lengths.tolist()),
        course.ravel().astype(np.int32),
        solutions=np.arange(len(genes)),
        parents=np.full(len(genes), NONE),
    )
    games, won = rows[:, 2], rows[:, 3:4].astype(np.float64)
    return batch, Outcomes(games, won, games[:, np.newaxis].astype(np.float64), np.full_like(won, np.nan))


def _generation(
    old: sqlite3.Connection, number: int, facts: dict[str, Any], genes: Floats, number_of: dict[int, int]
) -> Generation:
    rows = old.execute("SELECT genome, score FROM populations WHERE generation = ? ORDER BY rank", (number,)).fetchall()
    solutions = np.array([number_of[genome] for genome, _ in rows], dtype=np.int64)
    scores = np.array([score for _, score in rows], dtype=np.float64)
    known = {name: np.nan if value is None else float(value) for name, value in facts.items()}
    return Generation(number, genes[solutions], scores, known, solutions)


def _insert(
    new: sqlite3.Connection, portion: Portion, description: Description, numbers: NumberLayout, measures_of: Any
) -> None:
    rows = rows_of(
        portion, known=0, description=description, numbers=numbers, measures_of=measures_of, keep_games=False
    )
    insert_portion(new, portion, rows, 0)
    insert_progress(new, portion, rows, 0)
