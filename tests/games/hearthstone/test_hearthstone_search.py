"""Our own pilots of Hearthstone, `search` and `mcts`: wins they must see, what they know, and what is refused."""

import time
from itertools import product
from typing import Any

import pytest

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas.errors import AgentError, StateError
from deckatlas.games.hearthstone.agents import agent
from deckatlas.games.hearthstone.state import Rng, State
from helpers.hearthstone_play import random_states

YETI, FOOTMAN, SENJIN, RAPTOR, WISP = "CS2_182", "CS1_042", "CS2_179", "CS2_172", "CS2_231"  # 4/5, 1/2, 3/5, 3/2, 1/1
FROSTBOLT, RAID_LEADER, KINGS, BOAR, TRACKING = "CS2_024", "CS2_122", "CS2_092", "CS2_171", "DS1_184"
OWL, WATCHER, SNAPJAW, INNER_FIRE, SOULPRIEST = "CS2_203", "EX1_045", "CS2_119", "CS1_129", "EX1_591"
ROCKBITER, DOOMHAMMER, CLAW, ROAR = "CS2_045", "EX1_567", "CS2_005", "CS2_011"
FIREBALL, ARCANE_INTELLECT, ARCANE_MISSILES = "CS2_029", "CS2_023", "EX1_277"
WON = 2**31 - 1
SPECS = ("search", "mcts:playouts=40")
both_pilots = pytest.mark.parametrize("spec", SPECS)
ELITE = ("Aggro Hunter", "Control Hunter", "Aggro Paladin", "Control Paladin", "Aggro Warlock", "Control Warlock")


def position(me: dict[str, Any], op: dict[str, Any]) -> State:
    return hearthstone.scenario({"me": {"class": "WARRIOR", **me}, "op": {"class": "WARRIOR", **op}})


def play_turn(spec: str, state: State, *, seed: int = 1) -> list[str]:
    """Plays a turn out on `state` and returns it in words; every action is legal."""
    own, rng, game = agent(spec), Rng(seed, 0), Rng(seed, 2)
    turn, actions = state.turn, []
    while not state.is_over and state.turn == turn:
        action = own.choose(state, rng)
        state.apply(action, game)
        actions.append(str(action))
    return actions


# ---- wins ------------------------------------------------------------------------------------------------------------

LETHALS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "attack for all before the attacks": (
        {"mana": 3, "max_mana": 3, "hand": [RAID_LEADER], "board": [RAPTOR, RAPTOR]},
        {"health": 8},
    ),
    "the weaker minion clears the way": (
        {"mana": 0, "board": [YETI, RAPTOR]},
        {"health": 4, "board": [FOOTMAN]},
    ),
    "the spell clears the way": (
        {"class": "MAGE", "mana": 2, "max_mana": 2, "hand": [FROSTBOLT], "board": [YETI]},
        {"health": 4, "board": [FOOTMAN, YETI]},
    ),
    "the blessing is for who can attack": (
        {"class": "PALADIN", "mana": 4, "max_mana": 4, "hand": [KINGS], "board": [{"id": YETI, "sick": True}, WISP]},
        {"health": 5},
    ),
    "charge, then attack for all": (
        {"mana": 4, "max_mana": 4, "hand": [RAID_LEADER, BOAR], "board": [WISP]},
        {"health": 4},
    ),
    "healing that is damage": (
        {"class": "PRIEST", "mana": 2, "max_mana": 2, "board": [{"id": SOULPRIEST, "sick": True}]},
        {"health": 2, "board": [YETI]},
    ),
    "healing that becomes damage": (
        {"class": "PRIEST", "mana": 6, "max_mana": 6, "hand": [SOULPRIEST]},
        {"health": 2, "board": [YETI]},
    ),
    "as much attack as health": (
        {"class": "PRIEST", "mana": 1, "max_mana": 1, "hand": [INNER_FIRE], "board": [SNAPJAW]},
        {"health": 7, "board": [YETI]},
    ),
    "silence for the own": (
        {"mana": 3, "max_mana": 3, "hand": [OWL], "board": [WATCHER]},
        {"health": 4, "board": [YETI]},
    ),
    "attack for the hero, who strikes twice": (
        {"class": "SHAMAN", "mana": 2, "max_mana": 2, "hand": [ROCKBITER], "weapon": DOOMHAMMER, "board": [WISP]},
        {"health": 11},
    ),
    "attack for a hero who stands alone": (
        {"class": "DRUID", "mana": 3, "max_mana": 3, "hand": [CLAW]},
        {"health": 3},
    ),
    "attack for all, the hero too": (
        {"class": "DRUID", "mana": 3, "max_mana": 3, "hand": [ROAR], "board": [WISP]},
        {"health": 5},
    ),
}


