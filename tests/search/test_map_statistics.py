"""An archive in numbers, over its evaluations, and against fresh games; each case is worked out by hand."""

import numpy as np
import pytest

from deckatlas.errors import SearchError
from deckatlas.games.health import health_scoring
from deckatlas.search.archive import Archive
from deckatlas.search.archive_frame import archive_frame
from deckatlas.search.archive_options import GridOptions, SlidingOptions
from deckatlas.search.archive_statistics import Scoring, archives_at, statistics
from deckatlas.search.recheck import recheck
from helpers.archives import filled

GRID = GridOptions(measures=("turns", "hand"), resolution=(4, 5), ranges=((0, 4), (0, 5)))
LOG = [(10.0, [0.5, 0.5]), (-20.0, [1.5, 3.5]), (4.0, [0.5, 0.5]), (1.0, [3.5, 4.5])]
OBJECTIVES = np.array([each[0] for each in LOG])
MEASURES = np.array([each[1] for each in LOG])


def test_the_qd_score_states_its_offset() -> None:
    archive = filled(GRID, LOG, planned=4)
    plain = statistics(archive)
    assert (plain.qd_score, plain.best, plain.elites, plain.cells, plain.solutions) == (-9.0, 10.0, 3, 20, 4)
    assert plain.mean == -3.0
    assert plain.coverage == plain.reachable_coverage == 3 / 20
    assert statistics(archive, Scoring(offset=-20)).qd_score == 30 + 0 + 21
    assert statistics(archive, health_scoring()).qd_score == pytest.approx((40 + 10 + 31) / 60)


def test_a_score_tells_what_it_counts_from_and_who_lowers_it() -> None:
    archive = filled(GRID, LOG, planned=4)  # elites of 10, -20 and 1
    assert statistics(archive, health_scoring()).score_in_words("x") == "sum over elites of (x + 30) / 60"
    assert statistics(archive, Scoring(-20.0)).score_in_words("x") == "sum over elites of (x + 20)"
    assert statistics(archive, Scoring(-20.0)).below_offset == 0
    one = statistics(archive)
    assert one.below_offset == 1
    assert one.score_in_words("x") == "sum over elites of (x - 0); 1 elite is below the offset, which lowers it"
    assert statistics(archive, Scoring(2.5)).score_in_words("x") == (
        "sum over elites of (x - 2.5); 2 elites are below the offset, which lowers it"
    )


def test_a_sum_over_games_scores_as_their_mean_does() -> None:
    mean = filled(GRID, LOG, planned=4)
    of_sum = filled(GRID, [(200 * objective, measures) for objective, measures in LOG], planned=4)
    found = statistics(of_sum, health_scoring(200))
    assert found.qd_score == pytest.approx(statistics(mean, health_scoring()).qd_score)
    assert found.score_in_words("fitness") == "sum over elites of (fitness + 6,000) / 12,000"


def test_the_published_grid_has_two_coverages() -> None:
    published = GridOptions(
        measures=("turns", "hand"), resolution=(40, 40), ranges=((5, 15), (1, 7)), binning="published"
    )
    found = statistics(filled(published, [(1.0, [6, 2]), (1.0, [15, 7])], planned=2))
    assert found.coverage == 2 / 1600
    assert found.reachable_coverage == 2 / 1368


def test_an_archive_without_elites_has_a_score_but_no_best() -> None:
    found = statistics(Archive(GRID, planned=1), health_scoring())
    assert (found.qd_score, found.coverage) == (0.0, 0.0)
    assert np.isnan([found.best, found.mean]).all()


def test_curves_tell_what_was_after_so_many_solutions() -> None:
    archives = archives_at(GRID, OBJECTIVES, MEASURES, planned=4, solutions=[0, 1, 2, 3, 4])
    found = [statistics(archive) for archive in archives]
    assert [each.solutions for each in found] == [0, 1, 2, 3, 4]
    assert [each.qd_score for each in found] == [0.0, 10.0, -10.0, -10.0, -9.0]
    assert [each.elites for each in found] == [0, 1, 2, 2, 3]


def test_curves_grow_with_their_archive() -> None:
    rng = np.random.default_rng(2)
    options = SlidingOptions(measures=("a", "b"), resolution=(6, 6), grow_from=(2, 2), remap=20)
    objectives, measures = rng.normal(size=300), rng.normal(size=(300, 2))
    archive = Archive(options, planned=300)
    counts = [1, 7, 20, 21, 60, 61, 299, 300]
    later = archives_at(options, objectives, measures, planned=300, solutions=counts)
    for number in range(300):
        archive.add(float(objectives[number]), measures[number])
        if archive.told in counts:
            assert next(later).elites.tolist() == archive.elites.tolist()


