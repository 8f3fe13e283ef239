"""Searches for maps: what is asked for depends on what was told, and on nothing else."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.errors import SearchError
from deckatlas.search.emitters import Emitter, MapElitesEmitter, PlusEmitter, RandomEmitter
from deckatlas.search.evaluation import Outcome
from deckatlas.search.log import NONE, Log
from deckatlas.search.map_search import CHECKED, MapSearch
from helpers.maps import GAMES, Digits, carry_out, digits_plan, outcome_of

EMITTERS: dict[str, Emitter] = {
    "map-elites": MapElitesEmitter(1, 20, 7, "score", GAMES),
    "adaptive": MapElitesEmitter(1, 20, 7, "score", GAMES, most_games=6 * GAMES),
    "random": RandomEmitter(1, window=9),
    "plus": PlusEmitter(1, parents=10, offspring=15, objective="score", window=12),
}
EVALUATIONS = CHECKED + 80


@pytest.mark.parametrize("emitter", EMITTERS)
def test_a_search_goes_on_after_any_number_of_evaluations_as_if_it_had_never_stopped(emitter: str) -> None:
    plan = digits_plan(EMITTERS[emitter], evaluations=EVALUATIONS)
    search = MapSearch(plan)
    whole = carry_out(search)
    for stored in (0, 1, 6, 7, 8, 19, 33, CHECKED, CHECKED + 1, EVALUATIONS - 1, EVALUATIONS):
        resumed = MapSearch(plan, whole.first(stored))
        carry_out(resumed)
        assert np.array_equal(resumed.log.solutions, search.log.solutions)
        assert np.array_equal(resumed.log.parents, search.log.parents)
        assert np.array_equal(resumed.log.games, search.log.games)
        assert np.array_equal(resumed.archive.elites, search.archive.elites)
        assert np.array_equal(resumed.log.column("score"), search.log.column("score"))


@pytest.mark.parametrize("emitter", EMITTERS)
def test_a_task_is_asked_for_when_all_that_it_needs_was_told_and_no_more(emitter: str) -> None:
    search = MapSearch(digits_plan(EMITTERS[emitter], evaluations=120))
    asked = 0
    while not search.is_over:
        while (task := search.ask()) is not None:
            assert search.plan.emitter.needs(asked) <= search.log.evaluations
            assert search.log.evaluations == search.plan.emitter.needs(asked) or asked == 0 or emitter == "random"
            asked += 1
        assert asked == 120 or search.plan.emitter.needs(asked) > search.log.evaluations
        task = search.waiting()[0]
        search.tell(outcome_of(task.genes, task.first_game))


def test_stored_evaluations_that_the_search_would_not_have_asked_for_are_refused() -> None:
    plan = digits_plan()
    whole = carry_out(MapSearch(plan))
    genes = whole.genes.copy()
    genes[-1] = (genes[-1] + 1) % 10
    with pytest.raises(SearchError, match="evaluation 199 differs"):
        MapSearch(plan, replace(whole, genes=genes))


def test_unknown_columns_are_refused_with_the_nearest_name() -> None:
    plan = digits_plan()
    with pytest.raises(SearchError, match="there is no column 'scores': did you mean 'score'"):
        replace(plan, objective="scores")
    measures = plan.archive.model_copy(update={"measures": ("summ", "first")})
    with pytest.raises(SearchError, match="there is no column 'summ': did you mean 'sum'"):
        replace(plan, archive=measures)


def test_with_a_window_of_one_every_task_knows_all_evaluations_before_it() -> None:
    emitter = MapElitesEmitter(1, 5, 1, "score", GAMES)
    assert [emitter.needs(number) for number in range(4)] == [0, 1, 2, 3]
    assert [EMITTERS["map-elites"].needs(number) for number in (0, 6, 7, 10)] == [0, 0, 1, 4]


def test_parents_are_elites_and_children_are_variations_of_them() -> None:
    search = MapSearch(digits_plan())
    while not search.is_over:
        elites = {NONE, *search.archive.elites.tolist()}
        while (task := search.ask()) is not None:
            assert task.parent in elites
            if task.parent != NONE:
                assert (search.log.solutions[task.parent] != task.genes).sum() <= 1
        task = search.waiting()[0]
        search.tell(outcome_of(task.genes))


def test_parents_of_a_generation_are_the_best_of_all_earlier_ones() -> None:
    emitter = PlusEmitter(1, parents=10, offspring=15, objective="score", window=100)
    search = MapSearch(digits_plan(emitter, evaluations=100))
    while not search.is_over:
        while (task := search.ask()) is not None:
            if task.parent != NONE:
                told = search.log.column("score")
                assert (told > told[task.parent]).sum() < 10
        task = search.waiting()[0]
        search.tell(outcome_of(task.genes))
    assert {0, 10, 25, 40, 55, 70, 85} == {search.plan.emitter.needs(number) for number in range(100)}


def test_games_go_where_a_winner_is_in_doubt_and_never_beyond_the_most() -> None:
    search = MapSearch(digits_plan(EMITTERS["adaptive"]))
    entries = carry_out(search)
    games = search.log.games
    assert games.sum() == 200 * GAMES
    assert games.max() <= 6 * GAMES
    again = np.flatnonzero(~entries.is_first)
    assert 0 < len(again) <= 100
    assert not any(number % 2 for number in again)
    first_games = [
        int(entries.games[:number][entries.solution[:number] == entries.solution[number]].sum()) for number in again
    ]
    assert min(first_games) >= GAMES


@given(st.integers(1, 120))
def test_a_log_of_arrays_is_the_log_that_grew(count: int) -> None:
    plan = digits_plan(EMITTERS["adaptive"], evaluations=120)
    whole = carry_out(MapSearch(plan))
    grown = Log(Digits(), plan.columns)
    for number in range(count):
        grown.add(whole.entry(number))
    made = Log.from_entries(Digits(), plan.columns, whole.first(count))
    assert grown.evaluations == made.evaluations == count
    for name in (*plan.columns, *Digits.columns):
        assert np.array_equal(grown.column(name), made.column(name))
        assert np.array_equal(grown.error(name), made.error(name))
    for each in ("solutions", "parents", "games"):
        assert np.array_equal(getattr(grown, each), getattr(made, each))


def test_outcomes_over_different_games_are_merged_by_their_weights() -> None:
    few = Outcome(10, np.array([1.0, 4.0]), np.array([0.5, 1.0]), np.array([10.0, 60.0]))
    many = Outcome(30, np.array([3.0, 2.0]), np.array([0.3, 0.5]), np.array([30.0, 120.0]))
    both = Outcome.merged([few, many])
    assert both.games == 40
    assert both.value.tolist() == pytest.approx([2.5, 8 / 3])
    assert both.error.tolist() == pytest.approx([np.hypot(0.25 * 0.5, 0.75 * 0.3), np.hypot(1 / 3, 1 / 3)])
    assert both.weight.tolist() == [40.0, 180.0]


def test_a_log_takes_solutions_in_order() -> None:
    plan = digits_plan()
    whole = carry_out(MapSearch(plan))
    log = Log(Digits(), plan.columns)
    with pytest.raises(ValueError, match="the next new solution is 0, not 1"):
        log.add(whole.entry(1))
