"""What is legal in a battle of Legends of Code and Magic: one row a fact, tried from both seats."""

from typing import NamedTuple

import pytest

from deckatlas.errors import IllegalActionError
from deckatlas.games.locm.state import Action
from helpers.locm_boards import Player, action_from, set_up

SEATS = pytest.mark.parametrize("seat", [0, 1], ids=["first", "second"])

THREE = ["1/1", "1/1", "1/1"]
GUARDED = {"left": ["1/1", "1/1 G", "2/2 G"], "right": ["1/1"]}


class Row(NamedTuple):
    """An action in a position, and whether it is legal; `helpers.locm_boards` explains how both are written."""

    fact: str
    legal: bool
    me: Player
    foe: Player
    action: str


SUMMONING = [
    Row("with exactly the mana it costs", True, {"hand": [4], "mana": 2}, {}, "SUMMON 1 0"),
    Row("with less mana", False, {"hand": [4], "mana": 1}, {}, "SUMMON 1 0"),
    Row("for nothing without mana", True, {"hand": [91], "mana": 0}, {}, "SUMMON 1 0"),
    Row("maximum mana does not count", False, {"hand": [4], "mana": 1, "max_mana": 9}, {}, "SUMMON 1 0"),
    Row("in the right lane", True, {"hand": [4]}, {}, "SUMMON 1 1"),
    Row("in a third lane", False, {"hand": [4]}, {}, "SUMMON 1 2"),
    Row("in lane -1", False, {"hand": [4]}, {}, "SUMMON 1 -1"),
    Row("as the third in its lane", True, {"hand": [4], "left": THREE[:2]}, {}, "SUMMON 1 0"),
    Row("as the fourth in its lane", False, {"hand": [4], "left": THREE}, {}, "SUMMON 1 0"),
    Row("in the other lane when one is full", True, {"hand": [4], "left": THREE}, {}, "SUMMON 1 1"),
    Row("when the enemy's lane is full", True, {"hand": [4]}, {"left": THREE}, "SUMMON 1 0"),
    Row("an item", False, {"hand": [118]}, {}, "SUMMON 1 0"),
    Row("a card that is not in hand", False, {"hand": [4]}, {}, "SUMMON 3 0"),
    Row("a card of the enemy's hand", False, {"hand": [4]}, {"hand": [4]}, "SUMMON 2 0"),
    Row("a card of the deck", False, {"hand": [4], "deck": [4]}, {}, "SUMMON 59 0"),
    Row("a creature that is on the board", False, {"left": ["1/1"]}, {}, "SUMMON 21 0"),
    Row("an instance that does not exist", False, {"hand": [4]}, {}, "SUMMON 61 0"),
]

ATTACKING = [
    Row("the player", True, {"left": ["1/1*"]}, {}, "ATTACK 21 -1"),
    Row("a creature of the same lane", True, {"left": ["1/1*"]}, {"left": ["1/1"]}, "ATTACK 21 22"),
    Row("a creature of the other lane", False, {"left": ["1/1*"]}, {"right": ["1/1"]}, "ATTACK 21 32"),
    Row("with attack 0", True, {"left": ["0/1*"]}, {}, "ATTACK 21 -1"),
    Row("without mana", True, {"left": ["1/1*"], "mana": 0}, {}, "ATTACK 21 -1"),
    Row("the player past creatures without Guard", True, {"left": ["1/1*"]}, {"left": THREE}, "ATTACK 21 -1"),
    Row("when it cannot attack", False, {"left": ["1/1"]}, {}, "ATTACK 21 -1"),
    Row("when it has attacked", False, {"left": ["1/1!"]}, {}, "ATTACK 21 -1"),
    Row("with another one that has not", True, {"left": ["1/1!", "1/1*"]}, {}, "ATTACK 23 -1"),
    Row("an own creature", False, {"left": ["1/1*", "1/1"]}, {}, "ATTACK 21 23"),
    Row("itself", False, {"left": ["1/1*"]}, {}, "ATTACK 21 21"),
    Row("with an enemy creature", False, {"left": ["1/1"]}, {"left": ["1/1*"]}, "ATTACK 22 21"),
    Row("with a card in hand", False, {"hand": [90]}, {}, "ATTACK 1 -1"),
    Row("a creature that does not exist", False, {"left": ["1/1*"]}, {"left": ["1/1"]}, "ATTACK 21 24"),
    Row("a card in the enemy's hand", False, {"left": ["1/1*"]}, {"hand": [3]}, "ATTACK 21 2"),
    Row("the player past Guard", False, {"left": ["9/9*"]}, GUARDED, "ATTACK 21 -1"),
    Row("one without Guard beside Guard", False, {"left": ["9/9*"]}, GUARDED, "ATTACK 21 22"),
    Row("the first of two with Guard", True, {"left": ["9/9*"]}, GUARDED, "ATTACK 21 24"),
    Row("the second of two with Guard", True, {"left": ["9/9*"]}, GUARDED, "ATTACK 21 26"),
    Row("the player from a lane without Guard", True, {"right": ["9/9*"]}, GUARDED, "ATTACK 31 -1"),
    Row("another one in a lane without Guard", True, {"right": ["9/9*"]}, GUARDED, "ATTACK 31 32"),
    Row("Guard of the other lane", False, {"right": ["9/9*"]}, GUARDED, "ATTACK 31 24"),
    Row("past an own Guard", True, {"left": ["1/1 G", "1/1*"]}, {}, "ATTACK 23 -1"),
]

