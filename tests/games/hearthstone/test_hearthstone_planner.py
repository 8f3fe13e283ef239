"""The papers' planner of Hearthstone: beams worked out by hand, what it knows, and what is refused."""

import json
import math
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas.errors import AgentError, StateError
from deckatlas.games.hearthstone.agents import agent, read_network_rating, read_weights
from deckatlas.games.hearthstone.state import Rng, State
from helpers.hearthstone_play import random_states

YETI, FOOTMAN, SENJIN, RAPTOR, WISP = "CS2_182", "CS1_042", "CS2_179", "CS2_172", "CS2_231"  # 4/5, 1/2, 3/5, 3/2, 1/1
FIREBALL, FIERY_WAR_AXE, ARCANE_INTELLECT, DIRE_WOLF = "CS2_029", "CS2_106", "CS2_023", "EX1_162"
FROSTBOLT = "CS2_024"
WON, LOST = 2**31 - 1, -(2**31)
NO_POWER = {"class": "WARRIOR", "mana": 0}  # a hero power that cannot be paid


def position(me: dict[str, Any], op: dict[str, Any]) -> State:
    return hearthstone.scenario({"me": {"class": "WARRIOR", **me}, "op": {"class": "WARRIOR", **op}})


def planner(score: str, **options: Any) -> core.Agent:
    given = {"information": "perfect", **options}
    return agent(f"planner:score={score}," + ",".join(f"{key}={value}" for key, value in given.items()))


def plan(state: State, score: str, *, seed: int = 1, **options: Any) -> core.Plan:
    return planner(score, **options).plan(state, Rng(seed, 0))


def in_words(made: core.Plan) -> list[tuple[str, int, int]]:
    return [(action.kind.name, action.source, action.target) for action in made.actions]


# ---- beams -----------------------------------------------------------------------------------------------------------


def test_a_blow_that_wins_is_the_plan_and_ends_the_game() -> None:
    made = plan(position({**NO_POWER, "board": [YETI]}, {"health": 4}), "control")
    assert in_words(made) == [("attack", 1, 9)]
    assert (made.score, made.end_nodes) == (WON, 2)  # ending the turn is the other end


def test_the_plan_goes_on_to_the_end_of_the_turn_and_is_rated_after_the_enemys_draw() -> None:
    # One attack and then the end, or the end at once; fatigue sees that the enemy draws the last card of its deck.
    made = plan(position({**NO_POWER, "board": [YETI], "deck": []}, {"deck": [WISP]}), "fatigue")
    assert in_words(made) == [("attack", 1, 9), ("end_turn", 0, 0)]
    assert made.score == 1000 + 10_000 + 50 * (0 - 0) + 10 * 1 + 4 + 5 * 4
    assert made.end_nodes == 2


def test_of_equal_plans_the_first_is_taken() -> None:
    # Life lost by the one minion or the other is the same: the left one attacks first.
    made = plan(position({**NO_POWER, "board": [RAPTOR, RAPTOR]}, {}), "aggro")
    assert in_words(made) == [("attack", 1, 9), ("attack", 2, 9), ("end_turn", 0, 0)]
    assert made.score == 1000 + 6 + 1000 * 6


def ready_again(state: State) -> State:
    """The position one turn of each player later, with nothing done but what has been done."""
    for _ in range(2):
        state.apply(core.Action(core.ActionKind.end_turn), Rng(1, 0))
    return state


def test_states_are_the_same_whoever_of_two_veterans_has_attacked() -> None:
    # The end; after one attack by either of the two; after both, in whatever order.
    me = {**NO_POWER, "max_mana": 0, "deck": [ARCANE_INTELLECT] * 3}
    state = position({**me, "board": [RAPTOR, RAPTOR]}, {"deck": [ARCANE_INTELLECT] * 3})
    assert plan(state, "aggro").end_nodes == 1 + 2 + 1
    for place in (1, 2):
        state.apply(core.Action(core.ActionKind.attack, source=place, target=9), Rng(1, 0))
    assert plan(ready_again(state), "aggro").end_nodes == 1 + 1 + 1
    assert plan(hearthstone.read_state(state.to_text()), "aggro").end_nodes == 1 + 1 + 1


