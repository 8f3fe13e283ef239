"""Searches for maps: what is asked for depends on what was told, and on nothing else."""

from collections import deque
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.errors import SearchError
from deckatlas.search.batches import NONE, Batch, Stream, seed_of
from deckatlas.search.emitters import CHECKED, MapElitesEmitter, PlusEmitter, RandomEmitter, StatelessEmitter
from deckatlas.search.evaluation import merged
from deckatlas.search.history import History
from deckatlas.search.log import Log
from deckatlas.search.map_search import MapSearch
from helpers.maps import GAMES, Digits, carry_out, digits_plan, numbers_of, outcome_of, parent_of

EMITTERS: dict[str, StatelessEmitter] = {
    "map-elites": MapElitesEmitter(1, 20, 7, "score", GAMES),
    "adaptive": MapElitesEmitter(1, 20, 7, "score", GAMES, most_games=6 * GAMES),
    "random": RandomEmitter(1, window=9),
    "plus": PlusEmitter(1, parents=10, offspring=15, objective="score", window=12),
}
EVALUATIONS = CHECKED + 80


def carry_out_from(search: MapSearch, stored: History) -> History:
    """Evaluates all that is left of a search that was resumed; returns what was stored and what was told now."""
    rest = carry_out(search)
    participants, first_game, games, total, weight, error = (
        np.concatenate([getattr(stored, name), getattr(rest, name)])
        for name in ("participants", "first_game", "games", "total", "weight", "error")
    )
    log, batch = search.log, np.arange(len(games))
    return History(log.solutions, log.parents, participants, first_game, games, batch, total, weight, error)


@pytest.mark.parametrize("emitter", EMITTERS)
def test_a_search_goes_on_after_any_number_of_evaluations_as_if_it_had_never_stopped(emitter: str) -> None:
    plan = digits_plan(EMITTERS[emitter], evaluations=EVALUATIONS)
    search = MapSearch(plan)
    whole = carry_out(search)
    for stored in (0, 1, 6, 7, 8, 19, 33, CHECKED, CHECKED + 1, EVALUATIONS - 1, EVALUATIONS):
        resumed = MapSearch(plan)
        last = resumed.resume(whole.first(stored))
        assert (last is None) == (stored == 0)
        if last is not None:
            assert numbers_of(last) == [whole.solution[stored - 1]]
            assert np.array_equal(outcome_of(last).total, whole.total[[stored - 1]])
        if stored < EVALUATIONS:
            rest = carry_out_from(resumed, whole.first(stored))
            assert np.array_equal(rest.total, whole.total)
            assert np.array_equal(rest.participants, whole.participants)
            assert np.array_equal(rest.first_game, whole.first_game)
        assert np.array_equal(resumed.log.solutions, search.log.solutions)
        assert np.array_equal(resumed.log.parents, search.log.parents)
        assert np.array_equal(resumed.log.games, search.log.games)
        assert np.array_equal(resumed.archive.elites, search.archive.elites)
        assert np.array_equal(resumed.log.column("score"), search.log.column("score"))


@pytest.mark.parametrize("emitter", EMITTERS)
def test_an_evaluation_is_asked_for_when_all_that_it_needs_was_told_and_no_more(emitter: str) -> None:
    needs = EMITTERS[emitter].needs
    search = MapSearch(digits_plan(EMITTERS[emitter], evaluations=120))
    asked = 0
    waiting: deque[Batch] = deque()
    while not search.is_over:
        while (batch := search.ask()) is not None:
            waiting.append(batch)
            assert needs(asked) <= search.log.evaluations
            assert search.log.evaluations == needs(asked) or asked == 0 or emitter == "random"
            asked += 1
        assert asked == 120 or needs(asked) > search.log.evaluations
        search.tell(outcome_of(waiting.popleft()))


def test_stored_evaluations_that_the_search_would_not_have_asked_for_are_refused() -> None:
    plan = digits_plan()
    whole = carry_out(MapSearch(plan))
    genes = whole.genes.copy()
    genes[-1] = (genes[-1] + 1) % 10
    with pytest.raises(SearchError, match="evaluation 199 differs"):
        MapSearch(plan).resume(replace(whole, genes=genes))


def test_unknown_columns_are_refused_with_the_nearest_name() -> None:
    plan = digits_plan()
    with pytest.raises(SearchError, match="there is no column 'scores': did you mean 'score'"):
        replace(plan, objective="scores")
    measures = plan.archive.model_copy(update={"measures": ("summ", "first")})
    with pytest.raises(SearchError, match="there is no column 'summ': did you mean 'sum'"):
        replace(plan, archive=measures)


def test_with_a_window_of_one_every_evaluation_knows_all_evaluations_before_it() -> None:
    emitter = MapElitesEmitter(1, 5, 1, "score", GAMES)
    assert [emitter.needs(number) for number in range(4)] == [0, 1, 2, 3]
    assert [EMITTERS["map-elites"].needs(number) for number in (0, 6, 7, 10)] == [0, 0, 1, 4]


def test_parents_are_elites_and_children_are_variations_of_them() -> None:
    search = MapSearch(digits_plan())
    waiting: deque[Batch] = deque()
    while not search.is_over:
        elites = {NONE, *search.archive.elites.tolist()}
        while (batch := search.ask()) is not None:
            waiting.append(batch)
            parent = parent_of(batch)
            assert parent in elites
            if parent != NONE:
                assert (search.log.solutions[parent] != batch.genes[0]).sum() <= 1
        search.tell(outcome_of(waiting.popleft()))