GREEN, RED, BLUE = 118, 144, 158

USING = [
    Row("green on an own creature", True, {"hand": [GREEN], "left": ["1/1"]}, {}, "USE 1 21"),
    Row("green on one that has attacked", True, {"hand": [GREEN], "right": ["1/1!"]}, {}, "USE 1 31"),
    Row("green on an enemy creature", False, {"hand": [GREEN], "left": ["1/1"]}, {"left": ["1/1"]}, "USE 1 22"),
    Row("green on the player", False, {"hand": [GREEN], "left": ["1/1"]}, {}, "USE 1 -1"),
    Row("red on an enemy creature", True, {"hand": [RED]}, {"left": ["1/1"]}, "USE 1 22"),
    Row("red past Guard", True, {"hand": [RED]}, GUARDED, "USE 1 22"),
    Row("red in any lane", True, {"hand": [RED]}, GUARDED, "USE 1 32"),
    Row("red on an own creature", False, {"hand": [RED], "left": ["1/1"]}, {"left": ["1/1"]}, "USE 1 21"),
    Row("red on the player", False, {"hand": [RED]}, {"left": ["1/1"]}, "USE 1 -1"),
    Row("blue on the player", True, {"hand": [BLUE]}, {}, "USE 1 -1"),
    Row("blue on the player past Guard", True, {"hand": [BLUE]}, GUARDED, "USE 1 -1"),
    Row("blue on an enemy creature past Guard", True, {"hand": [BLUE]}, GUARDED, "USE 1 22"),
    Row("blue on an own creature", False, {"hand": [BLUE], "left": ["1/1"]}, {"left": ["1/1"]}, "USE 1 21"),
    Row("with exactly the mana it costs", True, {"hand": [BLUE], "mana": 3}, {}, "USE 1 -1"),
    Row("with less mana", False, {"hand": [BLUE], "mana": 2}, {}, "USE 1 -1"),
    Row("for nothing without mana", True, {"hand": [141], "mana": 0}, {"left": ["1/1"]}, "USE 1 22"),
    Row("Ward on a creature with Ward", True, {"hand": [137], "left": ["1/1 W"]}, {}, "USE 1 21"),
    Row("143 on a creature without Guard", True, {"hand": [143]}, {"left": ["1/1"]}, "USE 1 22"),
    Row("healing that is not needed", True, {"hand": [153]}, {}, "USE 1 -1"),
    Row("a creature", False, {"hand": [4], "left": ["1/1"]}, {"left": ["1/1"]}, "USE 1 22"),
    Row("an item that is not in hand", False, {"hand": [BLUE]}, {}, "USE 3 -1"),
    Row("an item of the enemy", False, {}, {"hand": [BLUE]}, "USE 2 -1"),
    Row("on a card in hand", False, {"hand": [GREEN, 4], "left": ["1/1"]}, {}, "USE 1 3"),
]

OTHERS = [
    Row("passing with everything to do", True, {"hand": [4, BLUE], "left": ["1/1*"]}, GUARDED, "PASS"),
    Row("passing with nothing to do", True, {}, {}, "PASS"),
    Row("picking in a battle", False, {}, {}, "PICK 0"),
]


def check(row: Row, seat: int) -> None:
    state = set_up(row.me, row.foe, seat=seat)
    action = action_from(seat, row.action)
    assert state.is_legal(action) == row.legal
    assert (action in state.legal_actions()) == row.legal
    if row.legal:
        state.apply(action)
        return
    before = state.to_text()
    with pytest.raises(IllegalActionError):
        state.apply(action)
    assert state.to_text() == before


@SEATS
@pytest.mark.parametrize("row", SUMMONING, ids=lambda row: row.fact)
def test_summoning(row: Row, seat: int) -> None:
    check(row, seat)