def test_every_position_of_a_minion_is_a_state_of_its_own() -> None:
    # Two minions that cannot attack, and a card that costs nothing: three positions, then the end of each.
    board = [{"id": YETI, "sick": True}, {"id": YETI, "sick": True}]
    state = position({**NO_POWER, "board": board, "hand": [WISP]}, {"board": [YETI]})
    assert plan(state, "control").end_nodes == 1 + 3
    assert plan(state, "control", width=2).end_nodes == 1 + 2
    assert [action.position for action in plan(state, "control").actions] == [0, 7]


def test_a_minion_is_put_where_its_neighbours_gain_most() -> None:
    # A Dire Wolf Alpha between both gives each of them one attack.
    board = [{"id": YETI, "sick": True}, {"id": YETI, "sick": True}]
    made = plan(position({"mana": 2, "board": board, "hand": [DIRE_WOLF]}, {"board": [YETI]}), "control")
    assert made.actions[0].position == 1


def test_depth_ends_plans_that_would_go_on() -> None:
    state = position({**NO_POWER, "board": [RAPTOR, RAPTOR]}, {})
    assert len(plan(state, "aggro", depth=2).actions) == 2
    assert in_words(plan(state, "aggro", depth=1)) == [("end_turn", 0, 0)]


def test_a_search_says_whether_anything_in_it_was_random() -> None:
    assert not plan(position({**NO_POWER, "board": [RAPTOR]}, {}), "aggro").random
    missiles = position({"class": "MAGE", "mana": 1, "hand": ["EX1_277"]}, {"board": [YETI]})
    assert plan(missiles, "aggro").random


# ---- what it knows ---------------------------------------------------------------------------------------------------


def test_an_honest_planner_plans_from_its_view_alone() -> None:
    own = agent("planner:score=midrange")
    planned = 0
    for number, state in enumerate(random_states(11)):
        if state.phase != "main":
            continue
        seen = state.view(state.player_to_move)
        whole = own.plan(state, Rng(number, 0))
        guessed = own.plan(seen, Rng(number, 0))
        assert (in_words(whole), whole.score, whole.end_nodes) == (in_words(guessed), guessed.score, guessed.end_nodes)
        planned += 1
    assert planned > 20


def test_perfect_information_knows_the_next_card() -> None:
    # Only with Fireball on top of the deck do the cards kill this turn.
    me = {"class": "MAGE", "mana": 7, "hand": [ARCANE_INTELLECT], "deck": [FIREBALL, *[WISP] * 20]}
    state = position(me, {"class": "MAGE", "health": 6})
    assert plan(state, "aggro").score == WON
    found = [plan(state, "aggro", information="honest", seed=seed).score == WON for seed in range(40)]
    assert any(found)
    assert not all(found)


def test_a_planner_that_knows_everything_refuses_a_view() -> None:
    state = position({}, {})
    with pytest.raises(StateError, match="whole state"):
        planner("aggro").plan(state.view(0), Rng(1, 0))
    with pytest.raises(StateError, match="not to move"):
        agent("planner:score=aggro").plan(state.view(1), Rng(1, 0))
    with pytest.raises(AgentError, match="does not plan"):
        agent("random").plan(state, Rng(1, 0))


# ---- matches ---------------------------------------------------------------------------------------------------------


def columns(**options: Any) -> dict[str, bytes]:
    result = hearthstone.play(
        options.pop("a", "planner:score=aggro"),
        "planner:score=control",
        decks=("Aggro Paladin", "Control Warlock"),
        games=24,
        seed=5,
        **options,
    )
    return {name: column.tobytes() for name, column in result.columns.items()}


@pytest.mark.parametrize("spec", ["planner:score=aggro", "planner:score=aggro,information=perfect"])
def test_games_are_the_same_on_any_number_of_threads(spec: str) -> None:
    assert columns(a=spec, threads=1) == columns(a=spec, threads=3)


def test_planning_anew_after_random_events_changes_games() -> None:
    perfect = "planner:score=control,information=perfect"
    assert columns(a=perfect)["actions"] != columns(a=f"{perfect},replan=false")["actions"]


