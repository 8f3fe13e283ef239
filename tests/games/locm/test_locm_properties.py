"""What is true of every game of Legends of Code and Magic: invariants, legality, texts, copies, action numbers."""

import copy
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import IllegalActionError, StateError
from deckatlas.games.locm.state import ACTION_NUMBERS, Action, Rng, State, read_state
from helpers.chance import SURPRISING, surprise, uniform
from helpers.locm_boards import Player, set_up
from helpers.locm_play import STARTS, check_invariants, random_states, some_state, start

seeds = st.integers(0, 2**32 - 1)
starts = st.sampled_from(STARTS)
any_text = st.text(st.characters(exclude_categories=()), max_size=120)  # what UTF-8 cannot hold included
some = settings(max_examples=100)


# ---- invariants --------------------------------------------------------------------------------------------------


@some
@given(starts, seeds, st.sampled_from([None, 0.0, 0.2, 0.8, 1.0]))
@example("referee", 1, 1.0)  # both always pass: the longest game there is
def test_invariants_hold_after_every_action_and_every_game_ends(kind: str, seed: int, passes: float | None) -> None:
    gone: list[set[int]] = [set(), set()]
    for state in random_states(kind, seed, passes=passes):
        check_invariants(state)
        if state.in_battle:
            for player in (0, 1):
                now = gone_instances(state, player)
                assert gone[player] <= now
                gone[player] = now
    assert state.winner in (0, 1)


def gone_instances(state: State, player: int) -> set[int]:
    """Cards that were drawn and have left hand and board; they never come back."""
    side = state.side(player)
    present = {card.instance for card in side.hand} | {creature.instance for creature in side.creatures}
    return {2 * place + player + 1 for place in range(side.drawn)} - present


# ---- legality ----------------------------------------------------------------------------------------------------

EVERY_ACTION = [
    Action.from_text(text)
    for text in [
        "PASS",
        *(f"PICK {choice}" for choice in range(-1, 4)),
        *(f"SUMMON {card} {lane}" for card in range(62) for lane in range(-1, 3)),
        *(f"{verb} {card} {target}" for verb in ("ATTACK", "USE") for card in range(62) for target in range(-2, 62)),
    ]
]


@settings(max_examples=50)
@given(starts, seeds)
def test_an_action_is_legal_exactly_if_it_is_listed(kind: str, seed: int) -> None:
    state = some_state(kind, seed)
    listed = state.legal_actions()
    assert len(set(listed)) == len(listed)
    assert {action for action in EVERY_ACTION if state.is_legal(action)} == set(listed)


@some
@given(starts, seeds)
def test_an_illegal_action_raises_and_changes_nothing(kind: str, seed: int) -> None:
    state = some_state(kind, seed)
    before = state.to_text()
    legal = set(state.legal_actions())
    for action in random.Random(seed).sample(EVERY_ACTION, 60):
        if action not in legal:
            with pytest.raises(IllegalActionError, match=str(action)):
                state.apply(action)
    assert state.to_text() == before


@some
@given(starts, seeds)
def test_every_listed_action_can_be_carried_out(kind: str, seed: int) -> None:
    state = some_state(kind, seed)
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        check_invariants(after)
        assert after.to_text() != state.to_text()


@some
@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1), st.sampled_from(["SUMMON", "ATTACK", "USE"]))
@example(-(2**31), -(2**31), "SUMMON")
@example(2**31 - 1, 2**31 - 1, "USE")
def test_any_numbers_make_an_action_that_is_just_not_legal(card: int, target: int, verb: str) -> None:
    state = set_up({"hand": [4, 118, 158], "left": ["1/1*"]}, {"left": ["1/1"]})
    action = Action.from_text(f"{verb} {card} {target}")
    assert state.is_legal(action) == (action in state.legal_actions())


# ---- texts and copies --------------------------------------------------------------------------------------------


@some
@given(starts, seeds, st.sampled_from([None, 0, 1]))
def test_a_state_and_a_view_read_back_from_their_text(kind: str, seed: int, viewer: int | None) -> None:
    state = some_state(kind, seed)
    if viewer is not None:
        state = state.view(viewer)
    again = read_state(state.to_text())
    assert again == state
    assert again.to_text() == state.to_text()
    assert (again.hash, again.viewer, again.turn) == (state.hash, state.viewer, state.turn)
    assert again.legal_actions() == state.legal_actions()


@some
@given(starts, seeds)
def test_a_game_goes_on_alike_from_its_text(kind: str, seed: int) -> None:
    state = some_state(kind, seed)
    again = read_state(state.to_text())
    rng = random.Random(seed)
    while not state.is_over:
        action = rng.choice(state.legal_actions())
        state.apply(action)
        again.apply(action)
    assert again == state


@some
@given(starts, seeds)
def test_actions_read_back_from_their_text(kind: str, seed: int) -> None:
    for action in some_state(kind, seed).legal_actions():
        again = Action.from_text(str(action))
        assert again == action
        assert hash(again) == hash(action)


@some
@given(starts, seeds)
def test_copies_are_independent(kind: str, seed: int) -> None:
    original = some_state(kind, seed)
    text, moved = original.to_text(), original.copy()
    assert moved == original
    moved.apply(original.legal_actions()[-1])
    assert moved != original
    assert original.to_text() == text
    kept = moved.to_text()
    original.apply(original.legal_actions()[0])
    assert moved.to_text() == kept


def lines_of_refusal(read: Callable[[str], object], text: str, error: type[Exception]) -> int:
    """How many lines say why a text is refused; 0 if it is not."""
    try:
        read(text)
    except error as refusal:
        return len(str(refusal).splitlines())
    return 0


