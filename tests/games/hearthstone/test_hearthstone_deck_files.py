"""Files of Hearthstone decks, and the measures of decks."""

import csv
import gzip
from pathlib import Path

import pytest

from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.deck_codes import clipboard_block, deck_code
from deckatlas.games.hearthstone.cards.deck_files import read_deck_file
from deckatlas.games.hearthstone.cards.decks import Deck, build_deck
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.cards.library import named_decks
from deckatlas.games.hearthstone.cards.measures import measures

CARDS = edition().by_id
MAGE, ROGUE = named_decks()["Starter Mage"], named_decks()["Starter Rogue"]
NEUTRAL = [card.id for card in edition().cards if card.collectible and card.hero_class.name == "neutral"][:15]


def ids(deck: Deck) -> str:
    return " ".join(deck.copies)


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "decks.csv"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("column", ["deck", "deck_card_ids"])
def test_a_csv_has_ids_separated_by_blanks_among_any_other_columns(column: str, tmp_path: Path) -> None:
    file = written(tmp_path, f"name,{column},score\nx,{ids(ROGUE)},1\ny,{ids(MAGE)},2\n")
    assert read_deck_file(file, CARDS) == (ROGUE, MAGE)


@pytest.mark.parametrize(
    "text",
    [
        f'"class","deck"\n"rogue","{ids(ROGUE)}"\n',
        f" class , deck \n rogue , {ids(ROGUE)} \n",
        f"\n\nclass,deck\n\nrogue,{ids(ROGUE)}\n,,\n",
        f"deck\r\n{ids(ROGUE)}\r\n",
        f'deck,class\n"{clipboard_block(ROGUE, CARDS, name="x")}",ROGUE\n',
    ],
    ids=["quotes", "blanks", "empty lines", "carriage returns", "a block of lines"],
)
def test_a_csv_may_have_quotes_blanks_and_empty_lines(text: str, tmp_path: Path) -> None:
    assert read_deck_file(written(tmp_path, text), CARDS) == (ROGUE,)


def test_reading_a_file_leaves_the_settings_of_the_csv_module(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    with pytest.raises(DeckError, match="line 2: not CSV"):
        read_deck_file(written(tmp_path, f'deck\n"{"x" * (before + 1)}"\n'), CARDS)
    assert csv.field_size_limit() == before


def test_a_csv_may_hold_codes_and_names(tmp_path: Path) -> None:
    file = written(tmp_path, f"deck\n{deck_code(ROGUE, CARDS)}\nstarter mage\n")
    assert read_deck_file(file, CARDS) == (ROGUE, MAGE)


def test_a_file_without_a_header_has_a_deck_a_line(tmp_path: Path) -> None:
    file = written(tmp_path, f"# mine\n{deck_code(ROGUE, CARDS)}\n\n  {deck_code(MAGE, CARDS)}\n{ROGUE}\n")
    assert read_deck_file(file, CARDS) == (ROGUE, MAGE, ROGUE)
    with pytest.raises(DeckError, match="line 2: it is a Rogue deck, but the class given for it is Mage"):
        read_deck_file(file, CARDS, hero_class="MAGE")


def test_a_file_may_be_packed(tmp_path: Path) -> None:
    file = tmp_path / "decks.csv.gz"
    file.write_bytes(gzip.compress(f"deck\n{ids(MAGE)}\n".encode()))
    assert read_deck_file(file, CARDS) == (MAGE,)


def test_the_class_comes_from_the_column_the_option_or_the_cards(tmp_path: Path) -> None:
    neutral = " ".join(NEUTRAL * 2)
    with pytest.raises(DeckError, match="line 2: all cards of the deck are neutral, so the class must be given"):
        read_deck_file(written(tmp_path, f"deck\n{neutral}\n"), CARDS)
    assert read_deck_file(written(tmp_path, f"deck\n{neutral}\n"), CARDS, hero_class="MAGE")[0].hero_class == "MAGE"
    file = written(tmp_path, f"class,deck\nPriest,{neutral}\n,{neutral}\n")
    assert [deck.hero_class for deck in read_deck_file(file, CARDS, hero_class="MAGE")] == ["PRIEST", "MAGE"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": the file has no decks"),
        ("deck,class\n", ": the file has no decks"),
        (f"deck\n{ids(ROGUE)}\n{ids(MAGE)} CS2_022\n", "line 3: Polymorph (CS2_022) has 3 copies"),
        (f"deck\n{ids(ROGUE)[:-8]}\n", "line 2: a deck has 30 cards, but this one has 29"),
        (f"deck\n{ids(ROGUE)} CS2_999\n", "line 2: unknown card 'CS2_999'"),
        (f"class,deck\nMAGE,{ids(ROGUE)}\n", "line 2: Backstab (CS2_072) is a Rogue card, but the deck is a Mage deck"),
        (f"class,deck\nGoblin,{ids(ROGUE)}\n", "line 2: unknown hero class 'Goblin'"),
        ("class,deck\nMage,Starter Rogue\n", "line 2: it is a Rogue deck, but the class given for it is Mage"),
        (f"class,deck\nMage,{deck_code(ROGUE, CARDS)}\n", "line 2: it is a Rogue deck"),
        ("class,deck\nMage,\n", "line 2: the column deck is missing"),
        ("deck\nStarter Rouge\n", "line 2: unknown deck 'Starter Rouge': did you mean 'Starter Rogue'?"),
        (f"cards,class\n{ids(ROGUE)},ROGUE\n", "line 1: the header needs a column deck_card_ids or deck"),
        ("AAECAaIH\n", "line 1: the deck code is cut short"),
        ("games,deck\n3\n", "line 2: the column deck is missing"),
        ("deck\nTempo Rogue\n", "line 2: card 'BOT_242' is not in this edition"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DeckError) as error:
        read_deck_file(written(tmp_path, text), CARDS)
    assert message in str(error.value)
    assert "decks.csv" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe\x00deck", gzip.compress(b"deck\n" + b"Starter Mage\n" * 99)[:30]],
    ids=["no text", "cut gzip"],
)
def test_what_is_no_text_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "decks.csv"
    file.write_bytes(content)
    with pytest.raises(DeckError, match=r"decks\.csv, line \d+: (not UTF-8 text|broken gzip)"):
        read_deck_file(file, CARDS)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"cannot read .*: No such file"):
        read_deck_file(tmp_path / "none.csv", CARDS)


def test_measures_of_a_deck_count_every_copy() -> None:
    deck = build_deck({"Backstab": 2, "Eviscerate": 1, "Leeroy Jenkins": 1, "Assassin's Blade": 2}, CARDS)
    found = measures(deck, CARDS)  # costs 0, 0, 2, 5, 5, 5
    assert (found.deck_mana_sum, found.num_minion_cards, found.num_spell_cards) == (17, 1, 3)
    assert found.deck_mana_variance == pytest.approx((0 + 0 + 4 + 25 + 25 + 25) / 6 - (17 / 6) ** 2)
    assert found.dust == 40 + 1600  # the others are free
