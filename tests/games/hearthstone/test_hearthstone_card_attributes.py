"""What cards are, in whole numbers: hand-worked cards, patched cards, and the sparse matrix of all features."""

from collections import defaultdict

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas._core.hearthstone import (
    CARD_ATTRIBUTES,
    FEATURE_ATTRIBUTES,
    PositionFeatures,
    card_attributes,
)
from deckatlas.games.hearthstone.cards.editions import EDITIONS, Edition, Patch

EDITION = hearthstone.edition()
_THERMOMETER = "costs at least "


def attributes(card: str, edition: Edition = EDITION) -> dict[str, int]:
    row = card_attributes(edition.card_set)[edition.number_of(edition[card].id)]
    return {name: int(value) for name, value in zip(CARD_ATTRIBUTES, row, strict=True) if value}


def told(card: str, edition: Edition = EDITION) -> dict[str, int]:
    """The attributes that are not the same for nearly every card, without the steps of the cost."""
    usual = {"card", "collectible", "neutral"}
    return {
        name: value
        for name, value in attributes(card, edition).items()
        if name not in usual and not name.startswith(_THERMOMETER)
    }


# ---- single cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        (
            "Fireball",
            {
                "cost": 4,
                "spell": 1,
                "targets minions": 1,
                "targets heroes": 1,
                "played: damage to a target": 6,
                "played: instructions": 1,
            },
        ),
        (
            "Azure Drake",
            {
                "cost": 5,
                "attack": 4,
                "health": 4,
                "lesser stat": 4,
                "attack times health / 8": 2,
                "spell damage": 1,
                "minion": 1,
                "dragon": 1,
                "played: draw": 1,
                "played: instructions": 1,
            },
        ),
        (
            "Sylvanas Windrunner",
            {
                "legendary": 1,
                "cost": 6,
                "attack": 5,
                "health": 5,
                "lesser stat": 5,
                "attack times health / 8": 3,
                "premium": 3,
                "minion": 1,
                "deathrattle: take control": 1,
                "deathrattle: at random": 1,
                "deathrattle: instructions": 1,
            },
        ),
        (
            "Flametongue Totem",
            {"cost": 2, "health": 3, "premium": 2, "minion": 1, "totem": 1, "aura attack to neighbours": 2},
        ),
        (
            "Gadgetzan Auctioneer",
            {
                "cost": 6,
                "attack": 4,
                "health": 4,
                "lesser stat": 4,
                "attack times health / 8": 2,
                "premium": 5,
                "minion": 1,
                "on cast spell": 1,
                "trigger of own events": 1,
                "trigger: draw": 1,
                "trigger: instructions": 1,
            },
        ),
        (
            "Mountain Giant",
            {
                "cost": 12,
                "attack": 8,
                "health": 8,
                "lesser stat": 8,
                "attack times health / 8": 8,
                "minion": 1,
                "elemental": 1,
                "cost per card in hand": -1,
            },
        ),
        (
            "Preparation",
            {"spell": 1, "played: change cost": -3, "played: enchant player": 1, "played: instructions": 1},
        ),
    ],
)
def test_a_card_has_exactly_the_attributes_worked_out_by_hand(card: str, expected: dict[str, int]) -> None:
    assert told(card) == expected


@pytest.mark.parametrize(
    ("card", "attribute", "value"),
    [
        ("Eviscerate", "played: damage to a target", 4),  # as a combo
        ("Ancient of Lore", "played: heal one", 5),
        ("Ancient of Lore", "played: draw", 1),
        ("Hellfire", "played: damage to own hero", 3),
        ("Arcane Missiles", "played: damage to a random enemy", 3),
        ("Soul of the Forest", "deathrattle: summoned attack", 2),
        ("Leeroy Jenkins", "attack with charge", 6),
        ("Leeroy Jenkins", "played: summon for enemy", 4),
        ("Counterspell", "trigger: interrupt", 1),
        ("Sea Giant", "cost per minion in play", -1),
        ("Molten Giant", "cost per damage taken", -1),
        ("Doomsayer", "trigger: destroy own", 3),
        ("Felguard", "played: gain crystals", -1),
        ("Twilight Drake", "played: variable", 1),
    ],
)
def test_an_effect_is_found_in_its_section(card: str, attribute: str, value: int) -> None:
    assert attributes(card)[attribute] == value


