"""The turn planner: wins that are there are found, replies are feared, and hidden cards are not looked at."""

from typing import Any

import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.state import Rng

QUICK = "planner:width=16,finalists=32"


def play_turn(state: locm.State, spec: str = QUICK) -> tuple[locm.State, list[str]]:
    """The turn of the player to move: the state before it ends, and what was done."""
    agent, rng = battle_agent(spec), Rng(1, 0)
    state, done = state.copy(), []
    while not state.is_over:
        action = agent.choose(state, rng)
        if action.verb == "PASS":
            break
        done.append(str(action))
        state.apply(action)
    return state, done


def position(me: dict[str, Any], enemy: dict[str, Any]) -> locm.State:
    return locm.position({"players": [{"mana": 12, "max_mana": 12, **me}, enemy]})


WINS = {
    "all attackers at the face": (
        {"lanes": [[{"id": 3, "atk": 3}], [{"id": 3, "atk": 4}]]},
        {"hp": 7},
    ),
    "a Guard is killed by one attacker so that the other reaches the face": (
        {"lanes": [[{"id": 3, "atk": 2, "def": 1}, {"id": 3, "atk": 6, "def": 1}], []]},
        {"hp": 6, "lanes": [[{"id": 3, "atk": 5, "def": 2, "abilities": "---G--"}], []]},
    ),
    "an item takes Guard away (143)": (
        {"hand": [{"id": 143}], "lanes": [[{"id": 3, "atk": 6}], []]},
        {"hp": 6, "lanes": [[{"id": 3, "atk": 9, "def": 9, "abilities": "---G--"}], []]},
    ),
    "a blue item at the face and an attack together (158: 4 damage)": (
        {"hand": [{"id": 158}], "lanes": [[{"id": 3, "atk": 3}], []]},
        {"hp": 7},
    ),
    "a green item on the attacker (135: +5 attack)": (
        {"hand": [{"id": 135}], "lanes": [[{"id": 3, "atk": 2}], []]},
        {"hp": 7},
    ),
    "Charge for a creature summoned now (140)": (
        {"hand": [{"id": 140}, {"id": 116}]},
        {"hp": 8},
    ),
    "Breakthrough through a blocker": (
        {"lanes": [[{"id": 3, "atk": 9, "abilities": "B-----"}], []]},
        {"hp": 5, "lanes": [[{"id": 3, "atk": 1, "def": 4, "abilities": "---G--"}], []]},
    ),
}


@pytest.mark.parametrize(("me", "enemy"), WINS.values(), ids=WINS)
def test_a_win_that_is_there_is_found(me: dict[str, Any], enemy: dict[str, Any]) -> None:
    final, done = play_turn(position(me, enemy))
    assert final.winner == 0, done


def test_an_attacker_that_would_kill_us_next_turn_is_dealt_with() -> None:
    threat = {"id": 3, "atk": 5, "def": 2}
    final, done = play_turn(
        position({"hp": 4, "lanes": [[{"id": 3, "atk": 3, "def": 1}], []]}, {"lanes": [[threat], []]})
    )
    assert not final.side(1).creatures, done


def test_a_weak_attacker_that_would_clear_the_way_for_a_strong_one_is_feared() -> None:
    guard = {"id": 3, "atk": 0, "def": 2, "abilities": "---G--"}
    attackers = [{"id": 3, "atk": 6, "def": 1}, {"id": 3, "atk": 2, "def": 1}]
    final, done = play_turn(
        position({"hp": 6, "lanes": [[guard, {"id": 3, "atk": 1, "def": 1}], []]}, {"lanes": [attackers, []]})
    )
    assert len(final.side(1).creatures) < 2, done


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads() -> None:
    one, two = (locm.play(f"random/{QUICK}", "random/greedy", games=60, seed=3, threads=threads) for threads in (1, 2))
    assert (one["final_hash"] == two["final_hash"]).all()


@pytest.mark.parametrize("seed", range(4))
def test_hidden_cards_change_nothing(seed: int) -> None:
    for state in list(locm.play_one("random/greedy", "random/random:active", seed=seed).replay())[60::7]:
        if state.is_over:
            continue
        player = state.player_to_move
        guess = state.resample(player, seed)
        assert battle_agent(QUICK).choose(state, Rng(1, 0)) == battle_agent(QUICK).choose(guess, Rng(1, 0))


@pytest.mark.parametrize("spec", ["planner:width=0", "planner:width=65", "planner:finalists=0", "planner:width=x"])
def test_impossible_options_are_refused(spec: str) -> None:
    with pytest.raises(AgentError):
        battle_agent(spec)


@pytest.mark.parametrize(("weight", "nearest"), [(1_001, 1_000), (-1_001, -1_000)])
def test_weights_with_which_a_rating_could_overflow_are_refused(weight: int, nearest: int) -> None:
    core.planner_agent(8, 16, [nearest] * 18)
    with pytest.raises(AgentError, match=f"a weight must be between -1000 and 1000, not {weight}"):
        core.planner_agent(8, 16, [0] * 17 + [weight])
