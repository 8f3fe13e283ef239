"""Battles of Legends of Code and Magic in a few characters, to set one up and to compare with.

A creature is written "3/4 BG*": attack, defence, keywords; `*` means that it can attack, `!` that it has attacked. A
player is a dictionary of `hp`, `runes`, `mana`, `max_mana`, `bonus`, `draw` (cards at the next turn), `hand` (card
ids), `deck` (card ids left, the next one first), `left` and `right` (creatures in summoning order).

Rows of tables are written for "me", who is to move, and can be played from either seat. They name cards as if I were
the first player: my hand is 1, 3, 5, ..., my left lane 21, 23, 25, my right lane 31, 33, 35; the enemy's cards are one
higher.
"""

import re
from collections.abc import Mapping
from typing import Any

from deckatlas.games.locm.position import position
from deckatlas.games.locm.state import Action, Creature, State

Player = Mapping[str, Any]

PLAIN_CARD = 3  # creatures are made from this card; what is written about them replaces its numbers
DEFAULTS: dict[str, Any] = {
    "hp": 30,
    "runes": 5,
    "mana": 12,
    "max_mana": 12,
    "bonus": 0,
    "draw": 1,
    "hand": [],
    "deck": [PLAIN_CARD] * 5,
    "left": [],
    "right": [],
}
_CREATURE = re.compile(r"(\d+)/(\d+)(?: (\w+))?(\*?)(!?)")
_FIRST_PLACES = {"hand": 0, "left": 10, "right": 15}  # in the order of the deck; lanes begin at instances 21 and 31


def _instance(zone: str, index: int, player: int) -> int:
    return 2 * (_FIRST_PLACES[zone] + index) + player + 1


def _creature(text: str, instance: int) -> dict[str, Any]:
    match = _CREATURE.fullmatch(text)
    assert match, f"not a creature: {text}"
    attack, defense, keywords, ready, attacked = match.groups()
    return {
        "id": PLAIN_CARD,
        "instance": instance,
        "atk": int(attack),
        "def": int(defense),
        "abilities": "".join(letter if letter in (keywords or "") else "-" for letter in "BCDGLW"),
        "can_attack": bool(ready),
        "has_attacked": bool(attacked),
    }


def _description(player: Player, seat: int) -> dict[str, Any]:
    full = {**DEFAULTS, **player}
    assert len(full) == len(DEFAULTS), f"unknown key in {player}"
    return {
        "hp": full["hp"],
        "runes_left": full["runes"],
        "mana": full["mana"],
        "max_mana": full["max_mana"],
        "bonus_mana": full["bonus"],
        "next_turn_draw": full["draw"],
        "deck": full["deck"],
        "hand": [{"id": card, "instance": _instance("hand", i, seat)} for i, card in enumerate(full["hand"])],
        "lanes": [
            [_creature(text, _instance(lane, i, seat)) for i, text in enumerate(full[lane])]
            for lane in ("left", "right")
        ],
    }


def set_up(me: Player, foe: Player, *, seat: int = 0, turn: int | None = None) -> State:
    """A battle in which I, in the given seat, am to move."""
    players = [_description(me, seat), _description(foe, 1 - seat)]
    return position({"players": players if seat == 0 else players[::-1]}, player=seat, turn=turn)


def action_from(seat: int, text: str) -> Action:
    """An action that is written for the first player, as the player in `seat` says it."""
    verb, *numbers = text.split()
    if seat == 1:
        instances = {"ATTACK": 2, "USE": 2, "SUMMON": 1}.get(verb, 0)  # how many of the numbers are instances
        numbers[:instances] = [str(_other_seat(int(number))) for number in numbers[:instances]]
    return Action.from_text(" ".join([verb, *numbers]))


def _other_seat(instance: int) -> int:
    if instance < 0:
        return instance
    return instance + 1 if instance % 2 else instance - 1


def _creature_text(creature: Creature) -> str:
    keywords = creature.keywords.replace("-", "")
    marks = "*" * creature.can_attack + "!" * creature.has_attacked
    return f"{creature.attack}/{creature.defense}{keywords and ' ' + keywords}{marks}"


def seen(state: State, seat: int) -> dict[str, Any]:
    """One player as a dictionary in the form of `set_up`, complete."""
    side = state.side(seat)
    lanes: list[list[str]] = [[], []]
    for creature in side.creatures:
        lanes[creature.lane].append(_creature_text(creature))
    return {
        "hp": side.health,
        "runes": side.runes,
        "mana": side.mana,
        "max_mana": side.max_mana,
        "bonus": side.bonus_mana,
        "draw": side.next_draw,
        "hand": [card.card for card in side.hand],
        "deck": state.deck(seat)[side.drawn :],
        "left": lanes[0],
        "right": lanes[1],
    }
