"""The agents of the core against a plain description of what they do, action by action."""

from collections.abc import Sequence

import numpy as np
import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.games.locm.state import Rng


def simple_rating(state: locm.State, player: int) -> int:
    """Death, health, number and size of creatures, as the contest's research players rate a position."""

    def side_value(side: locm.Side) -> int:
        return 2 * side.health + sum(10 + creature.attack + creature.defense for creature in side.creatures)

    own, enemy = state.side(player), state.side(1 - player)
    death = (1000 if enemy.health <= 0 else 0) - (1000 if own.health <= 0 else 0)
    return death + side_value(own) - side_value(enemy)


def greedy_choice(state: locm.State) -> locm.Action:
    """The first action with the best rated successor; PASS comes first and is worth the position as it stands."""
    player = state.player_to_move
    passing, *others = state.legal_actions()
    best, best_rating = passing, simple_rating(state, player)
    for action in others:
        successor = state.copy()
        successor.apply(action)
        rating = simple_rating(successor, player)
        if rating > best_rating:
            best, best_rating = action, rating
    return best


def battle_states(seed: int, battle: core.BattleAgent) -> Sequence[locm.State]:
    """All states of a battle after a random draft."""
    rng = Rng(seed, 0)
    state = locm.new_game(seed=seed)
    while not state.in_battle:
        state.apply(core.random_draft().choose(state, rng))
    states = []
    while not state.is_over:
        states.append(state.copy())
        state.apply(battle.choose(state, rng))
    return states


@pytest.mark.parametrize("seed", range(12))
def test_greedy_takes_the_first_of_the_best_rated_successors(seed: int) -> None:
    greedy = core.greedy_agent()
    for state in battle_states(seed, core.random_agent(active=True) if seed % 2 else greedy):
        assert greedy.choose(state, Rng(0, 0)) == greedy_choice(state)


def test_active_random_passes_only_when_nothing_else_is_legal() -> None:
    agent, rng = core.random_agent(active=True), Rng(1, 0)
    for state in battle_states(3, core.random_agent()):
        actions = state.legal_actions()
        assert (agent.choose(state, rng).verb == "PASS") == (len(actions) == 1)


def test_pass_agent_passes() -> None:
    assert all(str(core.pass_agent().choose(s, Rng(1, 0))) == "PASS" for s in battle_states(4, core.greedy_agent()))


def test_a_ranking_picks_the_highest_score_and_the_first_offered_on_ties() -> None:
    state = locm.new_game(seed=5)
    first, second, third = state.offers[0]
    scores = [0.0] * 160

    def pick() -> str:
        return str(core.ranking_draft(np.array(scores)).choose(state, Rng(1, 0)))

    assert pick() == "PICK 0"
    scores[third - 1] = 1.0
    assert pick() == "PICK 2"
    scores[second - 1] = 1.0
    assert pick() == "PICK 1"
    scores[first - 1] = float("-inf")
    assert pick() == "PICK 1"


def test_a_card_missing_from_a_list_ranks_below_all_others() -> None:
    missing = {34, 42, 49, 72, 79, 89, 111, 122, 139}
    scores = locm.rankings()["coac-cog-first"]
    assert {card for card in range(1, 161) if scores[card - 1] == float("-inf")} == missing


def test_every_ranking_has_a_summary_and_a_score_for_each_card() -> None:
    assert set(locm.rankings()) <= set(locm.DRAFT_POLICIES)
    assert all(scores.shape == (160,) for scores in locm.rankings().values())
