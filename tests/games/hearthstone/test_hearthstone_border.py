"""Hearthstone, bad input: every wrong position, action, draw, table, patch and match is refused in one clear line."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas._core.locm import Rng
from deckatlas.errors import (
    AgentError,
    CardError,
    DeckatlasError,
    DeckError,
    IllegalActionError,
    MatchError,
    StateError,
)
from deckatlas.games.hearthstone.cards.codes import Base, Choice, Duration, FilterKind, Keyword, NumberKind, Op
from deckatlas.games.hearthstone.cards.editions import Patch

EDITION = hearthstone.edition()
N = EDITION.number_of
WISP, COUNTERSPELL, COIN, MAGE, AXE = N("CS2_231"), N("EX1_287"), N("GAME_005"), N("HERO_08"), N("CS2_106")
JUNK: list[Any] = [None, True, -1, 2**70, 1.5, "", "x\ny", "\ud800", b"x", [], [1], {}, {"a": 1}, (), object()]


def refused_in_one_line(act: Callable[[], object], error: type[DeckatlasError] = DeckatlasError) -> str:
    with pytest.raises(error) as raised:
        act()
    message = str(raised.value)
    assert message.isprintable(), ascii(message)
    return message


# Positions

SIDE: dict[str, Any] = {
    "hero": MAGE,
    "power": N("CS2_034"),
    "health": 30,
    "max_health": 30,
    "armor": 0,
    "crystals": 5,
    "used": 0,
    "fatigue": 0,
    "hand": [COIN],
    "deck": [WISP],
    "board": [(WISP, 0, False)],
    "weapon": None,
    "secrets": [],
}


def make(first: dict[str, Any], *, active: int = 0, turn: int = 3) -> core.State:
    return core.State.make(EDITION.card_set, first, SIDE, active=active, turn=turn)


def test_the_position_that_the_others_are_made_from_is_one() -> None:
    assert len(make(SIDE).legal_actions()) > 1


@pytest.mark.parametrize("key", SIDE)
def test_a_position_needs_every_part_in_its_kind(key: str) -> None:
    missing = {name: value for name, value in SIDE.items() if name != key}
    assert key in refused_in_one_line(lambda: make(missing), StateError)
    fitting: dict[str, list[Any]] = {"board": [[]], "hand": [[], [1]], "deck": [[], [1]], "secrets": [[]]}
    good = fitting.get(key, [None] if key == "weapon" else [1])
    for value in [value for value in JUNK if value not in good]:
        assert refused_in_one_line(lambda value=value: make({**SIDE, key: value}), StateError)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("health", 0, "from 1 to"),
        ("health", 1001, "from 1 to 1000"),
        ("crystals", 11, "from 0 to 10"),
        ("used", 11, "from 0 to 10"),
        ("fatigue", 256, "from 0 to 255"),
        ("hero", WISP, "no such hero"),
        ("power", COIN, "no such hero power"),
        ("hand", [WISP] * 11, "more than 10"),
        ("hand", [MAGE], "cannot be in a hand or deck"),
        ("hand", [len(EDITION.cards) + 1], "no such card"),
        ("deck", [WISP] * 31, "more than 30"),
        ("deck", [N("CS2_034")], "cannot be in a hand or deck"),
        ("board", [(WISP, 0, False)] * 8, "more than 7"),
        ("board", [(COIN, 0, False)], "no such minion"),
        ("board", [(WISP, -1, False)], "damage must be"),
        ("board", [(WISP, 1, False)], "board0: a minion is dead"),
        ("board", [(WISP, 0)], "a minion must be a card"),
        ("weapon", WISP, "no such weapon"),
        ("secrets", [COIN], "different secret cards"),
        ("secrets", [COUNTERSPELL, COUNTERSPELL], "different secret cards"),
    ],
)
def test_a_position_that_cannot_be_is_refused(key: str, value: object, message: str) -> None:
    assert message in refused_in_one_line(lambda: make({**SIDE, key: value}), StateError)


def test_the_turn_and_the_player_to_move_of_a_position_are_checked() -> None:
    for options in ({"active": 2}, {"active": -1}, {"turn": -1}, {"turn": 1001}):
        assert refused_in_one_line(lambda options=options: make(SIDE, **options), StateError)  # type: ignore[misc]


# Actions and draws


def test_parts_that_make_no_action_are_refused() -> None:
    kinds = core.ActionKind
    for kind, parts in (
        (kinds.attack, {"target": 1}),
        (kinds.attack, {"source": 8, "target": 9}),
        (kinds.play, {"source": 10}),
        (kinds.play, {"choice": 3}),
        (kinds.play, {"source": 1, "position": 8}),
        (kinds.power, {"target": 17}),
        (kinds.choose, {"source": 3}),
        (kinds.keep, {"source": 16}),
        (kinds.end_turn, {"source": 1}),
        (kinds.power, {"position": 0}),
    ):
        assert refused_in_one_line(lambda kind=kind, parts=parts: core.Action(kind, **parts), IllegalActionError)  # type: ignore[misc]


def test_only_minions_have_a_position_and_none_beyond_the_board() -> None:
    state = make({**SIDE, "hand": [COIN, WISP]})
    for source, position in ((0, 0), (0, 1), (1, 2), (1, 6)):
        action = core.Action(core.ActionKind.play, source=source, position=position)
        assert refused_in_one_line(lambda action=action: state.copy().apply(action, Rng(0, 2)), IllegalActionError)  # type: ignore[misc]
    for source, position in ((0, 7), (1, 0), (1, 1), (1, 7)):
        state.copy().apply(core.Action(core.ActionKind.play, source=source, position=position), Rng(0, 2))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0, WISP, MAGE])), max_size=6))
@settings(max_examples=200)
def test_draws_that_were_never_made_are_told_and_nothing_breaks(draws: list[tuple[int, int, int]]) -> None:
    """Arcane Missiles draws three times among nine, or fewer as minions die; then Multi-Shot among those left."""
    enemy = {**SIDE, "board": [(WISP, 0, False)] * 7}
    state = core.State.make(
        EDITION.card_set, {**SIDE, "hand": [N("EX1_277"), N("DS1_183")], "crystals": 10}, enemy, active=0, turn=3
    )
    matched = state.apply_recorded(core.Action(core.ActionKind.play), draws)
    assert not matched or len(draws) == 3
    state.apply_recorded(core.Action(core.ActionKind.play), draws)
    assert state.describe()["players"][1]["health"] >= 27


def test_a_draw_of_an_unknown_card_is_refused() -> None:
    action = core.Action(core.ActionKind.end_turn)
    assert refused_in_one_line(lambda: make(SIDE).apply_recorded(action, [(2, 1, len(EDITION.cards) + 1)]), StateError)


# Tables of compiled cards: whatever could lead the interpreter astray


def changed(table: str, row: int, **columns: int) -> dict[str, object]:
    """The tables with other numbers in some columns, given as `c6=2`."""
    tables = {**EDITION.compiled.for_core}
    copied = [list(entry) for entry in EDITION.compiled.tables[table]]
    for column, value in columns.items():
        copied[row][int(column[1:])] = value
    return {**tables, table: copied}


SEVEN: dict[Any, object] = {7: 8}  # a key that is no name


def row_of(table: str, column: int, value: int) -> int:
    return next(i for i, entry in enumerate(EDITION.compiled.tables[table]) if entry[column] == value)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (lambda: changed("selectors", 1, c5=FilterKind.has_keyword, c6=32), "not between 0 and 31"),
        (lambda: changed("selectors", 1, c5=FilterKind.has_keyword, c6=-1), "not between 0 and 31"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.discard),
                         c6=row_of("selectors", 0, Base.deck)), "for cards in a hand"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.change_cost),
                         c6=row_of("selectors", 0, Base.deck)), "for cards in a hand"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.look_at_top), c8=0), "show 1 to 3 cards"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.draw), c3=Choice.random_for_enemy_class,
                         c11=len(EDITION.compiled.lists) - 8), "nine lists"),
        (lambda: changed("instructions", row_of("instructions", 3, Choice.random_not_in_play),
                         c11=max(range(len(EDITION.compiled.lists)), key=lambda i: len(EDITION.compiled.lists[i]))),
         "more than 7 cards"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.attach), c11=64), "no attachment 64"),
        (lambda: changed("numbers", 1, c0=NumberKind.base_cost, c2=row_of("selectors", 0, Base.deck)), "in a hand"),
        (lambda: changed("cards", WISP, c66=0, c67=3), "more than 2 ways"),
        (lambda: changed("cards", WISP, c68=1) | {"numbers": changed(
            "numbers", 1, c0=NumberKind.base_cost, c2=row_of("selectors", 0, Base.hand))["numbers"]},
         "depends on costs"),
        (lambda: changed("cards", MAGE, c1=0), "hero without a class"),
        (lambda: changed("cards", MAGE, c69=COIN), "the power of card"),
        (lambda: {**EDITION.compiled.for_core, "coin": MAGE}, "the coin is not a card for a hand"),
        (lambda: {**EDITION.compiled.for_core, "rules": 1 << 34}, "rules that the core does not know"),
        (lambda: changed("cards", WISP, c13=1 << 6), "has unknown bits"),
        (lambda: changed("cards", WISP, c14=1 << 20), "has unknown bits"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.replace_hero), c11=WISP), "of another type"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.set_power), c11=MAGE), "of another type"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.equip), c11=WISP), "of another type"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.summon), c3=0, c11=COIN), "of another type"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.transform), c3=0, c11=AXE), "of another type"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.return_later), c11=MAGE), "of another type"),
        (lambda: changed("instructions", row_of("instructions", 0, Op.replace_hero), c3=Choice.random_of_list, c11=1),
         "instead of choosing one"),
        (lambda: changed("triggers", 1, c8=row_of("instructions", 0, Op.look_at_top)),
         "at another time than when it is played"),
        (lambda: changed("cards", WISP, c61=row_of("instructions", 0, Op.look_at_top)),
         "at another time than when it is played"),
        (lambda: changed("auras", 1, c4=Keyword.spell_damage), "spell damage must be permanent"),
        (lambda: changed("player_enchantments", 1, c6=Keyword.spell_damage), "spell damage must be permanent"),
        (lambda: changed("instructions", row_of("instructions", 12, Keyword.spell_damage), c4=Duration.this_turn),
         "spell damage must be permanent"),
        (lambda: changed("cards", WISP, c10=100), "not between 0 and 99"),
        (lambda: {**EDITION.compiled.for_core, "cards": [(0,) * 70] * 65_537}, "too many rows"),
        (lambda: {**EDITION.compiled.for_core, **SEVEN}, "names of card tables must be texts"),
        (lambda: {**EDITION.compiled.for_core, "coin": -1}, "need coin"),
        (lambda: {**EDITION.compiled.for_core, "cards": [0, 0, 0]}, "rows of 32-bit integers"),
        (lambda: {**EDITION.compiled.for_core, "cards": [(0, 0), (0,)]}, "rows of different lengths"),
    ],
)  # fmt: skip
def test_tables_that_would_lead_the_core_astray_are_refused(
    tables: Callable[[], dict[str, object]], message: str
) -> None:
    assert message in refused_in_one_line(lambda: core.CardSet(tables()), CardError)


# Cards that ask for too much, with their id


@pytest.mark.parametrize(
    ("id", "effect", "mistake"),
    [
        ("EX1_105", "own_cost(-base_cost_of(MY_OTHER_CARDS))", "has a cost that depends on costs"),
        ("EX1_105", "own_cost(between(1, 3))", "random number where it is evaluated repeatedly"),
        ("EX1_393", "aura(SELF, between(1, 3))", "random number where it is evaluated repeatedly"),
        ("EX1_393", "aura(MY_MINIONS, +101)", "not between -100 and 100"),
        ("EX1_393", "aura(MY_MINIONS, 99999999999999)", "not between -100 and 100"),
        ("CS2_025", "spell(deal(1, MINIONS & attack_at_most(99999999999999)))", "not between -100 and 100"),
        ("CS2_025", "spell(when(exists(MINIONS, 5000000000), draw(1)))", "not between -100 and 100"),
        ("CS2_025", "spell(deal(60 * count(MINIONS) * 60, MINIONS))", "not between -100 and 100"),
        ("CS2_025", "spell(deal(1, random(MINIONS, 0)))", "picks 0 at random, but must pick at least 1"),
        ("CS2_025", "spell(deal(between(3, 1), MINIONS))", "whose lower bound is above its upper bound"),
        ("CS2_025", "spell(deal(base_cost_of(MY_DECK), MINIONS))", "the cost of something that is not in a hand"),
        ("CS2_025", "spell(repeat(10, repeat(10, repeat(10, draw(1)))))", "more than 200 steps"),
        ("CS2_025", "spell(look_at_top(4))", "can look at 1 to 3 cards"),
        ("CS2_025", "spell(look_at_top(3), look_at_top(3))", "more than once"),
        ("CS2_025", "spell(repeat(2, look_at_top(3)))", "more than once"),
        ("EX1_096", "deathrattle(look_at_top(3))", "at another time than when it is played"),
        ("EX1_557", "on(turn_start(MINE), draw(1), needs=COIN_FLIP)", "flips a coin where that is impossible"),
        ("EX1_616", "costs(MY_HAND, 1), costs(MY_HAND, 1), costs(MY_HAND, 1)", "more than 2 ways"),
        ("CS2_025", "spell(add_to_hand('HERO_01'))", "needs a card for a hand"),
        ("CS2_025", "spell(summon(random_of()))", "chooses from an empty list of cards"),
        ("CS2_025", "spell(deal(1, MINIONS & has(TAUNT & CHARGE)))", "takes one keyword"),
        ("CS2_025", "spell(summon(not_in_play(" + ", ".join(["'CS2_231'"] * 8) + ")))", "more than 7 cards"),
        (
            "CS2_025",
            "spell(give(MINIONS, SPELL_DAMAGE, THIS_TURN))",
            "gives spell damage temporarily, or to something that might not be a minion",
        ),
        (
            "CS2_025",
            "spell(give(MY_HERO, SPELL_DAMAGE))",
            "gives spell damage temporarily, or to something that might not be a minion",
        ),
        (
            "CS2_025",
            "spell(give(target(CHARACTERS), SPELL_DAMAGE))",
            "gives spell damage temporarily, or to something that might not be a minion",
        ),
        ("CS2_025", "spell(temporarily(aura(MY_MINIONS, SPELL_DAMAGE), THIS_TURN))", "an aura that gives spell damage"),
        ("EX1_162", "aura(ADJACENT, SPELL_DAMAGE)", "an aura that gives spell damage"),
        ("CS2_182", "rule(SPELL_DAMAGE)", "spell damage as a rule"),
        ("CS2_025", "spell(lose(MINIONS, SPELL_DAMAGE))", "removes spell damage"),
        ("CS2_025", "spell(destroy(MINIONS & has(SPELL_DAMAGE)))", "tests for spell damage"),
        ("CS2_025", "spell(give(MINIONS, +1, +1, THIS_TURN))", "gives health temporarily"),
        ("CS2_025", "spell(give(MINIONS, +1, UNTIL_MY_NEXT_TURN))", "something other than stealth until the next turn"),
        ("CS2_025", "spell(draw(1))\0", "not an expression"),
        ("CS2_025", "spell(draw('\ud800'))", "not an expression"),
    ],
)
def test_a_card_that_asks_for_more_than_the_core_can_give_is_refused(id: str, effect: str, mistake: str) -> None:
    message = refused_in_one_line(lambda: EDITION.patched(Patch("p", cards={id: {"effect": effect}})), CardError)
    assert id in message
    assert mistake in message


@pytest.mark.parametrize(
    ("fields", "mistake"),
    [
        ({"dbf_id": EDITION["Fireball"].dbf_id}, "has the same dbf id as"),
        ({"dbf_id": -1}, "has the dbf id -1"),
        ({"dbf_id": 2**32}, "has the dbf id 4294967296"),
        ({"name": "two\nlines"}, "one printable line"),
        ({"keywords": "overload=" + "9" * 5000}, "impossible keyword"),
    ],
)
def test_a_field_with_an_impossible_value_is_refused(fields: dict[str, Any], mistake: str) -> None:
    assert mistake in refused_in_one_line(lambda: EDITION.patched(Patch("p", cards={"CS2_025": fields})), CardError)


def test_an_id_of_a_new_card_is_one_that_decks_can_name() -> None:
    new: dict[str, Any] = {
        "name": "New",
        "class": "neutral",
        "type": "minion",
        "set": "token",
        "attack": 1,
        "health": 1,
    }
    for name in ("", "a b", "a\n", "\ud800"):
        assert refused_in_one_line(lambda name=name: EDITION.patched(Patch("p", new={name: new})), CardError)  # type: ignore[misc]
    hero = {**new, "type": "hero", "attack": 0, "effect": "hero('CS2_034')"}
    assert "without a class" in refused_in_one_line(lambda: EDITION.patched(Patch("p", new={"H": hero})), CardError)


# Values of the wrong kind


@pytest.mark.parametrize("value", JUNK, ids=lambda value: type(value).__name__)
def test_values_of_the_wrong_kind_are_refused_by_the_errors_of_the_package(value: Any) -> None:
    deck = "Starter Mage"
    empty = isinstance(value, dict) and not value
    assert refused_in_one_line(lambda: hearthstone.edition(value), CardError)
    assert refused_in_one_line(lambda: hearthstone.pool(EDITION, value), CardError)
    assert refused_in_one_line(lambda: hearthstone.pool(EDITION, "mage", value), CardError)
    assert refused_in_one_line(lambda: EDITION[value], CardError)
    assert refused_in_one_line(lambda: EDITION.number_of(value), CardError)
    assert refused_in_one_line(lambda: EDITION.patched(value), CardError)
    assert refused_in_one_line(lambda: Patch.from_toml(value), CardError)
    assert refused_in_one_line(lambda: EDITION.patched(Patch("p", rules=(value,))), CardError)
    if not empty:
        assert refused_in_one_line(lambda: EDITION.patched(Patch("p", cards=value)), CardError)
        assert refused_in_one_line(lambda: EDITION.patched(Patch("p", cards={"CS2_025": value})), CardError)
    assert refused_in_one_line(lambda: hearthstone.read_deck(value, EDITION.by_id), DeckError)
    assert refused_in_one_line(lambda: hearthstone.Deck.parse(value), DeckError)
    assert refused_in_one_line(lambda: hearthstone.new_game(deck, value), DeckError)
    assert refused_in_one_line(lambda: hearthstone.play(value, "pass", decks=(deck, deck)), AgentError)
    assert refused_in_one_line(lambda: hearthstone.play("pass", "pass", decks=value), MatchError)
    assert refused_in_one_line(lambda: hearthstone.play("pass", "pass", decks=(deck, value)), DeckError)
    assert refused_in_one_line(lambda: hearthstone.play("pass", "pass", decks=(deck, deck), mulligan=value), MatchError)
    if value is not True:
        assert refused_in_one_line(
            lambda: hearthstone.play("pass", "pass", decks=(deck, deck), games=value), MatchError
        )


def test_the_first_game_of_a_part_is_bounded() -> None:
    rows = np.array([[MAGE, *[WISP] * 30]], np.int32)
    for first in (-1, 2**62):
        assert refused_in_one_line(
            lambda first=first: core.play_match(  # type: ignore[misc]
                EDITION.card_set,
                core.pass_agent(),
                rows,
                core.pass_agent(),
                rows,
                first_game=first,
                games=1,
                seed=0,
                mulligan=core.Mulligan.all,
                swap_seats=True,
                threads=1,
            ),
            MatchError,
        )
