"""Turns of Legends of Code and Magic: the start of a battle, mana, draws, runes lost to an empty deck, readiness.

One row a fact, worked out by hand and played from both seats. `helpers.locm_boards` explains how boards are written.
"""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from deckatlas.games.locm.state import Action, State, new_game
from helpers.locm_boards import Player, action_from, seen, set_up

PASS = Action.from_text("PASS")
SEATS = pytest.mark.parametrize("seat", [0, 1], ids=["first", "second"])


# ---- the start of a battle ---------------------------------------------------------------------------------------


def test_the_first_player_acts_with_five_cards_and_the_second_with_six() -> None:
    state = new_game(seed=3, decks=(range(1, 31), range(31, 61)))
    assert [len(state.side(player).hand) for player in (0, 1)] == [5, 5]
    state.apply(PASS)
    assert [len(state.side(player).hand) for player in (0, 1)] == [5, 6]


def test_both_start_with_thirty_health_five_runes_and_one_card_to_draw() -> None:
    state = new_game(seed=3, decks=(range(1, 31), range(31, 61)))
    for player in (0, 1):
        side = state.side(player)
        assert (side.health, side.runes, side.next_draw, side.creatures) == (30, 5, 1, [])


def test_instances_are_odd_for_the_first_player_and_even_for_the_second_in_draw_order() -> None:
    state = new_game(seed=3, decks=(range(1, 31), range(31, 61)))
    assert [card.instance for card in state.side(0).hand] == [1, 3, 5, 7, 9]
    assert [card.instance for card in state.side(1).hand] == [2, 4, 6, 8, 10]
    for player in (0, 1):
        assert [card.card for card in state.side(player).hand] == state.deck(player)[:5]


# ---- mana --------------------------------------------------------------------------------------------------------


def mana_by_turn(player: int, turns: int, play: Callable[[State], None]) -> list[int]:
    """Mana of a player at the start of each of its turns, when `play` takes its turns and the other one passes."""
    state = new_game(seed=5, decks=([4] * 30, [4] * 30))  # card 4 costs 2
    mana: list[int] = []
    while len(mana) < turns:
        if state.player_to_move == player:
            mana.append(state.side(player).mana)
            play(state)
        state.apply(PASS)
    return mana


def play_nothing(state: State) -> None:
    """Spends no mana."""


def summon_once(state: State) -> None:
    """Spends 2 mana if there is a place on the board."""
    summons = [action for action in state.legal_actions() if action.verb == "SUMMON"]
    if summons:
        state.apply(summons[0])


@pytest.mark.parametrize(
    ("fact", "player", "play", "mana"),
    [
        ("the first player has 1, 2, ... 12", 0, play_nothing, [*range(1, 13), 12, 12]),
        ("spending changes nothing for the first player", 0, summon_once, [*range(1, 13), 12, 12]),
        ("the second player has one more, 13 at last, while it spends less", 1, play_nothing, [*range(2, 14), 13, 13]),
        ("until its first turn that ends without mana", 1, summon_once, [2, 2, *range(3, 13), 12, 12]),
    ],
)
def test_mana_over_the_turns(fact: str, player: int, play: Callable[[State], None], mana: list[int]) -> None:
    assert mana_by_turn(player, 14, play) == mana


class Mana(NamedTuple):
    """(maximum, left over, bonus) at the end of the enemy's turn and after the start of the next."""

    fact: str
    before: tuple[int, int, int]
    after: tuple[int, int, int]


MANA = [
    Mana("grows by one", (4, 0, 0), (5, 5, 0)),
    Mana("what was left over is not kept", (4, 3, 0), (5, 5, 0)),
    Mana("stops at twelve", (12, 5, 0), (12, 12, 0)),
    Mana("with the bonus stops at thirteen", (12, 5, 1), (13, 13, 1)),
    Mana("stays at thirteen", (13, 1, 1), (13, 13, 1)),
    Mana("no mana left ends the bonus: no growth this turn", (4, 0, 1), (4, 4, 0)),
    Mana("one mana left keeps the bonus", (4, 1, 1), (5, 5, 1)),
    Mana("the bonus ends at the limit", (12, 0, 1), (12, 12, 0)),
    Mana("the bonus ends above the limit", (13, 0, 1), (12, 12, 0)),
]


