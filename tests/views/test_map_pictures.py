"""Pictures of maps: what is drawn of which numbers, and into which files."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from deckatlas.errors import RunError
from deckatlas.games.deck_listing import mana_curve
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.games.locm.spaces import LocmDecks
from deckatlas.runs.loop import execute
from deckatlas.runs.view import RunView, open_run
from deckatlas.views.map_colours import OBJECTIVE
from deckatlas.views.map_curves import GrowthCurve, band_of, curve_bounds, curve_of, trials
from deckatlas.views.map_density import evaluated_density, exact_density
from deckatlas.views.map_figures import draw_map, draw_rechecked, scatter_elites
from deckatlas.views.map_grid import grids
from deckatlas.views.map_pictures import PICTURES, Choices, map_picture, plot_map
from deckatlas.views.scale import Scale
from helpers.map_views import small_map
from helpers.maps import hunters
from helpers.surrogates import surrogate_map

BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


OF_SURROGATES = ("predictions", "rounds")
OF_TWO = ("comparison", "difference")


def drawn_map(what: str) -> RunView:
    """A map that has this picture."""
    return surrogate_map() if what in OF_SURROGATES else small_map()


@pytest.mark.parametrize("what", PICTURES)
def test_every_picture_can_be_drawn(what: str, tmp_path: Path) -> None:
    view = stored(tmp_path, 1) if what == "comparison" else drawn_map(what)
    plot_map([view, view] if what in OF_TWO else view, tmp_path / "picture.svg", what=what)
    assert (tmp_path / "picture.svg").read_bytes().startswith(BEGINNINGS[".svg"])


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_ending_says_what_kind_of_file_it_is(ending: str) -> None:
    assert map_picture([small_map()], "elites", ending).startswith(BEGINNINGS[ending])


def texts_of(picture: bytes) -> list[str]:
    """The lines of text in an SVG file, which matplotlib draws as shapes with the text beside them."""
    return re.findall(r"<!-- (.*?) -->", picture.decode())


@pytest.mark.parametrize("what", [what for what in PICTURES if what not in ("curves", *OF_TWO)])
def test_several_maps_are_drawn_side_by_side_each_with_its_name(what: str) -> None:
    first = drawn_map(what)
    second = replace(first, run=replace(first.run, config={**first.config, "name": "another"}))
    texts = texts_of(map_picture([first, second], what, ".svg"))
    assert sum(text.startswith(f"{first.name}: ") for text in texts) == 1
    assert sum(text.startswith("another: ") for text in texts) == 1


def test_maps_side_by_side_have_the_colours_of_one_scale() -> None:
    views = [small_map(seed=1), small_map(seed=2, recheck=None)]
    figure = Figure(layout="constrained")
    PICTURES["map"](figure, views)
    drawn = [mesh for axes in figure.axes for mesh in axes.collections if isinstance(mesh, QuadMesh)]
    meshes = [mesh for mesh in drawn if len(np.asarray(mesh.get_coordinates())) == 5]  # and not those of colour bars
    objectives = np.concatenate([view.archive.objectives[view.archive.elites] for view in views])
    assert [mesh.get_clim() for mesh in meshes] == [(objectives.min(), objectives.max())] * 2


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("map", {"60 evaluations, 360 games", "sum of mana costs (mana)", "turns (per game)"}),
        ("elites", {"60 evaluations, 360 games", "sum of mana costs (mana)", "health difference (health points)"}),
        ("curves", {"evaluations", "health difference (health points)", "win rate (share of games)"}),
        ("recheck", {"health difference (health points) on fresh games"}),
    ],
)
def test_a_picture_says_its_units_and_what_it_rests_on(what: str, expected: set[str]) -> None:
    assert expected <= {*texts_of(map_picture([small_map()], what, ".svg"))}


def test_curves_say_how_many_trials_there_are_and_what_the_band_is() -> None:
    one = texts_of(map_picture([small_map()], "curves", ".svg"))
    assert "hunter: 60 evaluations" in one
    assert not any("band" in text for text in one)
    few = texts_of(map_picture([small_map(seed=1), small_map(seed=2, recheck=None)], "curves", ".svg"))
    assert {"hunter: mean of 2 trials, 60 evaluations", "band: lowest to highest trial"} <= {*few}
    many = texts_of(map_picture([small_map()] * 5, "curves", ".svg"))
    assert "band: 95 % interval of the mean over trials" in many


def colours_of(view: RunView, colour: str, *, at: int | None = None) -> list[float]:
    """The numbers that the colours of a map show, those of its elites alone."""
    figure = Figure(layout="constrained")
    draw_map(figure, view, shown=colour, at=at)
    mesh = next(mesh for mesh in figure.axes[0].collections if isinstance(mesh, QuadMesh))
    shown = np.ma.filled(np.ma.asarray(mesh.get_array(), np.float64), np.nan)
    return sorted(shown[np.isfinite(shown)].tolist())


def test_colours_show_what_is_asked_for() -> None:
    view = small_map()
    elites = view.elites()
    card = max(view.description.genes, key=lambda gene: sum(gene.name in deck for deck in decks_of(view)))
    assert colours_of(view, "games") == sorted(each.games for each in elites)
    assert colours_of(view, "win_rate") == sorted(view.log.column("win_rate")[view.archive.elites])
    assert colours_of(view, "age") == sorted(view.log.first_evaluations[view.archive.elites] + 1)
    copies = sorted(deck.get(card.name, 0) for deck in decks_of(view))
    assert copies[-1] > 0
    assert colours_of(view, card.name) == colours_of(view, card.id) == copies
    assert f"copies of {card.name}" in texts_of(map_picture([view], "cells", ".svg", Choices(colour=card.id)))


def test_a_map_of_an_earlier_moment_has_its_elites_in_the_final_cells() -> None:
    view = small_map()
    half = view.log.evaluations // 2
    best: dict[int, float] = {}
    for number, cell in enumerate(view.archive.individual_cells.tolist()):
        if cell >= 0 and view.log.first_evaluations[number] < half:
            best[cell] = max(best.get(cell, -np.inf), float(view.log.column(view.objective)[number]))
    assert 0 < len(best) < len(view.archive)
    assert colours_of(view, OBJECTIVE, at=half) == sorted(best.values())
    assert colours_of(view, OBJECTIVE, at=view.log.evaluations) == colours_of(view, OBJECTIVE)
    texts = texts_of(map_picture([view], "cells", ".svg", Choices(at=half)))
    assert f"{view.name}: {len(best)} elites in {view.statistics.cells} cells" in texts
    later = texts_of(map_picture([view], "cells", ".svg", Choices(at=view.log.evaluations + 1)))
    assert not any(text.startswith("after") for text in later)
    assert any(text.startswith(f"after {half} of {view.log.evaluations} evaluations") for text in texts)


@pytest.mark.parametrize("equal", [True, False])
def test_the_cells_that_play_a_card_are_outlined(equal: bool) -> None:
    view = small_map()
    decks = decks_of(view)
    cards = [gene.name for gene in view.description.genes]
    card = max(cards, key=lambda name: (0 < sum(name in deck for deck in decks) < len(decks), name))
    figure = Figure(layout="constrained")
    draw_map(figure, view, equal=equal, card=card)
    (grid,) = grids(view.archive, view.measures)
    x, y = (axis.places(equal=equal) for axis in (grid.x, grid.y))
    places = [elite.cell for elite, deck in zip(view.elites(), decks, strict=True) if card in deck]
    outlines = [each for each in figure.axes[0].patches if isinstance(each, Rectangle) and not each.get_fill()]
    assert sorted(each.get_xy() for each in outlines) == sorted((x[column], y[row]) for column, row in places)
    for each in outlines:
        assert each.get_x() + each.get_width() in x


def decks_of(view: RunView) -> list[dict[str, int]]:
    """The copies of each card of all elites, by name."""
    return [{line.name: line.copies for line in view.deck_list(elite)} for elite in view.elites()]


def test_a_difference_says_that_it_is_one() -> None:
    view = small_map()
    texts = texts_of(map_picture([view, view], "difference", ".svg"))
    assert {"difference in health difference (health points)", "both values in the search"} <= {*texts}
    assert "in the search" not in texts


def test_a_deck_is_drawn_as_its_mana_curve() -> None:
    view = small_map()
    best = view.best()
    assert best is not None
    costs = [line.cost for line in view.deck_list(best) for _ in range(line.copies)]
    expected = [sum(cost == each for cost in costs) for each in range(7)] + [sum(cost >= 7 for cost in costs)]
    assert mana_curve((line.cost, line.copies) for line in view.deck_list(best)) == expected
    texts = texts_of(map_picture([view], "solution", ".svg"))
    assert [text for text in texts if text in {*map(str, range(7)), "7+"}][:8] == [*map(str, range(7)), "7+"]
    assert f"hunter: solution {best.number}" in texts
    assert f"hunter: solution {best.number - 1}" in texts_of(
        map_picture([view], "solution", ".svg", Choices(solution=best.number - 1))
    )


def stored(folder: Path, seed: int) -> RunView:
    """A map whose store stays: comparisons read there how long a run has worked."""
    settings = ["search.evaluations=20", "search.initial=10", "evaluation.games=2", f"seed={seed}"]
    execute(hunters(folder, *settings), folder / f"{seed}.db")
    return open_run(folder / f"{seed}.db")


def test_a_comparison_has_the_axis_that_is_asked_for(tmp_path: Path) -> None:
    views = [stored(tmp_path, seed) for seed in (1, 2)]
    for over, words in {"": "evaluations", "games": "games", "seconds": "seconds of work"}.items():
        texts = texts_of(map_picture(views, "comparison", ".svg", Choices(over=over)))
        assert texts.count(words) == 4
        assert {"hunters: mean of 2 trials", "band: lowest to highest trial"} <= {*texts}


@pytest.mark.parametrize(
    ("what", "choices", "complaint"),
    [
        ("map", Choices(colour="wins"), "no colour 'wins'"),
        ("elites", Choices(colour="games"), "elites has no choice of colours: only map and cells"),
        ("elites", Choices(at=3), "elites has no choice of moments: only map and cells"),
        ("difference", Choices(card="x"), "difference has no choice of cards: only map and cells"),
        ("map", Choices(solution=3), "map has no choice of solutions"),
        ("curves", Choices(over="games"), "curves has no choice of axes"),
        ("comparison", Choices(over="days"), "curves cannot be drawn over 'days'"),
        ("solution", Choices(solution=60), "there is no solution 60"),
    ],
)
def test_a_choice_that_cannot_be_is_refused(what: str, choices: Choices, complaint: str) -> None:
    view = small_map()
    with pytest.raises(RunError, match=complaint):
        map_picture([view, view] if what in OF_TWO else [view], what, ".png", choices)


def test_a_picture_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    view = small_map()
    with pytest.raises(RunError, match="no picture 'curve': did you mean 'curves'"):
        map_picture([view], "curve", ".png")
    with pytest.raises(RunError, match=r"ends in \.png, \.svg or \.pdf, not '\.gif'"):
        map_picture([view], "map", ".gif")
    won = replace(view, description=replace(view.description, objective="win_rate"))
    with pytest.raises(RunError, match="different objectives cannot be drawn together"):
        map_picture([view, won], "map", ".png")
    with pytest.raises(RunError, match="cannot write"):
        plot_map(view, tmp_path / "missing" / "map.png")
    with pytest.raises(RunError, match="were not rechecked"):
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


def growing_map() -> RunView:
    """The small map as if it had grown from one cell to its twenty."""
    view = small_map()
    assert view.options is not None
    return replace(view, options=view.options.model_copy(update={"grow_from": (1, 1)}))


def test_curves_are_on_the_final_cells() -> None:
    view = growing_map()
    curve = curve_of(view, 20)
    final = view.archive.cells.numbers(view.archive.measures)
    for at, evaluations in enumerate(curve.evaluated.astype(int).tolist()):
        best: dict[int, float] = {}
        for cell, objective in zip(final[:evaluations], view.archive.objectives[:evaluations], strict=True):
            best[int(cell)] = max(objective, best.get(int(cell), -np.inf))
        scored = [(value - view.description.scoring.offset) / view.description.scoring.scale for value in best.values()]
        assert curve.numbers["elites"][at] == len(best)
        assert curve.numbers["qd_score"][at] == pytest.approx(sum(scored))
    assert {*curve.numbers["cells"]} == {20.0}
    for name in ("best", "elites", "coverage", "qd_score"):
        assert (np.diff(curve.numbers[name]) >= 0).all()  # nothing is lost on cells that stay


def test_curves_can_have_the_cells_of_each_moment_as_papers_drew_them() -> None:
    view = growing_map()
    growing, final = curve_of(view, 20, cells="growing"), curve_of(view, 20)
    assert growing.numbers["cells"][0] < growing.numbers["cells"][-1] == 20
    assert [growing.numbers["qd_score"][at] for at in (0, -1)] == pytest.approx(
        [dict(view.curve(20))[at].qd_score for at in (3, 60)]
    )
    assert growing.numbers["qd_score"][-1] == final.numbers["qd_score"][-1]
    assert growing.numbers["qd_score"][10] < final.numbers["qd_score"][10]


def test_a_band_does_not_leave_the_values_that_are_possible() -> None:
    evaluated = np.array([10.0])
    rates = [GrowthCurve(evaluated, {"mean_win_rate": np.array([rate])}) for rate in (0.2, 0.9, 0.95)]
    free = band_of(rates, "mean_win_rate")
    assert free.low[0] < 0 < 1 < free.high[0]
    band = band_of(rates, "mean_win_rate", within=curve_bounds("mean_win_rate", "avg_health_diff"))
    assert (band.low.tolist(), band.high.tolist()) == ([0.0], [1.0])
    assert band.value.tolist() == free.value.tolist()


@pytest.mark.parametrize(
    ("name", "objective", "expected"),
    [
        ("best", "win_rate", (0.0, 1.0)),
        ("best", "avg_health_diff", (-np.inf, np.inf)),
        ("best_win_rate", "avg_health_diff", (0.0, 1.0)),
        ("coverage", "avg_health_diff", (0.0, 1.0)),
        ("qd_score", "win_rate", (-np.inf, np.inf)),
    ],
)
def test_rates_and_shares_lie_between_0_and_1(name: str, objective: str, expected: tuple[float, float]) -> None:
    assert curve_bounds(name, objective) == expected


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
    assert exact_density(small_map().deck_space(), ["deck_mana_sum", "num_turns"]) is None


def test_what_was_evaluated_is_all_of_the_density() -> None:
    found = evaluated_density(small_map())
    assert len(found.points) == 60
    assert found.share.sum() == pytest.approx(1)
