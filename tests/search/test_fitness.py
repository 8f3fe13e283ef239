"""All candidates of a run are rated by the same games, in the seat that was asked for."""

import numpy as np
import pytest
from pydantic import ValidationError

from deckatlas import locm
from deckatlas.errors import SearchError
from deckatlas.games.locm.genomes import card_attributes
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts, attributes
from deckatlas.search.batches import Course
from deckatlas.search.dbga import Dbga
from deckatlas.search.fitness import FixedGames, times
from deckatlas.search.scripts import games_won
from helpers.batches import wins_of
from helpers.fixed_games import made, steps
from helpers.searches import courses_of

SEEDS = np.arange(10, dtype=np.uint64)
GENOMES = np.zeros((3, 9))


def fixed_games(*seats: int) -> FixedGames:
    return FixedGames(Course(SEEDS, SEEDS), seats)


def test_a_candidate_sits_where_it_was_told_to() -> None:
    first, second, both = (fixed_games(*seats).ask(GENOMES) for seats in ((0,), (1,), (0, 1)))
    assert (first.first.tolist(), first.second.tolist()) == ([0, 1, 2], [-1, -1, -1])
    assert (second.first.tolist(), second.second.tolist()) == ([-1, -1, -1], [0, 1, 2])
    assert (both.first.tolist(), both.second.tolist()) == ([0, 1, 2, -1, -1, -1], [-1, -1, -1, 0, 1, 2])
    assert (first.games, second.games, both.games) == (30, 30, 60)


def test_a_candidate_in_the_second_seat_wins_what_the_first_player_loses() -> None:
    for seats, told, wins in (
        ((0,), [0, 4, 10], [0, 4, 10]),
        ((1,), [0, 4, 10], [10, 6, 0]),
        ((0, 1), [0, 4, 10, 10, 7, 1], [0, 7, 19]),
    ):
        games = fixed_games(*seats)
        won = games_won(games.ask(GENOMES), np.array(told, dtype=np.int32))
        assert won.tolist() == wins
        assert games.scores(won).tolist() == [100 * w / games.games for w in wins]


def test_candidates_really_play_in_their_seats() -> None:
    weights = np.array([6.0, -4, -3, -2, 1, -1, 4, 1, -8])
    candidate, opponent = (card_attributes() @ weights, "greedy"), "coac/greedy"
    as_first = locm.play(candidate, opponent, games=40, seed=5, swap_seats=False)
    as_second = locm.play(opponent, candidate, games=40, seed=5, swap_seats=False)
    expected = {0: np.sum(as_first["winner"] == 0), 1: np.sum(as_second["winner"] == 1)}
    assert expected[0] != expected[1]
    evaluator = LocmMatchups(LocmDrafts(attributes()), pilot="greedy", opponents=[opponent])
    for seats in ((0,), (1,), (0, 1)):
        games = FixedGames(Course(as_first["seed"], as_first["seed"]), seats)
        ask = games.ask(weights[np.newaxis])
        assert games_won(ask, wins_of(evaluator, ask)).tolist() == [sum(expected[seat] for seat in seats)]


@pytest.mark.parametrize("seat", ["first", "second", "both"])
def test_the_games_are_the_same_for_all_and_as_many_as_asked_for(seat: str) -> None:
    options = Dbga.model_validate({"seat": seat, "population": 4, "generations": 2})
    search = made(options, attributes())
    courses: list[Course] = []
    for ask, _, _ in steps(search, lambda ask: np.zeros(len(ask.first), dtype=np.int32)):
        assert ask.games == 4 * 50
        assert set(ask.course.tolist()) == {0}
        courses.extend(courses_of(ask))
    assert len(courses) == 3
    assert len(np.unique(courses[0].game_seeds)) == (25 if seat == "both" else 50)
    for course in courses:
        assert np.array_equal(course.draft_seeds, courses[0].game_seeds)
        assert np.array_equal(course.game_seeds, courses[0].game_seeds)


def test_both_seats_take_an_even_number_of_games() -> None:
    with pytest.raises(ValidationError, match="even where each seed is played in both seats, not 25"):
        Dbga(games=25, seat="both")
    assert Dbga(games=25, seat="second").games == 25


def test_a_budget_pays_for_whole_rounds_and_for_no_more_than_wanted() -> None:
    for wanted, budget, expected in (
        (None, None, 7),
        (3, None, 3),
        (None, 10, 1),
        (None, 99, 9),
        (None, 100, 10),
        (3, 100, 3),
        (30, 100, 10),
    ):
        assert times(wanted, default=7, cost=10, budget=budget, what="it") == expected
    with pytest.raises(SearchError, match="it costs 10 games, more than the budget of 9"):
        times(None, default=7, cost=10, budget=9, what="it")
