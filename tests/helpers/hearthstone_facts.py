"""Facts about Hearthstone's cards, one a row: a position, what is done, and what then holds, all by the cards' names.

    fact("Abusive Sergeant", me(board=["Wisp"]), play("Abusive Sergeant", at="me.board.0"),
         {"me.board.0": "3/1"}, end_turn(), {"me.board.0": "1/1"}, why="for this turn only")

Facts are written down from the rules of the real game, never from what the engine says. The paths are those of
scenario files (`deckatlas.games.hearthstone.scenarios`), with names of cards where those have ids; an id stands for a
token whose name another card has too. Shorter than there: a minion or a weapon at once ("me.board.0": "3/1",
"me.weapon": "3/2"), the cards of a zone ("me.hand": ["Wisp"]) or their number ("me.deck": 9).

What need not be said: I am of the card's class (a mage if it is neutral), the opponent is a mage; a player has 30
health, ten crystals and ten Wisps to draw, and in hand what the row plays, from left to right.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from deckatlas._core import hearthstone as core
from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass
from deckatlas.games.hearthstone.cards.editions import DEFAULT, edition
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.scenarios import Stage, problems_of

Facts = Mapping[str, Any]
WISPS = ["Wisp"] * 10
_MANY_SEEDS = 40


@dataclass(frozen=True)
class Side:
    """What one player has."""

    name: str
    has: dict[str, Any]


@dataclass(frozen=True)
class Action:
    """Something a player does, in the form of scenario files."""

    data: Mapping[str, Any]


@dataclass(frozen=True)
class Either:
    """What holds at the end if chance decides: one of some sets of facts, each of which some seed brings about."""

    outcomes: tuple[Facts, ...]


@dataclass(frozen=True)
class Fact:
    """One row of a table."""

    card: str
    says: str
    edition: str
    scenario: Mapping[str, Any]
    outcomes: tuple[Facts, ...]
    seeds: int

    def __str__(self) -> str:
        return f"{self.card}: {self.says}"

    def problems(self) -> list[str]:
        """What does not hold, nothing if all does."""
        named = by_name(self.edition)
        seen: set[int] = set()
        for seed in range(self.seeds):
            described = [{**self.scenario, "expect": facts} for facts in self.outcomes]
            runs = [problems_of(Stage(named, each, seed), each) for each in described]
            held = {number for number, problems in enumerate(runs) if not problems}
            if not held:
                return [f"seed {seed}: {problem}" for problems in runs for problem in problems]
            seen |= held
        return [f"never {facts}" for number, facts in enumerate(self.outcomes) if number not in seen]


# ---- rows ----------------------------------------------------------------------------------------------------------


def fact(card: str, *parts: Side | Action | Facts | Either, why: str = "", seeds: int = 0, on: str = DEFAULT) -> Fact:
    """A fact about a card: sides first (a missing one is empty-handed), then actions and what holds after them.

    Args:
        card: The card's name.
        parts: `me(...)`, `op(...)`, actions, and mappings from paths to values that hold at their place; the last
            may be `either(...)`.
        why: The fact in a few words, where the row does not speak for itself.
        seeds: With how many seeds it must hold: 1, or 40 if there are outcomes, unless said otherwise.
        on: The edition.
    """
    rest = [part for part in parts if not isinstance(part, Side)]
    last = rest.pop()
    if isinstance(last, Action):
        raise ValueError(f"{card}: what holds at the end comes last")
    steps: list[Mapping[str, Any]] = []
    for part in rest:
        if isinstance(part, Either):
            raise ValueError(f"{card}: either() comes last")
        steps.append(part.data if isinstance(part, Action) else {"check": _in_full(part)})
    outcomes = tuple(_in_full(facts) for facts in (last.outcomes if isinstance(last, Either) else (last,)))
    own_class = by_name(on).card(card).hero_class
    hero = "MAGE" if own_class is HeroClass.neutral else own_class.name.upper()
    unsaid = {"me": {"class": hero}, "op": {"class": "MAGE"}}
    said = {part.name: part.has for part in parts if isinstance(part, Side)}
    played = _played(steps)
    scenario = {
        name: {"max_mana": 10, "mana": 10, "deck": WISPS, "hand": played[name]} | unsaid[name] | said.get(name, {})
        for name in ("me", "op")
    } | {"do": steps}
    says = why or ", ".join(f"{path} {value}" for path, value in outcomes[0].items())
    return Fact(card, says, on, scenario, outcomes, seeds or (_MANY_SEEDS if isinstance(last, Either) else 1))


def _in_full(facts: Facts) -> Facts:
    """Facts as scenario files write them."""
    full: dict[str, Any] = {}
    for path, value in facts.items():
        zone = re.fullmatch(r"(?:me|op)\.(?:board|hand|deck|secrets)", path)
        numbers = re.fullmatch(r"(\d+)/(\d+)", value) if isinstance(value, str) else None
        if zone:
            full[f"{path}.ids" if isinstance(value, list) else f"{path}.length"] = value
        elif numbers:
            second = "durability" if path.endswith("weapon") else "health"
            full |= {f"{path}.attack": int(numbers[1]), f"{path}.{second}": int(numbers[2])}
        else:
            full[path] = value
    return full


def _played(steps: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """What each side plays, or tries to, in order."""
    played: dict[str, list[str]] = {"me": [], "op": []}
    mover, other = "me", "op"
    for step in steps:
        if "end_turn" in step:
            mover, other = other, mover
        tried = step.get("illegal", step)
        if "play" in tried:
            played[mover].append(tried["play"])
    return played


def minion(card: str, cost: int, attack: int, health: int, *keywords: str, on: str = DEFAULT) -> Fact:
    """The fact of a minion that only has numbers and keywords: what it costs, and what it is when played."""
    seen = {"me.mana": 10 - cost, "me.board.0.attack": attack, "me.board.0.health": health}
    all_of_them = ("taunt", "charge", "divine_shield", "stealth", "windfury", "poisonous")
    seen |= {f"me.board.0.{keyword}": keyword in keywords for keyword in all_of_them}
    numbers = " ".join([f"{cost} mana {attack}/{health}", *keywords])
    return fact(card, me(hand=[card]), play(by_name(on).card(card).name), seen, why=numbers, on=on)


def weapon(card: str, cost: int, attack: int, durability: int, *, on: str = DEFAULT) -> Fact:
    """The fact of a weapon: what it costs, and what it is when played."""
    seen = {"me.mana": 10 - cost, "me.weapon.attack": attack, "me.weapon.durability": durability}
    seen |= {"me.hero.attack": attack, "me.hero.can_attack": True}
    return fact(card, play(card), seen, why=f"{cost} mana {attack}/{durability}", on=on)


def either(*outcomes: Facts) -> Either:
    """What holds at the end is one of these, and each of them happens."""
    return Either(outcomes)


def one_of(path: str, *values: Any, **also: Any) -> Either:
    """What is found at a path at the end is one of these, and each of them happens."""
    return Either(tuple({path: value} | also for value in values))


# ---- sides ---------------------------------------------------------------------------------------------------------


def me(**has: Any) -> Side:
    """The player to move has: hero (a class), health, armor, mana, board, hand, deck, weapon, secrets, fatigue.

    `mana` alone is what is left of ten crystals; `max_mana` alone is that many crystals, all of them left.
    """
    return _side("me", has)


def op(**has: Any) -> Side:
    """The opponent has, as `me`."""
    return _side("op", has)


def hurt(card: str, damage: int) -> dict[str, Any]:
    """A damaged minion on a board."""
    return {"id": card, "damage": damage}


def asleep(card: str) -> dict[str, Any]:
    """A minion on a board that came this turn."""
    return {"id": card, "sick": True}


def _side(name: str, has: dict[str, Any]) -> Side:
    known = {"hero", "health", "armor", "mana", "max_mana", "board", "hand", "deck", "weapon", "secrets", "fatigue"}
    if not has.keys() <= known:
        raise ValueError(f"a side has no {min(has.keys() - known)}")
    hero = {"class": has.pop("hero").upper()} if "hero" in has else {}
    return Side(name, ({"mana": has["max_mana"]} if "max_mana" in has else {}) | hero | has)


# ---- actions -------------------------------------------------------------------------------------------------------


def play(card: str, *, at: str = "", position: int | None = None, choose: str = "") -> Action:
    """A card is played, at a target, at a place of the board, with one of its options."""
    said = {"target": at or None, "position": position, "choose": choose or None}
    return Action({"play": card} | {key: value for key, value in said.items() if value is not None})


def attack(attacker: str, at: str) -> Action:
    """A character attacks another."""
    return Action({"attack": attacker, "target": at})


def power(*, at: str = "") -> Action:
    """The hero power is used."""
    return Action({"power": True} | ({"target": at} if at else {}))


def pick(card: str) -> Action:
    """One of the cards on offer is chosen."""
    return Action({"pick": card})


def end_turn() -> Action:
    """The turn ends, and the other player's begins."""
    return Action({"end_turn": True})


