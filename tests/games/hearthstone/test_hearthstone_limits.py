"""Hearthstone, fixed capacities: what just fits is played on, one more ends the game as void; games and turns end."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas._core.locm import Rng
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import Patch, edition
from helpers.hearthstone_made import WISP, end_turn, play, position, with_new

MAIN, OVER = 1, 3
NOBODY = 2
OGRE, BERSERKER, WHIRLWIND = "CS2_200", "EX1_604", "EX1_400"
FIRST_MINION = 2


def assert_void(told: dict[str, Any]) -> None:
    assert (told["void"], told["phase"], told["winner"]) == (True, OVER, NOBODY)


def test_void_is_only_what_passes_a_capacity() -> None:
    told = position(edition()).describe()
    assert (told["void"], told["phase"]) == (False, MAIN)


# Capacities: effects that are played one after the other. All but the last fit.

_ATTACH = "attach(target(MINIONS), deathrattle(draw(1)))"
_SHOUT = "temporarily(aura(MY_MINIONS, MINIMUM_HEALTH_ONE), THIS_TURN)"
_RETURN = "return_later('EX1_137')"
_DIE = "summon('CS2_231', 7), destroy(MY_MINIONS)"
_DOUBLE = "give(target(MINIONS), 0, health_of(TARGET))"
_BRIGHT = "repeat(10, repeat(10, give(MY_MINIONS, SPELL_DAMAGE)))"
_CHEAP = "change_cost(MY_HAND, -100)"
_BURN = "give(MY_MINIONS, +100, IMMUNE, THIS_TURN), deal(100 * attack_of(MY_MINIONS), MY_MINIONS)"


@pytest.mark.parametrize(
    "effects",
    [
        pytest.param([f"repeat(10, {_ATTACH}), repeat(7, {_ATTACH})", _ATTACH], id="17 attachments of a minion"),
        pytest.param([f"repeat(8, {_SHOUT})", _SHOUT], id="8 things a player has for a while"),
        pytest.param([f"repeat(4, {_RETURN})", _RETURN], id="4 cards that come back"),
        pytest.param([_DIE, _DIE, _DIE], id="14 deaths of a player in a turn"),
        pytest.param([f"repeat(10, {_DOUBLE}), repeat(4, {_DOUBLE})", _DOUBLE], id="health of 32767"),
        pytest.param(["gain_armor(100)", "gain_armor(99 * armor_of(MINE))", "gain_armor(3 * armor_of(MINE))"],
                     id="armor of 32767"),
        pytest.param([_CHEAP, _CHEAP], id="a cost changed by 128"),
        pytest.param([_BRIGHT, _BRIGHT, _BRIGHT], id="spell damage of 255"),
        pytest.param([_BURN, _BURN, _BURN, _BURN], id="damage of 32767"),
    ],
)  # fmt: skip
def test_a_capacity_holds_what_it_says_and_one_more_ends_the_game_as_void(effects: list[str]) -> None:
    spells = {f"SPELL_{number}": f"spell({effect})" for number, effect in enumerate(effects)}
    cards = with_new(**spells)
    state, rng = position(cards, me={"hand": [*spells, WISP], "board": [WISP]}), Rng(1, 2)
    for effect in effects[:-1]:
        told = play(state, rng, target=FIRST_MINION if "target(" in effect else 0)
        assert (told["void"], told["phase"]) == (False, MAIN)
        assert core.State.from_text(cards.card_set, state.to_text()) == state
    assert_void(play(state, rng, target=FIRST_MINION if "target(" in effects[-1] else 0))
    assert state.legal_actions() == []


def test_what_a_card_keeps_in_the_hand_is_bounded_too() -> None:
    """By the rule of SabberStone alone: attachments follow a minion into the hand."""
    for attached, void in ((3, False), (4, True)):
        curse = "attach(target(MINIONS), on(turn_start(MINE), destroy(SELF)))"
        cards = with_new("sabberstone", CURSE=f"spell(repeat({attached}, {curse}), bounce(TARGET))")
        state = position(cards, me={"hand": ["CURSE"], "board": [WISP]})
        assert play(state, Rng(1, 2), target=FIRST_MINION)["void"] == void


def test_two_boards_can_die_and_be_replaced_in_one_action_but_no_more() -> None:
    heir = {"type": "minion", "attack": 1, "health": 1, "effect": "deathrattle(summon('CS2_231'))"}
    for more, void in (("", False), (", destroy(MINIONS)", True)):
        cards = with_new(HEIR=heir, END=f"spell(attach(MINIONS, deathrattle(summon('HEIR'){more})), destroy(MINIONS))")
        state = position(cards, me={"hand": ["END"], "board": [OGRE] * 7}, op={"board": [OGRE] * 7})
        told = play(state, Rng(1, 2))
        assert told["void"] == void
        if not void:
            boards = [[minion["card"] for minion in player["board"]] for player in told["players"]]
            assert boards == [[cards.number_of("HEIR")] * 7] * 2


def test_fourteen_who_hear_of_fourteen_are_all_heard() -> None:
    """The most triggers that one instruction sets off: every minion hears that every minion is hurt."""
    cards = edition()
    full = [BERSERKER] * 7
    told = play(position(cards, me={"hand": [WHIRLWIND], "board": full}, op={"board": full}), Rng(1, 2))
    assert not told["void"]
    assert [[minion["attack"] for minion in player["board"]] for player in told["players"]] == [[2 + 14] * 7] * 2


def test_order_of_play_is_counted_to_its_end_and_no_further() -> None:
    cards = with_new(STIR="spell(repeat(10, transform(MINIONS, 'CS2_200')), add_to_hand('STIR'))")
    bare = {"board": [OGRE] * 7, "deck": [], "armor": 1000}  # no card drawn comes between
    state, rng = position(cards, me={"hand": ["STIR"], **bare}, op=bare), Rng(1, 2)
    played = 0
    while not (told := state.describe())["void"]:
        if told["active"] == 0 and told["players"][0]["cards_played"] < 255:
            play(state, rng)
            played += 1
        else:
            end_turn(state, rng)
    assert_void(told)
    assert played == pytest.approx(65_535 / 140, abs=1)


# No card stalls a game.


def test_a_turn_ends_as_void_with_its_256th_card() -> None:
    cards = with_new(AGAIN="spell(add_to_hand('AGAIN'))")
    state, rng = position(cards, me={"hand": ["AGAIN"]}), Rng(1, 2)
    for number in range(1, 256):
        told = play(state, rng)
        assert (told["void"], told["players"][0]["cards_played"]) == (False, number)
    assert_void(play(state, rng))


@pytest.mark.parametrize(
    "fields",
    [
        {"health": 10, "effect": "on(damaged(SELF), heal(1, SELF)), on(healed(SELF), deal(1, SELF))"},
        {"health": 1, "effect": "deathrattle(summon('LOOP')), on(after_summon(MY_OTHER_MINIONS), deal(1, IT))"},
        {"health": 9, "effect": "on(damaged(SELF), give(SELF, +1), deal(1, random(ENEMIES)), give(SELF, 0, +1), "
                                "deal(1, SELF))"},
        {"health": 9, "effect": "on(damaged(SELF), draw(100), deal(1, SELF), give(SELF, 0, +9))"},
        {"health": 9, "effect": "on(damaged(SELF), add_to_hand('LOOP', 100), give(SELF, 0, +9), deal(1, SELF))"},
    ],
)  # fmt: skip
def test_effects_that_set_each_other_off_for_ever_end_the_game_as_void(fields: dict[str, Any]) -> None:
    cards = with_new(LOOP={"type": "minion", "attack": 1, **fields}, HIT="spell(deal(1, MINIONS))")
    state = position(cards, me={"hand": ["HIT"], "board": ["LOOP", "LOOP"], "armor": 1000}, op={"armor": 1000})
    assert_void(play(state, Rng(1, 2)))


def test_fatigue_is_counted_to_255_so_no_game_goes_on_for_ever() -> None:
    cards = edition("sabberstone")  # which has no limit of turns
    rich = {"deck": [], "armor": 1000, "health": 1000, "max_health": 1000}
    state, rng = position(cards, me=rich, op={**rich, "fatigue": 254}, turn=100), Rng(1, 2)
    told = end_turn(state, rng)
    assert (told["void"], told["players"][1]["fatigue"], told["players"][1]["armor"]) == (False, 255, 745)
    assert not end_turn(state, rng)["void"]
    assert_void(end_turn(state, rng))


@pytest.mark.parametrize("name", ["2018-12", "2019-12"])
def test_a_game_is_a_draw_when_turn_90_begins(name: str) -> None:
    cards = edition(name)
    state, rng = position(cards, turn=88), Rng(1, 2)
    told = end_turn(state, rng)
    assert (told["phase"], told["turn"]) == (MAIN, 89)
    told = end_turn(state, rng)
    assert (told["phase"], told["turn"], told["winner"], told["void"]) == (OVER, 90, NOBODY, False)


def test_the_peers_games_go_on_after_turn_90() -> None:
    state, rng = position(edition("sabberstone"), turn=88), Rng(1, 2)
    for _ in range(10):
        told = end_turn(state, rng)
    assert (told["phase"], told["turn"]) == (MAIN, 98)


def test_the_document_says_the_capacities_that_the_core_has() -> None:
    root = Path(__file__).parents[3]
    documented = re.findall(
        r"^\| `(k\w+)` \| (\d+) \|", (root / "docs" / "hearthstone-limits.md").read_text(), re.MULTILINE
    )
    code = "".join(path.read_text() for path in (root / "core" / "hearthstone").glob("*.hpp"))
    declared = dict(re.findall(r"^inline constexpr \S+ (k\w+) = ([^;]+);", code, re.MULTILINE))
    assert len(documented) > 15
    for name, capacity in documented:
        value = re.sub(r"k\w+", lambda match: declared[match[0]], declared[name].replace("'", ""))
        assert eval(value) == int(capacity), name


# Void games are seen.


def void_match() -> hearthstone.HearthstoneResult:
    """Games that are void as soon as somebody plays Arcane Explosion."""
    effect = "spell(gain_armor(100), repeat(2, gain_armor(99 * armor_of(MINE))))"
    cards = edition().patched(Patch("void", cards={"CS2_025": {"effect": effect, "cost": 0}}))
    deck = hearthstone.named_decks()["Starter Mage"]
    spells = [card.id for card in cards.cards if card.collectible and card.hero_class.name == "mage"]
    counts = {"CS2_025": 2, **dict.fromkeys([card for card in spells if card != "CS2_025"], 1)}
    rest = [card for card, _ in deck.cards if card not in counts]
    counts |= dict.fromkeys(rest[: 30 - sum(counts.values())], 1)
    assert sum(counts.values()) == 30
    mage = Deck("MAGE", tuple(counts.items()))
    return hearthstone.play("random:active", "pass", decks=(mage, mage), edition=cards, games=60, seed=4, threads=1)


def test_a_match_counts_its_void_games_and_says_so() -> None:
    result = void_match()
    void = result["void"] == 1
    assert 0 < result.voids == int(void.sum())
    assert (result["winner"][void] == NOBODY).all()
    assert result.draws == int(np.sum((result["winner"] == NOBODY) & ~void))
    assert f"{result.voids} void games" in str(result)


def test_a_match_without_void_games_does_not_speak_of_them() -> None:
    result = hearthstone.play("pass", "pass", decks=("Starter Mage", "Starter Hunter"), games=2)
    assert (result.voids, "void" in str(result)) == (0, False)
