"""Patches as files, and several patches as one."""

from pathlib import Path

import pytest

from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards.codes import RuleFlag
from deckatlas.games.hearthstone.cards.editions import EDITIONS, Edition, Patch, edition, edition_with

FIRST = Patch(
    "first",
    {"Fireball": {"name": "Big Ball", "cost": 5}, "Fiery War Axe": {"durability": 3}, "EX1_116": {"rarity": "rare"}},
    {
        "NEW_1": {
            "name": "Newt",
            "class": "neutral",
            "type": "minion",
            "set": "classic",
            "rarity": "common",
            "health": 1,
        }
    },
    ("swap-is-summon",),
)
SECOND = Patch(
    "second",
    {
        "Big Ball": {"effect": "spell(draw(3))"},
        "Fiery War Axe": {"health": 4, "attack": 1},
        "Newt": {"attack": 7, "keywords": "taunt"},
    },
)


@pytest.mark.parametrize("base", EDITIONS)
def test_several_patches_are_one_patch_on_the_shipped_edition(base: str) -> None:
    made = edition(base).patched(FIRST).patched(SECOND)
    patch = made.as_patch()
    assert (patch.name, patch.base) == ("second", base)
    again = edition(base).patched(Patch.from_toml(patch.to_toml()))
    assert again == made
    assert RuleFlag.swap_is_summon in again.rules
    assert (again["Big Ball"].cost, again["NEW_1"].attack, again["Fiery War Axe"].health) == (5, 7, 4)
    assert again.compiled.for_core == made.compiled.for_core


def test_a_patch_is_the_same_after_its_file() -> None:
    patch = Patch("quoted", {"Fire Elemental": {"cost": 1, "effect": "battlecry(draw(1))"}}, base="2019-12")
    assert Patch.from_toml(patch.to_toml()) == Patch("quoted", patch.cards, {}, [], "2019-12")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", EDITIONS)
def test_the_effects_of_every_card_survive_a_file(name: str) -> None:
    cards = [card for card in edition(name).cards if card.effects]
    assert len(cards) > 300
    patch = Patch("again", {card.id: {"effect": card.effects} for card in cards}, base=name)
    again = Patch.from_toml(patch.to_toml())
    assert all(isinstance(again.cards[card.id]["effect"], str) for card in cards)
    assert edition(name).patched(again).cards == edition(name).cards


@pytest.mark.parametrize(
    ("effect", "complaint"),
    [
        ('Rule(Keyword("tount"))', "wrong use of Keyword: there is no 'tount': did you mean 'taunt'"),
        ("Rule(TAUNT, 3)", "wrong use of Rule, which is written Rule"),
        ("Rule(3)", "the wrong keywords: 3"),
        ("Side()", "wrong use of Side"),
    ],
)
def test_mistakes_in_the_long_form_are_told(effect: str, complaint: str) -> None:
    with pytest.raises(CardError, match=complaint):
        edition().patched(Patch("wrong", {"CS2_029": {"effect": effect}}))


def test_cards_that_no_patch_made_are_not_told_as_one() -> None:
    with pytest.raises(CardError, match=f"'mine' is not a patched version of {', '.join(EDITIONS)}"):
        Edition("mine", edition().cards).as_patch()
    other = Edition("2018-12", edition("2019-12").cards).patched(Patch("alone", {"Fireball": {"cost": 9}}))
    with pytest.raises(CardError, match="'alone' differs from 2018-12 with its patches applied"):
        other.as_patch()


# ---- patches as texts ------------------------------------------------------------------------------------------------


def test_an_edition_with_the_same_patch_is_made_once_and_with_no_patch_is_itself() -> None:
    text = 'name = "slow"\n[cards."Chillwind Yeti"]\ncost = 5\n'
    slow = edition_with("2018-12", text)
    assert slow == edition().patched(Patch.from_toml(text))
    assert edition_with("2018-12", text) is slow
    assert edition_with("2018-12", "") is edition()
    assert edition_with("2019-12", text)["Chillwind Yeti"].cost == 5
    assert edition_with("2019-12", text) != slow


def test_a_patch_on_a_file_follows_the_file(tmp_path: Path) -> None:
    file = tmp_path / "base.toml"
    text = 'name = "slow"\n[cards."Chillwind Yeti"]\ncost = 5\n'
    for attack in (6, 7):
        file.write_text(f'name = "strong"\n[cards."Chillwind Yeti"]\nattack = {attack}\n', encoding="utf-8")
        yeti = edition_with(str(file), text)["Chillwind Yeti"]
        assert (yeti.cost, yeti.attack) == (5, attack)