@both_pilots
@pytest.mark.parametrize("place", LETHALS)
def test_a_win_that_needs_an_order_is_found(spec: str, place: str) -> None:
    for seed in range(5):
        state = position(*LETHALS[place])
        play_turn(spec, state, seed=seed)
        assert state.winner == 0


def drawing(*deck: str) -> State:
    """Arcane Intellect and the mana for a Fireball, which would win, if it is among the cards drawn."""
    me = {"class": "MAGE", "mana": 7, "max_mana": 7, "hand": [ARCANE_INTELLECT], "deck": list(deck)}
    return position(me, {"class": "MAGE", "health": 6, "deck": [WISP] * 5})


def test_a_win_by_a_card_that_may_be_drawn_counts_only_if_it_is_likely() -> None:
    def share(state: State) -> float:
        return sum(agent("search").plan(state, Rng(seed, 0)).score == WON for seed in range(60)) / 60

    assert share(drawing(*[FIREBALL] * 6)) == 1
    assert share(drawing(FIREBALL, *[WISP] * 20)) == 0


def test_the_tree_search_does_not_take_luck_for_a_win() -> None:
    me = {"class": "MAGE", "mana": 1, "max_mana": 1, "hand": [ARCANE_MISSILES], "deck": [WISP] * 5}
    state = position(me, {"health": 3, "board": [YETI, YETI], "deck": [WISP] * 5})  # a chance of 1 in 27
    assert {agent("mcts:playouts=3").plan(state, Rng(seed, 0)).end_nodes for seed in range(150)} == {3}


@both_pilots
def test_a_taunt_is_put_before_a_blow_that_would_kill(spec: str) -> None:
    me = {"health": 4, "mana": 4, "max_mana": 4, "hand": [YETI, SENJIN]}
    state = position(me, {"board": [YETI], "deck": [WISP] * 5})
    assert play_turn(spec, state)[0] == "play 1"


def test_a_minion_that_is_worth_less_is_traded_for_one_that_is_worth_more() -> None:
    state = position({"mana": 0, "board": [RAPTOR]}, {"board": [{"id": YETI, "damage": 2}], "deck": [WISP] * 5})
    assert play_turn("search", state) == ["attack 0 at enemy 0", "end"]


@both_pilots
def test_a_card_of_three_is_chosen(spec: str) -> None:
    me = {"class": "HUNTER", "mana": 1, "max_mana": 1, "hand": [TRACKING], "deck": [WISP, YETI, RAPTOR, FOOTMAN]}
    state = position(me, {})
    state.apply(next(action for action in state.legal_actions() if action.kind == core.ActionKind.play), Rng(1, 2))
    assert state.phase == "choice"
    assert play_turn(spec, state)[0].startswith("choose")


# ---- what they know --------------------------------------------------------------------------------------------------


@both_pilots
def test_what_a_player_cannot_see_changes_nothing(spec: str) -> None:
    asked = 0
    for number, state in enumerate([*random_states(11), *random_states(12)]):
        if state.phase != "main":
            continue
        player = state.player_to_move
        alike = [state, state.view(player), state.resample(player, 1), state.resample(player, 2)]
        choices = [agent(spec).choose(each, Rng(number, 0)) for each in alike]
        assert choices == choices[:1] * len(alike)
        state.copy().apply(choices[0], Rng(number, 2))  # it is legal
        asked += 1
    assert asked > 40


