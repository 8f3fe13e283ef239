"""Where pyribs defines the same thing, archives agree with it; `make oracle` installs it and runs these."""

from typing import Any

import numpy as np
import pytest

from deckatlas.search.archive import Archive
from deckatlas.search.archive_frame import archive_frame
from deckatlas.search.archive_options import GridOptions, SlidingOptions
from deckatlas.search.archive_statistics import Scoring, statistics
from deckatlas.search.evaluation import Floats

ribs: Any = pytest.importorskip("ribs.archives")

OFFSET = -7.0
EVERY = 7  # which is no part of a remap, so that all its phases are looked at
RANGES = ((-1.0, 1.0), (0.0, 5.0), (10.0, 11.0))


def random_log(seed: int, *, count: int, measures: int) -> tuple[Floats, Floats]:
    """Objectives that never tie, and measures of which some lie outside the ranges."""
    rng = np.random.default_rng(seed)
    low, high = np.array(RANGES[:measures]).T
    return rng.uniform(-6, 6, count), rng.uniform(low - 0.5, high + 0.5, (count, measures))


def check_all_along(archive: Archive, oracle: Any, objectives: Floats, measures: Floats, *, after: int = 0) -> None:
    """Adds a log to both, which are to agree again and again; an individual's number is its solution."""
    for number, (objective, row) in enumerate(zip(objectives, measures, strict=True)):
        archive.add(float(objective), row)
        oracle.add_single([number], objective, row)
        if number >= after and number % EVERY == 0:
            check_agreement(archive, oracle)
    check_agreement(archive, oracle)


def check_agreement(archive: Archive, oracle: Any) -> None:
    data = oracle.data()
    order = np.argsort(data["index"])
    assert archive.elite_cells.tolist() == data["index"][order].tolist()
    assert archive.elites.tolist() == data["solution"][order, 0].tolist()
    for mine, theirs in zip(archive.boundaries, oracle.boundaries, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
    ours = statistics(archive, Scoring(offset=OFFSET))
    assert ours.elites == oracle.stats.num_elites
    assert ours.coverage == pytest.approx(oracle.stats.coverage)
    assert ours.qd_score == pytest.approx(oracle.stats.qd_score)
    assert ours.qd_score / ours.cells == pytest.approx(oracle.stats.norm_qd_score)
    assert ours.best == oracle.stats.obj_max
    assert ours.mean == pytest.approx(oracle.stats.obj_mean)


@pytest.mark.parametrize("shape", [(17,), (8, 5), (4, 3, 6)])
def test_a_grid_has_the_cells_elites_and_statistics_of_pyribs_all_along(shape: tuple[int, ...]) -> None:
    count = len(shape)
    oracle = ribs.GridArchive(solution_dim=1, dims=shape, ranges=RANGES[:count], qd_score_offset=OFFSET)
    options = GridOptions(measures=("a", "b", "c")[:count], resolution=shape, ranges=RANGES[:count])
    objectives, measures = random_log(1, count=1500, measures=count)
    archive = Archive(options, planned=1500)
    check_all_along(archive, oracle, np.round(objectives), measures)  # of equals both keep the earlier
    assert archive.individual_cells.tolist() == oracle.index_of(measures).tolist()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_boundaries_slide_as_in_pyribs_while_measures_stay_within_its_bounds(seed: int) -> None:
    """Of equals pyribs prefers, at a remap, former elites to earlier individuals: there are none here.

    Until its first remap it has cells of one size.
    """
    oracle = ribs.SlidingBoundariesArchive(
        solution_dim=1,
        dims=(6, 4),
        ranges=[(-10, 10), (-10, 10)],
        remap_frequency=50,
        buffer_capacity=10_000,
        qd_score_offset=OFFSET,
    )
    archive = Archive(SlidingOptions(measures=("a", "b"), resolution=(6, 4), remap=50), planned=420)
    objectives, measures = random_log(seed, count=420, measures=2)
    check_all_along(archive, oracle, objectives, measures, after=50)


def test_pyribs_still_misplaces_what_lies_beyond_its_old_bounds() -> None:
    """Why it is no oracle for `test_a_remap_places_individuals_beyond_the_old_bounds`, which works it out by hand.

    With cells from 0 to 10 and from 10 to 13 individuals 4 to 7 belong to the second. At the remap pyribs clips them to
    its bounds until then, 0 and 0.3, and so puts all of them into the first.
    """
    oracle = ribs.SlidingBoundariesArchive(
        solution_dim=1, dims=(2,), ranges=[(0, 0.3)], remap_frequency=4, buffer_capacity=100
    )
    log = [(1.0, 0.0), (4.0, 0.1), (2.0, 0.2), (3.0, 0.3), (9.0, 10.0), (7.0, 11.0), (8.0, 12.0), (6.0, 13.0)]
    for number, (objective, mana) in enumerate(log):
        oracle.add_single([number], objective, [mana])
    data = oracle.data()
    assert oracle.boundaries[0].tolist() == [0.0, 10.0, 13.0]
    assert dict(zip(data["index"].tolist(), data["solution"][:, 0].tolist(), strict=True)) == {0: 4}


@pytest.mark.parametrize("sliding", [False, True])
def test_the_visualisers_of_pyribs_take_the_frame(sliding: bool) -> None:
    visualize: Any = pytest.importorskip("ribs.visualize")
    pyplot: Any = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    objectives, measures = random_log(5, count=300, measures=2)
    shape = (6, 4)
    if sliding:
        archive = Archive.from_log(
            SlidingOptions(measures=("a", "b"), resolution=shape, remap=50), objectives, measures, planned=300
        )
        oracle = ribs.SlidingBoundariesArchive(
            solution_dim=3, dims=shape, ranges=RANGES[:2], remap_frequency=50, buffer_capacity=10_000
        )
        draw = visualize.sliding_boundaries_archive_heatmap
    else:
        options = GridOptions(measures=("a", "b"), resolution=shape, ranges=RANGES[:2])
        archive = Archive.from_log(options, objectives, measures, planned=300)
        oracle = ribs.GridArchive(solution_dim=3, dims=shape, ranges=RANGES[:2])
        draw = visualize.grid_archive_heatmap
    decks = np.arange(900).reshape(300, 3)
    oracle.add(decks, objectives, measures)
    columns = archive_frame(archive, decks[archive.elites])
    theirs = oracle.data(return_type="pandas").sort_values("index", ignore_index=True)
    assert set(theirs.columns) - {"threshold"} == set(columns)
    for name, column in columns.items():
        np.testing.assert_array_equal(column, theirs[name])
    frame = ribs.ArchiveDataFrame(columns)
    axes = pyplot.subplots()[1]
    draw(oracle, df=frame, ax=axes)
    visualize.parallel_axes_plot(oracle, df=frame, ax=pyplot.subplots()[1])
    drawn = axes.collections[0].get_array()
    shown = drawn.compressed() if np.ma.isMaskedArray(drawn) else drawn[~np.isnan(drawn)]
    assert sorted(np.ravel(shown).tolist()) == sorted(columns["objective"].tolist())
    pyplot.close("all")
