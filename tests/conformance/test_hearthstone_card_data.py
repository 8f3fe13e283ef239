"""The cards agree with the game's own data: numbers and keywords of both dates, and what a card can be aimed at."""

import csv
import re
from pathlib import Path

import pytest

from deckatlas.games.hearthstone.cards.codes import Base, CardType, ConditionKind, FilterKind, Race, Side
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.cards.pools import pool
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.terms import Condition, Filter, Left, Play
from deckatlas.games.hearthstone.cards.walks import chosen_in

SHARED = Path(__file__).parents[3] / "shared" / "hearthstone"
pytestmark = pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared/hearthstone")

KEYWORDS = {
    "TAUNT": "taunt",
    "CHARGE": "charge",
    "DIVINE_SHIELD": "divine-shield",
    "STEALTH": "stealth",
    "WINDFURY": "windfury",
    "POISONOUS": "poisonous",
    "CANT_ATTACK": "cant-attack",
    "CANT_BE_TARGETED_BY_SPELLS": "elusive",
    "BATTLECRY": "battlecry",
    "COMBO": "combo",
    "DEATHRATTLE": "deathrattle",
    "CHOOSE_ONE": "choose-one",
    "SECRET": "secret",
    "AURA": "aura",
    "ENRAGED": "enraged",
    "TRIGGER_VISUAL": "trigger",
}
# Where our keywords are right and the data has none, or one for an effect that is written as a rule here.
KEYWORDS_OF_OUR_OWN = {
    "CS2_033": {"trigger"},  # Water Elemental
    "CS2_146": {"aura"},  # Southsea Deckhand
    "EX1_062": {"aura"},  # Old Murk-Eye
    "EX1_508": {"aura"},  # Grimscale Oracle
    "EX1_591": {"aura"},  # Auchenai Soulpriest
}
# Tokens in the data that no card of these sets makes.
NOT_MADE = re.compile("BCON_.*|DFX_.*|GAME_002|GAME_006|OG_044a|skele11|CS2_102_H3")


