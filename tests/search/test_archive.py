"""An archive holds the best of every cell, however it came to be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas.errors import SearchError
from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import GridOptions, SlidingOptions
from deckatlas.search.cells import NOWHERE
from helpers.archives import NUMBERS, check_elites, check_same, filled, individuals, options

GRID = GridOptions(measures=("turns",), resolution=(4,), ranges=((0, 4),))


@settings(max_examples=150)
@given(st.data())
def test_an_archive_is_a_function_of_its_log(data: st.DataObject) -> None:
    chosen = data.draw(options())
    log = data.draw(st.lists(individuals(len(chosen.measures)), max_size=60))
    planned = data.draw(st.integers(1, 70))
    archive = filled(chosen, log, planned=planned)
    check_elites(archive)
    rebuilt = Archive.from_log(chosen, [each[0] for each in log], [each[1] for each in log], planned=planned)
    check_same(archive, rebuilt)


@settings(max_examples=100)
@given(st.data())
def test_an_archive_can_be_seen_as_it_was_after_each_individual(data: st.DataObject) -> None:
    chosen = data.draw(options())
    log = data.draw(st.lists(individuals(len(chosen.measures)), max_size=40))
    count = 0
    for count, then in enumerate(filled(chosen, log, planned=50).replay(), start=1):
        check_same(then, filled(chosen, log[:count], planned=50))
    assert count == len(log)


def test_the_rival_of_the_last_individual_had_its_cell_before() -> None:
    archive = Archive(GRID, planned=10)
    rivals = []
    for objective, measure in [(1.0, 0.5), (2.0, 0.2), (1.5, 0.3), (9.0, 3.0), (np.nan, 3.0), (2.0, 0.1)]:
        archive.add(objective, [measure])
        rivals.append(archive.last_rival)
    assert rivals == [None, 0, 1, None, None, 1]


@settings(max_examples=150)
@given(st.data())
def test_numbers_that_change_change_the_archive_as_if_they_had_always_been_so(data: st.DataObject) -> None:
    chosen = data.draw(options())
    count = len(chosen.measures)
    log = data.draw(st.lists(individuals(count), min_size=1, max_size=40))
    archive = filled(chosen, log, planned=50)
    for _ in range(data.draw(st.integers(1, 6))):
        number = data.draw(st.integers(0, len(log) - 1))
        objective = data.draw(NUMBERS)
        measures = data.draw(st.just(log[number][1]) | st.lists(NUMBERS, min_size=count, max_size=count))
        log[number] = objective, measures
        archive.update(number, objective, measures)
        check_elites(archive)
        check_same(archive, filled(chosen, log, planned=50))
    objective, measures = data.draw(individuals(count))
    archive.add(objective, measures)
    check_same(archive, filled(chosen, [*log, (objective, measures)], planned=50))


def test_only_a_larger_objective_takes_a_cell() -> None:
    archive = Archive(GRID, planned=10)
    archive.add(1.0, [0.5])
    archive.add(1.0, [0.2])
    assert archive.elites.tolist() == [0]
    archive.add(1.5, [0.3])
    assert archive.elites.tolist() == [2]
    archive.add(-7.0, [3.0])
    assert archive.elites.tolist() == [2, 3]
    assert archive.elite_cells.tolist() == [0, 3]
    assert len(archive) == 2


@pytest.mark.parametrize(("objective", "measure"), [(np.nan, 1.0), (9.0, np.nan), (np.inf, 1.0), (9.0, -np.inf)])
def test_an_individual_without_numbers_is_kept_but_never_an_elite(objective: float, measure: float) -> None:
    archive = filled(GRID, [(1.0, [1.0])], planned=10)
    archive.add(objective, [measure])
    assert archive.told == 2
    assert archive.individual_cells[1] == NOWHERE
    assert archive.elites.tolist() == [0]
    archive.update(1, 9.0, [1.0])
    assert archive.elites.tolist() == [1]
    archive.update(1, objective, [measure])
    assert archive.elites.tolist() == [0]


def test_boundaries_are_drawn_from_individuals_with_numbers_alone() -> None:
    sliding = SlidingOptions(measures=("mana",), resolution=(2,), remap=4)
    log = [(0.0, [1.0]), (np.nan, [100.0]), (0.0, [np.nan]), (0.0, [3.0])]
    assert filled(sliding, log, planned=4).boundaries[0].tolist() == [1.0, 3.0, 3.0]


def test_an_individual_that_comes_with_a_remap_meets_those_of_its_new_cell() -> None:
    sliding = SlidingOptions(measures=("mana",), resolution=(2,), remap=4)
    archive = filled(sliding, [(5.0, [1.0]), (6.0, [2.0]), (7.0, [3.0]), (4.0, [3.5])], planned=8)
    assert archive.boundaries[0].tolist() == [1.0, 3.0, 3.5]
    assert archive.elites.tolist() == [1, 2]
    archive = filled(sliding, [(5.0, [1.0]), (6.0, [2.0]), (7.0, [3.0]), (8.0, [3.5])], planned=8)
    assert archive.elites.tolist() == [1, 3]
    archive = filled(sliding, [(5.0, [1.0]), (np.nan, [2.0]), (7.0, [1.0]), (0.0, [3.5])], planned=8)
    assert archive.elites.tolist() == [2]  # boundaries 1, 1, 3.5: all three are above the first


def test_an_elite_that_moves_away_leaves_its_cell_to_the_next_best() -> None:
    archive = filled(GRID, [(1.0, [0.5]), (3.0, [0.5]), (2.0, [0.5]), (2.0, [0.5])], planned=10)
    archive.update(1, 3.0, [2.5])
    assert archive.elites.tolist() == [2, 1]
    archive.update(1, 0.0, [0.5])
    assert archive.elites.tolist() == [2]


def test_of_equals_the_earlier_is_the_elite_though_it_came_into_the_cell_later() -> None:
    archive = filled(GRID, [(1.0, [3.5]), (2.0, [0.5]), (2.0, [1.5])], planned=10)
    archive.update(0, 2.0, [0.5])
    archive.update(2, 2.0, [0.5])
    assert archive.elites.tolist() == [0]


def test_the_same_individuals_have_another_archive_by_other_measures() -> None:
    archive = filled(GRID, [(1.0, [0.5]), (3.0, [0.5]), (2.0, [3.5])], planned=10)
    other = GridOptions(measures=("mana", "hand"), resolution=(2, 3), ranges=((0, 2), (0, 3)))
    seen = Archive.from_log(other, archive.objectives, [[0.5, 0.5], [1.5, 2.5], [1.5, 2.5]], planned=10)
    assert seen.elite_cells.tolist() == [0, 5]
    assert seen.elites.tolist() == [0, 1]
    assert archive.elites.tolist() == [1, 2]


def test_what_it_shows_cannot_be_written_to() -> None:
    archive = filled(GRID, [(1.0, [0.5])], planned=10)
    for shown in (archive.objectives, archive.measures, archive.elites, archive.elite_cells, archive.individual_cells):
        with pytest.raises(ValueError, match="read-only"):
            shown[0] = 7


def test_a_log_of_another_shape_is_refused() -> None:
    with pytest.raises(SearchError, match="has 1 measures here, not 2"):
        Archive(GRID, planned=1).add(1.0, [1.0, 2.0])
    with pytest.raises(SearchError, match="one objective and 1 measures"):
        Archive.from_log(GRID, [1.0, 2.0], [[1.0], [2.0], [3.0]], planned=1)
    with pytest.raises(SearchError, match="no individual 1: the archive has 1"):
        filled(GRID, [(1.0, [0.5])], planned=10).update(1, 1.0, [0.5])
    with pytest.raises(SearchError, match="1 planned evaluation or more, not 0"):
        Archive(GRID, planned=0)


def test_a_remap_places_individuals_beyond_the_old_bounds() -> None:
    """Measures that drift: what pyribs 0.12 clips to the bounds before the remap belongs to the cell above."""
    sliding = SlidingOptions(measures=("mana",), resolution=(2,), remap=4)
    log = [(1.0, [0.0]), (4.0, [0.1]), (2.0, [0.2]), (3.0, [0.3])]
    archive = filled(sliding, log, planned=8)
    assert archive.boundaries[0].tolist() == [0.0, 0.2, 0.3]
    assert archive.elites.tolist() == [1, 3]
    for objective, mana in ((9.0, 10.0), (7.0, 11.0), (8.0, 12.0), (6.0, 13.0)):
        archive.add(objective, [mana])
    assert archive.boundaries[0].tolist() == [0.0, 10.0, 13.0]
    assert archive.individual_cells.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert archive.elites.tolist() == [1, 4]