def cannot(action: Action) -> Action:
    """An action is refused."""
    return Action({"illegal": action.data})


# ---- cards by their names ------------------------------------------------------------------------------------------


@cache
def by_name(edition_name: str) -> "ByName":
    """An edition for scenarios that call cards by their names."""
    return ByName(edition_name)


class ByName:
    """An edition for scenarios that call cards by their names."""

    def __init__(self, name: str) -> None:
        self._edition = edition(name)

    @property
    def card_set(self) -> core.CardSet:
        return self._edition.card_set

    def number_of(self, card: str) -> int:
        return self._edition.number_of(self.card(card).id)

    def id_of(self, number: int) -> str:
        return self._edition.by_id[self._edition.id_of(number)].name

    def choices_of(self, card: str) -> Sequence[str]:
        ids = self._edition.choices_of(self.card(card).id)
        names = [self._edition.by_id[option].name for option in ids]
        return names if len(set(names)) == len(ids) else ids

    def card(self, name: str) -> Card:
        """A card by its id or name; one that decks can hold comes before a token of the same name.

        Raises:
            CardError: If none has this name, or several tokens have.
        """
        if name in self._edition.by_id:
            return self._edition.by_id[name]
        named = [card for card in self._edition.cards if card.name == name]
        named = [card for card in named if card.collectible] or named
        if len(named) != 1:
            raise CardError(f"{name!r} is the name of {', '.join(card.id for card in named) or 'no card'}")
        return named[0]


def cards_to_cover(name: str = DEFAULT) -> set[Card]:
    """Cards that need a fact: those of decks, hero powers, and tokens with an effect that are no option of a card."""
    cards = edition(name)
    options = {option for card in cards.cards for option in cards.choices_of(card.id)}
    return {
        card
        for card in cards.cards
        if card.collectible or (card.effects and card.type is not CardType.hero and card.id not in options)
    }


def without_a_fact(cards: Iterable[Card], facts: Iterable[Fact], name: str = DEFAULT) -> list[str]:
    """The names of cards that no fact of this edition is about."""
    named = by_name(name)
    covered = {named.card(fact.card).id for fact in facts if fact.edition == name}
    return sorted(card.name for card in cards if card.id not in covered)
