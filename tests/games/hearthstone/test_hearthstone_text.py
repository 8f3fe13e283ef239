"""States of Hearthstone as text: they round-trip and go on as before; what is no state is refused, naming the field."""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas import hearthstone
from deckatlas.errors import StateError
from deckatlas.games.hearthstone.state import Rng, State, read_state
from helpers.hearthstone_play import EDITION, random_states, some_state

seeds = st.integers(0, 2**32 - 1)
editions = st.sampled_from(hearthstone.EDITIONS)
some = settings(max_examples=25, deadline=None)
any_text = st.text(st.characters(exclude_categories=()), max_size=120)  # what UTF-8 cannot hold included

STATE = (
    "hearthstone edition=2018-12 phase=main view=- turn=7 active=0 result=- choices=- "
    "hero0=HERO_08,mage,CS2_034,26,30,2,0,0,immune,- mana0=4,1,0,0,0 counts0=1,0,0 weapon0=- "
    "hand0=CS2_029/EX1_066,-1,2,-,r/GAME_005,0,0,-,r deck0=CS2_022/CS2_024 secrets0=EX1_287,3 "
    "board0=CS2_182,4,5,2,0,0,0,1,-,-,-,x,-/EX1_008,1,1,0,0,0,0,4,divine-shield+charge,-,-,-,CS2_038:0 "
    "lasting0=EX1_612,until-next-secret,0 returns0=EX1_137 died0=CS2_231 "
    "hero1=HERO_04,paladin,CS2_101,30,30,0,0,0,-,f mana1=3,3,0,0,0 counts1=0,0,1 weapon1=CS2_091,1,4,2,- "
    "hand1=-  deck1=- secrets1=- board1=- lasting1=- returns1=- died1=-"
).replace("  ", " ")
VIEW = (
    STATE.replace("view=-", "view=1")
    .replace("hand0=CS2_029", "hand0=?")
    .replace("deck0=CS2_022/CS2_024", "deck0=?/?")
    .replace("EX1_287,3", "?mage,3")
)


def field(text: str, key: str) -> str:
    return next(word.partition("=")[2] for word in text.split(" ") if word.startswith(f"{key}="))


def changed(text: str, key: str, value: str) -> str:
    words = [f"{key}={value}" if word.startswith(f"{key}=") else word for word in text.split(" ")]
    assert words != text.split(" ")
    return " ".join(words)


# ---- round trips -----------------------------------------------------------------------------------------------------


@some
@given(seeds, editions)
def test_every_state_of_a_game_is_read_as_it_was_written(seed: int, edition: str) -> None:
    for state in random_states(seed, edition=edition):
        again = read_state(state.to_text())
        assert again.to_text() == state.to_text()
        assert again == state
        assert again.hash == state.hash
        assert again.legal_actions() == state.legal_actions()


@some
@given(seeds, editions, st.sampled_from((0, 1)))
def test_every_view_is_read_as_it_was_written(seed: int, edition: str, player: int) -> None:
    view = some_state(seed, edition=edition).view(player)
    assert read_state(view.to_text()) == view
    assert read_state(view.to_text()).viewer == player


@some
@given(seeds, editions)
def test_a_state_that_was_read_goes_on_as_the_one_it_was_written_of(seed: int, edition: str) -> None:
    state = some_state(seed, edition=edition)
    again = read_state(state.to_text())
    choices, rng, same = Rng(seed, 1), Rng(seed, 0), Rng(seed, 0)
    while not state.is_over:
        actions = state.legal_actions()
        action = actions[choices.below(len(actions))]
        state.apply(action, rng)
        again.apply(action, same)
        assert again == state


def test_the_text_that_the_rows_change_is_a_state() -> None:
    state = read_state(STATE)
    assert state.to_text() == STATE
    assert read_state(VIEW).to_text() == VIEW
    first, second = state.side(0), state.side(1)
    assert (first.health, first.armor, first.mana, first.crystals) == (26, 2, 3, 4)
    assert [card.card for card in first.hand] == ["CS2_029", "EX1_066", "GAME_005"]
    assert [card.cost for card in first.hand] == [4, 1, 0]
    assert [(minion.name, minion.attack, minion.health) for minion in first.board] == [
        ("Chillwind Yeti", 4, 3),
        ("Argent Squire", 1, 1),
    ]
    assert first.board[1].can_attack
    assert not first.board[0].can_attack
    assert (first.immune, second.frozen, second.fatigue) == (True, True, 1)
    assert second.weapon is not None
    assert (second.weapon.name, second.weapon.attack, second.weapon.durability) == ("Light's Justice", 1, 4)


def test_of_the_order_of_play_only_who_came_first_matters() -> None:
    later = STATE.replace(",3 board0", ",30 board0").replace("0,0,4,divine", "0,0,77,divine")
    assert read_state(later) == read_state(STATE)


def test_what_auras_give_follows_from_the_rest() -> None:
    with_leader = changed(STATE, "board0", field(STATE, "board0") + "/CS2_122,2,2,0,0,0,0,9,-,-,-,o,-")
    state = read_state(with_leader)
    assert [minion.attack for minion in state.side(0).board] == [5, 2, 2]
    assert read_state(state.to_text()) == state


