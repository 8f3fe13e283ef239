"""What was different in June 2014, a fact a row."""

import pytest

from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.codes import Race
from deckatlas.games.hearthstone.cards.decks import build_deck, check_deck
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.cards.pools import pool
from helpers.hearthstone_facts import (
    Fact,
    asleep,
    attack,
    cannot,
    end_turn,
    fact,
    hurt,
    me,
    minion,
    one_of,
    op,
    play,
    weapon,
)

OLD = "classic-2014"
FACE = attack("me.board.0", "op.hero")

# fmt: off
FACTS = [
    # ---- other costs and stats ----
    fact("Wild Growth", me(max_mana=4), play("Wild Growth"), {"me.mana": 2, "me.max_mana": 5}, on=OLD),
    fact("Rockbiter Weapon", play("Rockbiter Weapon", at="me.hero"), {"me.hero.attack": 3, "me.mana": 9}, on=OLD),
    fact("Hunter's Mark", op(board=["War Golem"]), play("Hunter's Mark", at="op.board.0"),
         {"op.board.0": "7/1", "me.mana": 10}, on=OLD),
    weapon("Fiery War Axe", 2, 3, 2, on=OLD),
    fact("Execute", op(board=[hurt("War Golem", 1)]), play("Execute", at="op.board.0"),
         {"op.board": 0, "me.mana": 9}, on=OLD),
    fact("Abusive Sergeant", me(board=["Wisp"]), play("Abusive Sergeant", at="me.board.0"),
         {"me.board.0": "3/1", "me.board.1": "2/1", "me.mana": 9}, on=OLD),
    fact("Ironbeak Owl", op(board=["Sunwalker"]), play("Ironbeak Owl", at="op.board.0"),
         {"op.board.0.taunt": False, "me.board.0": "2/1", "me.mana": 8}, on=OLD),
    fact("Big Game Hunter", op(board=["War Golem"]), play("Big Game Hunter", at="op.board.0"),
         {"op.board": 0, "me.board.0": "4/2", "me.mana": 7}, on=OLD),
    minion("Leper Gnome", 1, 2, 1, on=OLD),
    minion("Gadgetzan Auctioneer", 5, 4, 4, on=OLD),
    fact("Leeroy Jenkins", play("Leeroy Jenkins"), FACE, {"me.mana": 6, "op.hero.health": 24, "op.board": 2}, on=OLD),
    fact("Nourish", me(max_mana=5), play("Nourish", choose="EX1_164a"), {"me.mana": 2, "me.max_mana": 7}, on=OLD),
    fact("Keeper of the Grove", play("Keeper of the Grove", at="op.hero", choose="Moonfire"),
         {"me.board.0": "2/4", "op.hero.health": 28, "me.mana": 6}, on=OLD),
    fact("Hex", op(board=["War Golem"]), play("Hex", at="op.board.0"), {"op.board.0": "0/1", "me.mana": 7}, on=OLD),
    fact("Soulfire", me(hand=["Soulfire", "Wisp"]), play("Soulfire", at="op.hero"),
         {"op.hero.health": 26, "me.hand": 0, "me.mana": 10}, on=OLD),
    fact("Flare", op(secrets=["Ice Block"]), play("Flare"), {"op.secrets": 0, "me.hand": 1, "me.mana": 9}, on=OLD),
    minion("Mana Wyrm", 1, 1, 3, on=OLD),
    minion("Knife Juggler", 2, 3, 2, on=OLD),

    # ---- Buzzard and hounds: five cards for five mana ----
    minion("Starving Buzzard", 2, 2, 1, on=OLD),
    fact("Starving Buzzard", op(board=["Wisp"] * 3), play("Starving Buzzard"), play("Unleash the Hounds"),
         {"me.board": 4, "me.hand": 3, "me.mana": 5}, on=OLD, why="a card for each hound"),

    # ---- Charge ----
    fact("Charge", me(board=[asleep("Wisp")]), play("Charge", at="me.board.0"), FACE,
         {"op.hero.health": 27, "me.mana": 7}, end_turn(), {"me.board.0": "3/1", "me.board.0.charge": True}, on=OLD,
         why="attacks heroes at once, with 2 more for good"),
    fact("Charge", op(board=["Wisp"]), cannot(play("Charge", at="op.board.0")), {"me.mana": 10}, on=OLD,
         why="a friend"),
    minion("Warsong Commander", 3, 2, 3, on=OLD),
    fact("Warsong Commander", me(board=["Warsong Commander"]), play("Bloodfen Raptor"),
         attack("me.board.1", "op.hero"), {"op.hero.health": 27, "me.board.1": "3/2"}, on=OLD, why="3 attack: at once"),
    fact("Warsong Commander", me(board=["Warsong Commander"]), play("Chillwind Yeti"),
         {"me.board.1.charge": False, "me.board.1.can_attack": False}, on=OLD, why="4 attack: not"),
    fact("Warsong Commander", me(board=["Warsong Commander"]), play("Murloc Tidehunter"),
         {"me.board.1.charge": True, "me.board.2.charge": True}, on=OLD, why="tokens, too"),
    fact("Warsong Commander", me(board=[asleep("Wisp")]), play("Warsong Commander"), {"me.board.0.charge": False},
         on=OLD, why="no minion that was there before"),
    fact("Warsong Commander", me(board=["Warsong Commander"]), op(hero="warlock"), end_turn(), play("Voidwalker"),
         {"op.board.0.charge": False}, on=OLD, why="friends only"),
    fact("Warsong Commander", me(board=["Warsong Commander"]), play("Bloodfen Raptor"), end_turn(),
         play("Fireball", at="me.board.0"), {"me.board": 1, "me.board.0.charge": True}, on=OLD,
         why="what was given stays"),
    minion("Arcane Golem", 3, 4, 2, "charge", on=OLD),
    fact("Arcane Golem", op(max_mana=4), play("Arcane Golem"), FACE, {"op.hero.health": 26, "op.max_mana": 5}, on=OLD),

    # ---- murlocs of both sides ----
    fact("Coldlight Seer", me(board=["Murloc Raider", "Wisp"]), op(board=["Murloc Raider"]), play("Coldlight Seer"),
         {"me.board.0": "2/3", "me.board.1": "1/1", "me.board.2": "2/3", "op.board.0": "2/3"}, on=OLD),
    fact("Murloc Warleader", me(board=["Murloc Raider", "Wisp"]), op(board=["Murloc Raider"]), play("Murloc Warleader"),
         {"me.board.0": "4/2", "me.board.1": "1/1", "me.board.2": "3/3", "op.board.0": "4/2"}, on=OLD),
    fact("Grimscale Oracle", me(board=["Murloc Raider"]), op(board=["Murloc Raider", "Wisp"]), play("Grimscale Oracle"),
         {"me.board.0": "3/1", "me.board.1": "1/1", "op.board.0": "3/1", "op.board.1": "1/1"}, on=OLD),
    fact("Murloc Tidecaller", me(board=["Murloc Tidecaller"]), play("Murloc Raider"), {"me.board.0": "2/2"}, end_turn(),
         play("Murloc Raider"), {"me.board.0": "3/2"}, on=OLD, why="whoever summons it"),

    # ---- other effects ----
    fact("Blade Flurry", me(weapon="Assassin's Blade", board=["Wisp"]), op(board=["War Golem", "Wisp"]),
         play("Blade Flurry"), {"op.board.0": "7/4", "op.board": 1, "op.hero.health": 27, "me.board": 1,
         "me.hero.health": 30, "me.hero.attack": 0, "me.mana": 8}, on=OLD, why="all enemies"),
    fact("Blade Flurry", me(weapon="Wicked Knife", board=["Kobold Geomancer"]), play("Deadly Poison"),
         play("Blade Flurry"), {"op.hero.health": 26}, on=OLD, why="spell damage and poison add"),
    fact("Blade Flurry", cannot(play("Blade Flurry")), {"op.hero.health": 30}, on=OLD, why="not without a weapon"),
    fact("Innervate", me(max_mana=3), play("Innervate"), {"me.mana": 5, "me.max_mana": 3}, end_turn(), end_turn(),
         {"me.mana": 4}, on=OLD, why="2 more, for this turn"),
    fact("Innervate", me(mana=9), play("Innervate"), {"me.mana": 10}, on=OLD, why="nobody has more than ten"),
    fact("Bestial Wrath", me(board=["Wisp"]), op(board=["River Crocolisk"]), {"me.hand.0.targets": ["op.board.0"]},
         play("Bestial Wrath", at="op.board.0"), {"op.board.0": "4/3"}, end_turn(),
         {"op.board.0": "2/3"}, on=OLD, why="an enemy's beast, too"),
    fact("Bestial Wrath", me(board=["River Crocolisk"]), op(board=["War Golem"]),
         play("Bestial Wrath", at="me.board.0"), attack("me.board.0", "op.board.0"),
         {"me.board.0": "4/3", "op.board.0": "7/3"}, on=OLD),
    fact("Force of Nature", play("Force of Nature"), {"me.board": 3, "me.mana": 4}, FACE,
         attack("me.board.1", "op.hero"), attack("me.board.2", "op.hero"), {"op.hero.health": 24, "me.board": 3},
         end_turn(), {"me.board": 0}, on=OLD, why="three that attack at once and die at the end of the turn"),
    fact("Force of Nature", play("Force of Nature"), play("Savage Roar"), FACE, attack("me.board.1", "op.hero"),
         attack("me.board.2", "op.hero"), attack("me.hero", "op.hero"), {"op.hero.health": 16, "me.mana": 1}, on=OLD,
         why="with Savage Roar: 14 for nine mana"),
    fact("EX1_tk9", op(board=["EX1_tk9"]), end_turn(), {"op.board": 0}, on=OLD, why="at the end of any turn"),
    fact("Cenarius", play("Cenarius", choose="Shan'do's Lesson"), {"me.board": 3, "me.board.0.charge": False},
         end_turn(), {"me.board": 3}, on=OLD, why="his treants stay"),
    fact("Ancient of Lore", play("Ancient of Lore", choose="Ancient Teachings"),
         {"me.hand": 2, "me.board.0": "5/5", "me.mana": 3}, on=OLD),
    fact("Bane of Doom", op(board=["Wisp"]), play("Bane of Doom", at="op.board.0"),
         one_of("me.board.0.id", "Blood Imp", "Dread Infernal", "Felguard", "Flame Imp", "Succubus", "Voidwalker"),
         on=OLD, why="one of six demons, not any"),
    fact("Master of Disguise", me(board=["Wisp"]), play("Master of Disguise", at="me.board.0"),
         {"me.board.0.stealth": True}, end_turn(), end_turn(), {"me.board.0.stealth": True}, on=OLD, why="for good"),
]
# fmt: on
TOKEN_COSTS = {
    "CS2_tk1": 0,  # Sheep
    "EX1_158t": 1,  # the Treant of Soul of the Forest
    "EX1_506a": 0,  # Murloc Scout
    "EX1_554t": 0,  # Snake
    "EX1_573t": 1,  # the Treant of Cenarius
    "EX1_finkle": 2,  # Finkle Einhorn
    "EX1_tk9": 1,  # the Treant of Force of Nature
    "NEW1_026t": 0,  # Violet Apprentice
    "PRO_001at": 1,  # Murloc
    "tt_010a": 0,  # Spellbender
}
LATER = {"mage": ("Icicle", "Tome of Intellect"), "warlock": ("Call of the Void",), "rogue": ("Pilfer",)}