def rows(name: str) -> dict[str, dict[str, str]]:
    with (SHARED / name).open(encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def data(date: str) -> dict[str, dict[str, str]]:
    return {**rows(f"tokens_{date}.csv"), **rows(f"cards_{date}.csv")}


@pytest.mark.parametrize("date", ["2018-12", "2019-12"])
def test_numbers_are_those_of_the_data(date: str) -> None:
    cards = edition(date).by_id
    for name, row in data(date).items():
        if NOT_MADE.fullmatch(name):
            assert name not in cards
            continue
        card = cards[name]
        assert card.name == row["name"], name
        assert card.cost == int(row["cost"] or 0), name
        assert card.attack == int(row["attack"] or 0), name
        assert card.health == int(row["health_or_durability"] or 0), name
        assert card.race == Race[row["race"].lower() or "none"], name
        assert card.type == CardType[row["type"].lower().replace("hero_power", "power")], name
        assert card.hero_class.name == row["class"].lower().replace("dream", "neutral"), name
        assert card.dbf_id == int(row["dbfId"] or 0), name


@pytest.mark.parametrize("date", ["2018-12", "2019-12"])
def test_sets_and_rarities_are_those_of_the_data(date: str) -> None:
    sets = {"BASIC": "basic", "CORE": "basic", "EXPERT1": "classic", "HOF": "hall-of-fame"}
    collectible = rows(f"cards_{date}.csv")
    for card in edition(date).cards:
        if card.id in collectible:
            row = collectible[card.id]
            assert (card.set, card.rarity) == (sets[row["set"]], row["rarity"].lower()), card.id
        else:
            assert card.set == "token" or card.type is CardType.hero, card.id


def test_keywords_are_those_of_the_data() -> None:
    cards = edition("2018-12").by_id
    for name, row in data("2018-12").items():
        if name in cards:
            words = {KEYWORDS[word] for word in row["mechanics"].split() if word in KEYWORDS}
            ours = {word for word in cards[name].keywords if "=" not in word}
            assert words ^ ours == KEYWORDS_OF_OUR_OWN.get(name, set()), name


@pytest.mark.parametrize(("mechanic", "number"), [("SPELLPOWER", "spell_damage"), ("OVERLOAD", "overload")])
def test_spell_damage_and_overload_are_those_of_the_data(mechanic: str, number: str) -> None:
    cards = edition("2018-12").by_id
    for name, row in data("2018-12").items():
        found = re.search(rf"\b{mechanic}(?:=(\d+))?", row["mechanics"])
        if name in cards:
            assert getattr(cards[name], number) == (int(found[1] or 1) if found else 0), name


def test_the_pool_of_evostone_is_the_published_one() -> None:
    published = [row for row in rows("cards_2019-12.csv").values() if row["in_evostone2_pool"] == "1"]
    for hero_class in ("hunter", "mage", "rogue", "druid"):
        ids = [row["id"] for row in published if row["class"] in ("NEUTRAL", hero_class.upper())]
        assert [card.id for card in pool(edition("2019-12"), hero_class, "evostone")][: len(ids)] == ids


# ---- what a card can be aimed at, and what else it needs: the requirements are of 2019 -----------------------------

# Where we differ on purpose, and why.
DECISIONS = {
    **dict.fromkeys(("EX1_154", "EX1_155", "EX1_166", "NEW1_007", "NEW1_008"), "the option chosen says what it wants"),
    "EX1_573b": "Cenarius needs no space but his own: the peer's traces offer the option with six minions beside him",
}


def their_needs(codes: dict[int, int]) -> set[str]:
    needs = set()
    if codes.keys() & {11, 22, 24, 75}:  # a target, if there is one, with combo, in an even deck
        only_minions = 1 in codes or codes.get(10) in (14, 20)
        needs.add("minion" if only_minions else "hero" if 17 in codes else "character")
        plain = {2: "friendly", 3: "enemy", 4: "damaged", 46: "has_keyword 0", 47: "undamaged"}
        needs |= {word for code, word in plain.items() if code in codes}
        races = {20: Race.beast, 15: Race.demon, 14: Race.murloc}
        needs |= {f"race {int(races[value])}" for code, value in codes.items() if code == 10}
        needs |= {f"attack_at_most {value}" for code, value in codes.items() if code == 8}
        needs |= {f"attack_at_least {value}" for code, value in codes.items() if code == 41}
    if 44 in codes:
        return needs | {"one left to summon"}
    texts = {12: "space", 13: "weapon", 23: f"{codes.get(23)} enemy minions", 45: f"{codes.get(45)} minions"}
    return needs | {text for code, text in texts.items() if code in codes}


def our_needs(card: Card) -> set[str]:
    needs = set()
    for play in (slot for slot in card.effects if isinstance(slot, Play)):
        chosen = chosen_in(play.steps)
        if chosen is not None:
            needs.add({Base.minions: "minion", Base.hero: "hero"}.get(chosen.base, "character"))
            needs |= {Side.mine: {"friendly"}, Side.enemy: {"enemy"}, Side.all: set()}[chosen.side]
            needs |= {filter_text(one) for one in chosen.filters}
        for need in play.needs:
            match need:
                case Left():
                    needs.add("one left to summon")
                case Condition(ConditionKind.board_space):
                    needs.add("space")
                case Condition(ConditionKind.holding_weapon):
                    needs.add("weapon")
                case Condition(selector=selector, value=value) if selector and selector.base is Base.minions:
                    needs.add(f"{value} {'enemy ' if selector.side is Side.enemy else ''}minions")
    return needs


def filter_text(one: Filter) -> str:
    plain = one.kind in (FilterKind.damaged, FilterKind.undamaged)
    return one.kind.name if plain else f"{one.kind.name} {one.value}"


def test_targets_and_requirements_agree_with_the_data() -> None:
    required = {
        name: {int(code): int(value or 0) for code, value in re.findall(r"(\d+)\((\d*)\)", row["req_ids(param)"])}
        for name, row in rows("play_requirements.csv").items()
    }
    different = {
        card.id for card in edition("2019-12").cards if our_needs(card) != their_needs(required.get(card.id, {}))
    }
    assert different == set(DECISIONS)


def test_lists_of_random_cards_have_the_entourage_of_the_data() -> None:
    compiled = edition("2018-12").compiled
    lists = [{compiled.ids[number] for number in numbers} for numbers in compiled.lists]
    for name, row in rows("play_requirements.csv").items():
        if row["entourage"]:
            assert set(row["entourage"].split()) in lists, name
