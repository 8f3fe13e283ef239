"""Patches that knobs span: their sizes, their neighbours, and how games are spent on them."""

import numpy as np
import pytest

from deckatlas.balancing.knobs import Knob, PatchSpace
from deckatlas.balancing.patch_plan import plan_of
from deckatlas.errors import SearchError

SPACE = PatchSpace((Knob("Highmane", "cost", 6, (5, 6, 7, 8), 2.0), Knob("Highmane", "attack", 6, (4, 6), 1.0)))


def test_the_size_is_the_weighted_sum_of_all_steps() -> None:
    assert SPACE.size((6, 6)) == 0
    assert SPACE.size((8, 4)) == 2 * 2.0 + 2 * 1.0
    assert SPACE.size((5, 6)) == 2.0
    assert SPACE.measures(np.array([[7.0, 4.0]])).tolist() == [[4.0]]


def test_all_patches_are_listed_once_without_the_one_that_changes_nothing() -> None:
    listed = SPACE.all()
    assert len(listed) == len(set(listed)) == SPACE.count == 7
    assert SPACE.own not in listed


def test_neighbours_turn_one_knob() -> None:
    assert set(SPACE.neighbours((7, 4))) == {(6, 4), (8, 4), (7, 6)}
    assert (6, 6) not in SPACE.neighbours((7, 6))


def test_random_patches_change_something_and_stay_within_their_values() -> None:
    rng = np.random.default_rng(1)
    drawn = {SPACE.random(rng) for _ in range(200)}
    assert drawn == set(SPACE.all())


@pytest.mark.parametrize("patches", [1, 2, 7, 100, 10**6])
@pytest.mark.parametrize("game_count", [2, 16, 102, 1190])
@pytest.mark.parametrize("budget", [60_000, 100_000, 999_999])
def test_a_plan_spends_the_budget_and_no_more(budget: int, game_count: int, patches: int) -> None:
    plan = plan_of(budget, game_count=game_count, patches=patches)
    assert plan.games <= budget
    assert plan.games > 0.5 * budget
    assert plan.first + sum(plan.rounds) == plan.explorers <= patches
    sizes = [size for size, _ in plan.stages]
    assert sizes == sorted(sizes, reverse=True)
    assert all(laps >= 2 for _, laps in plan.stages)
    assert sizes[0] <= max(1, plan.explorers)


def test_a_budget_that_is_too_small_says_how_much_it_takes() -> None:
    with pytest.raises(SearchError, match="it must be at least 4,624"):
        plan_of(100, game_count=136, patches=50)
    assert plan_of(4_624, game_count=136, patches=50).games <= 4_624