@SEATS
@pytest.mark.parametrize("row", ATTACKING, ids=lambda row: row.fact)
def test_attacking(row: Row, seat: int) -> None:
    check(row, seat)


@SEATS
@pytest.mark.parametrize("row", USING, ids=lambda row: row.fact)
def test_using(row: Row, seat: int) -> None:
    check(row, seat)


@SEATS
@pytest.mark.parametrize("row", OTHERS, ids=lambda row: row.fact)
def test_other_actions(row: Row, seat: int) -> None:
    check(row, seat)


class Listing(NamedTuple):
    """All legal actions of a position, PASS left out."""

    fact: str
    me: Player
    foe: Player
    actions: set[str]


LISTINGS = [
    Listing("nothing to do", {}, {"left": ["1/1"]}, set()),
    Listing("one creature, both lanes", {"hand": [4]}, {}, {"SUMMON 1 0", "SUMMON 1 1"}),
    Listing(
        "only what the mana pays for",
        {"hand": [91, 4, 9], "mana": 2, "right": THREE},
        {},
        {"SUMMON 1 0", "SUMMON 3 0"},
    ),
    Listing(
        "items of three colours",
        {"hand": [GREEN, RED, BLUE], "left": ["1/1"], "right": ["1/1"]},
        {"left": ["1/1"], "right": ["1/1 G"]},
        {"USE 1 21", "USE 1 31", "USE 3 22", "USE 3 32", "USE 5 22", "USE 5 32", "USE 5 -1"},
    ),
    Listing(
        "attacks in both lanes",
        {"left": ["1/1*", "2/2"], "right": ["3/3*"]},
        {"left": ["1/1 G", "1/1"], "right": ["1/1", "1/1"]},
        {"ATTACK 21 22", "ATTACK 31 -1", "ATTACK 31 32", "ATTACK 31 34"},
    ),
]


@SEATS
@pytest.mark.parametrize("row", LISTINGS, ids=lambda row: row.fact)
def test_all_legal_actions(row: Listing, seat: int) -> None:
    actions = set_up(row.me, row.foe, seat=seat).legal_actions()
    assert len(actions) == len(set(actions))
    assert set(actions) == {action_from(seat, text) for text in row.actions | {"PASS"}}


@SEATS
def test_taking_guard_opens_the_way_to_the_player(seat: int) -> None:
    state = set_up({"left": ["1/1*"], "hand": [143]}, {"left": ["9/9 G"]}, seat=seat)
    attack = action_from(seat, "ATTACK 21 -1")
    assert not state.is_legal(attack)
    state.apply(action_from(seat, "USE 1 22"))
    assert state.is_legal(attack)


@SEATS
def test_a_guard_that_dies_opens_the_way_to_the_player(seat: int) -> None:
    state = set_up({"left": ["9/9*", "1/1*"]}, {"left": ["1/1 G"]}, seat=seat)
    attack = action_from(seat, "ATTACK 23 -1")
    assert not state.is_legal(attack)
    state.apply(action_from(seat, "ATTACK 21 22"))
    assert state.is_legal(attack)


@SEATS
def test_guard_given_by_an_item_closes_its_lane_only(seat: int) -> None:
    state = set_up({"left": ["1/1"], "hand": [138]}, {"left": ["1/1"], "right": ["1/1"]}, seat=seat)
    state.apply(action_from(seat, "USE 1 21"))
    state.apply(action_from(seat, "PASS"))
    attacks = {action for action in state.legal_actions() if action.verb == "ATTACK"}
    assert attacks == {action_from(seat, text) for text in ("ATTACK 22 21", "ATTACK 32 -1")}


@pytest.mark.parametrize(
    ("text", "verb", "id", "target"),
    [
        ("PASS", "PASS", 0, 0),
        ("PASS I am done", "PASS", 0, 0),
        ("PICK 2", "PICK", 2, 0),
        ("SUMMON 3 1 go", "SUMMON", 3, 1),
        ("ATTACK 11 -1", "ATTACK", 11, -1),
        ("USE 5 12 take that; and this", "USE", 5, 12),
    ],
)
def test_what_follows_the_arguments_of_an_action_is_a_comment(text: str, verb: str, id: int, target: int) -> None:
    action = Action.from_text(text)
    assert (action.verb, action.id, action.target) == (verb, id, target)


@pytest.mark.parametrize(
    "text",
    ["", "pass", "JUMP 1 2", "PICK", "PICK x", "SUMMON 3", "SUMMON x 0", "ATTACK 11", "ATTACK 11 y", "USE 5 1.5"],
)
def test_a_malformed_action_is_refused(text: str) -> None:
    with pytest.raises(IllegalActionError):
        Action.from_text(text)
