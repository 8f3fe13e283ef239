"""Texts that are no state of Legends of Code and Magic: each is refused, and the message names the field."""

from typing import NamedTuple

import pytest

from deckatlas.errors import StateError
from deckatlas.games.locm.state import new_game, read_state

BATTLE = (
    "locm1.2 phase=battle view=- format=given offers=- cards0=3.4.118.5 cards1=10.11 turn=4 "
    "deck0=3.4.118.5 p0=30,5,3,4,0,3,1,1 hand0=1.2 board0=0.0.2.2.------.r-- "
    "deck1=10.11 p1=12,2,1,2,1,1,1,1 hand1=0 board1=-"
)


class Bad(NamedTuple):
    """A field, a value it cannot have, and what the message says."""

    fact: str
    key: str
    value: str
    message: str


BAD_BATTLES = [
    Bad("unknown phase", "phase", "war", "phase"),
    Bad("unknown viewer", "view", "2", "view"),
    Bad("unknown format", "format", "open", "format"),
    Bad("offers without a draft", "offers", "1.2.3", "offers"),
    Bad("a draft without offers", "format", "referee", "offers"),
    Bad("no turn", "turn", "-1", "turn"),
    Bad("a turn beyond all games", "turn", "1001", "turn"),
    Bad("a number with a sign", "turn", "+4", "whole number"),
    Bad("a fraction", "turn", "4.5", "whole number"),
    Bad("a number beyond 64 bits", "turn", "99999999999999999999", "whole number"),
    Bad("nothing", "turn", "", "whole number"),
    Bad("card 0", "deck0", "3.4.118.0", "deck0"),
    Bad("card 161", "deck0", "3.4.118.161", "deck0"),
    Bad("a deck of thirty-one", "deck1", ".".join(["10"] * 31), "deck1"),
    Bad("a deck shorter than its list", "deck0", "3.4.118", "cards0"),
    Bad("a card that is not on the list", "deck0", "3.4.118.6", "card 6 is not among cards0"),
    Bad("an unknown card in hand", "deck0", "3.?.118.5", "must be known"),
    Bad("an unknown card on the board", "deck0", "?.4.118.5", "must be known"),
    Bad("an unknown card in the deck", "deck0", "3.4.118.?", "must be known"),
    Bad("an unknown card on the list", "cards0", "3.4.118.?", "cards0"),
    Bad("a number of a player missing", "p0", "30,5,3,4,0,3,1", "p0"),
    Bad("a rune at the health", "p0", "25,5,3,4,0,3,1,1", "rune"),
    Bad("six runes", "p0", "99,6,3,4,0,3,1,1", "p0"),
    Bad("too much mana", "p0", "30,5,14,4,0,3,1,1", "p0"),
    Bad("too much maximum mana", "p0", "30,5,3,14,0,3,1,1", "p0"),
    Bad("a bonus of two", "p0", "30,5,3,4,2,3,1,1", "p0"),
    Bad("more cards drawn than there are", "p0", "30,5,3,4,0,5,1,1", "p0"),
    Bad("a hundred cards to draw", "p0", "30,5,3,4,0,3,100,1", "p0"),
    Bad("health beyond all measure", "p0", "1000001,5,3,4,0,3,1,1", "p0"),
    Bad("a card in hand that is in the deck", "hand0", "1.3", "hand0"),
    Bad("a card twice in hand", "hand0", "1.1", "twice"),
    Bad("a card in hand and on the board", "hand0", "0.1", "twice"),
    Bad("a card twice on the board", "board0", "0.0.2.2.------.r--/1.0.2.2.------.r--", "twice"),
    Bad("a third lane", "board0", "2.0.2.2.------.r--", "board0"),
    Bad("a creature without defence", "board0", "0.0.2.0.------.r--", "board0"),
    Bad("a creature with negative attack", "board0", "0.0.-1.2.------.r--", "board0"),
    Bad("a creature that items could make too large", "board0", "0.0.500.2.------.r--", "board0"),
    Bad("keywords out of order", "board0", "0.0.2.2.G-----.r--", "keywords"),
    Bad("five keywords", "board0", "0.0.2.2.-----.r--", "keywords"),
    Bad("flags out of order", "board0", "0.0.2.2.------.-r-", "flags"),
    Bad("two flags", "board0", "0.0.2.2.------.r-", "flags"),
    Bad("a creature without flags", "board0", "0.0.2.2.------", "board0"),
]


