"""Random search rates fresh genomes alone and keeps the best of them."""

import numpy as np
import pytest

from deckatlas.errors import SearchError
from deckatlas.games.locm.spaces import attributes, priorities
from deckatlas.search.random_search import RandomSearch
from helpers.fixed_games import games_by_sum, made, steps


def test_it_rates_as_many_solutions_as_dbga_d_unless_told_otherwise() -> None:
    space = priorities(1, 100, integer=True)
    asks = [ask for ask, _, _ in steps(made(RandomSearch(), space), games_by_sum(space))]
    assert sum(len(ask.genes) for ask in asks) == 5100
    assert sum(ask.games for ask in asks) == 255_000


@pytest.mark.parametrize(("budget", "solutions"), [(50, 1), (5_049, 100), (12_345, 246)])
def test_a_budget_is_spent_to_the_last_solution_it_pays_for(budget: int, solutions: int) -> None:
    space = attributes()
    asks = [ask for ask, _, _ in steps(made(RandomSearch(), space, budget=budget), games_by_sum(space))]
    assert sum(len(ask.genes) for ask in asks) == solutions
    assert sum(ask.games for ask in asks) == 50 * solutions
    assert max(len(ask.genes) for ask in asks) <= 100


def test_a_budget_below_one_solution_is_refused() -> None:
    with pytest.raises(SearchError, match="costs 50 games, more than the budget of 49"):
        made(RandomSearch(), attributes(), budget=49)


def test_a_generation_holds_the_best_of_all_so_far() -> None:
    space = attributes()
    play = games_by_sum(space)
    genomes, wins = np.empty((0, 9)), np.empty(0)
    number = -1
    for number, (ask, told, generation) in enumerate(steps(made(RandomSearch(solutions=250), space), play)):
        genomes, wins = np.concatenate([genomes, ask.genes]), np.concatenate([wins, told])
        best = sorted(range(len(wins)), key=lambda row: (-wins[row], row))[:5]
        assert generation.number == number
        assert np.array_equal(generation.genomes, genomes[best])
        assert generation.scores.tolist() == (wins[best] * 2).tolist()
        assert generation.facts["mean"] == pytest.approx(2 * told.mean())
    assert number == 2


def test_smoke_is_small_and_keeps_the_seat() -> None:
    space = attributes()
    options = RandomSearch(seat="second").smoke()
    asks = [ask for ask, _, _ in steps(made(options, space), games_by_sum(space))]
    assert [len(ask.genes) for ask in asks] == [100, 10]
    assert sum(ask.games for ask in asks) == 1100
    assert set(asks[0].first.tolist()) == {-1}
    assert RandomSearch(solutions=3, games=2).smoke() == RandomSearch(solutions=3, games=2)