def test_parents_of_a_generation_are_the_best_of_all_earlier_ones() -> None:
    emitter = PlusEmitter(1, parents=10, offspring=15, objective="score", window=100)
    search = MapSearch(digits_plan(emitter, evaluations=100))
    waiting: deque[Batch] = deque()
    while not search.is_over:
        while (batch := search.ask()) is not None:
            waiting.append(batch)
            if (parent := parent_of(batch)) != NONE:
                told = search.log.column("score")
                assert (told > told[parent]).sum() < 10
        search.tell(outcome_of(waiting.popleft()))
    assert {0, 10, 25, 40, 55, 70, 85} == {emitter.needs(number) for number in range(100)}


def test_games_go_where_a_winner_is_in_doubt_and_never_beyond_the_most() -> None:
    search = MapSearch(digits_plan(EMITTERS["adaptive"]))
    history = carry_out(search)
    games = search.log.games
    assert games.sum() == 200 * GAMES
    assert games.max() <= 6 * GAMES
    again = np.flatnonzero(~history.is_first)
    assert 0 < len(again) <= 100
    assert not any(number % 2 for number in again)
    before = [
        int(history.games[:number][history.solution[:number] == history.solution[number]].sum()) for number in again
    ]
    assert min(before) >= GAMES
    assert history.first_game[again].tolist() == before


def test_all_solutions_play_the_same_games_or_each_evaluation_has_games_of_its_own() -> None:
    common = digits_plan()
    assert common.stream(3, 8) == common.stream(9, 8) == Stream(seed_of(1, "games"), 8, GAMES)
    fresh = replace(common, fresh=True)
    assert fresh.stream(3, 8) == Stream(seed_of(1, "games", 3), 0, GAMES)
    assert fresh.stream(3, 0).seed != fresh.stream(4, 0).seed


def add(log: Log, history: History, number: int) -> None:
    """Adds a stored evaluation."""
    solution = int(history.solution[number])
    outcome = history.total[number], history.weight[number], history.error[number]
    own = Digits().measures(history.genes[solution][np.newaxis])[0] if history.is_first[number] else None
    log.add(
        solution, int(history.parents[solution]), history.genes[solution], int(history.games[number]), outcome, own=own
    )


@given(st.integers(1, 120))
def test_a_log_of_arrays_is_the_log_that_grew(count: int) -> None:
    plan = digits_plan(EMITTERS["adaptive"], evaluations=120)
    whole = carry_out(MapSearch(plan))
    grown = Log(Digits(), plan.columns)
    for number in range(count):
        add(grown, whole, number)
    told = whole.first(count)
    made = Log.from_history(Digits(), plan.columns, told, Digits().measures(told.genes))
    assert grown.evaluations == made.evaluations == count
    assert grown.columns == ("score", "first", "sum")
    for name in grown.columns:
        assert np.array_equal(grown.column(name), made.column(name))
        assert np.array_equal(grown.error(name), made.error(name))
    for each in ("solutions", "parents", "games"):
        assert np.array_equal(getattr(grown, each), getattr(made, each))


def test_outcomes_over_different_games_are_merged_by_their_weights() -> None:
    few = np.array([10.0, 240.0]), np.array([10.0, 60.0]), np.array([0.5, 1.0])
    many = np.array([90.0, 240.0]), np.array([30.0, 120.0]), np.array([0.3, 0.5])
    total, weight, error = merged([few, many])
    assert (total / weight).tolist() == pytest.approx([2.5, 8 / 3])
    assert error.tolist() == pytest.approx([np.hypot(0.25 * 0.5, 0.75 * 0.3), np.hypot(1 / 3, 1 / 3)])
    assert weight.tolist() == [40.0, 180.0]


def test_batches_are_told_apart_even_where_each_is_one_evaluation() -> None:
    whole = carry_out(MapSearch(digits_plan(evaluations=4)))
    for batch, expected in (([-1, -2, -3, -4], [1, 1, 1, 1]), ([-1, 1, 1, -4], [1, 2, 1]), ([0, 0, 0, 0], [4])):
        found = replace(whole, batch=np.array(batch)).batches  # -1 - k: evaluation k is a batch of its own
        assert [rows.stop - rows.start for rows in found] == expected
        assert (found[0].start, found[-1].stop) == (0, 4)
    assert whole.first(0).batches == ()


def test_a_log_takes_solutions_in_order() -> None:
    plan = digits_plan()
    whole = carry_out(MapSearch(plan))
    log = Log(Digits(), plan.columns)
    with pytest.raises(ValueError, match="the next new solution is 0, not 1"):
        add(log, whole, 1)


def test_a_log_takes_the_own_columns_of_new_solutions_and_of_no_others() -> None:
    plan = digits_plan()
    whole = carry_out(MapSearch(plan))
    log = Log(Digits(), plan.columns)
    outcome, own = (whole.total[0], whole.weight[0], whole.error[0]), np.array([1.0])
    with pytest.raises(ValueError, match="a new solution has its own columns"):
        log.add(0, -1, whole.genes[0], 1, outcome, own=None)
    log.add(0, -1, whole.genes[0], 1, outcome, own=own)
    with pytest.raises(ValueError, match="a known one already had them"):
        log.add(0, -1, whole.genes[0], 1, outcome, own=own)