@some
@given(any_text)
@example("x" + "\u00e9" * 60)
@example("PICK 0\nPICK 1")
@example("\ud800")
def test_any_text_is_an_action_or_refused_in_one_line(text: str) -> None:
    assert lines_of_refusal(Action.from_text, text, IllegalActionError) <= 1


@some
@given(starts, seeds, any_text, st.sampled_from(["phase", "view", "cards0", "offers"]))
@example("referee", 1, "x" + "\u00e9" * 60, "view")
def test_a_state_text_with_a_strange_value_is_refused_in_one_line(kind: str, seed: int, value: str, key: str) -> None:
    words = start(kind, seed).to_text().split(" ")
    text = " ".join(f"{key}={value}" if word.startswith(f"{key}=") else word for word in words)
    assert lines_of_refusal(read_state, text, StateError) <= 1


# ---- action numbers ----------------------------------------------------------------------------------------------


@some
@given(starts, seeds)
def test_action_numbers_lead_back_and_the_mask_shows_the_legal_ones(kind: str, seed: int) -> None:
    state = some_state(kind, seed)
    numbers = {state.action_number(action): action for action in state.legal_actions()}
    assert len(numbers) == len(state.legal_actions())
    assert sorted(numbers) == np.flatnonzero(state.action_mask()).tolist()
    for number in range(ACTION_NUMBERS):
        if number in numbers:
            assert state.numbered_action(number) == numbers[number]
        else:
            with pytest.raises(IllegalActionError):
                state.numbered_action(number)


@pytest.mark.parametrize("number", [-1, ACTION_NUMBERS, 2**31 - 1])
def test_a_number_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(IllegalActionError):
        start("given", 1).numbered_action(number)


@some
@given(starts, seeds)
def test_an_illegal_action_has_no_number(kind: str, seed: int) -> None:
    state = some_state(kind, seed)
    legal = set(state.legal_actions())
    for action in random.Random(seed).sample(EVERY_ACTION, 20):
        if action not in legal:
            with pytest.raises(IllegalActionError):
                state.action_number(action)


def test_a_finished_game_has_an_empty_mask() -> None:
    *_, state = random_states("referee", 8)
    assert not state.action_mask().any()


# ---- random play -------------------------------------------------------------------------------------------------

FULL_LANE = ["1/1*", "2/2", "3/3*"]
CROWDED: list[tuple[Player, Player, int]] = [
    ({"hand": [3, 4, 5], "left": FULL_LANE}, {"left": ["1/1", "1/1"], "right": ["1/1"]}, 0),
    ({"hand": [3, 118], "left": FULL_LANE, "right": FULL_LANE}, {"left": ["1/1 G", "1/1", "1/1 G"]}, 0),
    ({"hand": [118, 137, 144, 141, 158, 153], "left": ["1/1"], "right": ["1/1*"]}, {"right": ["1/1 G", "1/1"]}, 1),
    ({"hand": [158, 153, 3]}, {}, 0),
    ({"hand": [9, 141], "mana": 0, "right": ["1/1*"]}, {"left": ["1/1"], "right": ["1/1", "1/1", "1/1"]}, 1),
]


def check_random_agent(state: State) -> None:
    actions = state.legal_actions()
    agent, rng = core.random_agent(), Rng(2024, 0)
    drawn = [agent.choose(state, rng) for _ in range(300 * len(actions))]
    assert surprise(drawn, uniform(actions)) < SURPRISING


@pytest.mark.parametrize(("me", "foe", "seat"), CROWDED)
def test_the_random_agent_is_uniform_over_all_legal_actions(me: Player, foe: Player, seat: int) -> None:
    check_random_agent(set_up(me, foe, seat=seat))


@settings(max_examples=15)
@given(starts, seeds)
def test_the_random_agent_is_uniform_in_states_of_games(kind: str, seed: int) -> None:
    state = some_state(kind, seed, battle=True)
    if len(state.legal_actions()) > 1:
        check_random_agent(state)


def test_the_random_agent_passes_when_nothing_else_is_legal() -> None:
    state = set_up({}, {"left": ["1/1 G"]})
    assert str(core.random_agent().choose(state, Rng(1, 0))) == "PASS"


def test_agents_refuse_to_choose_when_the_battle_is_over_or_has_not_begun() -> None:
    *_, finished = random_states("referee", 8)
    for state in (finished, start("referee", 8)):
        with pytest.raises(StateError):
            core.random_agent().choose(state, Rng(1, 0))


def test_a_view_in_the_draft_goes_no_further_than_what_it_shows() -> None:
    view = locm.new_game(seed=3).view(0)
    view.apply(locm.Action.from_text("PICK 0"))
    with pytest.raises(StateError, match="resample it first"):
        view.apply(locm.Action.from_text("PICK 0"))


def test_states_copy_in_every_way_and_are_no_keys() -> None:
    state = locm.new_game(seed=3)
    for twin in (state.copy(), copy.copy(state), copy.deepcopy(state)):
        assert twin == state
        twin.apply(locm.Action.from_text("PICK 1"))
        assert twin != state
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


@pytest.mark.parametrize("weights", [[1.0] * 159, [0.0] * 160, [float("nan")] * 160])
def test_a_prior_is_160_positive_numbers(weights: list[float]) -> None:
    with pytest.raises(StateError, match="prior"):
        locm.new_game(seed=3).resample(0, 1, weights)


def test_a_prior_may_be_a_list_or_an_array() -> None:
    weights = [float(1 + card % 7) for card in range(160)]
    state = locm.new_game(seed=3)
    assert state.resample(1, -5, weights) == state.resample(1, -5, np.array(weights))