def test_blanks_around_the_line_do_not_matter_and_the_repr_reads_itself() -> None:
    state = read_state(f"  {STATE}\n")
    assert eval(repr(state), {"read_state": read_state}) == state


# ---- editions --------------------------------------------------------------------------------------------------------


def test_the_text_names_its_edition() -> None:
    for edition in hearthstone.EDITIONS:
        state = hearthstone.new_game("Starter Mage", "Starter Hunter", edition=edition)
        assert field(state.to_text(), "edition") == edition
        assert read_state(state.to_text()).cards is state.cards


def test_a_state_of_an_edition_of_ones_own_needs_that_edition() -> None:
    own = EDITION.patched(hearthstone.Patch("my patch, 2nd try", cards={"CS2_029": {"cost": 5}}))
    state = hearthstone.new_game("Starter Mage", "Starter Hunter", edition=own, seed=1)
    assert read_state(state.to_text(), edition=own) == state
    with pytest.raises(StateError, match="unknown edition 'my patch, 2nd try'"):
        read_state(state.to_text())
    with pytest.raises(
        StateError, match="the text has edition 'my%20patch%2C%202nd%20try', but the cards have edition 2018-12"
    ):
        read_state(state.to_text(), edition="2018-12")


# ---- what is refused -------------------------------------------------------------------------------------------------


class Bad(NamedTuple):
    """A field, a value it cannot have, and what the message says."""

    fact: str
    key: str
    value: str
    message: str


YETI = "CS2_182,4,5,2,0,0,0,1,-,-,-,x,-"
BAD = [
    Bad("an unknown edition", "edition", "2017-12", "unknown edition"),
    Bad("an unknown phase", "phase", "war", "phase: unknown word"),
    Bad("an unknown viewer", "view", "2", "view"),
    Bad("a turn before the first", "turn", "-1", "turn"),
    Bad("a turn beyond all games", "turn", "1001", "turn"),
    Bad("a number with a sign", "turn", "+4", "whole number"),
    Bad("nothing", "turn", "", "whole number"),
    Bad("a third player", "active", "2", "active"),
    Bad("a result of a game that goes on", "result", "0", "result"),
    Bad("a game that is over without a result", "phase", "over", "result"),
    Bad("cards to choose from out of place", "choices", "CS2_029", "choices"),
    Bad("a choice of nothing", "phase", "choice", "choices"),
    Bad("an unknown card", "deck0", "CS2_999", "deck0: unknown card 'CS2_999'"),
    Bad("a hero in a deck", "deck0", "HERO_08", "is not a card for a hand or a deck"),
    Bad("a hero power in a hand", "hand0", "CS2_034", "is not a card for a hand or a deck"),
    Bad("a deck of thirty-one", "deck0", "/".join(["CS2_029"] * 31), "more than 30"),
    Bad("a hand of eleven", "hand0", "/".join(["CS2_029"] * 11), "more than 10"),
    Bad("an unknown card in the deck", "deck0", "?", "must be known"),
    Bad("an unknown card in hand", "hand0", "?", "must be known"),
    Bad("an unknown secret", "secrets0", "?mage,3", "must be known"),
    Bad("a card in hand that is half told", "hand0", "CS2_029,1", "expected a card, or"),
    Bad("a card both made and revealed", "hand0", "CS2_029,0,0,-,mr", "'m' and 'r'"),
    Bad("a minion that is a hero", "hero0", "CS2_182,mage,CS2_034,26,30,2,0,0,-,-", "is not a hero"),
    Bad("a hero power that is a spell", "hero0", "HERO_08,mage,CS2_029,26,30,2,0,0,-,-", "is not a hero power"),
    Bad("a neutral hero", "hero0", "HERO_08,neutral,CS2_034,26,30,2,0,0,-,-", "unknown class"),
    Bad("a dead hero", "hero0", "HERO_08,mage,CS2_034,0,30,2,0,0,-,-", "hero0: 0 is not between"),
    Bad("more health than the most", "hero0", "HERO_08,mage,CS2_034,31,30,2,0,0,-,-", "hero0: 31"),
    Bad("a destroyed hero", "hero0", "HERO_08,mage,CS2_034,26,30,2,0,0,-,d", "destroyed"),
    Bad("flags out of order", "hero0", "HERO_08,mage,CS2_034,26,30,2,0,0,-,uf", "flags"),
    Bad("an unknown keyword", "hero0", "HERO_08,mage,CS2_034,26,30,2,0,0,flying,-", "unknown keyword 'flying'"),
    Bad("a hero cut short", "hero0", "HERO_08,mage,CS2_034,26", "expected hero,class"),
    Bad("eleven crystals", "mana0", "11,0,0,0,0", "mana0"),
    Bad("more than ten mana", "mana0", "10,0,10,0,0", "ten mana"),
    Bad("a weapon without durability", "weapon1", "CS2_091,1,0,2,-", "weapon1"),
    Bad("a weapon that is a spell", "weapon1", "CS2_029,1,1,2,-", "is not a weapon"),
    Bad("a secret that is none", "secrets0", "CS2_029,3", "is not a secret"),
    Bad("the same secret is listed twice", "secrets0", "EX1_287,3/EX1_287,5", "twice"),
    Bad("a place in the order of play twice", "secrets0", "EX1_287,2", "order of play"),
    Bad("a spell on the board", "board0", YETI.replace("CS2_182", "CS2_029"), "is not a minion"),
    Bad("eight minions", "board0", "/".join([YETI] * 8), "more than 7"),
    Bad("a minion cut short", "board0", "CS2_182,4,5", "expected card,attack"),
    Bad("a dead minion", "board0", "CS2_182,4,5,5,0,0,0,1,-,-,-,x,-", "dead"),
    Bad("a destroyed minion", "board0", "CS2_182,4,5,2,0,0,0,1,-,-,-,xd,-", "destroyed"),
    Bad("healing beyond the most", "board0", "CS2_182,4,5,-1,0,0,0,1,-,-,-,x,-", "board0"),
    Bad("an unknown effect", "board0", "CS2_182,4,5,2,0,0,0,1,-,-,-,x,CS2_029:0", "unknown effect"),
    Bad("an effect of nobody", "board0", "CS2_182,4,5,2,0,0,0,1,-,-,-,x,CS2_038", "an effect must be"),
    Bad("eighteen effects", "board0", f"CS2_182,4,5,2,0,0,0,1,-,-,-,x,{'+'.join(['CS2_038:0'] * 18)}", "more than 17"),
    Bad("an unknown enchantment", "lasting0", "CS2_029,permanent,0", "unknown effect"),
    Bad("an unknown duration", "lasting0", "NEW1_029,forever,0", "unknown word"),
    Bad("a spell that died", "died0", "CS2_029", "died0"),
    Bad("a view that sees the opponent's hand", "view", "1", "shows a card that is hidden from the viewer"),
]