@both_pilots
def test_only_the_player_to_move_is_asked(spec: str) -> None:
    with pytest.raises(StateError, match="not to move"):
        agent(spec).choose(position({}, {}).view(1), Rng(1, 0))


# ---- matches ---------------------------------------------------------------------------------------------------------


def columns(spec: str, threads: int) -> dict[str, bytes]:
    decks = ("Aggro Paladin", "Control Warlock")
    result = hearthstone.play(spec, "planner:score=midrange", decks=decks, games=12, seed=5, threads=threads)
    return {name: column.tobytes() for name, column in result.columns.items()}


@both_pilots
def test_games_are_the_same_on_any_number_of_threads(spec: str) -> None:
    assert columns(spec, 1) == columns(spec, 2) == columns(spec, 3)


@both_pilots
def test_a_game_by_its_seed_is_that_of_the_match(spec: str) -> None:
    decks = ("Control Hunter", "Aggro Paladin")
    match = hearthstone.play(spec, "random:active", decks=decks, games=1, seed=3)
    record = hearthstone.play_one(spec, "random:active", decks=decks, seed=int(match["seed"][0]))
    assert list(record.replay())[-1].hash == match["final_hash"][0]


def test_the_search_beats_the_best_published_scores() -> None:
    """The six elite decks against each other, with the score that suits the opponent's deck best; seats swapped."""
    wins = games = 0
    for a, b in product(ELITE, ELITE):
        score = "midrange" if b in ("Aggro Hunter", "Aggro Paladin", "Aggro Warlock") else "ramp"
        result = hearthstone.play("search", f"planner:score={score}", decks=(a, b), games=10, seed=7)
        wins, games = wins + result.wins, games + result.games
    assert games == 360
    assert wins / games > 0.6


def test_the_tree_search_beats_a_published_score() -> None:
    decks = ("Control Paladin", "Control Paladin")
    match = hearthstone.play("mcts:playouts=40", "planner:score=midrange", decks=decks, games=60, seed=1)
    assert match.rate.low > 0.5


@both_pilots
def test_they_pilot_decks_of_evaluations(spec: str) -> None:
    results = hearthstone.evaluate(["Starter Mage"], pilot=spec, suite="starter", games=6, seed=1)
    assert results["num_turns"].value[0] > 3


class StopError(Exception):
    """What a watcher of a match raises."""


def test_a_match_of_long_searches_stops_at_once() -> None:
    def stop(done: int) -> None:
        raise StopError

    began = time.process_time()
    with pytest.raises(StopError):
        hearthstone.play(
            "mcts:playouts=10000", "pass", decks=("Control Paladin",) * 2, games=2, threads=1, progress=stop
        )
    assert time.process_time() - began < 1


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("search:width=0", "width must be between 1 and 64, not 0"),
        ("search:width=65", "width must be between 1 and 64, not 65"),
        ("search:finalists=0", "finalists must be between 1 and 64, not 0"),
        ("search:finalists=many", "'finalists' is a whole number, not 'many'"),
        ("search:information=perfect", "'search' has no option 'information'"),
        ("mcts:playouts=0", "playouts must be between 1 and 10000, not 0"),
        ("mcts:playouts=10001", "playouts must be between 1 and 10000, not 10001"),
        ("mcts:c=-1", "c must be between 0 and 1000000000, not -1"),
        ("mcts:c=nan", "c must be between 0 and 1000000000, not nan"),
        ("mcts:c=much", "'c' is a number, not 'much'"),
        ("serch", "unknown agent 'serch': did you mean 'search'"),
    ],
)
def test_a_spec_that_makes_no_sense_is_refused_with_the_reason(spec: str, why: str) -> None:
    with pytest.raises(AgentError) as refused:
        agent(spec)
    assert why in str(refused.value)


def test_weights_are_numbers_of_a_known_count_and_size() -> None:
    with pytest.raises(AgentError, match="rated by 36 weights, not 2"):
        core.search_agent(3, 4, [1, 2])
    with pytest.raises(AgentError, match="a weight must be between 0 and 1000, not 1001"):
        core.search_agent(3, 4, [1001] * 36)