def test_the_cost_is_a_thermometer_too() -> None:
    assert [name for name in attributes("Fireball") if name.startswith(_THERMOMETER)] == [
        f"{_THERMOMETER}{step}" for step in (1, 2, 3, 4)
    ]
    assert not any(name.startswith(_THERMOMETER) for name in attributes("Wisp"))


# ---- editions --------------------------------------------------------------------------------------------------------


def test_a_patched_card_changes_only_what_its_patch_changes() -> None:
    patch = Patch("attributes", {"Fireball": {"cost": 3}, "Wisp": {"effect": "battlecry(draw(2))"}})
    patched = EDITION.patched(patch)
    before, after = attributes("Fireball"), attributes("Fireball", patched)
    assert {name for name in before | after if before.get(name) != after.get(name)} == {"cost", "costs at least 4"}
    assert attributes("Wisp", patched) == attributes("Wisp") | {"played: draw": 2, "played: instructions": 1}
    rows = [card_attributes(edition.card_set) for edition in (EDITION, patched)]
    changed = np.flatnonzero((rows[0] != rows[1]).any(axis=1))
    assert {EDITION.id_of(int(number)) for number in changed} == {EDITION["Fireball"].id, EDITION["Wisp"].id}


@pytest.mark.parametrize("name", EDITIONS)
def test_only_cards_that_do_nearly_the_same_share_all_attributes(name: str) -> None:
    edition = hearthstone.edition(name)
    rows = card_attributes(edition.card_set)
    alike = defaultdict(set)
    for card in edition.cards:
        row = rows[edition.number_of(card.id)]
        assert row[CARD_ATTRIBUTES.index("card")] == 1
        if card.collectible:
            assert np.count_nonzero(row) > 2
            alike[row.tobytes()].add(card.name)
    pairs = [names for names in alike.values() if len(names) > 1]
    # In 2014, Hex cost less.
    assert ({"Polymorph", "Hex"} in pairs) == (name != "classic-2014")
    assert len(pairs) <= 8


# ---- the matrix of all features --------------------------------------------------------------------------------------


def test_every_feature_has_the_attributes_of_its_entry_in_the_columns_of_its_zone() -> None:
    features = PositionFeatures(EDITION.card_set)
    offsets, columns, values = features.attributes()
    assert len(offsets) == features.count + 1
    assert columns.max() < len(FEATURE_ATTRIBUTES)
    assert np.all(values != 0)
    by_name = {features.name_of(number): number for number in range(features.count)}

    def row(name: str) -> dict[str, int]:
        part = slice(offsets[by_name[name]], offsets[by_name[name] + 1])
        return {FEATURE_ATTRIBUTES[k]: int(v) for k, v in zip(columns[part], values[part], strict=True)}

    assert row("own minion, turn ended: 3/5") == {
        "own minion, turn ended | any": 1,
        "own minion, turn ended | attack": 3,
        "own minion, turn ended | health": 5,
        "own minion, turn ended | lesser": 3,
        "own minion, turn ended | attack times health / 8": 1,
    }
    assert row("enemy health and armor: 15") == {
        "enemy health and armor | any": 1,
        "enemy health and armor | number": 15,
        "enemy health and armor | number up to 6": 6,
        "enemy health and armor | number up to 12": 12,
        "enemy health and armor | number up to 20": 15,
    }
    assert row("own margin: -4")["own margin | number up to 6"] == -4
    assert row("pairing: mage against hunter") == {"pairing | own mage": 1, "pairing | enemy hunter": 1}
    assert row("enemy class: mage") == {}
    for zone in ("deck", "enemy board", "hand, affordable"):
        assert row(f"{zone}: Fireball") == {f"{zone} | {k}": v for k, v in attributes("Fireball").items()}
    assert row("deck: ?") == {}


def test_columns_have_different_names() -> None:
    assert len(set(CARD_ATTRIBUTES)) == len(CARD_ATTRIBUTES)
    assert len(set(FEATURE_ATTRIBUTES)) == len(FEATURE_ATTRIBUTES)
