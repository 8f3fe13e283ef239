"""Reports on cells: how even boundaries fill, and maps with boundaries that slide beside those with fixed ones."""

from dataclasses import replace

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.findings import UNDECIDED
from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.papers.mesb.boundaries import MapBoundaries, MapComparison, direction
from deckatlas.papers.mesb.cells import MapCells, occupation
from deckatlas.runs.loop import execute
from deckatlas.search.cells import Cells
from deckatlas.stats.estimate import Estimate
from helpers.map_reports import by, map_config


def test_cells_that_are_all_as_full_are_all_effective() -> None:
    cells = Cells((np.array([0.0, 1, 2]), np.array([0.0, 1, 2])), "right")
    four = np.array([[0.5, 0.5], [0.5, 1.5], [1.5, 0.5], [1.5, 1.5]])
    assert occupation(cells, four)["effective"] == pytest.approx(4)
    one = occupation(cells, np.repeat(four[:1], 5, axis=0))
    assert (one["effective"], one["occupied"], one["fullest"]) == (pytest.approx(1), 1, 1)


def test_boundaries_that_slide_fill_more_cells_than_even_ones(study: Study) -> None:
    report = MapCells(maps=("hunter", "paladin")).report(study)
    rows = by(report.rows["cells"], "map", "boundaries")
    for name in ("hunter-1", "hunter-2", "paladin"):
        even, slid = rows[name, "spaced evenly"], rows[name, "slid to the decks"]
        assert even["cells"] == slid["cells"] == 16
        assert slid["effective"] > even["effective"]
        assert slid["fullest"] < even["fullest"]


def test_boundaries_fixed_before_the_search_stand_beside_the_others(study: Study) -> None:
    report = MapCells(maps=("paladin",), ranges=((30, 165), (2, 5.5))).report(study)
    rows = by(report.rows["cells"], "map", "boundaries")
    assert len(rows) == 3
    fixed = rows["paladin", "fixed before the search"]
    assert (fixed["cells"], fixed["decks"]) == (16, rows["paladin", "spaced evenly"]["decks"])
    edges = [row["value"] for row in report.rows["edges"] if row["boundaries"] == "fixed before the search"]
    assert edges == pytest.approx([30, 63.75, 97.5, 131.25, 165, 2, 2.875, 3.75, 4.625, 5.5])


def test_ranges_of_fixed_boundaries_have_room() -> None:
    with pytest.raises(ValueError, match="low below high"):
        MapCells(ranges=((165, 30), (2, 5.5)))


def test_fixed_boundaries_have_nothing_to_slide(study: Study) -> None:
    with pytest.raises(RunError, match="is not a map with sliding boundaries and two measures"):
        MapCells(maps=("warlock",)).report(study)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[FinishedRun, ...]]:
    """Paladins with coarse and fine cells, three trials each that begin alike; elites have played fresh games."""
    folder = tmp_path_factory.mktemp("pairs")
    found: dict[str, tuple[FinishedRun, ...]] = {}
    for name, resolution in (("coarse", [2, 2]), ("fine", [4, 4])):
        for trial in (1, 2, 3):
            config = map_config(f"{name}-{trial}", "paladin", archive={"resolution": resolution})
            config = config.model_copy(update={"seed": trial})
            execute(config, folder / f"{config.name}.db", threads=1, recheck=4)
            found[name] = (*found.get(name, ()), FinishedRun(config, folder / f"{config.name}.db"))
    return found


FINE = MapComparison(of=("fine",), against=("coarse",))


def test_maps_with_other_cells_are_measured_by_the_same_ones(
    study: Study, pairs: dict[str, tuple[FinishedRun, ...]]
) -> None:
    report = MapBoundaries(resolution=5, points=4).report(replace(study, runs=pairs))
    rows = by(report.rows["maps"], "map")
    trials = [row for row in report.rows["trials"] if row["map"] == "fine"]
    assert rows["fine"]["trials"] == 3
    assert rows["fine"]["qd_score"] == pytest.approx(np.mean([trial["qd_score"] for trial in trials]))
    curves = [row for row in report.rows["curves"] if (row["map"], row["cells"]) == ("fine", "cells of legal decks")]
    for trial in (1, 2, 3):
        covered = [row["coverage"] for row in curves if row["trial"] == trial]
        assert covered == sorted(covered)  # what was found is never lost where cells stay
        handed_over = trials[trial - 1]["coverage in cells of legal decks"]
        assert 0 < handed_over <= covered[-1]  # elites are some of what was found


def test_maps_are_compared_on_fresh_games(study: Study, pairs: dict[str, tuple[FinishedRun, ...]]) -> None:
    first = by(MapBoundaries().report(replace(study, runs=pairs)).rows["trials"], "map", "trial")["coarse", 1]
    view = pairs["coarse"][0].view
    fresh, _ = view.rechecked(view.archive.elites.tolist())
    searched = view.archive.objectives[view.archive.elites]
    assert first["mean"] == pytest.approx(fresh.mean())
    assert first["luck"] == pytest.approx((searched - fresh).mean())
    assert first["best"] == fresh[np.argmax(searched)]
    assert first["qd_score"] == pytest.approx(((fresh + 30) / 60).sum())


def test_differences_are_of_trials_that_began_alike(study: Study, pairs: dict[str, tuple[FinishedRun, ...]]) -> None:
    report = MapBoundaries(compare={"fine minus coarse": FINE}).report(replace(study, runs=pairs))
    trials = by(report.rows["trials"], "map", "trial")
    row = by(report.rows["differences"], "number")["mean"]
    each = [trials["fine", trial]["mean"] - trials["coarse", trial]["mean"] for trial in (1, 2, 3)]
    half = 4.302653 * np.std(each, ddof=1) / 3**0.5
    assert row["difference"] == pytest.approx(np.mean(each))
    assert row["difference_high"] - row["difference"] == pytest.approx(half)
    assert row["verdict"] == direction(Estimate.from_cells(row, "difference", n=row["trials"]))


def test_a_difference_is_told_by_its_interval() -> None:
    assert direction(Estimate(1.0, 0.1, 2.0, 3)) == "higher"
    assert direction(Estimate(-1.0, -2.0, -0.1, 3)) == "lower"
    assert direction(Estimate(1.0, -0.1, 2.0, 3)) == UNDECIDED
    assert direction(Estimate.without_ends(1.0, 1)) == UNDECIDED


def test_trials_that_began_otherwise_are_no_pairs(study: Study, pairs: dict[str, tuple[FinishedRun, ...]]) -> None:
    for fine in (pairs["fine"][:2], pairs["fine"][::-1]):
        with pytest.raises(RunError, match="trials of coarse, fine are not pairs: give these runs the same repeat and"):
            MapBoundaries().report(replace(study, runs={"coarse": pairs["coarse"], "fine": fine}))


def test_boundaries_are_not_compared_by_luck(study: Study) -> None:
    with pytest.raises(RunError, match="has elites that played no fresh games: give its run a recheck"):
        MapBoundaries(maps=("paladin",)).report(study)


def test_the_curves_of_boundaries_are_drawn(study: Study, pairs: dict[str, tuple[FinishedRun, ...]]) -> None:
    figures = pytest.importorskip("matplotlib.figure")
    figure = figures.Figure(layout="constrained")
    MapBoundaries(points=4).report(replace(study, runs=pairs)).figures["curves"](figure)
    assert figure.axes[0].get_legend().get_title().get_text() == "mean of 3 trials; band: lowest to highest"
    assert [line.get_label() for line in figure.axes[0].lines] == ["coarse", "fine"]
