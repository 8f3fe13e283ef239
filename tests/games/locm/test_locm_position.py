"""Positions built by hand: what may be left out, what is refused and how, and states as dictionaries."""

import math
import random
from typing import Any

import pytest

from deckatlas.errors import StateError
from deckatlas.games.locm.cards import cards
from deckatlas.games.locm.position import position, to_dict
from deckatlas.games.locm.state import Action, State, new_game, read_state

Description = dict[str, Any]


def players(first: Description | None = None, second: Description | None = None) -> Description:
    return {"players": [first or {}, second or {}]}


def random_state(seed: int) -> State:
    """A state somewhere in a random game."""
    rng = random.Random(seed)
    state = new_game(seed=seed)
    for _ in range(60 + rng.randrange(120)):
        following = state.copy()
        following.apply(rng.choice(state.legal_actions()))
        if following.is_over:
            break
        state = following
    return state


# ---- what may be left out --------------------------------------------------------------------------------------------


def test_everything_but_the_cards_can_be_left_out() -> None:
    state = position(players({"hp": 10, "hand": [{"id": 7}], "lanes": [[{"id": 3}], []]}))
    first, second = to_dict(state)["players"]
    beavrat = cards()[2]
    assert first == {
        "hp": 10,
        "max_mana": 12,
        "mana": 12,
        "bonus_mana": 0,
        "next_rune": 5,
        "runes_left": 1,
        "next_turn_draw": 1,
        "bonus_draw": 0,
        "deck_left": 28,
        "hand": [{"id": 7, "instance": 1}],
        "lanes": [
            [
                {
                    "instance": 3,
                    "id": 3,
                    "atk": beavrat.attack,
                    "def": beavrat.defense,
                    "abilities": beavrat.keywords,
                    "can_attack": True,
                    "has_attacked": False,
                }
            ],
            [],
        ],
    }
    assert (second["hp"], second["runes_left"], second["deck_left"], second["hand"]) == (30, 5, 30, [])
    assert (state.player_to_move, state.turn) == (0, 0)
    assert state.is_legal(Action.from_text("ATTACK 3 -1"))


@pytest.mark.parametrize(
    ("options", "mover", "turn"),
    [({}, 0, 0), ({"player": 1}, 1, 1), ({"turn": 7}, 1, 7), ({"player": 0, "turn": 20}, 0, 20)],
)
def test_player_and_turn_follow_from_each_other(options: dict[str, int], mover: int, turn: int) -> None:
    state = position(players(), **options)
    assert (state.player_to_move, state.turn) == (mover, turn)


def test_only_creatures_of_the_player_to_move_that_have_not_attacked_can_attack() -> None:
    lanes = [[{"id": 3}, {"id": 3, "has_attacked": True}], [{"id": 3, "can_attack": False}]]
    state = position(players({"lanes": lanes}, {"lanes": lanes}), player=1)
    ready = [[creature.can_attack for creature in state.side(player).creatures] for player in (0, 1)]
    assert ready == [[False, False, False], [True, False, False]]


@pytest.mark.parametrize(("hp", "runes"), [(30, 5), (26, 5), (25, 4), (6, 1), (5, 0), (1, 0), (-3, 0), (80, 5)])
def test_all_runes_below_the_health_stand(hp: int, runes: int) -> None:
    assert position(players({"hp": hp})).side(0).runes == runes


@pytest.mark.parametrize("runes", [{"runes_left": 2}, {"next_rune": 10}, {"runes_left": 2, "next_rune": 10}])
def test_runes_can_be_given_in_either_way(runes: Description) -> None:
    assert position(players({"hp": 30, **runes})).side(0).runes == 2


@pytest.mark.parametrize("draw", [{"next_turn_draw": 3}, {"bonus_draw": 2}, {"next_turn_draw": 3, "bonus_draw": 2}])
def test_draws_can_be_given_in_either_way(draw: Description) -> None:
    assert position(players({"hp": 30, **draw})).side(0).next_draw == 3


