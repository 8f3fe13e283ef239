"""Maps as tables of cells: what is drawn, and in which colours."""

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import GridOptions, SlidingOptions
from deckatlas.views.map_grid import NOBODY, grids
from deckatlas.views.scale import STOPS, Scale
from helpers.map_views import MEASURES, small_map

# Individuals by three measures from 0 to 1, and their objectives.
RNG = np.random.default_rng(7)
CUBE = RNG.random((200, 3))
OBJECTIVES = RNG.random(200)


def cube(measures: int) -> Archive:
    names = ("a", "b", "c")[:measures]
    options = GridOptions(measures=names, resolution=(4,) * measures, ranges=((0.0, 1.0),) * measures)
    return Archive.from_log(options, OBJECTIVES, CUBE[:, :measures], planned=200)


def test_every_elite_is_in_the_rectangle_of_its_measures() -> None:
    view = small_map()
    (grid,) = grids(view.archive, view.measures)
    assert (grid.x.name, grid.y.name) == MEASURES
    shown = np.argwhere(grid.elites != NOBODY)
    assert len(shown) == len(view.archive)
    for column, row in shown:
        elite = int(grid.elites[column, row])
        x, y = view.archive.measures[elite]
        assert grid.x.edges[column] <= x <= grid.x.edges[column + 1]
        assert grid.y.edges[row] <= y <= grid.y.edges[row + 1]
        assert grid.objectives[column, row] == view.archive.objectives[elite]
    assert np.isnan(grid.objectives[grid.elites == NOBODY]).all()


def test_three_measures_are_drawn_by_pairs_each_with_the_best_of_the_cells_behind() -> None:
    found = grids(cube(3), ("a", "b", "c"))
    assert [(grid.x.name, grid.y.name) for grid in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    for grid, (x, y) in zip(found, [(0, 1), (0, 2), (1, 2)], strict=True):
        for column in range(4):
            for row in range(4):
                here = (np.floor(4 * CUBE[:, x]) == column) & (np.floor(4 * CUBE[:, y]) == row)
                assert grid.objectives[column, row] == OBJECTIVES[here].max()


def test_one_measure_is_a_strip() -> None:
    (grid,) = grids(cube(1), ("a",))
    assert grid.objectives.shape == (4, 1)
    assert grid.y.name == ""
    assert grid.objectives.max() == OBJECTIVES.max()


def test_cells_without_room_between_their_boundaries_are_out_of_reach() -> None:
    options = SlidingOptions(measures=("a",), resolution=(4,), remap=1)
    archive = Archive.from_log(options, [1.0, 2.0, 3.0, 4.0], [[1.0], [1.0], [1.0], [5.0]], planned=4)
    # The quantiles are 1, 1, 1, 5, 5: whatever is below 1 is in the first cell, the next two hold nothing.
    (grid,) = grids(archive, ("a",))
    assert grid.x.reachable.tolist() == [True, False, True, True]
    assert archive.cells.reachable == grid.x.reachable.sum()


def test_the_ends_reach_to_the_outermost_individual() -> None:
    options = GridOptions(measures=("a",), resolution=(2,), ranges=((0.0, 1.0),))
    archive = Archive.from_log(options, [1.0, 2.0], [[-3.0], [7.0]], planned=2)
    assert grids(archive, ("a",))[0].x.edges.tolist() == [-3.0, 0.5, 7.0]


def test_a_map_without_elites_is_not_drawn() -> None:
    options = GridOptions(measures=("a",), resolution=(2,), ranges=((0.0, 1.0),))
    with pytest.raises(RunError, match="no elite yet"):
        grids(Archive(options, planned=1), ("a",))


def luminance(colour: tuple[int, int, int]) -> float:
    """How light a colour is to the eye (sRGB, linearised)."""
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_higher_numbers_are_lighter_so_that_order_is_kept_without_colour() -> None:
    scale = Scale(-3.0, 5.0)
    lights = [luminance(scale.colour(value)) for value in np.linspace(-3, 5, 100)]
    assert (np.diff(lights) > 0).all()
    assert lights[-1] > 10 * lights[0]


def test_the_ends_of_a_scale_have_the_first_and_the_last_colour() -> None:
    scale = Scale.over([2.0, float("nan"), 6.0, float("inf")])
    assert scale == Scale(2.0, 6.0)
    assert (scale.hex(2.0), scale.hex(6.0)) == (STOPS[0], STOPS[-1])
    assert (scale.hex(-1.0), scale.hex(9.0)) == (STOPS[0], STOPS[-1])


def test_equal_numbers_and_none_have_a_scale_too() -> None:
    assert Scale.over([4.0, 4.0]).low == 4.0
    assert Scale.over([4.0, 4.0]).hex(4.0) == STOPS[0]
    assert Scale.over([]).hex(0.5) == STOPS[4]
