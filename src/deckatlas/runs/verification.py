"""Checks that a store is as it was written: every hash, every number, every reference."""

from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np

from deckatlas.runs.elite_rows import EliteTable
from deckatlas.runs.hashes import config_hash
from deckatlas.runs.portion import portion_hash
from deckatlas.runs.run_file import check_pages, content_of
from deckatlas.runs.store import Store
from deckatlas.runs.stored_values import stored_date
from deckatlas.runs.view import view_of
from deckatlas.runs.writer import cards_hash, commit_hash, recheck_hash
from deckatlas.search.scripts import population_hash
from deckatlas.stats.averages import Sample

_STRAYS = """
SELECT 1 FROM evaluations WHERE first >= (SELECT count(*) FROM solutions) OR second >= (SELECT count(*) FROM solutions)
UNION ALL SELECT 1 FROM elites WHERE solution >= (SELECT count(*) FROM solutions) LIMIT 1
"""


def check_store(store: Store) -> None:
    """Reads everything once and compares it with the stored hashes.

    Raises:
        RunError: If something is missing or has changed.
    """
    check_pages(store.path, store.connection)
    _ = store.run(), store.description, store.columns, store.samples()
    commits = store.rows(
        "SELECT evaluations, solutions, generations, games, hash, asked, best FROM commits ORDER BY evaluations"
    )
    generations = [row.hash for row in store.generations()]
    with content_of(store.path):
        if store.rows("PRAGMA foreign_key_check") or store.rows(_STRAYS):
            raise ValueError("solutions are missing")
        _check_samples(store)
        _check_dates(store)
        games, played = 0, [np.zeros(1, np.int64)]  # of each evaluation
        for before, after in pairwise([(0, 0, 0, 0, b""), *commits]):
            facts, numbers = store.evaluation_rows(before[0], after[0])
            parents, genes, measures = store.solution_rows(before[1], after[1])
            outcomes, margins = _games(store, before[0], after[0])
            reached = generations[before[2] : after[2]]
            notes = store.notes(before[0], after[0])
            found = portion_hash(facts, numbers, outcomes, margins, parents, genes, measures, reached, notes)
            played.append(facts[:, 4].astype(np.int64))
            games += int(played[-1].sum())
            if commit_hash(found, *after[5:]) != after[4] or games != after[3]:
                raise ValueError(f"evaluations before {after[0]} have changed")
        _check_ends(store, commits[-1] if commits else (0, 0, 0, 0, b""))
        totals = np.cumsum(np.concatenate(played))
        for number, row in enumerate(store.generations()):
            if not 0 <= row.evaluations < len(totals) or totals[row.evaluations] != row.games:
                raise ValueError(f"the numbers of generation {number} have changed")
            _check_population(store, number, row.hash)
        _check_rechecks(store)
        _check_elites(store)


def _check_samples(store: Store) -> None:
    missing = """
        SELECT 1 FROM evaluations LEFT JOIN samples USING (first_game, games)
        WHERE second IS NULL AND units IS NULL LIMIT 1
    """
    if store.rows(missing):
        raise ValueError("samples are missing")


def _check_dates(store: Store) -> None:
    """Checks that dates are in order; no hash covers the dates of commits and of the end."""
    run = store.run()
    made = [stored_date(date) for (date,) in store.rows("SELECT made FROM commits ORDER BY evaluations")]
    dates = [run.created, *made, *([] if run.finished is None else [run.finished])]
    if dates != sorted(dates):
        raise ValueError("its dates are not in order")


def _check_elites(store: Store) -> None:
    """Compares the table of elites, which is made of the log, with the archive of a finished run."""
    view = view_of(store)
    if view.options is None or view.run.finished is None:
        return
    rows, _ = EliteTable(view.description, {}).changes(view.archive, view.log)
    if sorted(store.rows("SELECT cell, solution, objective, text FROM elites")) != sorted(row[:4] for row in rows):
        raise ValueError("the table of elites differs from the archive")


def _games(store: Store, first: int, end: int) -> tuple[bytes, bytes]:
    outcomes, margins = bytearray(), bytearray()
    query = """
        SELECT coalesce(outcomes, x''), coalesce(margins, x'') FROM evaluations WHERE number >= ? AND number < ?
        ORDER BY number
    """
    for rows in store.chunks(query, first, end):
        for of_games, of_margins in rows:
            outcomes += of_games
            margins += of_margins
    return bytes(outcomes), bytes(margins)


def _check_ends(store: Store, last: Any) -> None:
    counts = store.rows(
        "SELECT (SELECT count(*) FROM evaluations), (SELECT count(*) FROM solutions), "
        "(SELECT count(*) FROM generations)"
    )
    if counts != [tuple(last[:3])]:
        raise ValueError("rows were added or removed by another program")


def _check_population(store: Store, number: int, content: bytes) -> None:
    genomes, scores = store.population(number)
    ((facts,),) = store.rows("SELECT facts FROM generations WHERE number = ?", number)
    if population_hash(number, facts, genomes, scores) != content:
        raise ValueError(f"generation {number} has changed")


def _check_rechecks(store: Store) -> None:
    query = "SELECT solution, games, units, freedom, numbers, outcomes, margins, hash FROM rechecks"
    for solution, games, units, freedom, numbers, outcomes, margins, content in store.rows(query):
        if recheck_hash(solution, games, Sample(units, freedom), numbers, outcomes, margins) != content:
            raise ValueError(f"the recheck of solution {solution} has changed")
    if not store.recheck_cards():
        return
    for solution, games, question, cards, content in store.rows("SELECT * FROM recheck_cards"):
        if cards_hash(solution, games, question, cards) != content:
            raise ValueError(f"what is stored of the cards of solution {solution} has changed")


def run_digest(store: Store, evaluations: int | None = None) -> str:
    """The digest of a run: one hash of its configuration and of its log.

    It does not depend on times, the run's name, the place of a model's file or the number of threads.

    Args:
        store: The store of the run.
        evaluations: How far the run was at the moment of interest; as far as it is now if absent.

    Raises:
        RunError: If the store is damaged.
    """
    check_store(store)
    digest = sha256(f"deckatlas run 3\n{config_hash(store.run().config)}".encode())
    commits = store.rows(
        "SELECT evaluations, solutions, generations FROM commits WHERE ?1 IS NULL OR evaluations <= ?1 "
        "ORDER BY evaluations DESC LIMIT 1",
        evaluations,
    )
    end, solutions, generations = commits[0] if commits else (0, 0, 0)
    facts, numbers = store.evaluation_rows(0, end)
    parents, genes, _ = store.solution_rows(0, solutions)
    outcomes, margins = _games(store, 0, end)
    reached = [row.hash for row in store.generations()[:generations]]
    notes = store.notes(0, end)
    digest.update(portion_hash(facts, numbers, outcomes, margins, parents, genes, b"", reached, notes))
    return digest.hexdigest()
