"""Finding cards, and what is known of a deck without playing it."""

from typing import Any

import pytest

from deckatlas import hearthstone
from deckatlas.errors import CardError
from deckatlas.games.card_query import CostRange, has_words, near_names
from deckatlas.hearthstone import Deck, Patch, deck_sheet, edition, find_cards, named_decks, read_deck, text_of

PATCH = """\
name = "mine"
[new.MINE_1]
name = "Yeti Caller"
class = "hunter"
type = "minion"
rarity = "rare"
set = "classic"
cost = 6
attack = 3
health = 4
effect = 'battlecry(summon("CS2_182"))'
"""


def names(*query: str, **options: Any) -> list[str]:
    return [card.name for card in find_cards(query, **options)]


# ---- cards -----------------------------------------------------------------------------------------------------------


def test_cards_are_found_by_parts_of_their_names_in_any_case_and_order() -> None:
    assert names("savannah highmane") == names("HIGHMANE", "sav") == ["Savannah Highmane"]
    assert names("sen'jin") == ["Sen'jin Shieldmasta"]


def test_every_word_must_be_in_the_name_the_text_the_race_or_the_keywords() -> None:
    for card in find_cards("beast deathrattle"):
        searched = f"{card.name} {text_of(card)} {card.race.name} {' '.join(card.keywords)}".casefold()
        assert "beast" in searched
        assert "deathrattle" in searched
    assert "Savannah Highmane" in names("beast deathrattle")
    assert set(names("beast deathrattle")) == set(names("beast")) & set(names("deathrattle"))


def test_cards_with_the_words_in_their_names_come_first_then_cheap_ones() -> None:
    found = find_cards("frost")
    in_name = ["frost" in card.name.casefold() for card in found]
    assert in_name == sorted(in_name, reverse=True)
    costs = [card.cost for card in found if "frost" in card.name.casefold()]
    assert costs == sorted(costs)


def test_options_narrow_what_is_found() -> None:
    secrets = find_cards(hero_class="Mage", keyword="secret", cost=3, type="spell")
    assert secrets
    for card in secrets:
        assert (card.hero_class.name, card.cost, card.type.name) == ("mage", 3, "spell")
        assert "secret" in card.keywords
    assert set(names(keyword="divine shield")) == set(names(keyword="divine-shield")) >= {"Argent Squire"}
    assert "Kobold Geomancer" in names(keyword="spell-damage")
    every = {card.id for card in edition().cards if card.collectible}
    assert {card.id for card in find_cards()} == every
    assert {card.id for card in find_cards(hero_class="neutral")} < every


def test_costs_are_numbers_or_ranges_with_one_or_two_ends() -> None:
    assert {card.cost for card in find_cards(cost="2-4")} == {2, 3, 4}
    assert min(card.cost for card in find_cards(cost="7+")) == 7
    assert {card.cost for card in find_cards(cost=0)} == {0}
    assert 12 in CostRange.read("7+")
    for wrong in ("x", "-1", "4-", "2..4", "", True, 2.5):
        with pytest.raises(CardError, match="a cost is a number such as 4, or a range such as 2-4 or 7"):
            find_cards(cost=wrong)  # type: ignore[arg-type]


def test_tokens_are_found_only_where_no_card_of_decks_fits() -> None:
    assert all(card.collectible for card in find_cards("boar"))
    tokens = find_cards("wicked knife")
    assert tokens[0].name == "Wicked Knife"
    assert not any(card.collectible for card in tokens)