@pytest.mark.parametrize("fact", FACTS, ids=str)
def test_classic_2014(fact: Fact) -> None:
    assert fact.problems() == []


def test_tokens_have_the_costs_of_2014() -> None:
    assert {name: edition(OLD)[name].cost for name in TOKEN_COSTS} == TOKEN_COSTS


@pytest.mark.parametrize("hero_class", LATER)
def test_cards_that_came_later_are_in_no_pool_and_no_deck(hero_class: str) -> None:
    for name in LATER[hero_class]:
        later = edition("2018-12")[name]
        assert later.id not in {card.id for card in pool(OLD, hero_class)}
        deck = build_deck([later.id] * 2 + ["Wisp"] * 2, edition(OLD), hero_class=hero_class)
        with pytest.raises(DeckError, match=f"{name}.* cannot be put into a deck"):
            check_deck(deck, OLD)


def test_cards_of_the_hall_of_fame_are_still_in_the_pool() -> None:
    hall = [card for card in edition("2018-12").cards if card.set == "hall-of-fame"]
    assert len(hall) == 13
    for card in hall:
        hero_class = "rogue" if card.hero_class.name == "neutral" else card.hero_class.name
        assert card.id in {each.id for each in pool(OLD, hero_class)}


def test_elementals_mechs_and_the_forms_of_a_druid_have_no_race_yet() -> None:
    cards = edition(OLD)
    assert not {card.name for card in cards.cards if card.race in (Race.elemental, Race.mechanical)}
    assert {cards[form].race for form in ("EX1_165t1", "EX1_165t2")} == {Race.none}


def test_the_edition_differs_from_its_base_only_where_its_file_says() -> None:
    made_of = edition(OLD).made_of
    assert made_of is not None
    base, patch = made_of
    changed = {card.id for card in edition(OLD).cards if card != base.by_id[card.id]}
    assert changed == set(patch.cards)
    assert base.name == "2018-12"
