"""Positions with cards that nobody printed, for what real cards do not ask of the core."""

from typing import Any

from deckatlas._core import hearthstone as core
from deckatlas._core.locm import Rng
from deckatlas.games.hearthstone.cards.editions import Edition, Patch, edition
from deckatlas.games.hearthstone.scenarios import HEROES

WISP = "CS2_231"


def with_new(base: str = "2018-12", **effects: str | dict[str, Any]) -> Edition:
    """An edition with new cards: spells that cost nothing, or whatever the fields say."""
    spell = {"name": "Test", "class": "neutral", "type": "spell", "set": "token", "cost": 0}
    new = {
        name: {**spell, **(given if isinstance(given, dict) else {"effect": given})} for name, given in effects.items()
    }
    return edition(base).patched(Patch("test", new=new))


def side(cards: Edition, **given: Any) -> dict[str, Any]:
    hero, power = HEROES["WARRIOR"]
    number = cards.number_of
    return {
        "hero": number(hero),
        "power": number(power),
        "health": 30,
        "max_health": 30,
        "armor": 0,
        "crystals": 10,
        "used": 0,
        "fatigue": 0,
        "weapon": None,
        "secrets": [],
        **given,
        "board": [(number(card), 0, False) for card in given.get("board", [])],
        "hand": [number(card) for card in given.get("hand", [])],
        "deck": [number(card) for card in given.get("deck", [WISP] * 20)],
    }


def position(
    cards: Edition, *, me: dict[str, Any] | None = None, op: dict[str, Any] | None = None, turn: int = 20
) -> core.State:
    sides = (side(cards, **(given or {})) for given in (me, op))
    return core.State.make(cards.card_set, *sides, active=0, turn=turn)


def play(state: core.State, rng: Rng, *, target: int = 0) -> dict[str, Any]:
    """Plays the first card of the hand; what the state is then."""
    state.apply(core.Action(core.ActionKind.play, target=target), rng)
    return state.describe()


def end_turn(state: core.State, rng: Rng) -> dict[str, Any]:
    state.apply(core.Action(core.ActionKind.end_turn), rng)
    return state.describe()