@pytest.mark.parametrize("row", BAD, ids=lambda row: row.fact)
def test_a_state_that_cannot_be_is_refused(row: Bad) -> None:
    with pytest.raises(StateError, match=row.message) as error:
        read_state(changed(STATE, row.key, row.value))
    assert str(error.value).isprintable()


BAD_VIEWS = [
    Bad("a deck that is seen", "deck0", "CS2_022/?", "deck0: shows"),
    Bad("a secret that is seen", "secrets0", "EX1_287,3", "secrets0: shows"),
    Bad("a cost of an unknown card", "hand0", "?,-1,0,-,-", "an unknown card can only have"),
    Bad("an own card that is unknown", "hand1", "?", "hand1: must be known"),
]


@pytest.mark.parametrize("row", BAD_VIEWS, ids=lambda row: row.fact)
def test_a_view_that_cannot_be_is_refused(row: Bad) -> None:
    with pytest.raises(StateError, match=row.message):
        read_state(changed(VIEW, row.key, row.value))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "edition: missing"),
        ("edition=2018-12", "expected 'hearthstone' and fields"),
        (STATE.replace("hearthstone", "locm1.2"), "expected 'hearthstone'"),
        (STATE.replace(" turn=7", ""), "turn: missing"),
        (STATE + " turn=4", "twice"),
        (STATE + " weather=fine", "unknown field"),
        (STATE + " fine", "key=value"),
    ],
)
def test_fields_are_named_once_and_none_is_missing(text: str, message: str) -> None:
    with pytest.raises(StateError, match=message):
        read_state(text)


def test_what_is_not_text_is_refused() -> None:
    with pytest.raises(StateError, match="not from 7"):
        read_state(7)  # type: ignore[arg-type]


@given(any_text)
def test_no_text_crashes_the_reader(text: str) -> None:
    with pytest.raises(StateError):
        read_state(text)
    with pytest.raises(StateError):
        State.from_text(EDITION.card_set, f"{STATE} {text}=")


def test_texts_have_marks_that_people_are_not_shown() -> None:
    marked = "divine-shield+silenced+speaks+rattle-mark"
    text = STATE.replace("divine-shield+charge", marked)
    state = read_state(text)
    assert marked in state.to_text()
    assert state.side(0).board[1].keywords == ["divine-shield", "silenced"]
    assert "speaks" not in str(state)


def test_rage_that_waits_for_the_next_action_is_read_as_it_was_written() -> None:
    """By SabberStone's rules: the damage goes with the health that a champion gave, windfury with the next action."""
    champion, worgen, moonfire, fireball = "CS2_222", "EX1_412", "CS2_008", "CS2_029"
    me = {"class": "MAGE", "mana": 10, "max_mana": 10, "hand": [moonfire, fireball]}
    op = {"class": "MAGE", "board": [{"id": champion, "damage": 1}, worgen]}
    state = hearthstone.scenario({"me": me, "op": op}, edition="sabberstone")
    for action in ("play 0 at enemy 1", "play 0 at enemy 0"):
        state.apply(hearthstone.Action.from_text(action), Rng(1, 2))
    (left,) = state.side(1).board
    assert (left.card, left.health, left.max_health, left.keywords) == (worgen, 3, 3, ["windfury"])
    assert read_state(state.to_text()) == state