def test_a_log_cannot_tell_what_comes_after_it() -> None:
    with pytest.raises(SearchError, match="a log of 4 solutions has no archive after 5 solutions"):
        next(archives_at(GRID, OBJECTIVES, MEASURES, planned=9, solutions=[5]))


def test_fresh_games_correct_the_map() -> None:
    # Elites 0, 1 and 3 in cells (0, 0), (1, 3) and (3, 4).
    archive = filled(GRID, LOG, planned=4)
    fresh = np.array([[0.5, 0.5], [3.5, 4.5], [3.5, 4.5]])
    found = recheck(archive, np.array([6.0, -8.0, 0.0]), fresh, scoring=Scoring(offset=-20))
    # 0 stays; 1 moves by 2 + 1 cells into that of 3, which is better and stays.
    assert found.elites.tolist() == [0, 3]
    assert found.cells.tolist() == [0, 19]
    assert (found.stayed, found.same_cell, found.lost) == (2, 2, 0)
    assert found.distance == 1.0
    assert found.distance_moved == 3.0
    assert (found.before.qd_score, found.after.qd_score) == (51.0, 46.0)
    assert (found.before.coverage, found.after.coverage) == (3 / 20, 2 / 20)
    # Before 10, -20 and 1, now 6, -8 and 0: 4, -12 and 1 too high.
    assert found.optimism == pytest.approx(-7 / 3)
    assert found.slope == pytest.approx(np.polyfit([10, -20, 1], [6, -8, 0], 1)[0])
    assert found.champion == 6.0
    assert (found.before.solutions, found.after.solutions) == (4, 3)


def test_elites_without_fresh_numbers_are_lost() -> None:
    archive = filled(GRID, LOG, planned=4)
    found = recheck(archive, np.array([6.0, np.nan, 5.0]), np.array([[0.5, 0.5], [1.5, 3.5], [3.5, np.nan]]))
    assert found.lost == 2
    assert found.elites.tolist() == [0]
    assert (found.distance, found.optimism, found.same_cell) == (0.0, 4.0, 1)
    assert np.isnan([found.distance_moved, found.slope]).all()


def test_luck_is_not_found_again_but_merit_is() -> None:
    rng = np.random.default_rng(11)
    cells = GridOptions(measures=("a",), resolution=(500,), ranges=((0, 500),))
    place = np.repeat(np.arange(500) + 0.5, 20)[:, np.newaxis]
    merit, luck = np.repeat(rng.normal(size=500), 20), rng.normal(size=10_000)
    lucky = Archive.from_log(cells, luck, place, planned=10_000)
    found = recheck(lucky, rng.normal(size=500), place[lucky.elites])
    assert found.optimism == pytest.approx(1.867, abs=0.2)  # the largest of 20 standard normals
    assert found.slope == pytest.approx(0, abs=0.4)
    assert found.stayed == found.same_cell == 500
    merited = Archive.from_log(cells, merit, place, planned=10_000)
    again = recheck(merited, merit[merited.elites], place[merited.elites])
    assert again.optimism == 0.0
    assert again.slope == pytest.approx(1)


def test_an_empty_map_can_be_rechecked() -> None:
    found = recheck(Archive(GRID, planned=1), np.empty(0), np.empty((0, 2)))
    assert (found.stayed, found.same_cell, found.lost, found.after.qd_score) == (0, 0, 0, 0.0)


def test_fresh_numbers_of_every_elite_are_needed() -> None:
    with pytest.raises(SearchError, match=r"3 elites of 2 measures cannot be compared with .* \(2,\) and \(2, 2\)"):
        recheck(filled(GRID, LOG, planned=4), np.zeros(2), np.zeros((2, 2)))


def test_a_frame_has_a_row_for_each_elite() -> None:
    archive = filled(GRID, LOG, planned=4)
    frame = archive_frame(archive, np.array([[1, 2], [3, 4], [5, 6]]))
    assert {name: column.tolist() for name, column in frame.items()} == {
        "solution_0": [1, 3, 5],
        "solution_1": [2, 4, 6],
        "objective": [10.0, -20.0, 1.0],
        "measures_0": [0.5, 1.5, 3.5],
        "measures_1": [0.5, 3.5, 4.5],
        "index": [0, 8, 19],
    }
    with pytest.raises(SearchError, match="3 elites need as many rows of solutions"):
        archive_frame(archive, np.zeros((4, 2)))