def test_a_match_of_planners_can_be_stopped_between_two_games() -> None:
    heard: list[int] = []

    def stop(games: int) -> None:
        heard.append(games)
        if games > 0:
            raise KeyboardInterrupt

    wide, decks = "planner:score=control,width=64", ("Control Paladin", "Control Paladin")
    with pytest.raises(KeyboardInterrupt):
        hearthstone.play(wide, wide, decks=decks, games=1000, threads=1, progress=stop)
    assert 0 < heard[-1] < 64


def test_a_match_of_planners_with_a_large_network_stops_at_once(tmp_path: Path) -> None:
    layers = [15, 256, 256, 256, 1]
    numbers = sum(inputs * outputs + outputs for inputs, outputs in pairwise(layers))
    path = tmp_path / "net.json"
    path.write_text(json.dumps({"layers": layers, "weights_then_biases": [0.01] * numbers}), encoding="utf-8")
    wide, decks = f"planner:net={path},width=64,depth=32", ("Control Paladin", "Control Paladin")

    def stop(games: int) -> None:
        raise KeyboardInterrupt

    began = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        hearthstone.play(wide, wide, decks=decks, games=1000, threads=1, progress=stop)
    assert time.process_time() - began < 1


def test_a_planner_beats_random_play() -> None:
    decks = ("Control Paladin", "Control Paladin")
    assert hearthstone.play("planner:score=control", "random:active", decks=decks, games=60, seed=1).rate.low > 0.8


# ---- turns action by action ------------------------------------------------------------------------------------------

PLANNERS = (
    "planner:score=midrange",
    "planner:score=control,information=perfect",
    "planner:score=aggro,information=perfect,replan=false",
    "planner:score=ramp,replan=false",
)


def played_and_asked(spec: str, seed: int, *, views: bool) -> tuple[list[core.Action], list[core.Action]]:
    """The actions of a game that `play_one` plays, and those of agents that are asked for every one of them."""
    record = hearthstone.play_one(spec, spec, decks=("Aggro Paladin", "Control Warlock"), seed=seed)
    state, draws = hearthstone.read_state(record.start), Rng.from_state(record.draws)
    agents = [agent(spec), agent(spec)]
    streams = [Rng(seed, 0), Rng(seed, 1)]
    actions = list(record.actions[:2])  # of the mulligan, which agents have no say in
    for action in actions:
        state.apply(action, draws)
    while not state.is_over:
        mover = state.player_to_move
        actions.append(agents[mover].choose(state.view(mover) if views else state, streams[mover]))
        state.apply(actions[-1], draws)
    return list(record.actions), actions


@pytest.mark.parametrize("spec", PLANNERS)
def test_a_planner_that_is_asked_for_every_action_plays_as_in_a_match(spec: str) -> None:
    for seed in range(6):
        played, asked = played_and_asked(spec, seed, views=False)
        assert played == asked


def test_an_honest_planner_does_so_from_views() -> None:
    for seed in range(6):
        played, asked = played_and_asked("planner:score=midrange", seed, views=True)
        assert played == asked


@pytest.mark.parametrize("spec", PLANNERS)
def test_a_plan_for_another_position_is_not_gone_on_with(spec: str) -> None:
    pilot, left_first = agent(spec), ("attack", 1, 9)
    pilot.choose(position({**NO_POWER, "board": [RAPTOR, RAPTOR]}, {}), Rng(1, 0))  # and then the right one
    there = position({**NO_POWER, "max_mana": 0, "board": [YETI, RAPTOR]}, {})
    if "replan=false" in spec:
        there = ready_again(there)  # in one turn it would go on, whatever has come out
    chosen = pilot.choose(there, Rng(2, 0))
    assert chosen == agent(spec).choose(there, Rng(2, 0))
    if "replan=false" not in spec:
        assert (chosen.kind.name, chosen.source, chosen.target) == left_first


