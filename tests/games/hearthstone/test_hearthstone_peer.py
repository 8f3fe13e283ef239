"""The edition `sabberstone`: deviations of that engine that recorded games do not show.

A row is a position, what is done, and what then holds in that engine and in the edition that it is a patch on.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.deviations import KNOWN_DEVIATIONS
from deckatlas.games.hearthstone.scenarios import Stage, problems_of

Facts = dict[str, Any]


class Row(NamedTuple):
    """A deviation: where it is seen, and what differs."""

    fact: str
    me: dict[str, Any]
    op: dict[str, Any]
    do: list[dict[str, Any]]
    peer: Facts
    game: Facts


def side(hero: str = "MAGE", **has: Any) -> dict[str, Any]:
    return {"class": hero, "mana": 10, "max_mana": 10, **has}


def play(card: str, target: str | None = None, **more: Any) -> dict[str, Any]:
    return {"play": card, **({"target": target} if target else {}), **more}


def hit(attacker: str, target: str) -> dict[str, Any]:
    return {"attack": attacker, "target": target}


END = {"end_turn": True}
WISP, CROCOLISK, YETI, HOARDER, GOLEM = "CS2_231", "CS2_120", "CS2_182", "EX1_096", "EX1_556"
FACELESS, OWL, BREWMASTER, CHAMPION, DECKHAND = "EX1_564", "CS2_203", "EX1_049", "CS2_222", "CS2_146"
EXPLOSIVE, MISDIRECTION, REDEMPTION, REPENTANCE = "EX1_610", "EX1_533", "EX1_136", "EX1_379"
CORRUPTION, ANCESTRAL_SPIRIT, JARAXXUS, DUST_DEVIL = "CS2_063", "CS2_038", "EX1_323", "EX1_243"
NAT_PAGLE, ALARM = "EX1_557", "EX1_006"

ROWS = [
    Row(
        "who is hurt when it attacks is not enraged before the blow",
        side(board=["EX1_393"]),
        side("HUNTER", secrets=[EXPLOSIVE]),
        [hit("me.board.0", "op.hero")],
        {"op.hero.health": 28, "me.board.0.attack": 5},
        {"op.hero.health": 25, "me.board.0.attack": 5},
    ),
    Row(
        "an aura whose giver dies when an attack is declared still counts for the blow",
        side(board=["EX1_162", CROCOLISK]),
        side("HUNTER", secrets=[EXPLOSIVE]),
        [hit("me.board.1", "op.hero")],
        {"op.hero.health": 27, "me.board.ids": [CROCOLISK]},
        {"op.hero.health": 28, "me.board.ids": [CROCOLISK]},
    ),
    Row(
        "a minion that returns to a full hand leaves play without its deathrattle",
        side("ROGUE", hand=["EX1_581"]),
        side(board=[HOARDER], hand=[WISP] * 10),
        [play("EX1_581", "op.board.0")],
        {"op.board.length": 0, "op.deck.length": 10},
        {"op.board.length": 0, "op.deck.length": 9},
    ),
    Row(
        "a copy keeps the attack that the original has for this turn",
        side(board=[YETI], hand=["CS2_188", FACELESS]),
        side(),
        [play("CS2_188", "me.board.0"), play(FACELESS, "me.board.0"), END],
        {"me.board.0.attack": 4, "me.board.2.attack": 6},
        {"me.board.0.attack": 4, "me.board.2.attack": 4},
    ),
    Row(
        "a copy of a corrupted minion is not destroyed",
        side("WARLOCK", hand=[CORRUPTION]),
        side(board=[YETI], hand=[FACELESS]),
        [play(CORRUPTION, "op.board.0"), END, play(FACELESS, "op.board.0"), END],
        {"op.board.ids": [YETI]},
        {"op.board.ids": []},
    ),
    Row(
        "a copy of a minion that lives by an aura's health alone stays with none",
        side(hand=[FACELESS]),
        side(board=[CHAMPION, {"id": WISP, "damage": 1}]),
        [play(FACELESS, "op.board.1")],
        {"me.board.ids": [WISP], "me.board.0.health": 0},
        {"me.board.ids": []},
    ),
    Row(
        "a minion that was summoned by a death is heard of at the end of the next phase",
        side("HUNTER", board=["CS2_237", {"id": "EX1_534", "damage": 4}]),
        side(board=[YETI]),
        [hit("me.board.1", "op.board.0"), {"check": {"me.board.count.EX1_534t": 2}}],
        {"me.hand.length": 0},
        {"me.hand.length": 2},
    ),
    Row(
        "and then it is heard of",
        side("HUNTER", board=["CS2_237", {"id": "EX1_534", "damage": 4}]),
        side(board=[YETI]),
        [hit("me.board.1", "op.board.0"), {"power": True}],
        {"me.hand.length": 2},
        {"me.hand.length": 2},
    ),
    Row(
        "fatigue begins anew with a new hero",
        side("WARLOCK", hand=[JARAXXUS], deck=[], fatigue=3),
        side(),
        [play(JARAXXUS), END, END],
        {"me.hero.health": 14, "me.fatigue": 1},
        {"me.hero.health": 11, "me.fatigue": 4},
    ),
    Row(
        "Repentance does not reach a minion that became a hero",
        side("WARLOCK", hand=[JARAXXUS]),
        side("PALADIN", secrets=[REPENTANCE]),
        [play(JARAXXUS)],
        {"me.hero.health": 15, "op.secrets.length": 0},
        {"me.hero.health": 1, "op.secrets.length": 0},
    ),
    Row(
        "nobody hears that a countered spell was played",
        side(board=["EX1_044"], hand=["GAME_005"]),
        side(secrets=["EX1_287"]),
        [play("GAME_005")],
        {"me.board.0.attack": 2},
        {"me.board.0.attack": 3},
    ),
    Row(
        "a silenced minion that changes sides has its trigger again",
        side("PRIEST", hand=["EX1_332", "CS1_113"]),
        side(board=["EX1_597"]),
        [play("EX1_332", "op.board.0"), play("CS1_113", "op.board.0"), END],
        {"me.board.ids": ["EX1_597", "EX1_598"]},
        {"me.board.ids": ["EX1_597"]},
    ),
    Row(
        "Betrayal poisons nobody",
        side("ROGUE", hand=["EX1_126"]),
        side(board=[CROCOLISK, "EX1_170", YETI]),
        [play("EX1_126", "op.board.1")],
        {"op.board.ids": [CROCOLISK, "EX1_170", YETI]},
        {"op.board.ids": ["EX1_170"]},
    ),
    Row(
        "Blessed Champion does not double what auras give",
        side("PALADIN", board=["CS2_122", CROCOLISK], hand=["EX1_355"]),
        side(),
        [play("EX1_355", "me.board.1")],
        {"me.board.1.attack": 5},
        {"me.board.1.attack": 6},
    ),
    Row(
        "Velen does not double a hero power's damage",
        side(board=["EX1_350"]),
        side(),
        [{"power": True, "target": "op.hero"}],
        {"op.hero.health": 29},
        {"op.hero.health": 28},
    ),
    Row(
        "a trap that was set off goes off though another one redirected the attack",
        side(board=["CS2_186"]),
        side("HUNTER", secrets=[MISDIRECTION, EXPLOSIVE]),
        [hit("me.board.0", "op.hero")],
        {"op.secrets.ids": [], "me.board.0.damage": 2},
        {"op.secrets.ids": [EXPLOSIVE], "me.board.0.damage": 0},
    ),
    Row(
        "who cannot lose more health is not damaged",
        side("WARRIOR", board=[{"id": "EX1_007", "damage": 2}], hand=["NEW1_036", "EX1_400"]),
        side(),
        [play("NEW1_036"), play("EX1_400")],
        {"me.hand.length": 1},
        {"me.hand.length": 2},
    ),
    Row(
        "a transformed minion is still shown with the deathrattle it was given",
        side("SHAMAN", board=[YETI], hand=[ANCESTRAL_SPIRIT, "EX1_246"]),
        side(),
        [play(ANCESTRAL_SPIRIT, "me.board.0"), play("EX1_246", "me.board.0")],
        {"me.board.0.id": "hexfrog", "me.board.0.deathrattle": True},
        {"me.board.0.id": "hexfrog", "me.board.0.deathrattle": False},
    ),
    Row(
        "a deathrattle that is given wakes one that was silenced",
        side("SHAMAN", board=[HOARDER], hand=[OWL, ANCESTRAL_SPIRIT]),
        side(board=[YETI]),
        [play(OWL, "me.board.0"), play(ANCESTRAL_SPIRIT, "me.board.0"), hit("me.board.0", "op.board.0")],
        {"me.board.count.EX1_096": 1, "me.hand.length": 1},
        {"me.board.count.EX1_096": 1, "me.hand.length": 0},
    ),
    Row(
        "a card that Corruption destroys in a hand has its deathrattle",
        side("WARLOCK", hand=[CORRUPTION]),
        side(board=[HOARDER], hand=[BREWMASTER]),
        [play(CORRUPTION, "op.board.0"), END, play(BREWMASTER, "op.board.0"), END],
        {"op.hand.count.EX1_096": 0, "op.deck.length": 8},
        {"op.hand.count.EX1_096": 1, "op.deck.length": 9},
    ),
    Row(
        "Corruption does not follow a minion that is played again",
        side("WARLOCK", hand=[CORRUPTION]),
        side(board=[HOARDER], hand=[BREWMASTER]),
        [play(CORRUPTION, "op.board.0"), END, play(BREWMASTER, "op.board.0"), play(HOARDER), END],
        {"op.board.count.EX1_096": 1},
        {"op.board.count.EX1_096": 1},
    ),
    Row(
        "that a minion died is heard before its deathrattle",
        side(board=["CS2_186"]),
        side("PALADIN", secrets=[REDEMPTION], board=[{"id": GOLEM, "damage": 2}] + ["CS2_186"] * 6),
        [hit("me.board.0", "op.board.0")],
        {"op.board.count.EX1_556": 1, "op.board.count.skele21": 0},
        {"op.board.count.EX1_556": 0, "op.board.count.skele21": 1},
    ),
    Row(
        "a deathrattle that summons several comes after those of others who died with it",
        side("WARRIOR", hand=["EX1_400"]),
        side(board=[{"id": "EX1_534", "damage": 4}, {"id": "EX1_097", "damage": 3}]),
        [play("EX1_400")],
        {"op.board.ids": ["EX1_534t", "EX1_534t"], "op.hero.health": 28},
        {"op.board.ids": [], "op.hero.health": 28},
    ),
    Row(
        "a borrowed minion goes back before the frozen thaw",
        side("PRIEST", hand=["CS2_026", "EX1_334"]),
        side(board=[CROCOLISK]),
        [play("CS2_026"), play("EX1_334", "op.board.0"), END],
        {"op.board.0.frozen": True},
        {"op.board.0.frozen": False},
    ),
    Row(
        "a Southsea Deckhand that has attacked is awake again as soon as its weapon is destroyed",
        side("WARRIOR", board=[DECKHAND], weapon="EX1_398t"),
        side(hand=["EX1_066"]),
        [hit("me.board.0", "op.hero"), END, play("EX1_066")],
        {"me.weapon": None, "me.board.0.charge": False, "me.board.0.exhausted": False},
        {"me.weapon": None, "me.board.0.charge": False, "me.board.0.exhausted": False},
    ),
    Row(
        "so it is when Bloodsail Corsair takes the last durability",
        side("WARRIOR", hand=["NEW1_025"]),
        side("ROGUE", board=[DECKHAND], weapon="CS2_082"),
        [END, hit("op.board.0", "me.hero"), hit("op.hero", "me.hero"), END, play("NEW1_025")],
        {"op.weapon": None, "op.board.0.exhausted": False},
        {"op.weapon": None, "op.board.0.exhausted": False},
    ),
    Row(
        "a Southsea Deckhand that changes sides has charge by the weapon of its new side alone",
        side("PRIEST", hand=["CS1_113"]),
        side("WARRIOR", board=[DECKHAND], weapon="EX1_398t"),
        [play("CS1_113", "op.board.0")],
        {"me.board.0.charge": False, "me.board.0.can_attack": False},
        {"me.board.0.charge": False, "me.board.0.can_attack": False},
    ),
    Row(
        "what a card in the hand kept from play stays with it when Alarm-o-Bot swaps it in",
        side("SHAMAN", board=[YETI, ALARM], hand=[ANCESTRAL_SPIRIT, BREWMASTER]),
        side(board=["CS2_200"]),
        [
            play(ANCESTRAL_SPIRIT, "me.board.0"),
            play(BREWMASTER, "me.board.0", position=0),
            *(END, END, END),
            {"check": {"me.board.ids": [BREWMASTER, YETI]}},
            hit("op.board.0", "me.board.1"),
        ],
        {"me.board.ids": [BREWMASTER, YETI], "me.board.1.damage": 0},
        {"me.board.ids": [BREWMASTER]},
    ),
    Row(
        "more overload than crystals is a debt",
        side("SHAMAN", mana=2, max_mana=2, hand=[DUST_DEVIL, DUST_DEVIL]),
        side(),
        [play(DUST_DEVIL), play(DUST_DEVIL), END, END, {"check": {"me.max_mana": 3, "me.overload_locked": 4}}],
        {"me.mana": -1},
        {"me.mana": 0},
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.fact)
def test_the_peer_deviates(row: Row) -> None:
    position = {"me": row.me, "op": row.op, "do": row.do}
    for name, facts in (("sabberstone", row.peer), ("2019-12", row.game)):
        assert problems_of(Stage(edition(name), position, 0), {**position, "expect": facts}) == []


def test_by_the_peer_a_free_card_cannot_be_played_in_debt() -> None:
    me = side("SHAMAN", mana=2, max_mana=2, hand=[DUST_DEVIL, DUST_DEVIL, WISP])
    for name, last in (("sabberstone", {"illegal": play(WISP)}), ("2019-12", play(WISP))):
        position = {"me": me, "op": side(), "do": [play(DUST_DEVIL), play(DUST_DEVIL), END, END, last]}
        assert problems_of(Stage(edition(name), position, 0), {**position, "expect": {}}) == []


def test_by_the_peer_alarm_o_bot_stays_if_the_first_minion_in_the_hand_is_drawn_as_the_turn_begins() -> None:
    position = {"me": side(), "op": side(board=[NAT_PAGLE, ALARM], deck=[YETI] * 5), "do": [END]}
    drawn = {"op.hand.length": 2}  # Nat Pagle draws for one player in two
    for name, after in (("sabberstone", [NAT_PAGLE, ALARM]), ("2019-12", [NAT_PAGLE, YETI])):
        stages = [Stage(edition(name), position, seed) for seed in range(12)]
        with_a_draw = [stage for stage in stages if problems_of(stage, {**position, "expect": drawn}) == []]
        assert 0 < len(with_a_draw) < len(stages)
        assert all(problems_of(stage, {"do": [], "expect": {"op.board.ids": after}}) == [] for stage in with_a_draw)


def test_the_known_deviations_are_those_that_the_document_explains() -> None:
    document = Path(__file__).parents[3] / "docs" / "deviations.md"
    section = document.read_text(encoding="utf-8").split("### Known deviations\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| .+ \| (.+) \|$", section, re.MULTILINE)
    places = {name: len(re.findall(r"step (\d+) \((\w[\w ]*)\)", where)) for name, where in rows}
    counted = {name: list(KNOWN_DEVIATIONS.values()).count(name) for name in KNOWN_DEVIATIONS.values()}
    assert places == counted