def test_instances_left_out_take_the_lowest_free_places() -> None:
    hand = [{"id": 10, "instance": 6}, {"id": 11}, {"id": 12}]
    state = position(players({}, {"hand": hand, "lanes": [[], [{"id": 3}]]}))
    assert [(card.card, card.instance) for card in state.side(1).hand] == [(11, 2), (12, 4), (10, 6)]
    assert state.side(1).creatures[0].instance == 8


def test_cards_played_and_gone_are_unknown() -> None:
    state = position(players({"hand": [{"id": 10, "instance": 5}], "deck": [1, 2, 3]}))
    assert state.deck(0) == [0, 0, 10, *[0] * 24, 1, 2, 3]
    assert state.side(0).deck_left == 3


def test_a_deck_is_drawn_in_its_order() -> None:
    state = position(players({}, {"deck": [150, 7, 9], "next_turn_draw": 2}))
    state.apply(Action.from_text("PASS"))
    assert [card.card for card in state.side(1).hand] == [150, 7]


def test_a_deck_that_is_not_given_is_drawn_from_all_cards_by_the_seed() -> None:
    decks = [tuple(position(players({"deck_left": 30}), seed=seed).deck(0)) for seed in range(40)]
    assert len(set(decks)) == 40
    assert {card for deck in decks for card in deck} == set(range(1, 161))
    assert tuple(position(players({"deck_left": 30}), seed=7).deck(0)) == decks[7]


# ---- there and back --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_any_state_of_a_battle_comes_back_from_its_dictionary(seed: int) -> None:
    state = random_state(seed)
    described = to_dict(state)
    built = position(described, player=state.player_to_move, turn=state.turn)
    assert to_dict(built) == described
    assert sorted(map(str, built.legal_actions())) == sorted(map(str, state.legal_actions()))
    assert read_state(built.to_text()) == built


def test_a_state_in_the_draft_has_no_dictionary() -> None:
    with pytest.raises(StateError, match="in the draft"):
        to_dict(new_game(seed=1))


# ---- what is refused -------------------------------------------------------------------------------------------------

CREATURE = {"id": 3}

REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    (None, {}, "expected a dictionary, not None"),
    ({}, {}, "players: missing"),
    ({"players": [{}]}, {}, "players: expected 2 entries, not 1"),
    ({"players": [{}, {}], "turn": 3}, {}, "unknown key 'turn': known: players"),
    ({"players": [{}, 7]}, {}, "players[1]: expected a dictionary, not 7"),
    (
        players({"helath": 3, "hp": 3}),
        {},
        "players[0]: unknown key 'helath': known: bonus_draw, bonus_mana, deck, "
        "deck_left, hand, hp, lanes, mana, max_mana, next_rune, next_turn_draw, runes_left",
    ),
    (players({"lane": []}), {}, "players[0]: unknown key 'lane': did you mean 'lanes'?"),
    (players({"hp": math.nan}), {}, "players[0].hp: expected a whole number, not nan"),
    (players({"hp": 3.0}), {}, "players[0].hp: expected a whole number, not 3.0"),
    (players({"hp": True}), {}, "players[0].hp: expected a whole number, not True"),
    (players({"hp": "30"}), {}, "players[0].hp: expected a whole number, not '30'"),
    (players({"hp": 10**5000}), {}, "players[0].hp: a huge number is not between -9999 and 9999"),
    (players({"mana": 14}), {}, "players[0].mana: 14 is not between 0 and 13"),
    (players({"bonus_mana": 2}), {}, "players[0].bonus_mana: 2 is not between 0 and 1"),
    (players({"next_rune": 7}), {}, "players[0].next_rune: runes are at 25, 20, 15, 10 and 5, not at 7"),
    (players({"next_rune": 5, "runes_left": 2}), {}, "players[0].next_rune: 5 contradicts runes_left 2"),
    (players({"hp": 10, "runes_left": 2}), {}, "players[0].hp: the rune at 10 is impossible with 10 health"),
    (players({"bonus_draw": 2, "next_turn_draw": 2}), {}, "players[0].bonus_draw: 2 contradicts next_turn_draw 2"),
    (players({}, {"hand": [CREATURE, CREATURE, {"id": 161}]}), {}, "players[1].hand[2].id: unknown card 161"),
    (players({"hand": [{}]}), {}, "players[0].hand[0].id: missing"),
    (players({"hand": [CREATURE] * 9}), {}, "players[0].hand: expected at most 8 entries, not 9"),
    (players({"hand": "abc"}), {}, "players[0].hand: expected a list, not 'abc'"),
    (
        players({"hand": [{"id": 3, "instance": 2}]}),
        {},
        "players[0].hand[0].instance: 2 is not among the player's odd numbers 1 to 59",
    ),
    (
        players({}, {"lanes": [[{"id": 3, "instance": 62}], []]}),
        {},
        "players[1].lanes[0][0].instance: 62 is not among the player's even numbers 2 to 60",
    ),
    (
        players({"hand": [{"id": 3, "instance": 1}], "lanes": [[], [{"id": 3, "instance": 1}]]}),
        {},
        "players[0].lanes[1][0].instance: 1 is given twice",
    ),
    (players({"lanes": [[CREATURE] * 4, []]}), {}, "players[0].lanes[0]: expected at most 3 entries, not 4"),
    (players({"lanes": [[], [], []]}), {}, "players[0].lanes: expected 2 entries, not 3"),
    (players({"lanes": [[{"id": 150}], []]}), {}, "players[0].lanes[0][0].id: card 150 is not a creature"),
    (players({"lanes": [[{"id": 3, "def": 0}], []]}), {}, "players[0].lanes[0][0].def: 0 is not between 1 and 99"),
    (
        players({"lanes": [[{"id": 3, "abilities": "GUARD"}], []]}),
        {},
        "players[0].lanes[0][0].abilities: keywords must be six characters like 'BC-G--', not 'GUARD'",
    ),
    (
        players({"lanes": [[{"id": 3, "can_attack": 1}], []]}),
        {},
        "players[0].lanes[0][0].can_attack: expected true or false, not 1",
    ),
    (players({"deck": [1, 2, 0]}), {}, "players[0].deck[2]: unknown card 0"),
    (players({"deck": [1, 2], "deck_left": 3}), {}, "players[0].deck_left: 3, but the deck lists 2 cards"),
    (
        players({"deck_left": 28, "hand": [{"id": 3, "instance": 5}]}),
        {},
        "players[0].deck_left: 28 cards cannot be left: by hand and board, 3 of 30 were drawn",
    ),
    (players(), {"player": 2}, "player: 2 is not between 0 and 1"),
    (players(), {"turn": -1}, "turn: -1 is not between 0 and 1000"),
    (players(), {"player": 1, "turn": 4}, "turn: half-turn 4 belongs to player 0, not to player 1"),
    (players(), {"seed": 0.5}, "a seed is a whole number of at most 64 bits, not 0.5"),
]


@pytest.mark.parametrize(("description", "options", "message"), REFUSED, ids=[row[2] for row in REFUSED])
def test_nonsense_is_refused_with_its_place(description: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(StateError) as error:
        position(description, **options)
    assert str(error.value) == message


def test_the_largest_numbers_that_are_accepted_suit_the_core() -> None:
    huge = {"id": 3, "atk": 99, "def": 99, "abilities": "BCDGLW"}
    lanes = [[huge] * 3, [huge] * 3]
    for hp in (-9999, 9999):
        side = {"hp": hp, "max_mana": 13, "mana": 13, "next_turn_draw": 99, "lanes": lanes, "hand": [CREATURE] * 8}
        assert to_dict(position(players(side, side), turn=1000))["players"][1]["hp"] == hp