def changed(text: str, key: str, value: str) -> str:
    words = [f"{key}={value}" if word.startswith(f"{key}=") else word for word in text.split(" ")]
    assert words != text.split(" ")
    return " ".join(words)


def test_the_battle_that_the_rows_change_is_a_state() -> None:
    assert read_state(BATTLE).to_text() == BATTLE


@pytest.mark.parametrize("row", BAD_BATTLES, ids=lambda row: row.fact)
def test_a_battle_that_cannot_be_is_refused(row: Bad) -> None:
    with pytest.raises(StateError, match=row.message):
        read_state(changed(BATTLE, row.key, row.value))


def test_four_creatures_in_a_lane_and_nine_cards_in_hand_are_refused() -> None:
    long_deck = changed(changed(BATTLE, "cards1", ".".join(["3"] * 9)), "deck1", ".".join(["3"] * 9))
    all_drawn = changed(long_deck, "p1", "12,2,1,2,1,9,1,1")
    with pytest.raises(StateError, match="eight cards"):
        read_state(changed(all_drawn, "hand1", "0.1.2.3.4.5.6.7.8"))
    board = "/".join(f"1.{place}.1.1.------.---" for place in range(1, 5))
    with pytest.raises(StateError, match="three creatures"):
        read_state(changed(all_drawn, "board1", board))


def draft_text(**fields: str) -> str:
    text = new_game(seed=1, format=fields.pop("format", "referee")).to_text()
    for key, value in fields.items():
        text = changed(text, key, value)
    return text


def offers_text(offers: list[list[int]]) -> str:
    return "/".join(".".join(map(str, offer)) for offer in offers)


def test_a_draft_that_cannot_be_is_refused() -> None:
    offers = new_game(seed=1).offers
    first, second = offers[0][0], offers[1][0]
    absent = next(card for card in range(1, 161) if card not in offers[0])
    ninety = [[3 * i + 1, 3 * i + 2, 3 * i + 3] for i in range(30)]
    for fact, text, message in [
        ("a pick that was not offered", draft_text(cards0=str(absent)), "cards0"),
        ("the first player two picks ahead", draft_text(cards0=f"{first}.{second}"), "in turn"),
        ("the second player ahead", draft_text(cards1=str(first)), "in turn"),
        ("twenty-nine offers", draft_text(offers=offers_text(offers[1:])), "30 offers"),
        ("an offer of two", draft_text(offers=offers_text([offers[0][:2], *offers[1:]])), "three cards"),
        ("an offer with a card twice", draft_text(offers=offers_text([[1, 1, 2], *offers[1:]])), "different"),
        ("a pool of ninety", draft_text(offers=offers_text(ninety)), "60"),
        ("a card offered again", draft_text(format="distinct", offers=offers_text([*ninety[1:], [4, 1, 2]])), "twice"),
        ("an offer that nobody knows", draft_text(offers=offers_text(offers).replace(str(first), "?", 1)), "known"),
        ("a view that sees the future", draft_text(view="0"), "hidden"),
        ("one seed", draft_text(seeds="1"), "seeds"),
        ("a seed beyond 64 bits", draft_text(seeds="1,9223372036854775808"), "seeds"),
    ]:
        with pytest.raises(StateError, match=message):
            pytest.fail(f"{fact}: {read_state(text)}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "locm1.2"),
        ("-", "locm1.2"),
        ("locm1.2", "locm1.2"),
        (BATTLE.replace("locm1.2", "locm1.5"), "locm1.2"),
        (BATTLE.replace(" turn=4", ""), "turn: missing"),
        (BATTLE + " turn=4", "twice"),
        (BATTLE + " weather=fine", "unknown field"),
        (BATTLE + " fine", "key=value"),
        (BATTLE.replace(" ", "  ", 1), "key=value"),
    ],
)
def test_fields_are_named_once_and_none_is_missing(text: str, message: str) -> None:
    with pytest.raises(StateError, match=message):
        read_state(text)
