"""Hearthstone decks: the value, legality, deck codes and clipboard blocks, decks by name, random decks."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deckatlas.errors import CardError, DeckError
from deckatlas.games.hearthstone.cards.codes import HeroClass
from deckatlas.games.hearthstone.cards.deck_codes import clipboard_block, deck_code, deck_from_code, read_deck
from deckatlas.games.hearthstone.cards.decks import (
    HERO_CLASSES,
    Deck,
    build_deck,
    check_deck,
    random_deck,
)
from deckatlas.games.hearthstone.cards.editions import EDITIONS, Patch, edition
from deckatlas.games.hearthstone.cards.library import library, named_deck, named_decks
from deckatlas.games.hearthstone.cards.pools import pool

CARDS = edition("2018-12").by_id
REFERENCE = Path(__file__).parents[4] / "shared" / "hearthstone"
needs_reference = pytest.mark.skipif(
    not REFERENCE.exists(), reason="the reference files are not at ../shared/hearthstone"
)

# Written by version 9.22.0 of the `hearthstone` package from dbf ids, hero and format.
GOLDEN_CODES = {
    "Starter Mage": "AAECAf0EAA9NvwHYAZwCoQK7Ar8DqwS0BPsEngXZCtoK+QqWDQAA",
    "Classic Miracle Rogue": "AAEBAaIHBrICzQOvBO0FqAjzDAy0AYwC7QLLA70EmwW5BogHpAfeB90IhgkAAA==",
}
THREE_AND_FOUR_COPIES = (
    Deck("ROGUE", (("CS2_072", 3), ("EX1_131", 1), ("CS2_182", 2), ("EX1_278", 4))),
    "AAEBAaIHAckBAVoCtAEDvQQEAA==",
)

MAGE = named_deck("Starter Mage")
ROGUE = named_deck("Classic Miracle Rogue")


def swapped(deck: Deck, **counts: int) -> Deck:
    """The deck with other counts of some cards; 0 takes a card out."""
    changed = {**dict(deck.cards), **counts}
    return Deck(deck.hero_class, tuple((card, count) for card, count in changed.items() if count))


def code_of(*numbers: int) -> str:
    """A deck code of numbers below 128, each a byte."""
    return base64.b64encode(bytes(numbers)).decode()


# The value


def test_decks_of_the_same_cards_are_equal_however_they_are_written() -> None:
    deck = Deck("ROGUE", (("CS2_072", 2), ("EX1_131", 1)))
    assert Deck("rogue", (("EX1_131", 1), ("CS2_072", 1), ("CS2_072", 1))) == deck
    assert deck.cards == (("CS2_072", 2), ("EX1_131", 1))
    assert deck.copies == ("CS2_072", "CS2_072", "EX1_131")
    assert len(deck) == 3
    assert len({deck, Deck.parse(str(deck))}) == 1


def test_a_deck_prints_its_class_and_its_counted_ids() -> None:
    assert str(Deck("ROGUE", (("EX1_131", 1), ("CS2_072", 2)))) == "ROGUE: 2 CS2_072, 1 EX1_131"


@pytest.mark.parametrize("deck", [*named_decks().values(), Deck("PRIEST", ())], ids=lambda deck: deck.hero_class)
def test_a_deck_is_read_back_from_its_text(deck: Deck) -> None:
    assert Deck.parse(str(deck)) == deck
    assert Deck.parse(str(deck).replace(" ", "\n  ")) == deck


@pytest.mark.parametrize(
    ("hero_class", "cards", "message"),
    [
        ("ROUGE", (), "unknown hero class 'ROUGE': did you mean 'ROGUE'?"),
        ("NEUTRAL", (), "unknown hero class 'NEUTRAL'"),
        (7, (), "unknown hero class 7"),
        ("ROGUE", ("CS2_072",), "pairs of an id and a count"),
        ("ROGUE", 5, "pairs of an id and a count"),
        ("ROGUE", ((922, 1),), "a card id consists of letters, digits and underscores, not 922"),
        ("ROGUE", (("Goldshire Footman", 1),), "not 'Goldshire Footman'"),
        ("ROGUE", (("CS2_072", 0),), "card 'CS2_072': 0 is not a number of copies"),
        ("ROGUE", (("CS2_072", True),), "card 'CS2_072': True is not a number of copies"),
        ("ROGUE", (("CS2_072", 20), ("CS2_072", 11)), "card 'CS2_072': a deck has 30 cards, not 31 copies of one"),
    ],
)
def test_what_is_no_deck_is_refused(hero_class: Any, cards: Any, message: str) -> None:
    with pytest.raises(DeckError) as error:
        Deck(hero_class, cards)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "text", ["", "ROGUE", "ROGUE: CS2_072", "ROGUE: 2 CS2_072,", "ROGUE: 2 CS2_072 1 EX1_131", "x"]
)
def test_text_that_is_no_deck_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(DeckError) as error:
        Deck.parse(text)
    assert "\n" not in str(error.value)


# Decks of names


def test_a_deck_is_built_of_names_and_ids_and_its_class_is_that_of_the_cards() -> None:
    assert build_deck(["Backstab", "backstab", "CS2_182"], CARDS) == Deck("ROGUE", (("CS2_072", 2), ("CS2_182", 1)))
    assert build_deck({"Backstab": 2}, CARDS) == Deck("ROGUE", (("CS2_072", 2),))
    assert build_deck({"Chillwind Yeti": 2}, CARDS, hero_class="mage") == Deck("MAGE", (("CS2_182", 2),))


def test_a_name_means_the_card_and_not_the_token_of_that_name() -> None:
    for order in (("CS2_mirror", "CS2_027"), ("CS2_027", "CS2_mirror")):
        cards = {card: CARDS[card] for card in order}
        assert build_deck(["Mirror Image"], cards) == Deck("MAGE", (("CS2_027", 1),))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["Backstap"], "unknown card 'Backstap': did you mean 'Backstab'?"),
        (["Zzyzx"], "unknown card 'Zzyzx': none of the 386 known names is similar"),
        (["Chillwind Yeti"], "all cards of the deck are neutral, so the class must be given"),
        (
            ["Fireball", "Backstab"],
            "a deck has cards of one class: Fireball (CS2_029) is a Mage card, Backstab (CS2_072) is a Rogue card",
        ),
    ],
)
def test_names_that_make_no_deck_are_refused(names: list[str], message: str) -> None:
    with pytest.raises(DeckError) as error:
        build_deck(names, CARDS)
    assert str(error.value) == message


# Legality


def test_a_legal_deck_is_given_back() -> None:
    assert check_deck(MAGE, CARDS) is MAGE
    assert check_deck(ROGUE, CARDS, pool=list(dict(ROGUE.cards))) is ROGUE


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (swapped(MAGE, CS2_029=1), "a deck has 30 cards, but this one has 29"),
        (swapped(MAGE, EX1_298=1), "a deck has 30 cards, but this one has 31"),
        (Deck("MAGE", ()), "a deck has 30 cards, but this one has 0"),
        (swapped(MAGE, CS2_029=3), "Fireball (CS2_029) has 3 copies, but a deck has at most 2 copies of a card"),
        (
            swapped(MAGE, CS2_029=0, EX1_298=2),
            "Ragnaros the Firelord (EX1_298) has 2 copies, but a deck has at most one copy of a legendary",
        ),
        (swapped(MAGE, CS2_029=0, CS2_072=2), "Backstab (CS2_072) is a Rogue card, but the deck is a Mage deck"),
        (swapped(MAGE, CS2_029=0, CS2_mirror=2), "Mirror Image (CS2_mirror) cannot be put into a deck"),
        (swapped(MAGE, CS2_029=0, HERO_08=2), "Jaina Proudmoore (HERO_08) cannot be put into a deck"),
        (swapped(MAGE, CS2_029=0, DAL_554=2), "card 'DAL_554' is not in this edition"),
    ],
)
def test_an_illegal_deck_is_refused_with_the_card_and_the_reason(deck: Deck, message: str) -> None:
    with pytest.raises(DeckError) as error:
        check_deck(deck, CARDS)
    assert str(error.value) == message


def test_a_card_outside_the_pool_is_refused() -> None:
    with pytest.raises(DeckError, match=r"^Fireball \(CS2_029\) is not in the pool$"):
        check_deck(MAGE, CARDS, pool=set(CARDS) - {"CS2_029"})


# Deck codes


@pytest.mark.parametrize(("name", "code"), GOLDEN_CODES.items())
def test_codes_are_those_of_the_hearthstone_package(name: str, code: str) -> None:
    assert deck_code(named_deck(name), CARDS) == code
    assert deck_from_code(code, CARDS) == named_deck(name)


def test_a_code_tells_cards_that_are_there_more_than_twice() -> None:
    deck, code = THREE_AND_FOUR_COPIES
    assert deck_from_code(code, CARDS) == deck
    # The package was asked for the format Wild; none of these cards has left Standard.
    assert base64.b64decode(deck_code(deck, CARDS))[3:] == base64.b64decode(code)[3:]


def test_a_code_may_end_without_telling_of_a_sideboard() -> None:
    data = base64.b64decode(GOLDEN_CODES["Starter Mage"])
    assert data[-1] == 0
    assert deck_from_code(base64.b64encode(data[:-1]).decode(), CARDS) == MAGE


def test_a_portrait_nobody_lists_stands_for_the_class_of_the_cards() -> None:
    data = base64.b64decode(GOLDEN_CODES["Starter Mage"])
    jaina, other_portrait = bytes([0xFD, 0x04]), bytes([0x8D, 0x16])
    assert data[4:6] == jaina
    assert deck_from_code(base64.b64encode(data[:4] + other_portrait + data[6:]).decode(), CARDS) == MAGE


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_pasted_clipboard_block_is_read(line_break: str) -> None:
    remarks = ["### My mage: a deck", "# Class: Mage", "# Format: Standard", "#", "# 2x (4) Fireball", "# "]
    block = line_break.join([*remarks, GOLDEN_CODES["Starter Mage"], "# ", "# Made by hand", ""])
    assert deck_from_code(block, CARDS) == MAGE


def test_a_clipboard_block_names_the_deck_and_lists_its_cards_by_cost() -> None:
    deck = build_deck({"Fireball": 2, "Arcane Missiles": 1, "Ragnaros the Firelord": 1}, CARDS)
    assert clipboard_block(deck, CARDS, name="Fire") == (
        "### Fire\n# Class: Mage\n# Format: Wild\n#\n"
        "# 1x (1) Arcane Missiles\n# 2x (4) Fireball\n# 1x (8) Ragnaros the Firelord\n#\n"
        f"{deck_code(deck, CARDS)}\n"
    )
    assert deck_from_code(clipboard_block(deck, CARDS, name="Fire"), CARDS) == deck


def test_a_clipboard_blocks_name_cannot_break_out_of_its_line() -> None:
    with pytest.raises(DeckError, match="one printable line"):
        clipboard_block(MAGE, CARDS, name="Fire\nAAEC")


def test_a_deck_with_a_card_the_edition_lacks_has_no_code() -> None:
    with pytest.raises(DeckError, match="card 'BOT_242' is not in this edition"):
        deck_code(named_deck("Tempo Rogue"), CARDS)


def test_a_deck_with_a_card_without_a_dbf_id_has_no_code() -> None:
    numbers = 'class = "mage"\ntype = "minion"\nset = "classic"\nrarity = "rare"\nhealth = 1\n'
    mine = edition().patched(Patch.from_toml(f'name = "mine"\n[new.MINE_1]\nname = "Mine"\n{numbers}'))
    deck = build_deck(["Mine", "Fireball"], mine)
    for write in (deck_code, lambda deck, cards: clipboard_block(deck, cards, name="x")):
        with pytest.raises(DeckError, match=r"Mine \(MINE_1\) has no dbf id, so a deck code cannot contain it"):
            write(deck, mine)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("", "expected one line with a deck code, found 0"),
        ("# nothing\n#", "expected one line with a deck code, found 0"),
        ("AAEC\nAAEC", "expected one line with a deck code, found 2"),
        ("AAE", "a deck code must be base64, not 'AAE'"),
        ("AA EC", "a deck code must be base64, not 'AA EC'"),
        ("AAE\N{SNOWMAN}", "a deck code must be base64, not 'AAE\\u2603'"),
        (code_of(1, 1, 2), "a deck code starts with a zero, but this one does not"),
        (code_of(0), "the deck code is cut short"),
        (code_of(0, 2, 2, 1, 7, 0, 0, 0, 0), "the deck code has version 2, but only version 1 is supported"),
        (code_of(0, 1, 5, 1, 7, 0, 0, 0, 0), "the deck code has the unknown format 5"),
        (code_of(0, 1, 2, 0, 0, 0, 0, 0), "the deck code has 0 heroes, but a deck has one"),
        (code_of(0, 1, 2, 2, 7, 31, 0, 0, 0, 0), "the deck code has 2 heroes, but a deck has one"),
        (code_of(0, 1, 2, 1, 7, 5, 90), "the deck code is cut short"),
        (code_of(0, 1, 2, 1, 7, 0, 0, 1, 90), "the deck code is cut short"),
        (code_of(0, 1, 2, 1, 7, 1, 0x80), "the deck code is cut short"),
        (code_of(0, 1, 2, 1, 7, *[0xFF] * 5, 1), "the deck code has a number that is too large"),
        (code_of(0, 1, 2, 1, 7, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F), "the deck code is cut short"),
        (
            code_of(0, 1, 2, 1, 7, 0, 0, 0, 1, 0, 0, 0),
            "the deck code has a sideboard, but decks of these cards have none",
        ),
        (code_of(0, 1, 2, 1, 7, 0, 0, 0, 0, 0), "the deck code continues after its last card"),
        (code_of(0, 1, 2, 1, 7, 0, 0, 0, 9), "the deck code continues after its last card"),
        (
            code_of(0, 1, 2, 1, 7, 1, 10, 0, 0, 0),
            "the deck code has the dbf id 10, but this edition has no card with that id",
        ),
        (code_of(0, 1, 2, 1, 90, 0, 0, 0, 0), "the deck code's hero is Chillwind Yeti (CS2_182), which is not a hero"),
        (code_of(0, 1, 2, 1, 3, 0, 0, 0, 0), "all cards of the deck are neutral, so the class must be given"),
        (
            code_of(0, 1, 2, 1, 7, 1, 77, 0, 0, 0),
            "Polymorph (CS2_022) is a Mage card, but the deck is a Warrior deck",
        ),
        (code_of(0, 1, 2, 1, 7, 1, 31, 0, 0, 0), "Rexxar (HERO_05) cannot be put into a deck"),
        (code_of(0, 1, 2, 1, 7, 0, 0, 1, 90, 0, 0), "card 'CS2_182': 0 is not a number of copies"),
        (code_of(0, 1, 2, 1, 7, 0, 0, 1, 90, 99, 0), "card 'CS2_182': a deck has 30 cards, not 99 copies of one"),
    ],
)
def test_a_broken_code_is_refused_with_the_reason(code: str, message: str) -> None:
    with pytest.raises(DeckError) as error:
        deck_from_code(code, CARDS)
    assert str(error.value) == message


def test_a_code_cut_short_anywhere_is_refused_unless_only_the_last_number_is_missing() -> None:
    data = base64.b64decode(GOLDEN_CODES["Classic Miracle Rogue"])
    for length in range(len(data) - 1):
        with pytest.raises(DeckError):
            deck_from_code(base64.b64encode(data[:length]).decode(), CARDS)


def check_read_or_refused(text: str) -> None:
    try:
        told = str(read_deck(text, CARDS))
    except DeckError as error:
        told = str(error)
    assert told.isprintable()


@given(st.one_of(st.binary(max_size=80), st.binary(max_size=80).map(lambda data: bytes([0, 1, 2, 1, 7]) + data)))
def test_random_bytes_are_a_deck_or_refused_in_one_line(data: bytes) -> None:
    check_read_or_refused(base64.b64encode(data).decode())


@given(st.data())
def test_a_damaged_code_is_a_deck_or_refused_in_one_line(data: st.DataObject) -> None:
    code = bytearray(base64.b64decode(data.draw(st.sampled_from([*GOLDEN_CODES.values()]))))
    code[data.draw(st.integers(0, len(code) - 1))] = data.draw(st.integers(0, 255))
    check_read_or_refused(base64.b64encode(bytes(code)).decode())


@given(st.text(max_size=60))
@example("AA\ud800")
@example("AA\x00==")
@example("#\x85AAEC")
def test_random_text_is_a_deck_or_refused_in_one_line(text: str) -> None:
    check_read_or_refused(text)


@given(
    st.sampled_from(HERO_CLASSES),
    st.dictionaries(st.sampled_from(sorted(CARDS)), st.integers(1, 30), max_size=40),
)
def test_every_deck_is_read_back_from_its_code(hero_class: str, counts: dict[str, int]) -> None:
    allowed = {
        card: count
        for card, count in counts.items()
        if CARDS[card].hero_class in (HeroClass.neutral, HeroClass[hero_class.lower()]) and CARDS[card].collectible
    }
    deck = Deck(hero_class, tuple(allowed.items()))
    assert deck_from_code(deck_code(deck, CARDS), CARDS) == deck


# Decks by name, and as people give them


def test_there_are_nine_starter_decks_six_elite_decks_and_two_rogue_decks() -> None:
    names = list(named_decks())
    assert names[:9] == [f"Starter {hero_class.title()}" for hero_class in HERO_CLASSES]
    elite = [
        f"{style} {hero_class}" for hero_class in ("Hunter", "Paladin", "Warlock") for style in ("Aggro", "Control")
    ]
    assert names[9:17] == [*elite, "Classic Miracle Rogue", "Tempo Rogue"]
    for name in names[:17]:
        assert named_decks()[name].hero_class.title() in name
        assert len(named_decks()[name]) == 30
    assert all(library()[name].archetype for name in names[17:])


def test_a_deck_is_found_by_its_name_in_any_case() -> None:
    assert named_deck("aggro hunter") == named_decks()["Aggro Hunter"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Agro Huntr", "did you mean 'Aggro Hunter'?"),
        ("Combo Drood", "did you mean 'Combo Druid'?"),
        ("xyz", "none of the 74 known names is similar"),
        ("", "none of the 74 known names is similar"),
        ("Freeze", "did you mean 'Freeze Mage', 'Freeze Mage (ladder 1)' or 'Freeze Mage (ladder 2)'?"),
        ("paladin shockadin", "did you mean 'Shockadin' or 'Shockadin (ladder)'?"),
        ("mind priest", "did you mean 'Mind Blast Priest'?"),
        ("warlock zoo", "'Zoo', 'Charge Zoo', 'Zoo (2014)', 'Zoo (contest)', 'Zoo (ladder 1)' or one of 3 more?"),
    ],
)
def test_an_unknown_deck_name_is_refused_with_a_hint(name: str, hint: str) -> None:
    with pytest.raises(DeckError, match=f"^unknown deck '{name}': ") as error:
        named_deck(name)
    assert hint in str(error.value)


def test_a_deck_is_read_from_whatever_people_give() -> None:
    given_as = ["Starter Mage", str(MAGE), GOLDEN_CODES["Starter Mage"], clipboard_block(MAGE, CARDS, name="Mage: 1")]
    given_as += [" ".join(MAGE.copies), "starter  mage"]
    for text in given_as:
        assert read_deck(f"\n{text}\n", CARDS) == MAGE
        assert read_deck(text, CARDS, hero_class="mage") == MAGE


@pytest.mark.parametrize("text", ["Starter Mage", str(MAGE), GOLDEN_CODES["Starter Mage"]])
def test_a_deck_of_another_class_than_was_given_for_it_is_refused(text: str) -> None:
    with pytest.raises(DeckError, match="it is a Mage deck, but the class given for it is Rogue"):
        read_deck(text, CARDS, hero_class="rogue")


def test_ids_that_are_no_deck_of_the_class_are_refused_with_the_card() -> None:
    with pytest.raises(DeckError, match="unknown card 'CS2_999'"):
        read_deck("CS2_023 CS2_999", CARDS)
    neutral = " ".join(["CS2_182"] * 2)
    with pytest.raises(DeckError, match="the class must be given"):
        read_deck(neutral, CARDS)
    assert read_deck(neutral, CARDS, hero_class="priest").hero_class == "PRIEST"


@pytest.mark.parametrize("cards", ["2018-12", edition("2018-12"), CARDS], ids=["name", "edition", "mapping"])
def test_cards_are_given_as_an_edition_its_name_or_by_their_ids(cards: Any) -> None:
    assert read_deck("Starter Mage", cards) == MAGE
    assert build_deck(MAGE.copies, cards) == MAGE
    assert check_deck(MAGE, cards) is MAGE
    assert deck_code(MAGE, cards) == GOLDEN_CODES["Starter Mage"]
    assert read_deck(GOLDEN_CODES["Starter Mage"], cards) == MAGE
    everything = pool("2018-12", "mage")
    assert random_deck("MAGE", everything, cards, np.random.default_rng(1)) == random_deck(
        "MAGE", [card.id for card in everything], cards, np.random.default_rng(1)
    )


@pytest.mark.parametrize("cards", ["2017", 5, None])
def test_cards_of_no_edition_are_refused(cards: Any) -> None:
    with pytest.raises(CardError, match="unknown edition"):
        read_deck("Starter Mage", cards)
    with pytest.raises(CardError, match="unknown edition"):
        deck_code(MAGE, cards)
    with pytest.raises(CardError, match="unknown edition"):
        build_deck(["Fireball"], cards)


@pytest.mark.parametrize("entries", ["Fireball", 5, None, [5], [["Fireball"]]])
def test_a_deck_is_built_of_lists_and_counts_alone(entries: Any) -> None:
    with pytest.raises(DeckError):
        build_deck(entries, CARDS)


# Random decks


@given(st.sampled_from(HERO_CLASSES), st.integers(0, 2**64 - 1))
def test_random_decks_of_every_class_are_legal_and_the_seeds_own(hero_class: str, seed: int) -> None:
    deck = random_deck(hero_class, list(CARDS), CARDS, np.random.default_rng(seed))
    assert deck.hero_class == hero_class
    assert check_deck(deck, CARDS) is deck
    assert random_deck(hero_class, list(CARDS), CARDS, np.random.default_rng(seed)) == deck


def test_every_copy_is_as_likely_as_another() -> None:
    pool = [card for card, _ in MAGE.cards] + ["EX1_298", "EX1_016", "CS2_182", "CS2_117"]
    copies = sum(1 if CARDS[card].rarity == "legendary" else 2 for card in pool)
    rng, decks = np.random.default_rng(1), 2000
    seen = dict.fromkeys(pool, 0)
    for _ in range(decks):
        for card, count in random_deck("MAGE", pool, CARDS, rng).cards:
            seen[card] += count
    for card, count in seen.items():
        per_copy = count / decks / (1 if CARDS[card].rarity == "legendary" else 2)
        assert per_copy == pytest.approx(30 / copies, abs=0.06), card


def test_random_decks_keep_to_the_pool() -> None:
    pool = [card for card, _ in MAGE.cards]
    assert random_deck("MAGE", pool, CARDS, np.random.default_rng(0)) == MAGE


def test_a_pool_too_small_or_of_another_edition_is_refused() -> None:
    pool = [card for card, _ in MAGE.cards]
    with pytest.raises(DeckError, match="the pool has only 28 for Mage"):
        random_deck("MAGE", pool[1:], CARDS, np.random.default_rng(0))
    with pytest.raises(DeckError, match="card 'DAL_554' of the pool is not in this edition"):
        random_deck("MAGE", [*pool, "DAL_554"], CARDS, np.random.default_rng(0))


# Against the reference files


@needs_reference
def test_named_decks_are_those_of_the_reference() -> None:
    pools = json.loads((REFERENCE / "decks.json").read_text(encoding="utf-8"))["pools"]
    wanted = {
        f"Starter {name}" if pool == "Starter Decks" else name: Deck(
            deck["class"], tuple((card["id"], card["count"]) for card in deck["cards"])
        )
        for pool, decks in pools.items()
        for name, deck in decks.items()
    }
    assert wanted == {name: each.deck for name, each in library().items() if not each.archetype}


# In every edition


@pytest.mark.parametrize("name", EDITIONS)
def test_named_decks_are_legal_and_read_back_from_their_codes(name: str) -> None:
    cards = edition(name).by_id
    for title, deck in named_decks().items():
        if title != "Tempo Rogue":
            assert check_deck(deck, cards) is deck
            assert deck_from_code(deck_code(deck, cards), cards) == deck
    with pytest.raises(DeckError, match="card 'BOT_242' is not in this edition"):
        check_deck(named_deck("Tempo Rogue"), cards)