@SEATS
@pytest.mark.parametrize("row", MANA, ids=lambda row: row.fact)
def test_mana_at_the_start_of_a_turn(row: Mana, seat: int) -> None:
    most, left, bonus = row.before
    state = set_up({}, {"max_mana": most, "mana": left, "bonus": bonus}, seat=seat)
    state.apply(PASS)
    side = state.side(1 - seat)
    assert (side.max_mana, side.mana, side.bonus_mana) == row.after


# ---- draws -------------------------------------------------------------------------------------------------------


class Draw(NamedTuple):
    """The enemy's turn begins: what it had, and what of it changes."""

    fact: str
    before: Player
    after: Player


EIGHT = [11, 12, 13, 14, 15, 16, 17, 18]

DRAWS = [
    Draw("one card, the next of the deck", {"hand": [9], "deck": [5, 6]}, {"hand": [9, 5], "deck": [6]}),
    Draw(
        "as many as were earned, and one again the next time",
        {"deck": [5, 6, 7, 8], "draw": 3},
        {"hand": [5, 6, 7], "deck": [8], "draw": 1},
    ),
    Draw("a full hand draws nothing and loses nothing", {"hand": EIGHT, "deck": [5, 6]}, {}),
    Draw("draws earned are lost with a full hand", {"hand": EIGHT, "deck": [5, 6], "draw": 4}, {"draw": 1}),
    Draw(
        "drawing stops when the hand is full",
        {"hand": EIGHT[:7], "deck": [5, 6, 7], "draw": 3},
        {"hand": [*EIGHT[:7], 5], "deck": [6, 7], "draw": 1},
    ),
    Draw("an empty deck costs the next rune and the health above it", {"deck": []}, {"hp": 25, "runes": 4}),
    Draw("from 12 health to 10", {"hp": 12, "runes": 2, "deck": []}, {"hp": 10, "runes": 1}),
    Draw("runes broken earlier are skipped", {"hp": 28, "runes": 2, "deck": []}, {"hp": 10, "runes": 1}),
    Draw("the rune lost to an empty deck earns no card", {"deck": [], "draw": 2}, {"hp": 20, "runes": 3, "draw": 1}),
    Draw(
        "first the last card, then a rune",
        {"deck": [5], "draw": 2},
        {"hand": [5], "deck": [], "hp": 25, "runes": 4, "draw": 1},
    ),
    Draw("a full hand does not protect from an empty deck", {"hand": EIGHT, "deck": []}, {"hp": 25, "runes": 4}),
    Draw(
        "the last card fills the hand, and then the deck is empty",
        {"hand": EIGHT[:7], "deck": [5], "draw": 3},
        {"hand": [*EIGHT[:7], 5], "deck": [], "hp": 20, "runes": 3, "draw": 1},
    ),
    Draw("a full hand keeps the last card in the deck", {"hand": EIGHT, "deck": [5], "draw": 3}, {"draw": 1}),
    Draw("without a rune an empty deck kills", {"hp": 4, "runes": 0, "deck": []}, {"hp": 0}),
    Draw(
        "two draws kill from one rune",
        {"hp": 9, "runes": 1, "deck": [], "draw": 2},
        {"hp": 0, "runes": 0, "draw": 1},
    ),
]


@SEATS
@pytest.mark.parametrize("row", DRAWS, ids=lambda row: row.fact)
def test_draw(row: Draw, seat: int) -> None:
    state = set_up({}, row.before, seat=seat)
    expected = {**seen(state, 1 - seat), **row.after}
    state.apply(PASS)
    assert seen(state, 1 - seat) == expected
    assert state.winner == (seat if expected["hp"] <= 0 else None)
    assert (state.legal_actions() == []) == state.is_over


