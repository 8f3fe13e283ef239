"""Matchups of Hearthstone decks: the games asked for are played, with each deck and pilot in its seat."""

import numpy as np
import pytest

from deckatlas.errors import MatchError
from deckatlas.games.hearthstone.matchups import HearthstoneMatchups
from deckatlas.games.hearthstone.setting import setting
from deckatlas.games.hearthstone.suites import Schedule as Games
from deckatlas.games.hearthstone.suites import Suite, suite_of
from deckatlas.search.batches import Batch, Course, matchups
from deckatlas.search.evaluation import WON
from helpers.batches import wins_of
from helpers.searches import courses_of

EDITION = "2018-12"
PLAYERS = suite_of("starter", EDITION).opponents[:3]


def batch(*players: tuple[int, int, int], courses: int = 2, games: int = 4) -> Batch:
    """Matchups as players and course; seeds of course k begin at 100 k."""
    seeds = [np.arange(100 * number, 100 * number + games, dtype=np.uint64) for number in range(courses)]
    first, second, course = np.array(players, dtype=np.int32).T
    return matchups(np.empty((0, 0)), tuple(Course(each, each) for each in seeds), -1 - first, -1 - second, course)


@pytest.mark.parametrize("profile", ["fair", "evosabber"])
def test_wins_are_those_of_the_same_games_one_by_one(profile: str) -> None:
    meetings = ((0, 1, 0), (1, 0, 0), (2, 1, 1), (0, 2, 1))
    wanted = batch(*meetings)
    found = HearthstoneMatchups(PLAYERS, profile=profile, edition=EDITION).evaluate(wanted)
    by_matchup = found.outcome.reshape(4, 4), found.margin.reshape(4, 4)
    for (one, other, course), won, outcomes, margins in zip(meetings, found.total[:, 0], *by_matchup, strict=True):
        alone = setting(
            pilot=PLAYERS[one].pilot, suite=Suite("one", (PLAYERS[other],)), profile=profile, edition=EDITION
        )
        seeds = courses_of(wanted)[course].game_seeds
        zeros = np.zeros(len(seeds))
        games = Games(zeros.astype(np.int32), zeros.astype(np.uint8), seeds)  # the first player moves first
        rows = setting(
            pilot="random", suite=Suite("own", (PLAYERS[one],)), profile=profile, edition=EDITION
        ).opponent_rows
        noted = alone.play(rows, games, threads=1, progress=None).noted
        assert won == noted["won"].sum() == np.sum(outcomes == WON)
        assert np.array_equal(margins, noted["health_difference"][0])
    assert 0 < found.total.sum() < wanted.games


def test_threads_and_portions_make_no_difference() -> None:
    meetings = [(i, j, course) for course in (0, 1) for i in range(3) for j in range(3) if i != j]
    evaluator = HearthstoneMatchups(PLAYERS, profile="fair", edition=EDITION)
    told: list[int] = []
    whole = wins_of(evaluator, batch(*meetings))
    assert np.array_equal(whole, wins_of(evaluator, batch(*meetings), threads=3, progress=told.append))
    assert np.array_equal(whole, np.concatenate([wins_of(evaluator, batch(one)) for one in meetings]))
    assert told == sorted(told)  # of all games, not of each player's


@pytest.mark.parametrize("stranger", [3, -1])
def test_who_is_not_there_cannot_play(stranger: int) -> None:
    evaluator = HearthstoneMatchups(PLAYERS, profile="fair", edition=EDITION)
    with pytest.raises(MatchError, match="participants must be from -3 to -1"):
        evaluator.evaluate(batch((0, stranger, 0)))
