"""The log of a map in its store: read as it was written, however it was cut, and without several copies of it."""

import sqlite3
import tracemalloc
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.play.runner import Progress
from deckatlas.runs.description import Description, Gene, StoredSpace
from deckatlas.runs.encoding import GeneLayout, pack_outcomes, unpack_outcomes
from deckatlas.runs.portion import Told
from deckatlas.runs.run import Run
from deckatlas.runs.store import open_store
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.evaluation import Column, Outcomes
from deckatlas.search.log import Log
from deckatlas.search.map_search import MapSearch
from deckatlas.stats.averages import Sample
from helpers.maps import COLUMNS, Digits, digits_plan, history_of
from helpers.runs import digest_of
from helpers.stores import write_store

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

CONFIG = {
    "name": "digits",
    "seed": 1,
    "search": {"algorithm": "map-elites", "evaluations": 1},
    "evaluation": {"games": 1},
    "space": {"kind": "digits"},
}


class ManyDigits(Digits):
    """Digits with as many genes as decks have."""

    length = 170


class NoGames:
    """An evaluator whose outcomes are given."""

    columns: tuple[Column, ...] = COLUMNS

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        raise AssertionError("nothing is to be evaluated")

    def sample(self, *, first_game: int, games: int) -> Sample:
        return Sample(games, games - 1)


def run_of(space: Digits) -> Run:
    """A run of which nothing but its store is of use."""
    genes = tuple(Gene(f"digit {number}") for number in range(space.length))
    description = Description("digits", "digits", genes, GeneLayout(space.length, space.dtype), space.columns)
    return Run(CONFIG, "cards", space, NoGames(), lambda: MapSearch(digits_plan()), description)


def told(space: Digits, count: int, *, again: bool = True) -> list[Told]:
    """Evaluations of new solutions, and every third time one of a known solution."""
    rng = np.random.default_rng(count)
    nobody = np.zeros((1, 1), np.int32)
    known: list[np.ndarray] = []
    steps: list[Told] = []
    for number in range(count):
        parent = -1
        if again and number % 3 == 2:
            solution = int(rng.integers(len(known)))
        else:
            solution, parent = len(known), int(rng.integers(-1, max(1, len(known))))
            known.append(rng.integers(0, 10, space.length, dtype=np.int16))
        games = int(rng.integers(1, 9))
        batch = Batch(
            known[solution][np.newaxis],
            nobody,
            (Stream(1, int(rng.integers(9)), games),),
            nobody[0],
            np.array([solution]),
            np.array([parent]),
        )
        weight = np.array([[games, rng.integers(1, 50)]], dtype=np.float64)
        outcomes = Outcomes(np.array([games]), rng.normal(size=(1, 2)), weight, rng.normal(size=(1, 2)))
        steps.append(Told(batch, outcomes, b"", None, None))
    return steps


def batches(steps: list[Told]) -> list[tuple[Batch, Outcomes]]:
    return [(step.batch, step.outcomes) for step in steps if step.batch is not None and step.outcomes is not None]


@pytest.mark.parametrize("cuts", [[], [1, 2, 999], [1000, 1001, 2000], [2500]])
def test_a_log_is_read_as_it_was_told_however_it_was_cut(tmp_path: Path, cuts: list[int]) -> None:
    run, steps = run_of(Digits()), told(Digits(), 2503)
    path = write_store(tmp_path / "digits.db", run, steps, cuts=cuts)
    with open_store(path) as store:
        found, measures = store.history_and_measures()
    expected = history_of(batches(steps))
    assert found.batches == expected.batches
    for name in ("genes", "parents", "participants", "first_game", "games", "total", "weight", "error"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    assert np.array_equal(measures[:, 0], expected.genes.sum(axis=1))
    assert digest_of(write_store(tmp_path / "whole.db", run, steps)) == digest_of(path)


def test_a_log_without_evaluations_is_read(tmp_path: Path) -> None:
    path = write_store(tmp_path / "digits.db", run_of(Digits()), told(Digits(), 1)[:0], cuts=[])
    with open_store(path) as store:
        found = store.history()
    assert len(found) == 0
    assert len(Log.from_history(Digits(), COLUMNS, found, Digits().measures(found.genes))) == 0


def test_a_log_made_of_a_history_leaves_it_as_it_is(tmp_path: Path) -> None:
    steps = told(Digits(), 60, again=False)
    with open_store(write_store(tmp_path / "digits.db", run_of(Digits()), steps)) as store:
        found = store.history()
    before = {name: getattr(found, name).copy() for name in ("total", "weight", "error", "games")}
    log = Log.from_history(Digits(), COLUMNS, found, Digits().measures(found.genes))
    value = log.column("score").copy()
    (_, outcomes), (_, others) = batches(steps)[7], batches(steps)[0]
    log.add(3, -1, found.genes[3], 5, (outcomes.total[0], outcomes.weight[0], outcomes.error[0]), own=None)
    new, other = np.array([1, 2, 3], np.int16), (others.total[0], others.weight[0], others.error[0])
    log.add(60, -1, new, 5, other, own=Digits().measures(new[np.newaxis])[0])
    assert all(np.array_equal(getattr(found, name), kept) for name, kept in before.items())
    assert log.column("score", 3) != value[3]
    assert log.column("score", 4) == value[4]


def test_a_log_is_opened_without_several_copies_of_it(tmp_path: Path) -> None:
    run, steps = run_of(ManyDigits()), told(ManyDigits(), 10_000, again=False)
    path = write_store(tmp_path / "digits.db", run, steps)
    with open_store(path) as store:
        space = StoredSpace(replace(run.description))
        tracemalloc.start()
        try:
            history, own = store.history_and_measures()
            log = Log.from_history(space, COLUMNS, history, own)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert len(log) == len(steps)
    assert peak < 2 * path.stat().st_size


@pytest.mark.parametrize("table", ["evaluations", "solutions"])
@pytest.mark.parametrize("moved_to", ["-1", "(SELECT max(number) + 1 FROM {table})"], ids=["before", "after"])
def test_a_log_with_a_missing_row_is_damaged_even_if_the_count_is_right(
    tmp_path: Path, table: str, moved_to: str
) -> None:
    path = write_store(tmp_path / "map.db", run_of(Digits()), told(Digits(), 30))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE {table} SET number = {moved_to.format(table=table)} WHERE number = 7")
    with open_store(path) as store, pytest.raises(RunError, match="is damaged"):
        store.history()


@pytest.mark.parametrize("games", [[0], [1, 2, 3, 4, 5], [7, 0, 0, 8, 1], [400, 3]])
def test_outcomes_of_games_are_packed_for_each_evaluation_on_its_own(games: list[int]) -> None:
    outcome = np.random.default_rng(1).integers(0, 4, sum(games), dtype=np.uint8)
    packed = pack_outcomes(outcome, np.array(games))
    assert [len(content) for content in packed] == [-(-count // 4) for count in games]
    unpacked = [unpack_outcomes(content, count) for content, count in zip(packed, games, strict=True)]
    np.testing.assert_array_equal(np.concatenate(unpacked), outcome)


def test_packing_outcomes_takes_a_few_bytes_per_game() -> None:
    games = 1_000_000
    outcome = np.ones(games, np.uint8)
    tracemalloc.start()
    try:
        pack_outcomes(outcome, np.array([games]))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4 * games
