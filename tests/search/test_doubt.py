"""More games go where a cell's winner is in doubt, and nowhere else."""

import numpy as np
import pytest

from deckatlas.errors import SearchError
from deckatlas.search.archive_options import GridOptions
from deckatlas.search.doubt import doubtful
from helpers.archives import filled

GRID = GridOptions(measures=("turns",), resolution=(4,), ranges=((0, 4),))


def asked(
    log: list[tuple[float, float]],  # objective and measure of each
    errors: list[float],
    games: list[int] | None = None,
    *,
    most_games: int = 100,
) -> int | None:
    archive = filled(GRID, [(objective, [measure]) for objective, measure in log], planned=100)
    counts = np.array([10] * len(log) if games is None else games)
    return doubtful(archive, errors=np.array(errors), games=counts, most_games=most_games)


def test_a_lead_of_two_standard_errors_is_settled() -> None:
    assert asked([(10.0, 0.5), (0.0, 0.5)], [3.0, 4.0]) is None  # the difference has an error of 5
    assert asked([(9.9, 0.5), (0.0, 0.5)], [3.0, 4.0]) == 1


def test_an_elite_without_a_rival_is_in_no_doubt() -> None:
    assert asked([(1.0, 0.5), (1.0, 1.5), (1.0, 2.5)], [9.0, 9.0, 9.0]) is None
    assert asked([], []) is None


def test_of_two_in_doubt_the_one_with_the_larger_error_plays() -> None:
    assert asked([(1.0, 0.5), (0.9, 0.5)], [1.0, 0.5]) == 0
    assert asked([(1.0, 0.5), (0.9, 0.5)], [0.5, 1.0]) == 1
    assert asked([(1.0, 0.5), (0.9, 0.5)], [1.0, 1.0], [20, 10]) == 1


def test_who_has_had_the_most_games_gets_no_more() -> None:
    assert asked([(1.0, 0.5), (0.9, 0.5)], [1.0, 0.5], [100, 10]) == 1
    assert asked([(1.0, 0.5), (0.9, 0.5)], [1.0, 0.5], [100, 100]) is None


def test_a_third_is_asked_when_the_first_two_have_had_their_games() -> None:
    assert asked([(1.0, 0.5), (0.9, 0.5), (0.8, 0.5)], [0.4, 0.4, 0.4], [100, 100, 10]) == 2


def test_the_cell_where_most_could_be_gained_comes_first() -> None:
    log = [(1.0, 0.5), (0.9, 0.5), (5.0, 1.5), (4.9, 1.5)]
    assert asked(log, [0.1, 0.2, 1.0, 2.0]) == 3
    assert asked(log, [0.1, 0.2, 0.01, 0.02]) == 1


def test_an_unknown_error_is_the_largest() -> None:
    assert asked([(50.0, 0.5), (0.0, 0.5), (1.0, 1.5), (1.0, 1.5)], [1.0, np.nan, 5.0, 5.0]) == 1


def test_individuals_without_numbers_are_not_asked() -> None:
    assert asked([(1.0, 0.5), (np.nan, 0.5)], [1.0, 1.0]) is None


def test_playing_settles_every_cell_or_uses_up_the_games() -> None:
    rng = np.random.default_rng(7)
    truth = rng.normal(size=40)
    sums, games = np.zeros(40), np.zeros(40, dtype=np.int64)

    def play(number: int) -> None:
        sums[number] += rng.normal(truth[number], 2.0, 10).sum()
        games[number] += 10

    for number in range(40):
        play(number)
    archive = filled(GRID, [(sums[n] / games[n], [n % 4 + 0.5]) for n in range(40)], planned=40)
    for _ in range(1000):
        errors = 2.0 / np.sqrt(games)
        asked_for = doubtful(archive, errors=errors, games=games, most_games=400)
        if asked_for is None:
            break
        play(asked_for)
        archive.update(asked_for, sums[asked_for] / games[asked_for], [asked_for % 4 + 0.5])
    assert asked_for is None
    assert games.max() <= 400
    assert games.sum() < 40 * 400 / 4, "those far behind are left alone"
    for cell, first in zip(archive.elite_cells, archive.elites, strict=True):
        for other in np.flatnonzero(archive.individual_cells == cell):
            if other == first:
                continue
            lead = archive.objectives[first] - archive.objectives[other]
            settled = lead >= 2 * np.hypot(errors[first], errors[other])
            assert settled or games[first] == games[other] == 400


def test_numbers_for_every_individual_are_needed() -> None:
    with pytest.raises(SearchError, match="2 individuals need as many errors and numbers of games, not 1 and 2"):
        asked([(1.0, 0.5), (0.9, 0.5)], [1.0])
