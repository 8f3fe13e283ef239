"""Pictures of maps: what is drawn of which numbers, and into which files."""

import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from deckatlas.errors import RunError
from deckatlas.games.hearthstone.evaluator import HearthstoneDecks
from deckatlas.games.locm.evaluator import LocmDecks
from deckatlas.views.map_curves import GrowthCurve, band_of, curve_of, trials
from deckatlas.views.map_density import evaluated_density, exact_density
from deckatlas.views.map_figures import draw_map, draw_rechecked, scatter_elites
from deckatlas.views.map_pictures import PICTURES, map_picture, plot_map
from deckatlas.views.scale import Scale
from helpers.map_views import small_map

BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.parametrize("what", PICTURES)
def test_every_picture_can_be_drawn(what: str, tmp_path: Path) -> None:
    plot_map(small_map(), tmp_path / "picture.svg", what=what)
    assert (tmp_path / "picture.svg").read_bytes().startswith(BEGINNINGS[".svg"])


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_ending_says_what_kind_of_file_it_is(ending: str) -> None:
    assert map_picture([small_map()], "elites", ending).startswith(BEGINNINGS[ending])


def test_a_picture_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    view = small_map()
    with pytest.raises(RunError, match="no picture 'curve': did you mean 'curves'"):
        map_picture([view], "curve", ".png")
    with pytest.raises(RunError, match=r"ends in \.png, \.svg or \.pdf, not '\.gif'"):
        map_picture([view], "map", ".gif")
    with pytest.raises(RunError, match="only be drawn together as curves"):
        map_picture([view, view], "map", ".png")
    with pytest.raises(RunError, match="cannot write"):
        plot_map(view, tmp_path / "missing" / "map.png")
    with pytest.raises(RunError, match="not played again"):
        map_picture([small_map(recheck=None)], "recheck", ".png")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(RunError, match="figures need matplotlib"):
        map_picture([view], "map", ".png")


def test_the_drawn_map_has_the_boundaries_and_objectives_of_the_archive() -> None:
    view = small_map()
    for equal in (False, True):
        figure = Figure()
        draw_map(figure, view, equal=equal)
        (mesh,) = figure.axes[0].collections
        array = mesh.get_array()
        assert array is not None
        drawn = np.ma.filled(array, np.nan).ravel()
        assert sorted(drawn[~np.isnan(drawn)]) == sorted(view.archive.objectives[view.archive.elites])
        corners = mesh.get_coordinates()  # type: ignore[attr-defined]
        inner = corners[0, 1:-1, 0], corners[1:-1, 0, 1]
        for number, edges in enumerate(inner):
            expected = np.arange(1, len(edges) + 1) if equal else view.archive.boundaries[number][1:-1]
            assert edges.tolist() == expected.tolist()


def test_elites_are_drawn_where_their_measures_are() -> None:
    view = small_map()
    axes = Figure().subplots()
    scatter_elites(axes, view, Scale(0, 1))
    drawn = {tuple(point) for point in np.asarray(axes.collections[0].get_offsets()).tolist()}
    assert drawn == {tuple(point) for point in view.archive.measures[view.archive.elites].tolist()}


def test_a_recheck_is_drawn_with_what_was_before_against_fresh_games() -> None:
    view = small_map()
    axes = Figure().subplots()
    draw_rechecked(axes, view)
    numbers = view.archive.elites.tolist()
    expected = np.stack([view.archive.objectives[numbers], view.rechecked(numbers)[0]], axis=1)
    drawn = [np.asarray(each.get_offsets()) for each in axes.collections]
    assert any(np.array_equal(points, expected) for points in drawn)
    line = axes.lines[0] if axes.lines[0].get_linestyle() == "--" else axes.lines[1]
    assert np.array_equal(line.get_xdata(), line.get_ydata())


def test_a_curve_ends_with_the_map_in_numbers() -> None:
    view = small_map()
    curve, now = curve_of(view, 7), view.statistics
    assert curve.evaluated[-1] == len(view.log) == 60
    assert len(curve.evaluated) == 7
    last = {name: values[-1] for name, values in curve.numbers.items()}
    assert (last["best"], last["mean"]) == (now.best, now.mean)
    assert (last["elites"], last["cells"], last["coverage"]) == (now.elites, now.cells, now.coverage)
    assert last["qd_score"] == now.qd_score
    rates = view.log.column("win_rate")[view.archive.elites]
    assert (last["best_win_rate"], last["mean_win_rate"]) == (rates.max(), rates.mean())


def test_a_band_is_the_mean_of_trials_with_students_interval() -> None:
    evaluated = np.array([10.0, 20.0])
    curves = [GrowthCurve(evaluated, {"best": np.array([start, start + 1])}) for start in (1.0, 2.0, 6.0)]
    band = band_of(curves, "best")
    assert band.value.tolist() == [3.0, 4.0]
    # Of 1, 2 and 6: a variance of 7, hence an error of sqrt(7 / 3), and 4.303 of those at two degrees of freedom.
    assert band.high[0] - band.value[0] == pytest.approx(4.302653 * np.sqrt(7 / 3))
    assert band.value[1] - band.low[1] == pytest.approx(4.302653 * np.sqrt(7 / 3))


def test_a_band_ends_with_the_shortest_trial() -> None:
    long = GrowthCurve(np.array([10.0, 20.0, 40.0]), {"best": np.array([1.0, 2.0, 4.0])})
    short = GrowthCurve(np.array([10.0, 30.0]), {"best": np.array([1.0, 5.0])})
    band = band_of([long, short], "best")
    assert band.evaluated.tolist() == [10.0, 30.0]
    assert band.value.tolist() == [1.0, (3.0 + 5.0) / 2]


def test_one_trial_has_a_line_without_a_band() -> None:
    curve = GrowthCurve(np.array([10.0]), {"best": np.array([2.0])})
    band = band_of([curve], "best")
    assert (band.low.tolist(), band.high.tolist()) == ([2.0], [2.0])


def test_maps_that_differ_in_their_seeds_alone_are_trials_of_one() -> None:
    first, second = small_map(seed=1), small_map(seed=2, recheck=None)
    other = first.by(("num_turns",))
    found = trials([first, other, second])
    assert {name: [*map(id, group)] for name, group in found.items()} == {
        "hunter": [id(first), id(second)],
        "hunter (2)": [id(other)],
    }


def test_the_density_of_all_legal_decks_is_exact() -> None:
    space = HearthstoneDecks("hunter", pool_name="evosabber")
    found = exact_density(space, ["deck_mana_mean", "deck_mana_variance"])
    assert found is not None
    assert found.share.sum() == pytest.approx(1)
    # Random decks are drawn by copies and not evenly from all decks, so only about the same.
    decks = np.stack([space.random(np.random.default_rng(seed)) for seed in range(400)])
    columns = [space.columns.index(name) for name in ("deck_mana_mean", "deck_mana_variance")]
    drawn = space.measures(decks)[:, columns].mean(axis=0)
    assert found.share @ found.points == pytest.approx(drawn, rel=0.1)


def test_other_measures_than_of_mana_have_no_exact_density() -> None:
    assert exact_density(LocmDecks(), ["deck_mana_sum", "num_guard_cards"]) is None
    assert exact_density(small_map().log.space, ["deck_mana_sum", "num_turns"]) is None


def test_what_was_evaluated_is_all_of_the_density() -> None:
    found = evaluated_density(small_map())
    assert len(found.points) == 60
    assert found.share.sum() == pytest.approx(1)
