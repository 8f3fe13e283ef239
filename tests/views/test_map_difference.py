"""One map minus another: cells in common, and what is beyond noise."""

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

import deckatlas
from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.views.map_difference import map_difference
from deckatlas.views.map_difference_figures import draw_difference
from deckatlas.views.map_filling import improvements, plane_of


def noisy_map(shift: float, seed: int, measure: str = "a") -> RunView:
    """A map of noisy numbers, all higher by `shift` in the upper half of the measure."""

    def evaluate(found: np.ndarray, rng: np.random.Generator) -> dict[str, float]:
        height = float(rng.normal(shift * (found[0] > 0.5), 0.1))
        return {measure: float(found[0]), "height": height}

    return deckatlas.map_elites(
        deckatlas.Vectors([0.0], [1.0]),
        evaluate,
        objective="height",
        measures=[measure],
        ranges=[(0, 1)],
        resolution=4,
        evaluations=60,
        games=40,
        seed=seed,
    )


def test_only_cells_that_differ_are_beyond_noise() -> None:
    one, other = noisy_map(1.0, 1), noisy_map(0.0, 2)
    found = map_difference(plane_of(one), other)
    assert [(each.cell, each.is_beyond_noise) for each in found] == [(0, False), (1, False), (2, True), (3, True)]
    for each in found:
        mine, theirs = one.log.column("height")[each.number], other.log.column("height")[each.other]
        assert each.difference.value == pytest.approx(mine - theirs)
    back = map_difference(plane_of(other), one)
    assert [each.difference.value for each in back] == pytest.approx([-each.difference.value for each in found])


def test_win_rates_differ_by_all_games_at_most() -> None:
    def won(found: np.ndarray, rng: np.random.Generator) -> dict[str, float]:
        return {"a": float(found[0]), "win_rate": float(rng.random() < found[0])}

    one, other = (
        deckatlas.map_elites(
            deckatlas.Vectors([0.0], [1.0]),
            won,
            objective="win_rate",
            measures=["a"],
            ranges=[(0, 1)],
            resolution=16,
            evaluations=60,
            games=2,
            seed=seed,
        )
        for seed in (1, 2)
    )
    found = [each.difference for each in map_difference(plane_of(one), other)]
    assert max(abs(end) for each in found for end in (each.low, each.high)) == 1


def test_maps_without_the_measures_are_refused() -> None:
    with pytest.raises(Exception, match="there is no column 'a'"):
        map_difference(plane_of(noisy_map(0.0, 1)), noisy_map(0.0, 2, measure="b"))


def test_a_run_without_a_map_has_no_plane() -> None:
    view = noisy_map(0.0, 1)
    with pytest.raises(RunError, match="more than once"):
        plane_of(view, "a", "a")


def test_an_improvement_is_better_than_all_before_it_in_its_cell() -> None:
    cells = np.array([0, 0, 1, -1, 0, 1])
    objectives = np.array([1.0, 1.0, 5.0, 9.0, 2.0, 4.0])
    assert improvements(cells, objectives).tolist() == [0, 2, 4]


def test_a_picture_of_a_difference_has_its_cells_and_needs_two_maps() -> None:
    one, other = noisy_map(1.0, 1), noisy_map(0.0, 2)
    found = map_difference(plane_of(one), other)
    figure = Figure()
    draw_difference(figure, [one, other])
    (mesh,) = (each for axes in figure.axes[:1] for each in axes.collections if isinstance(each, QuadMesh))
    drawn: list[float] = np.ma.compressed(np.ma.asarray(mesh.get_array())).tolist()
    assert sorted(drawn) == pytest.approx(sorted(each.difference.value for each in found))
    with pytest.raises(RunError, match="a difference needs two maps, not 1"):
        draw_difference(Figure(), [one])
