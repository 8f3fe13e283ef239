"""Measures become cells as stated: even cells, quantiles, growth in equal parts, and the published rules."""

from collections import Counter

import numpy as np
import pytest

from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import SlidingOptions
from deckatlas.search.cells import Cells, EvenGrowth, GridBinning, PublishedGrowth, SlidingBinning
from deckatlas.search.evaluation import Floats


def grid(*ranges: tuple[float, float], shape: tuple[int, ...], published: bool = False) -> Cells:
    return GridBinning(ranges, EvenGrowth(shape, shape, 1), published).cells(0, np.empty((0, len(shape))))


def sliding(values: Floats, count: int, *, published: bool = False) -> Cells:
    growth = EvenGrowth((count,), (count,), 1)
    return SlidingBinning(growth, 100, None, published).cells(len(values), values[:, np.newaxis])


def test_even_cells_share_a_range_and_take_what_is_outside() -> None:
    cells = grid((0, 1), (10, 30), shape=(10, 2))
    assert [cells.number([value, 10]) // 2 for value in (-5, 0, 0.1, 0.3, 0.7, 0.999, 1, 9)] == [0, 0, 1, 3, 7, 9, 9, 9]
    assert [cells.number([0, value]) for value in (-1, 19.9, 20, 30, 31)] == [0, 0, 1, 1, 1]
    assert cells.number([0.55, 25]) == 5 * 2 + 1
    assert cells.count == cells.reachable == 20
    assert cells.indices(np.array([0, 11, 19])).tolist() == [[0, 0], [5, 1], [9, 1]]


def test_the_published_grid_leaves_cells_out_of_reach() -> None:
    cells = grid((5, 15), (1, 7), shape=(40, 40), published=True)
    turns, hands = np.linspace(4, 16, 40_001), np.linspace(0, 8, 40_001)
    rows = np.stack([turns, np.full_like(turns, 1)], axis=1)
    columns = np.stack([np.full_like(hands, 5), hands], axis=1)
    assert np.unique(cells.numbers(rows) // 40).tolist() == [*range(37), 39]
    assert np.unique(cells.numbers(columns)).tolist() == [*range(35), 39]
    assert cells.reachable == 38 * 36 == 1368
    assert cells.count == 1600


@pytest.mark.parametrize(
    ("turns", "index"),
    # 40 (f - 5) / 11: nothing to clip up to 36.36; all of 15 and above is the last
    [(4, 0), (5, 0), (5.27, 0), (5.28, 1), (10, 18), (10.5, 20), (14.9, 36), (14.999, 36), (15, 39), (20, 39)],
)
def test_the_published_grid_divides_by_one_more_than_the_range(turns: float, index: int) -> None:
    assert grid((5, 15), shape=(40,), published=True).number([turns]) == index


def test_boundaries_lie_where_each_part_of_equal_size_begins() -> None:
    cells = sliding(np.array([9.0, 1, 8, 2, 7, 3, 6, 4, 5]), 3)
    assert cells.boundaries[0].tolist() == [1, 4, 7, 9]
    assert [cells.number([value]) for value in (0, 1, 3.9, 4, 6.9, 7, 9, 10)] == [0, 0, 0, 1, 1, 2, 2, 2]


def test_distinct_individuals_fill_cells_evenly() -> None:
    values = np.random.default_rng(1).permutation(np.arange(1000.0))
    cells = sliding(values, 20)
    assert set(Counter(cells.numbers(values[:, np.newaxis]).tolist()).values()) == {50}


def test_the_published_scan_gives_a_boundary_to_the_cell_below() -> None:
    cells = sliding(np.array([9.0, 1, 8, 2, 7, 3, 6, 4, 5]), 3, published=True)
    # boundaries 1, 4, 7: as many as are strictly below, less one, but never less than none
    assert [cells.number([value]) for value in (0, 1, 1.5, 4, 4.5, 7, 7.5, 9, 10)] == [0, 0, 0, 0, 1, 1, 2, 2, 2]


def test_each_number_of_cells_holds_for_an_equal_part_of_the_run() -> None:
    growth = EvenGrowth((2, 2), (20, 20), 9_500)
    assert Counter(growth.shape(told) for told in range(1, 9_501)) == {(n, n): 500 for n in range(2, 21)}
    assert growth.shape(0) == (2, 2)
    assert growth.shape(20_000) == (20, 20)
    parts = Counter(EvenGrowth((2,), (20,), 10_000).shape(told) for told in range(1, 10_001))
    assert set(parts.values()) == {526, 527}


def test_measures_grow_each_at_its_own_pace() -> None:
    growth = EvenGrowth((1, 5, 7), (4, 6, 7), 8)
    assert [growth.shape(told) for told in range(1, 9)] == [
        (1, 5, 7),
        (1, 5, 7),
        (2, 5, 7),
        (2, 5, 7),
        (3, 6, 7),
        (3, 6, 7),
        (4, 6, 7),
        (4, 6, 7),
    ]


def test_the_last_resolution_is_reached_even_by_a_run_shorter_than_the_steps() -> None:
    assert EvenGrowth((2,), (20,), 3).shape(3) == (20,)


def test_published_growth_ends_with_the_last_evaluation() -> None:
    growth = PublishedGrowth((2,), (20,), 10_000)
    assert growth.shape(1) == (2,)
    assert growth.shape(555) == (2,)
    assert growth.shape(556) == (3,)
    assert growth.shape(9_999) == (19,)
    assert growth.shape(10_000) == (20,)


def test_the_published_run_reaches_20_times_20_cells_with_its_last_evaluation_and_ours_before() -> None:
    rng = np.random.default_rng(3)
    objectives, measures = rng.normal(size=10_000), rng.normal(size=(10_000, 2))
    for binning, before in (("published", (19, 19)), ("quantiles", (20, 20))):
        options = SlidingOptions.model_validate(
            {"measures": ["a", "b"], "resolution": [20, 20], "grow_from": [2, 2], "binning": binning}
        )
        short = Archive.from_log(options, objectives[:-1], measures[:-1], planned=10_000)
        whole = Archive.from_log(options, objectives, measures, planned=10_000)
        assert (short.cells.shape, whole.cells.shape) == (before, (20, 20))


def test_the_last_published_cells_are_the_quantiles_of_all_planned_individuals() -> None:
    values = np.random.default_rng(4).normal(size=950)
    binning = SlidingBinning(PublishedGrowth((2,), (20,), 950), 100, None, published=True)
    (last,) = binning.cells(950, values[:, np.newaxis]).boundaries
    assert binning.made_at(950) == 950  # even if no remap was due
    assert last.tolist() == sliding(values, 20, published=True).boundaries[0].tolist()


def made(binning: SlidingBinning, told: int) -> list[int]:
    """With which individuals, of so many, the cells were made anew."""
    return sorted({binning.made_at(each) for each in range(1, told + 1)})


def test_published_remaps_come_with_individuals_1_101_201() -> None:
    binning = SlidingBinning(PublishedGrowth((2,), (20,), 1_000), 100, None, published=True)
    assert made(binning, 1_000) == [*range(1, 1_000, 100), 1_000]  # and with the last of all
    assert [len(binning.cells(told, np.zeros((1, 1))).boundaries[0]) - 1 for told in (1, 101, 901)] == [2, 3, 18]


def test_remaps_come_after_every_100_individuals_with_growth_and_while_the_first_double() -> None:
    binning = SlidingBinning(EvenGrowth((2,), (4,), 750), 100)
    assert made(binning, 750) == [1, 2, 4, 8, 16, 32, 64, 100, 200, 251, 300, 400, 500, 501, 600, 700]


def test_a_remap_looks_back_as_far_as_its_history() -> None:
    options = SlidingOptions(measures=("a",), resolution=(2,), remap=4, history=3)
    archive = Archive.from_log(options, np.zeros(9), np.arange(9.0)[:, np.newaxis], planned=9)
    assert archive.boundaries[0].tolist() == [5, 6, 7]  # of 5, 6 and 7, the last three of the first eight
