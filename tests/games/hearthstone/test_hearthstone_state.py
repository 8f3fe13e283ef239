"""Hearthstone's state as Python users see it: actions in words and numbers, legality with reasons, copies, drawings."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas import hearthstone
from deckatlas.errors import IllegalActionError
from deckatlas.games.hearthstone.state import ACTION_NUMBERS, Action, ActionKind, Rng, State
from helpers.hearthstone_play import random_states, some_state

seeds = st.integers(0, 2**32 - 1)
some = settings(max_examples=20, deadline=None)
WISP, YETI, FIREBALL, WRATH = "CS2_231", "CS2_182", "CS2_029", "EX1_154"


def position(me: dict[str, object], op: dict[str, object] | None = None) -> State:
    return hearthstone.scenario({"me": {"class": "MAGE", **me}, "op": {"class": "HUNTER", **(op or {})}})


# ---- actions ---------------------------------------------------------------------------------------------------------


def test_every_action_is_read_as_it_is_written() -> None:
    actions = [Action.from_number(number) for number in range(ACTION_NUMBERS)]
    assert len({str(action) for action in actions}) == ACTION_NUMBERS
    for action in actions:
        assert Action.from_text(str(action)) == action
        assert hash(Action.from_text(str(action))) == hash(action)
        assert eval(repr(action), {"Action": Action}) == action


@pytest.mark.parametrize(
    ("words", "kind", "fields"),
    [
        ("end", "end_turn", {}),
        ("play 2", "play", {"source": 2}),
        ("play 2 at enemy hero", "play", {"source": 2, "target": 9}),
        ("play 0 as 1 at own 3", "play", {"source": 0, "choice": 1, "target": 5}),
        ("play 9 to 0", "play", {"source": 9, "position": 0}),
        ("power", "power", {}),
        ("power at own hero", "power", {"target": 1}),
        ("attack hero at enemy 6", "attack", {"source": 0, "target": 16}),
        ("attack 0 at enemy hero", "attack", {"source": 1, "target": 9}),
        ("choose 1", "choose", {"source": 1}),
        ("keep 0 2", "keep", {"source": 0b101}),
        ("keep nothing", "keep", {}),
    ],
)
def test_actions_in_words(words: str, kind: str, fields: dict[str, int]) -> None:
    action = Action(ActionKind[kind], **fields)
    assert Action.from_text(words) == action
    assert str(action) == words


@pytest.mark.parametrize(
    "words",
    [
        "",
        " ",
        "end ",
        " end",
        "End",
        "end 1",
        "play",
        "play 10",
        "play -1",
        "play 1 at",
        "play 1 at enemy",
        "play 1 at enemy 7",
        "play 1 at foe 1",
        "play 1 as 0",
        "play 1 as 3",
        "play 1 to 7",
        "play 1 to 2 at enemy 1",
        "power 1",
        "attack 1",
        "attack 1 at own 1",
        "attack 7 at enemy 1",
        "choose 3",
        "keep",
        "keep 4",
        "keep 1 1",
        "keep 2 1",
        "keep nothing 1",
        "\x00",
        "\ud800",
    ],
)
def test_words_that_are_no_action_are_refused(words: str) -> None:
    with pytest.raises(IllegalActionError, match="malformed action") as error:
        Action.from_text(words)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("fields", [{"source": 10}, {"choice": 3}, {"target": 17}, {"position": 8}])
def test_an_action_that_cannot_be_in_any_state_is_not_made(fields: dict[str, int]) -> None:
    with pytest.raises(IllegalActionError, match="there is no such action"):
        Action(ActionKind.play, **fields)


@some
@given(seeds)
def test_the_mask_has_the_numbers_of_the_legal_actions(seed: int) -> None:
    state = some_state(seed)
    mask = state.action_mask()
    assert mask.shape == (ACTION_NUMBERS,)
    assert np.flatnonzero(mask).tolist() == sorted(action.number for action in state.legal_actions())


@some
@given(seeds, st.integers(0, ACTION_NUMBERS - 1))
def test_an_action_is_legal_exactly_if_it_is_listed_but_for_where_a_minion_goes(seed: int, number: int) -> None:
    state = some_state(seed)
    action = Action.from_number(number)
    rightmost = Action(action.kind, source=action.source, choice=action.choice, target=action.target)
    assert state.is_legal(action) == (rightmost in state.legal_actions())


REASONS = [
    ("play 1", "there are 1 cards in the hand"),
    ("play 0", "Fireball costs 4, but there is mana for 3"),
    ("power at enemy 3", "the hero power cannot be used this way now"),
    ("attack 1 at enemy hero", "there are 1 minions on the board"),
    ("attack 0 at enemy 0", "there is no such enemy"),
    ("attack hero at enemy hero", "the hero cannot attack that now"),
    ("choose 0", "there is nothing to choose"),
    ("keep 0", "the mulligan is over"),
]


@pytest.mark.parametrize(("words", "reason"), REASONS)
def test_an_illegal_action_is_refused_with_the_reason_and_changes_nothing(words: str, reason: str) -> None:
    state = position({"mana": 3, "hand": [FIREBALL], "board": [YETI]})
    before = state.copy()
    with pytest.raises(IllegalActionError, match=f"illegal action '{words}': {reason}"):
        state.apply(Action.from_text(words), Rng(1, 0))
    assert state == before


def test_more_reasons() -> None:
    full = position({"class": "DRUID", "hand": [WISP, WRATH], "board": [WISP] * 7})
    for words, reason in (("play 0", "the board is full"), ("play 1 at enemy hero", "'as 1' and 'as 2'")):
        with pytest.raises(IllegalActionError, match=reason):
            full.apply(Action.from_text(words), Rng(1, 0))
    power = position({})
    power.apply(Action.from_text("power at enemy hero"), Rng(1, 0))
    with pytest.raises(IllegalActionError, match="the hero power was used this turn"):
        power.apply(Action.from_text("power at enemy hero"), Rng(1, 0))
    new = hearthstone.new_game("Starter Mage", "Starter Hunter")
    with pytest.raises(IllegalActionError, match="choose first which cards to keep"):
        new.apply(Action.from_text("end"), Rng(1, 0))
    over = position({"hand": [FIREBALL]}, {"health": 6})
    over.apply(Action.from_text("play 0 at enemy hero"), Rng(1, 0))
    assert (over.is_over, over.winner, over.phase) == (True, 0, "over")
    with pytest.raises(IllegalActionError, match="the game is over"):
        over.apply(Action.from_text("end"), Rng(1, 0))


# ---- values ----------------------------------------------------------------------------------------------------------


@some
@given(seeds)
def test_copies_are_equal_and_independent(seed: int) -> None:
    state = some_state(seed)
    before = state.to_text()
    for other in (state.copy(), copy.copy(state), copy.deepcopy(state)):
        assert other == state
        assert other.hash == state.hash
        other.apply(other.legal_actions()[0], Rng(seed, 0))
    assert state.to_text() == before
    with pytest.raises(TypeError):
        hash(state)


def test_the_same_stream_gives_the_same_game() -> None:
    first, second = ([state.hash for state in random_states(5)] for _ in range(2))
    assert first == second


def test_a_stream_goes_on_from_its_state() -> None:
    stream = Rng(7, 1)
    stream.below(10)
    again = Rng.from_state(stream.state)
    assert [stream.below(1000) for _ in range(5)] == [again.below(1000) for _ in range(5)]


# ---- what people see -------------------------------------------------------------------------------------------------


def test_a_side_tells_all_that_is_on_the_table() -> None:
    state = position(
        {"class": "WARRIOR", "armor": 3, "weapon": "CS2_106", "hand": [FIREBALL], "secrets": []},
        {"health": 20, "board": [{"id": "EX1_012", "damage": 0}], "secrets": ["EX1_611"], "fatigue": 2},
    )
    me, op = state.side(0), state.side(1)
    assert (me.hero_name, me.hero_class, me.armor, me.attack) == ("Garrosh Hellscream", "warrior", 3, 3)
    assert me.can_attack
    assert me.weapon is not None
    assert (me.weapon.name, me.weapon.attack, me.weapon.durability) == ("Fiery War Axe", 3, 2)
    assert [(card.name, card.cost) for card in me.hand] == [("Fireball", 4)]
    assert (me.power_name, me.power_cost, me.power_used) == ("Armor Up!", 2, False)
    assert (op.health, op.max_health, op.fatigue, op.secrets) == (20, 30, 2, ["EX1_611"])
    assert op.board[0].name == "Bloodmage Thalnos"
    assert op.spell_damage == 1
    assert (state.turn, state.player_to_move, state.phase) == (3, 0, "main")


def test_a_state_draws_itself() -> None:
    state = position(
        {"hand": [FIREBALL, WISP], "board": [YETI], "mana": 4, "max_mana": 7},
        {"health": 12, "armor": 2, "board": ["CS2_187"], "weapon": "EX1_536", "secrets": ["EX1_611"], "hand": [WISP]},
    )
    assert str(state).splitlines() == [
        "turn 3, player 0 to move",
        "> player 0, Jaina Proudmoore: health 30, mana 4/7, deck 10",
        "    hand:    Fireball (4), Wisp (0)",
        "    board:   Chillwind Yeti 4/5*",
        "  player 1, Rexxar: health 12, armor 2, mana 10/10, deck 10",
        "    hand:    Wisp (0)",
        "    board:   Booty Bay Bodyguard 5/4 taunt",
        "    weapon:  Eaglehorn Bow 3/2",
        "    secrets: Freezing Trap",
    ]
    seen = str(state.view(0)).splitlines()
    assert seen[0] == "turn 3, player 0 to move, as player 0 sees it"
    assert seen[5] == "    hand:    ?"
    assert seen[8] == "    secrets: ?hunter"


def test_how_it_stands_is_told_in_every_phase() -> None:
    state = hearthstone.new_game("Starter Mage", "Starter Hunter", seed=1)
    assert str(state).startswith("turn 0, player 0 to say which cards to keep")
    tracking = position({"class": "HUNTER", "hand": ["DS1_184"], "deck": [WISP, YETI, FIREBALL]})
    tracking.apply(Action.from_text("play 0"), Rng(1, 0))
    assert str(tracking).startswith("turn 3, player 0 to choose one of Wisp, Chillwind Yeti, Fireball\n")
    won = position({"hand": [FIREBALL]}, {"health": 6})
    won.apply(Action.from_text("play 0 at enemy hero"), Rng(1, 0))
    assert str(won).startswith("turn 3, player 0 has won\n")
