"""Courses of evaluations of Hearthstone decks: who meets whom, in which seat and from which seed."""

from collections import Counter

import numpy as np
import pytest

from deckatlas._core import hearthstone as core
from deckatlas.errors import MatchError, RunError
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.suites import Opponent, Suite

CARDS = edition()
NAMES = ("Starter Hunter", "Starter Paladin", "Starter Warlock", "Aggro Hunter", "Control Paladin", "Aggro Warlock")
SIX = Suite("six", tuple(Opponent(name, deck_of(name, CARDS), "random") for name in NAMES))
LIVELY = Suite("lively", tuple(Opponent(name, deck_of(name, CARDS), "random:active", 2) for name in NAMES[:2]))


def test_two_hundred_games_are_shared_out_over_six_opponents_in_turn() -> None:
    course = SIX.course(200, seed=1, swap_seats=False)
    assert course.opponent[:8].tolist() == [0, 1, 2, 3, 4, 5, 0, 1]
    assert np.bincount(course.opponent).tolist() == [34, 34, 33, 33, 33, 33]


def test_an_opponent_has_as_many_games_in_a_row_as_its_portion() -> None:
    suite = Suite("uneven", (SIX.opponents[0], LIVELY.opponents[1]))
    assert suite.course(7, seed=1, swap_seats=False).opponent.tolist() == [0, 1, 1, 0, 1, 1, 0]


def test_a_game_has_a_seed_of_its_own_opponent_and_number() -> None:
    course = SIX.course(200, seed=1, swap_seats=False)
    assert len(set(course.seed.tolist())) == 200
    assert not set(course.seed.tolist()) & set(SIX.course(200, seed=2, swap_seats=False).seed.tolist())
    fewer = Suite("fewer", SIX.opponents[:3]).course(100, seed=1, swap_seats=False)
    for opponent in range(3):  # whoever else is in the suite
        theirs = course.seed[course.opponent == opponent]
        assert fewer.seed[fewer.opponent == opponent][:20].tolist() == theirs[:20].tolist()


def test_games_with_swapped_seats_come_in_pairs_of_one_seed_and_opponent() -> None:
    course = SIX.course(24, seed=1, swap_seats=True)
    pairs = Counter(zip(course.seed.tolist(), course.opponent.tolist(), strict=True))
    assert set(pairs.values()) == {2}
    for seed in set(course.seed.tolist()):
        here = course.seed == seed
        assert course.seat[here].tolist() in ([0, 1], [1, 0])


@pytest.mark.parametrize("games", [6, 7, 13, 18])
def test_however_few_games_there_are_the_deck_moves_first_in_about_half_of_them(games: int) -> None:
    seats = SIX.course(games, seed=1, swap_seats=True).seat
    assert abs(int((seats == 0).sum()) - games / 2) <= 1


def test_the_games_of_a_course_are_those_of_a_plain_count() -> None:
    suite = Suite("uneven", (SIX.opponents[0], *LIVELY.opponents, SIX.opponents[1]))
    for swap_seats in (False, True):
        course = suite.course(50, seed=9, swap_seats=swap_seats, first_game=3)
        met: Counter[int] = Counter()
        turns = [number for number, each in enumerate(suite.opponents) for _ in range(each.portion)]
        for game in range(53):
            opponent = turns[game % len(turns)]
            meeting = met[opponent]
            met[opponent] += 1
            if game >= 3:
                seed = core.game_seed(core.game_seed(9, opponent, False), meeting, swap_seats)
                seat = (meeting + opponent) % 2 if swap_seats else 0
                found = (course.opponent[game - 3], course.seat[game - 3], course.seed[game - 3])
                assert found == (opponent, seat, seed)


def test_a_course_has_no_more_games_than_can_be_kept() -> None:
    with pytest.raises(MatchError, match="games must be a whole number from 1 to 10000000"):
        SIX.course(10_000_001, seed=1, swap_seats=True)


def test_a_suite_has_opponents_with_portions() -> None:
    with pytest.raises(RunError, match="the suite none has no opponents"):
        Suite("none", ())
    with pytest.raises(MatchError, match="the portion of x must be a whole number from 1"):
        Suite("idle", (Opponent("x", SIX.opponents[0].deck, "random", 0),))
