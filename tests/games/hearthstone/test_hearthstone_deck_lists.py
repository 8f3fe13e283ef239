"""Lists of card names as people paste them, alone and in files."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas import hearthstone
from deckatlas.errors import DeckError
from deckatlas.games import find
from deckatlas.games.hearthstone.cards.deck_codes import clipboard_block, deck_code, read_deck
from deckatlas.games.hearthstone.cards.deck_files import decks_given, read_deck_file
from deckatlas.games.hearthstone.cards.deck_lists import is_deck_list, parse_deck_list
from deckatlas.games.hearthstone.cards.decks import Deck, build_deck
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.cards.library import library, named_decks

CARDS = edition().by_id
HUNTER, MAGE = named_decks()["Midrange Hunter"], named_decks()["Starter Mage"]
SMALL = build_deck({"Savannah Highmane": 2, "Houndmaster": 1}, CARDS)


def listed(deck: Deck, form: str = "{copies}x {name}") -> str:
    return "\n".join(
        form.format(copies=copies, name=CARDS[card].name, cost=CARDS[card].cost) for card, copies in deck.cards
    )


@pytest.mark.parametrize(
    "form",
    [
        "{copies}x {name}",
        "{copies} {name}",
        "{copies} x {name}",
        "{name} x{copies}",
        "{name} x {copies}",
        "{name} (x{copies})",
        "{copies}\N{MULTIPLICATION SIGN} {name}",
        "{copies}x ({cost}) {name}",
        "# {copies}x ({cost}) {name}",
        "- {copies}X {name}",
        "  {copies}x {name}  ",
        "{copies} {name},",
    ],
)
def test_counts_are_before_or_after_the_name_with_or_without_a_cost(form: str) -> None:
    for deck in (HUNTER, MAGE, named_decks()["Miracle Rogue"], named_decks()["Control Priest"]):
        assert parse_deck_list(listed(deck, form), CARDS) == deck
        assert read_deck(listed(deck, form), CARDS) == deck


@pytest.mark.parametrize("name", [each.name for each in library().values() if each.archetype])
def test_every_list_people_played_is_read_back_from_its_names_alone_under_its_own_title(name: str) -> None:
    deck = named_decks()[name]
    alone = "\n".join(CARDS[card].name for card in deck.copies)
    assert read_deck(alone, CARDS) == deck
    assert read_deck(f"{name}\n\n{listed(deck)}", CARDS) == deck
    assert read_deck(f"{name}, as of today\n{listed(deck)}", CARDS) == deck


@pytest.mark.parametrize(
    "text",
    [
        "### Beasts\n# Class: Hunter\n# Format: Standard\n# Year of the Raven\n#\n# 1x (4) Houndmaster\n"
        "# 2x (6) Savannah Highmane\n#\n",
        "Hunter\n2x Savannah Highmane\n1x Houndmaster",
        "Hunter:\n2 Savannah Highmane\n\n1 Houndmaster",
        "Class: hunter\nFormat: Wild\nMinions (3)\n2x Savannah Highmane\n# the best one:\nHoundmaster\nSpells (0):\n",
        "== Hunter Cards (3) ==\nSavannah Highmane x2\nHoundmaster\n-- Neutral --\n",
        "2 Savannah Highmane, 1 Houndmaster",
        "savannah highmane x2; houndmaster x1",
        "2x EX1_534\n1x DS1_070",
        "1x Savannah Highmane\n1x Houndmaster\n1x Savannah Highmane",
    ],
    ids=["exported", "class", "class and colon", "headings", "adorned", "commas", "semicolons", "ids", "twice"],
)
def test_headings_comments_and_blank_lines_are_no_cards(text: str) -> None:
    assert read_deck(text, CARDS) == SMALL
    assert read_deck(text.replace("\n", "\r\n"), CARDS) == SMALL


def test_a_pasted_apostrophe_of_a_word_processor_is_an_apostrophe() -> None:
    text = "1x Hunter\N{RIGHT SINGLE QUOTATION MARK}s Mark"
    assert parse_deck_list(text, CARDS) == build_deck(["Hunter's Mark"], CARDS)


def test_a_name_with_a_colon_is_a_name() -> None:
    rogue = build_deck({"SI:7 Agent": 2, "Backstab": 1}, CARDS)
    assert read_deck("SI:7 Agent x2\nBackstab", CARDS) == rogue
    assert read_deck("2 SI:7 Agent\n1 Backstab", CARDS) == rogue


def test_an_exported_deck_with_its_code_is_the_deck_of_the_code() -> None:
    block = clipboard_block(MAGE, CARDS, name="Mage").replace("2x (4) Fireball", "1x (4) Fireball")
    assert read_deck(block, CARDS) == MAGE


def test_cards_that_are_no_comments_count_more_than_a_code_beside_them() -> None:
    assert read_deck(f"{listed(SMALL)}\n\n{deck_code(MAGE, CARDS)}", CARDS) == SMALL
    with pytest.raises(DeckError, match=r"^line 5: a second deck code in one list"):
        read_deck(f"{listed(SMALL)}\n\n{deck_code(MAGE, CARDS)}\n{deck_code(HUNTER, CARDS)}", CARDS)


@pytest.mark.parametrize(
    "text", ["Starter Mage", "zoo (2014)", deck_code(MAGE, CARDS), str(MAGE), " ".join(MAGE.copies), "Houndmaster", ""]
)
def test_other_forms_of_decks_are_no_lists(text: str) -> None:
    assert not is_deck_list(text, CARDS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "2x Houndmaster\n2x Savanah Highmane",
            "line 2: unknown card 'Savanah Highmane': did you mean 'Savannah",
        ),
        ("2x Houndmaster\n\n2x Highmane", "line 3: unknown card 'Highmane': did you mean 'Savannah Highmane'?"),
        ("2x Houndmaster\nLeroy Jenkins", "line 2: unknown card 'Leroy Jenkins': did you mean 'Leeroy Jenkins'?"),
        ("Leroy Jenkins\n2x Houndmaster", "line 1: unknown card 'Leroy Jenkins': did you mean 'Leeroy Jenkins'?"),
        ("2x Houndmaster, 1x Qwzzxv", "line 1: unknown card 'Qwzzxv': no card has a similar name"),
        ("2x Houndmaster\n1x Hyena", "line 2: Hyena cannot be put into a deck of this edition"),
        ("2x Houndmaster\n0x Fireball", "line 2: a list has at least one copy of a card, not '0x Fireball'"),
        ("2x Houndmaster\n2x Fireball", "a deck has cards of one class: Houndmaster (DS1_070) is a Hunter card, Fire"),
        ("2x Chillwind Yeti\n", "all cards of the list are neutral: add a line such as 'Class: Hunter'"),
        ("Class: Mage\n2x Houndmaster", "line 2: Houndmaster is a Hunter card, but the deck is a Mage deck"),
        ("Class: Monk\n2x Chillwind Yeti", "line 1: unknown hero class 'Monk'"),
        ("# Class: Mage\nHunter\n2x Chillwind Yeti", "line 2: the class is Hunter, but Mage was given"),
        ("Class: Hunter\nMinions:", "the list has no cards"),
        ("99x Houndmaster", "a deck has 30 cards, not 99 copies of one"),
    ],
)
def test_what_is_wrong_with_a_list_is_one_line_that_names_its_line(text: str, message: str) -> None:
    with pytest.raises(DeckError) as error:
        parse_deck_list(text, CARDS)
    assert message in str(error.value)
    assert str(error.value).isprintable()


def test_a_class_that_is_given_is_the_class_of_the_list() -> None:
    assert parse_deck_list("2x Chillwind Yeti", CARDS, hero_class="priest").hero_class == "PRIEST"
    assert parse_deck_list("# Class: Priest\n2x Chillwind Yeti", CARDS).hero_class == "PRIEST"
    with pytest.raises(DeckError, match="line 1: the class is Priest, but Mage was given"):
        parse_deck_list("# Class: Priest\n2x Chillwind Yeti", CARDS, hero_class="mage")


ANY_LINE = st.text("12x( )#:,AMhunter'\t\0\N{SNOWMAN}", max_size=12) | st.sampled_from(["2x Wisp", "Mage"])


@given(st.lists(ANY_LINE, max_size=5))
def test_any_text_is_a_deck_or_refused_in_one_line(lines: list[str]) -> None:
    try:
        said = str(parse_deck_list("\n".join(lines), CARDS))
    except DeckError as error:
        said = str(error)
    assert said.isprintable()


@pytest.mark.parametrize("text", ["2x " + "1" * 100_000 + "x", "2x a" + " " * 100_000 + "b", "2x " + "x1 " * 30_000])
def test_a_huge_line_is_refused_at_once(text: str) -> None:
    start = time.process_time()
    with pytest.raises(DeckError, match=r"^line 1: unknown card"):
        parse_deck_list(text, CARDS)
    assert time.process_time() - start < 5


def test_what_is_no_text_is_no_list() -> None:
    with pytest.raises(DeckError, match="a list of cards must be a text, not 5"):
        parse_deck_list(5, CARDS)  # type: ignore[arg-type]


# ---- files -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "decks.txt"


def test_a_file_is_one_list_or_one_for_each_title(file: Path) -> None:
    file.write_text(listed(HUNTER))
    assert read_deck_file(file, CARDS) == (HUNTER,)
    exported = listed(MAGE, "# {copies}x ({cost}) {name}")
    file.write_text(f"### A\n{listed(HUNTER)}\n\n### B\n{exported}\n### C\n{deck_code(MAGE, CARDS)}\nZoo\n")
    assert read_deck_file(file, CARDS) == (HUNTER, MAGE, MAGE, named_decks()["Zoo"])


def test_a_mistake_in_a_file_is_found_on_its_line_of_the_file(file: Path) -> None:
    file.write_text(f"### A\n{deck_code(MAGE, CARDS)}\n### B\n2x Houndmaster\n2x Savanah Highmane\n")
    with pytest.raises(DeckError, match=r"decks\.txt, line 5: unknown card 'Savanah Highmane'"):
        read_deck_file(file, CARDS)
    file.write_text(f"### A\n{deck_code(MAGE, CARDS)}\n### B\n2x Houndmaster\n")
    with pytest.raises(DeckError, match=r"decks\.txt, line 3: a deck has 30 cards, but this one has 2"):
        read_deck_file(file, CARDS)


def test_a_word_of_the_command_line_is_a_file_if_there_is_one_and_its_decks_may_be_illegal(file: Path) -> None:
    file.write_text(listed(SMALL))
    assert decks_given(str(file), CARDS) == (SMALL,)
    assert decks_given("Starter Mage", CARDS) == (MAGE,)
    with pytest.raises(DeckError, match=r"cannot read .*none\.txt: No such file"):
        decks_given(str(file.parent / "none.txt"), CARDS)
    for name in ("none", "x" * 10_000, "\0"):
        with pytest.raises(DeckError, match="unknown deck"):
            decks_given(name, CARDS)


def test_evaluations_and_matches_take_a_list_in_a_file(file: Path) -> None:
    file.write_text(listed(HUNTER))
    game = find("hearthstone")
    assert game.evaluation([str(file), "Starter Mage"]).decks == 2
    played = game.play("random", "random", deck_a=str(file), deck_b="Starter Mage", games=2, seed=1)
    assert played.games == 2
    file.write_text("### A\nZoo\n### B\nHandlock\n")
    with pytest.raises(DeckError, match=r"--deck-a: .*decks\.txt: one deck is needed, but the file has 2"):
        game.play("random", "random", deck_a=str(file), deck_b="Starter Mage", games=2, seed=1)


def test_lists_are_read_from_python() -> None:
    assert hearthstone.parse_deck_list("2x Savannah Highmane\nHoundmaster", "2018-12") == SMALL


def test_lists_of_ids_may_have_headings() -> None:
    deck = read_deck("Class: Hunter\n2x EX1_534\n1x EX1_536", "2018-12")
    assert (deck.hero_class, dict(deck.cards)) == ("HUNTER", {"EX1_534": 2, "EX1_536": 1})
    assert read_deck("Deck: my_deck\n2x Savannah Highmane", "2018-12").cards == (("EX1_534", 2),)


def test_a_misspelt_first_card_of_a_list_without_counts_is_no_title() -> None:
    with pytest.raises(DeckError, match="line 1: unknown card"):
        parse_deck_list("Savana Highmane\nHoundmaster\nWolfrider", "2018-12")
    assert len(parse_deck_list("Beast Hunter\n2x Houndmaster\nWolfrider", "2018-12")) == 3
