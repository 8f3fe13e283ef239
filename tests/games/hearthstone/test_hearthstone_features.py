"""The features of Hearthstone's positions: what a network sees, in whose eyes, and as of which moment."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas import hearthstone
from deckatlas._core.hearthstone import Moment, PositionFeatures
from deckatlas.errors import StateError
from deckatlas.games.hearthstone.state import Action, Rng, State
from helpers.hearthstone_play import random_states, some_state

FEATURES = {name: PositionFeatures(hearthstone.edition(name).card_set) for name in ("2018-12", "2019-12")}
ENDED, BEGINS = Moment.turn_ended, Moment.turn_begins

seeds = st.integers(0, 2**32 - 1)
players = st.sampled_from((0, 1))
moments = st.sampled_from((ENDED, BEGINS))
some = settings(max_examples=30, deadline=None)


def position(me: dict[str, Any], op: dict[str, Any] | None = None) -> State:
    return hearthstone.scenario({"me": {"class": "MAGE", **me}, "op": {"class": "HUNTER", **(op or {})}})


def do(state: State, *actions: str) -> State:
    for action in actions:
        state.apply(Action.from_text(action), Rng(1, 0))
    return state


def names(state: State, player: int, moment: Moment) -> Counter[str]:
    features = FEATURES[state.cards.edition]
    return Counter(features.name_of(int(number)) for number in features.list(state, player, moment))


def of_zone(state: State, zone: str, *, player: int = 0, moment: Moment = ENDED) -> list[str]:
    listed = names(state, player, moment).elements()
    return sorted(name.removeprefix(f"{zone}: ") for name in listed if name.startswith(f"{zone}: "))


MIDDLE = position(
    {
        "mana": 3,
        "max_mana": 6,
        "hand": ["Fireball", "Mountain Giant"],
        "board": ["Chillwind Yeti", {"id": "Sen'jin Shieldmasta", "damage": 2}],
        "deck": ["Frostbolt", "Frostbolt"],
        "secrets": ["Counterspell"],
    },
    {
        "hand": ["Wisp"],
        "weapon": "Eaglehorn Bow",
        "board": ["Argent Squire"],
        "secrets": ["Snipe"],
        "armor": 3,
    },
)


# ---- one position, by hand -------------------------------------------------------------------------------------------


def test_a_position_has_exactly_the_features_worked_out_by_hand() -> None:
    # The enemy's next turn, the half-turn after the scenario's third, starts with one more card in its hand.
    assert names(MIDDLE, 0, ENDED) == Counter(
        {
            "moment: turn ended": 1,
            "half-turn: 4": 1,
            "own board: Chillwind Yeti": 1,
            "own minion, turn ended: 4/5": 1,
            "own board: Sen'jin Shieldmasta": 1,
            "own minion, turn ended: 3/3": 1,
            "own minion state, turn ended: taunt": 1,
            "own taunt health, turn ended: 3": 1,
            "enemy board: Argent Squire": 1,
            "enemy minion, turn ended: 1/1": 1,
            "enemy minion state, turn ended: divine shield": 1,
            "enemy shield attack, turn ended: 1": 1,
            "own hero power: Fireblast": 1,
            "own crystals: 7": 1,
            "own secrets: 1": 1,
            "own hand size: 2": 1,
            "own deck size: 2": 1,
            "own health and armor: 30": 1,
            "own margin: 29": 1,  # 1 and 3 attack against 3 health of a Taunt
            "enemy weapon: Eaglehorn Bow": 1,
            "enemy weapon stats: 3/2": 1,
            "enemy hero power: Steady Shot": 1,
            "enemy crystals: 10": 1,
            "enemy secrets: 1": 1,
            "enemy secret of class: hunter": 1,
            "enemy hand size: 2": 1,
            "enemy deck size: 9": 1,
            "enemy health and armor: 33": 1,
            "enemy margin: 26": 1,
            "enemy margin in reach: 19": 1,  # Fireball and the hero power with seven mana
            "hand, affordable: Fireball": 1,
            "hand cost: 4": 1,
            "hand, four or more mana short: Mountain Giant": 1,  # eleven of seven mana
            "hand cost: 10": 1,
            "deck: Frostbolt": 2,
            "own secret: Counterspell": 1,
            "enemy class: hunter": 1,
            "pairing: mage against hunter": 1,
        }
    )


def test_at_the_begin_of_a_turn_the_mana_is_what_can_be_spent_now() -> None:
    state = position(
        {"mana": 6, "max_mana": 6, "hand": ["Fireball", "Boulderfist Ogre", "Core Hound", "Ragnaros the Firelord"]}
    )
    assert of_zone(state, "own crystals", moment=BEGINS) == ["6"]
    assert of_zone(state, "hand, affordable", moment=BEGINS) == ["Boulderfist Ogre", "Fireball"]
    assert of_zone(state, "hand, one mana short", moment=BEGINS) == ["Core Hound"]
    assert of_zone(state, "hand, two or three mana short", moment=BEGINS) == ["Ragnaros the Firelord"]
    assert of_zone(state, "hand, affordable") == ["Boulderfist Ogre", "Core Hound", "Fireball"]


def test_overload_owed_counts_for_the_next_turn() -> None:
    state = position({"class": "SHAMAN", "max_mana": 5, "hand": ["Lightning Bolt", "Fire Elemental", "Wisp"]})
    assert of_zone(state, "hand, affordable") == ["Fire Elemental", "Lightning Bolt", "Wisp"]
    do(state, "play 0 at enemy hero")
    assert of_zone(state, "own overload") == ["1"]
    assert of_zone(state, "hand, one mana short") == ["Fire Elemental"]


def test_a_silenced_minion_counts_by_its_stats_alone() -> None:
    state = position({"hand": ["Spellbreaker"]}, {"board": ["Cairne Bloodhoof"]})
    assert of_zone(state, "enemy board") == ["Cairne Bloodhoof"]
    do(state, "play 0 at enemy 0")
    assert of_zone(state, "enemy board") == []
    assert of_zone(state, "enemy minion, turn ended") == ["4/5"]
    assert of_zone(state, "enemy minion state, turn ended") == ["silenced"]


REACHES = {
    "nothing affordable": ({"hand": ["Pyroblast"], "max_mana": 6}, 1),
    "the better of two": ({"hand": ["Pyroblast", "Fireball"], "max_mana": 9}, 10),
    "both": ({"hand": ["Fireball", "Frostbolt"], "max_mana": 8}, 10),
    "not at heroes": ({"hand": ["Flamestrike", "Shadow Bolt"], "max_mana": 9}, 1),
    "at all characters": ({"hand": ["Hellfire"], "max_mana": 3}, 3),
    "charge": ({"hand": ["Leeroy Jenkins"], "max_mana": 4}, 6),
    "attack for a minion": ({"hand": ["Cold Blood"], "max_mana": 0, "board": ["Wisp"]}, 4),  # with its combo
    "attack for nobody": ({"hand": ["Cold Blood"], "max_mana": 0}, 0),
    "attack for all": ({"hand": ["Savage Roar"], "max_mana": 2, "board": ["Wisp", "Wisp"]}, 6),
    "a better weapon": ({"hand": ["Arcanite Reaper"], "max_mana": 4, "weapon": "Fiery War Axe"}, 2),
}


@pytest.mark.parametrize(("side", "reach"), REACHES.values(), ids=REACHES)
def test_the_margin_in_reach_is_less_by_the_most_damage_that_the_next_turn_can_buy(
    side: dict[str, Any], reach: int
) -> None:
    state = position(side)
    margins = [int(of_zone(state, zone)[0]) for zone in ("enemy margin", "enemy margin in reach")]
    assert margins[0] - margins[1] == reach


def test_cards_of_the_enemy_that_were_seen_are_listed() -> None:
    state = do(position({"hand": ["Wisp", "Fireball"]}), "play 0", "play 0 at enemy hero")
    assert of_zone(state, "enemy seen", player=1) == ["Fireball", "Wisp"]
    assert of_zone(state, "enemy seen") == []


def test_large_numbers_share_the_last_row() -> None:
    state = position({"health": 900, "armor": 50, "fatigue": 70, "board": ["Deathwing"]})
    assert of_zone(state, "own health and armor") == ["60"]
    assert of_zone(state, "own fatigue") == ["10"]
    assert of_zone(state, "own minion, turn ended") == ["12/12"]
    assert of_zone(state, "enemy margin") == ["18"]
    assert of_zone(position({"health": 2}, {"board": ["Deathwing", "Deathwing"]}), "own margin") == ["-10"]


def test_an_enemy_card_that_both_players_know_counts() -> None:
    state = position({"class": "ROGUE", "hand": ["Sap"]}, {"hand": ["Wisp"], "board": ["Chillwind Yeti"]})
    do(state, "play 0 at enemy 0")
    assert of_zone(state, "enemy hand") == ["Chillwind Yeti"]
    assert of_zone(state, "enemy hand size") == ["3"]


def test_the_enemys_empty_deck_costs_it_health_at_the_start_of_its_turn() -> None:
    state = position({}, {"deck": [], "fatigue": 2, "health": 20})
    assert of_zone(state, "enemy health and armor") == ["17"]
    assert of_zone(state, "enemy fatigue") == ["3"]
    assert of_zone(state, "enemy hand size") == ["0"]


# ---- what is hidden --------------------------------------------------------------------------------------------------


@some
@given(seeds, players, moments)
def test_states_that_differ_only_in_what_is_hidden_have_the_same_features(
    seed: int, player: int, moment: Moment
) -> None:
    for edition in FEATURES:
        state = some_state(seed, edition=edition)
        seen = names(state, player, moment)
        assert names(state.view(player), player, moment) == seen
        for guess in range(3):
            assert names(state.resample(player, guess), player, moment) == seen


@some
@given(seeds)
def test_all_features_are_in_range_and_fewer_than_the_capacity(seed: int) -> None:
    for edition, features in FEATURES.items():
        for state in random_states(seed, edition=edition):
            for player in (0, 1):
                for moment in (ENDED, BEGINS):
                    listed = features.list(state, player, moment)
                    assert len(listed) <= features.capacity
                    assert listed.max() < features.count


def test_another_players_view_or_another_edition_is_refused() -> None:
    features = FEATURES["2018-12"]
    with pytest.raises(StateError, match="player 1's view"):
        features.list(MIDDLE.view(1), 0, ENDED)
    with pytest.raises(StateError, match="another edition"):
        FEATURES["2019-12"].list(MIDDLE, 0, ENDED)
    with pytest.raises(StateError, match="a player must be 0 or 1"):
        features.list(MIDDLE, 2, ENDED)
    with pytest.raises(StateError, match="no feature 99999"):
        features.name_of(99999)


# ---- the middle of a turn --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("me", "op", "actions"),
    [
        ({}, {}, []),
        ({"class": "WARLOCK", "hand": ["Abusive Sergeant"], "board": ["Chillwind Yeti"]}, {}, ["play 0 at own 0"]),
        ({"board": ["Chillwind Yeti"], "deck": ["Wisp"]}, {"board": ["Wisp"]}, ["attack 0 at enemy 0"]),
        ({"class": "ROGUE", "hand": ["Preparation", "Sprint", "Wisp"], "max_mana": 3}, {}, ["play 0"]),
        (
            {"class": "PRIEST", "hand": ["Shadow Madness"], "board": ["Wisp"]},
            {"board": ["Ironfur Grizzly"]},
            ["play 0 at enemy 0"],
        ),
        ({"class": "DRUID", "hand": ["Claw", "Savage Roar"], "board": ["Wisp"]}, {}, ["play 0", "play 0"]),
        ({"class": "ROGUE", "hand": ["Conceal"], "board": ["Chillwind Yeti"]}, {}, ["play 0"]),
        ({"hand": ["Frost Nova"]}, {"board": ["Chillwind Yeti", "Wisp"]}, ["play 0"]),
        ({"hand": ["Millhouse Manastorm"]}, {"hand": ["Fireball"]}, ["play 0"]),
        ({"class": "SHAMAN", "hand": ["Lightning Bolt", "Feral Spirit"]}, {}, ["play 0 at enemy hero", "play 0"]),
        ({"class": "WARRIOR", "weapon": "Arcanite Reaper", "deck": []}, {"deck": []}, ["attack hero at enemy hero"]),
    ],
)
def test_the_middle_of_a_turn_looks_to_both_players_as_its_end_will(
    me: dict[str, Any], op: dict[str, Any], actions: list[str]
) -> None:
    state = do(position(me, {"max_mana": 4, **op}), *actions)
    ended = do(state.copy(), "end")
    assert names(state, 0, ENDED) == names(ended, 0, ENDED)
    # The enemy sees the card that it drew, and before the end only that there will be one more.
    unseen = ("deck", "hand, affordable", "hand, one mana short", "hand, two or three mana short", "hand cost")
    before, after = (
        {name: count for name, count in names(each, 1, BEGINS).items() if name.split(":")[0] not in unseen}
        for each in (state, ended)
    )
    assert before == after


def test_an_own_minion_that_was_frozen_before_thaws_at_the_end_of_the_turn() -> None:
    state = position({"hand": ["Frost Nova"]}, {"board": ["Chillwind Yeti"]})
    do(state, "play 0", "end")
    assert of_zone(state, "own minion state, turn begins", player=1, moment=BEGINS) == ["frozen"]
    assert of_zone(state, "own minion state, turn ended", player=1, moment=ENDED) == []
    do(state, "end")
    assert of_zone(state, "own minion state, turn ended", player=1, moment=ENDED) == []
