"""The arena of Hearthstone decks plays the games it is asked for, with each deck and pilot in its seat."""

import numpy as np
import pytest
from deckatlas.games.hearthstone.arena import make_deck_arena

from deckatlas.errors import MatchError
from deckatlas.games.hearthstone.setting import setting
from deckatlas.games.hearthstone.suites import Course as Games
from deckatlas.games.hearthstone.suites import Suite, suite_of
from deckatlas.search.protocol import Ask, Course

EDITION = "2018-12"
PLAYERS = suite_of("starter", EDITION).opponents[:3]


def ask(*matchups: tuple[int, int, int], courses: int = 2, games: int = 4) -> Ask:
    """Matchups as players and course; seeds of course k begin at 100 k."""
    seeds = [np.arange(100 * number, 100 * number + games, dtype=np.uint64) for number in range(courses)]
    first, second, course = np.array(matchups, dtype=np.int32).T
    return Ask(np.empty((0, 0)), tuple(Course(each, each) for each in seeds), -1 - first, -1 - second, course)


@pytest.mark.parametrize("profile", ["fair", "evosabber"])
def test_wins_are_those_of_the_same_games_one_by_one(profile: str) -> None:
    wanted = ask((0, 1, 0), (1, 0, 0), (2, 1, 1), (0, 2, 1))
    wins = make_deck_arena(PLAYERS, profile=profile, edition=EDITION, threads=1).play(wanted)
    for (one, other, course), won in zip(((0, 1, 0), (1, 0, 0), (2, 1, 1), (0, 2, 1)), wins, strict=True):
        alone = setting(
            pilot=PLAYERS[one].pilot, suite=Suite("one", (PLAYERS[other],)), profile=profile, edition=EDITION
        )
        seeds = wanted.courses[course].game_seeds
        zeros = np.zeros(len(seeds))
        games = Games(zeros.astype(np.int32), zeros.astype(np.uint8), seeds)  # the first player moves first
        rows = setting(
            pilot="random", suite=Suite("own", (PLAYERS[one],)), profile=profile, edition=EDITION
        ).opponent_rows
        assert won == alone.play(rows, games, threads=1, progress=None).noted["won"].sum()
    assert 0 < wins.sum() < wanted.games


def test_threads_and_portions_make_no_difference() -> None:
    matchups = [(i, j, course) for course in (0, 1) for i in range(3) for j in range(3) if i != j]
    arenas = [make_deck_arena(PLAYERS, profile="fair", edition=EDITION, threads=threads) for threads in (1, 3)]
    told: list[int] = []
    whole = arenas[0].play(ask(*matchups))
    assert np.array_equal(whole, arenas[1].play(ask(*matchups), progress=told.append))
    assert np.array_equal(whole, np.concatenate([arenas[0].play(ask(one)) for one in matchups]))
    assert told == sorted(told)  # of all games, not of each player's


@pytest.mark.parametrize("stranger", [3, -1])
def test_who_is_not_there_cannot_play(stranger: int) -> None:
    arena = make_deck_arena(PLAYERS, profile="fair", edition=EDITION)
    with pytest.raises(MatchError, match="entrants -1 to -3 are there"):
        arena.play(ask((0, stranger, 0)))