@pytest.mark.parametrize("information", ["honest", "perfect"])
@pytest.mark.parametrize("card", ["CS2_003", "EX1_339", "EX1_345"])  # Mind Vision, Thoughtsteal, Mindgames
def test_an_honest_plan_ends_with_what_shows_something_hidden(card: str, information: str, tmp_path: Path) -> None:
    """Of a hand of one card, or a deck of two, nothing is drawn at random: who knows these cards goes on."""
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"HandTotCost": 1, "HandCnt": 3, "MinionTotAtk": 5, "OpHeroHp": -0.1}), encoding="utf-8")
    pilot, rng, game = agent(f"planner:weights={path},information={information}"), Rng(1, 0), Rng(1, 2)
    me = {"class": "PRIEST", "mana": 4, "max_mana": 4, "hand": [card], "board": [YETI], "deck": [WISP] * 5}
    state = position(me, {"class": "MAGE", "hand": [YETI], "deck": [YETI, FROSTBOLT]})
    untouched = game.state
    while (action := pilot.choose_told(state, rng)).kind != core.ActionKind.play:
        state.apply(action, game)
    state.apply(action, game)
    assert game.state == untouched
    assert pilot.plans is not None
    before = pilot.plans[0]
    pilot.choose_told(state, rng)
    assert pilot.plans[0] - before == (information == "honest")


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("planner", "needs one of score=NAME, net=FILE and weights=FILE"),
        ("planner:score=aggro,net=x.json", "needs one of"),
        (
            "planner:score=tempo",
            "'score' must be one of aggro, control, fatigue, midrange, ramp, miracle-rogue, tempo-rogue, not 'tempo'",
        ),
        ("planner:score=aggro,width=0", "width must be between 1 and 64, not 0"),
        ("planner:score=aggro,width=65", "width must be between 1 and 64, not 65"),
        ("planner:score=aggro,depth=33", "depth must be between 1 and 32, not 33"),
        ("planner:score=aggro,depth=deep", "'depth' is a whole number, not 'deep'"),
        ("planner:score=aggro,information=some", "'information' is one of honest, perfect, not 'some'"),
        ("planner:score=aggro,replan=maybe", "'replan' is true or false, not 'maybe'"),
        ("planner:score=aggro,beam=4", "'planner' has no option 'beam'"),
        ("planner:net=/no/such/file.json", "cannot read the network /no/such/file.json: No such file"),
        ("plannr:score=aggro", "unknown agent 'plannr': did you mean 'planner'"),
    ],
)
def test_a_spec_that_makes_no_sense_is_refused_with_the_reason(spec: str, why: str) -> None:
    with pytest.raises(AgentError) as refused:
        agent(spec)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("read", "content", "why"),
    [
        (read_network_rating, "{", "it is not JSON"),
        (read_network_rating, "[]", "it is not a JSON object"),
        (read_network_rating, '{"layers": [15, 1]}', "must have exactly the keys activation, biases, layers, weights"),
        (
            read_network_rating,
            '{"layers": [15, 1], "weights_then_biases": 1}',
            "'weights_then_biases' must be a list of numbers",
        ),
        (read_network_rating, '{"layers": "15", "weights_then_biases": []}', "'layers' must be two or more sizes"),
        (
            read_network_rating,
            json.dumps({"layers": [14, 1], "weights_then_biases": [1] * 15}),
            "must have 15 inputs and 1 output",
        ),
        (
            read_network_rating,
            json.dumps({"layers": [15, 2], "weights_then_biases": [1] * 32}),
            "must have 15 inputs and 1 output",
        ),
        (read_network_rating, '{"layers": [15, 5000, 1], "weights_then_biases": []}', "sizes between 1 and 4096"),
        (read_network_rating, '{"layers": [15, 1], "weights_then_biases": [1, 2]}', "has 16 weights and biases, not 2"),
        (
            read_network_rating,
            json.dumps({"layers": [15, 1], "weights_then_biases": ["a"] * 16}),
            "something that is not a number",
        ),
        (
            read_network_rating,
            json.dumps({"layers": [15, 1], "weights_then_biases": [math.inf] * 16}),
            "must be finite",
        ),
        (read_weights, '{"HeroHP": 1}', "there is no feature 'HeroHP'"),
        (read_weights, '{"HeroHp": true}', "a value is not a number"),
        (read_weights, '{"HeroHp": 1e999}', "must be finite"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_the_reason(
    read: Callable[[Path], core.Rating], content: str, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "rating.json"
    file.write_text(content)
    with pytest.raises(AgentError) as refused:
        read(file)
    assert str(file) in str(refused.value)
    assert why in str(refused.value)