def test_cards_are_those_of_the_edition() -> None:
    mine = edition().patched(Patch.from_toml(PATCH))
    assert names("yeti caller", edition=mine) == ["Yeti Caller"]
    assert [card.cost for card in find_cards("starving buzzard", edition="classic-2014")] == [2]
    with pytest.raises(CardError, match="no card fits 'yeti caller'"):
        find_cards("yeti caller")


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [
        ("savanah", {}, "no card fits 'savanah': did you mean 'Savannah Highmane'?"),
        ("fierball", {"cost": "4"}, "no card fits 'fierball' and cost '4': did you mean 'Fireball'"),
        ("qwzzxv", {}, "no card fits 'qwzzxv'"),
        ("", {"hero_class": "mage", "type": "weapon"}, "no card fits class 'mage' and type 'weapon'"),
        ("", {"hero_class": "monk"}, "unknown class 'monk'"),
        ("", {"type": "minon"}, "unknown type 'minon': did you mean 'minion'?"),
        ("", {"keyword": "tount"}, "unknown keyword 'tount': did you mean 'taunt'?"),
        ("", {"edition": "2017"}, "unknown edition '2017'"),
        ([5], {}, "a query consists of words, not of 5"),
        (5, {}, "a query consists of words, not of 5"),
        ("", {"type": 5}, "unknown type 5"),
    ],
)
def test_what_finds_nothing_is_one_line_with_near_names(query: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(CardError) as error:
        find_cards(query, **options)
    assert str(error.value).startswith(message)
    assert str(error.value).isprintable()


def test_a_word_is_found_at_the_start_of_words_only() -> None:
    assert has_words("Deal 3 damage to all Beasts.", ["beast", "damage", "3"])
    assert not has_words("Deal 3 damage.", ["age"])
    assert near_names("knif jugler", ["Knife Juggler", "Wisp"]) == ("Knife Juggler",)
    assert near_names("jugler", ["Knife Juggler", "Wisp"]) == ("Knife Juggler",)


# ---- decks -----------------------------------------------------------------------------------------------------------


def test_a_sheet_counts_every_copy_of_a_deck() -> None:
    for deck in named_decks().values():
        sheet = deck_sheet(deck)
        unknown = sum(count for _, count in sheet.missing)
        assert sum(sheet.curve) + unknown == sum(sheet.types.values()) + unknown == len(deck) == 30
        costs = [edition()[card].cost for card in deck.copies if card in edition().by_id]
        assert sheet.curve == tuple(sum(min(cost, 7) == each for cost in costs) for each in range(8))
        assert sheet.mean_cost == pytest.approx(sum(costs) / len(costs))


def test_a_sheet_knows_where_its_deck_is_legal_and_why_not_elsewhere() -> None:
    assert set(deck_sheet(named_decks()["Zoo"]).legality.values()) == {None}
    assert set(deck_sheet(named_decks()["Zoo"]).legality) == set(hearthstone.EDITIONS)
    later = deck_sheet(named_decks()["Tempo Rogue"])
    assert set(later.legality.values()) == {"card 'BOT_242' is not in this edition"}
    assert ("BOT_242", 1) in later.missing
    assert deck_sheet(Deck("MAGE", (("CS2_029", 1),))).legality["2018-12"] == (
        "a deck has 30 cards, but this one has 1"
    )


@pytest.mark.parametrize("name", ["Zoo", "Starter Mage", "Tempo Rogue"])
def test_the_code_of_a_sheet_is_read_back(name: str) -> None:
    sheet = deck_sheet(named_decks()[name])
    assert read_deck(sheet.code, "2018-12") == sheet.deck
    assert sheet.code.startswith("AAE") == (name != "Tempo Rogue")


def test_a_deck_with_a_card_of_a_patch_has_a_text_for_a_code_and_is_legal_there_alone() -> None:
    mine = edition().patched(Patch.from_toml(PATCH))
    cards = dict(named_decks()["Starter Hunter"].cards)
    cards["MINE_1"] = cards.pop("CS2_119")
    deck = Deck("HUNTER", tuple(cards.items()))
    sheet = deck_sheet(deck, mine)
    assert sheet.code == str(deck)
    assert read_deck(sheet.code, mine) == deck
    assert [name for name, reason in sheet.legality.items() if reason is None] == ["mine"]
    assert {"Yeti Caller"} < {card.name for card, _ in sheet.cards}