class Limit(NamedTuple):
    """The enemy begins its turn with this number (from 1)."""

    fact: str
    own_turn: int
    before: Player
    after: Player


LIMITS = [
    Limit("the 50th turn draws", 50, {"deck": [5, 6]}, {"hand": [5], "deck": [6]}),
    Limit("the 51st costs a rune, and the deck stays", 51, {"deck": [5, 6]}, {"hp": 25, "runes": 4}),
    Limit("every draw of the 51st costs one", 51, {"deck": [5, 6], "draw": 3}, {"hp": 15, "runes": 2, "draw": 1}),
    Limit("a full hand does not protect", 51, {"hand": EIGHT, "deck": [5]}, {"hp": 25, "runes": 4}),
    Limit("later turns go on so", 55, {"hp": 7, "runes": 1, "deck": [5]}, {"hp": 5, "runes": 0}),
    Limit("until death", 56, {"hp": 5, "runes": 0, "deck": [5]}, {"hp": 0}),
]


@SEATS
@pytest.mark.parametrize("row", LIMITS, ids=lambda row: row.fact)
def test_turn_limit(row: Limit, seat: int) -> None:
    enemy_turn = 2 * (row.own_turn - 1) + (1 - seat)
    state = set_up({}, row.before, seat=seat, turn=enemy_turn - 1)
    expected = {**seen(state, 1 - seat), **row.after}
    state.apply(PASS)
    assert state.turn == enemy_turn
    assert seen(state, 1 - seat) == expected
    assert state.is_over == (expected["hp"] <= 0)


# ---- who can attack ----------------------------------------------------------------------------------------------


@SEATS
def test_at_the_start_of_a_turn_all_own_creatures_can_attack_and_those_of_the_other_cannot(seat: int) -> None:
    me = {"left": ["1/1!", "2/2*"], "right": ["3/3"]}
    state = set_up(me, {"left": ["4/4"], "right": ["0/5 G"]}, seat=seat)
    state.apply(PASS)
    mine, enemy = seen(state, seat), seen(state, 1 - seat)
    assert (mine["left"], mine["right"]) == (["1/1", "2/2"], ["3/3"])
    assert (enemy["left"], enemy["right"]) == (["4/4*"], ["0/5 G*"])


@SEATS
def test_a_creature_attacks_once_a_turn_even_with_grow_wings(seat: int) -> None:
    state = set_up({"left": ["2/2*"], "hand": [140]}, {}, seat=seat)
    attack = action_from(seat, "ATTACK 21 -1")
    state.apply(attack)
    assert not state.is_legal(attack)
    state.apply(action_from(seat, "USE 1 21"))
    assert not state.is_legal(attack)


@SEATS
def test_a_creature_can_attack_from_the_turn_after_its_summoning_or_at_once_with_grow_wings(seat: int) -> None:
    state = set_up({"hand": [3, 3, 140]}, {}, seat=seat)
    for text in ("SUMMON 1 0", "SUMMON 3 1", "USE 5 3"):
        state.apply(action_from(seat, text))
    assert not state.is_legal(action_from(seat, "ATTACK 1 -1"))
    assert state.is_legal(action_from(seat, "ATTACK 3 -1"))
    state.apply(PASS)
    state.apply(PASS)
    assert state.is_legal(action_from(seat, "ATTACK 1 -1"))
    assert state.is_legal(action_from(seat, "ATTACK 3 -1"))


@SEATS
def test_cards_earned_come_at_the_next_own_turn(seat: int) -> None:
    state = set_up({"hand": [28], "deck": [5, 6, 7]}, {}, seat=seat)
    state.apply(action_from(seat, "SUMMON 1 0"))
    assert seen(state, seat)["hand"] == []
    state.apply(PASS)
    assert seen(state, seat)["hand"] == []
    state.apply(PASS)
    assert seen(state, seat)["hand"] == [5, 6]
