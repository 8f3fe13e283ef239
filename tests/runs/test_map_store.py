"""The log of a map in its store: read as it was written, however it was cut, and without several copies of it."""

import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from deckatlas.runs.map_store import MapWriter, open_map_store

from deckatlas.runs.writer import open_to_write
from deckatlas.search.evaluation import Outcome
from deckatlas.search.log import NONE, Entry, Log
from helpers.maps import Digits

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

COLUMNS = ("score", "first")
CONFIG = {
    "name": "digits",
    "seed": 1,
    "search": {"algorithm": "map-elites", "evaluations": 1},
    "evaluation": {"games": 1},
    "solution": {"kind": "digits"},
    "archive": {},
}


class ManyDigits(Digits):
    """Digits with as many genes as decks have."""

    length = 170


def told(space: Digits, count: int) -> list[Entry]:
    """Evaluations of new solutions, and every third time one of a known solution."""
    rng = np.random.default_rng(count)
    entries: list[Entry] = []
    solutions = 0
    for number in range(count):
        outcome = Outcome(int(rng.integers(1, 9)), *rng.normal(size=(3, len(COLUMNS))))
        if number % 3 == 2:
            entries.append(Entry(int(rng.integers(solutions)), NONE, None, outcome))
        else:
            genes = rng.integers(0, 10, space.length, dtype=np.int16)
            entries.append(Entry(solutions, int(rng.integers(-1, max(1, solutions))), genes, outcome))
            solutions += 1
    return entries


def stored(path: Path, entries: list[Entry], cuts: list[int]) -> Path:
    """A store to which these evaluations were added in so many portions."""
    with open_to_write(path, MapWriter) as store:
        store.begin(CONFIG, "cards", COLUMNS)
        for begin, end in pairwise([0, *cuts, len(entries)]):
            store.add(begin, entries[begin:end], best=None)
    return path


@pytest.mark.parametrize("cuts", [[], [1, 2, 999], [1000, 1001, 2000], [2500]])
def test_a_log_is_read_as_it_was_told_however_it_was_cut(tmp_path: Path, cuts: list[int]) -> None:
    entries = told(Digits(), 2503)
    with open_map_store(stored(tmp_path / "digits.db", entries, cuts)) as store:
        found = store.entries(Digits())
        content = store.log_hash()
    assert len(found) == len(entries)
    for number, entry in enumerate(entries):
        again = found.entry(number)
        assert again.solution == entry.solution
        assert (again.genes is None) == (entry.genes is None)
        assert again.outcome.games == entry.outcome.games
        for part in ("value", "error", "weight"):
            assert getattr(again.outcome, part).tolist() == getattr(entry.outcome, part).tolist()
        if entry.genes is not None and again.genes is not None:
            assert again.parent == entry.parent
            assert again.genes.tolist() == entry.genes.tolist()
    with open_map_store(stored(tmp_path / "whole.db", entries, [])) as store:
        assert store.log_hash() == content


def test_a_log_without_evaluations_is_read(tmp_path: Path) -> None:
    with open_to_write(tmp_path / "digits.db", MapWriter) as store:
        store.begin(CONFIG, "cards", COLUMNS)
        found = store.entries(Digits())
    assert len(found) == 0
    assert len(Log.from_entries(Digits(), COLUMNS, found)) == 0


def test_a_log_made_of_entries_leaves_them_as_they_are(tmp_path: Path) -> None:
    entries = [entry for entry in told(Digits(), 60) if entry.genes is not None]
    with open_map_store(stored(tmp_path / "digits.db", entries, [])) as store:
        found = store.entries(Digits())
    before = found.outcome.copy()
    log = Log.from_entries(Digits(), COLUMNS, found)
    log.add(Entry(3, NONE, None, entries[7].outcome))
    log.add(Entry(len(entries), NONE, np.array([1, 2, 3], np.int16), entries[0].outcome))
    assert np.array_equal(found.outcome, before)
    assert log.column("score", 3) != before[3, 0, 0]
    assert log.column("score", 4) == before[4, 0, 0]


def test_a_log_is_opened_without_several_copies_of_it(tmp_path: Path) -> None:
    entries = [entry for entry in told(ManyDigits(), 15_000) if entry.genes is not None]
    path = stored(tmp_path / "digits.db", entries, [])
    with open_map_store(path) as store:
        tracemalloc.start()
        log = Log.from_entries(ManyDigits(), COLUMNS, store.entries(ManyDigits()))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert len(log) == len(entries)
    assert peak < 2 * path.stat().st_size
