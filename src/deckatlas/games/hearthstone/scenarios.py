"""Scenarios of Hearthstone: a position, actions, and facts that must be true; the form of scenario files.

A scenario is a mapping with `me`, `op` (what each side has), `do` (actions and checks in order) and `expect` (facts
about the final state). `problems_of` runs a scenario on a `Stage` and reports which facts are wrong.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from deckatlas._core import hearthstone as core
from deckatlas.errors import IllegalActionError, TraceError
from deckatlas.games.chance import Rng
from deckatlas.shapes import show

WISPS = ["CS2_231"] * 10
HEROES = {
    "WARRIOR": ("HERO_01", "CS2_102"),
    "SHAMAN": ("HERO_02", "CS2_049"),
    "ROGUE": ("HERO_03", "CS2_083b"),
    "PALADIN": ("HERO_04", "CS2_101"),
    "HUNTER": ("HERO_05", "DS1h_292"),
    "DRUID": ("HERO_06", "CS2_017"),
    "WARLOCK": ("HERO_07", "CS2_056"),
    "MAGE": ("HERO_08", "CS2_034"),
    "PRIEST": ("HERO_09", "CS1h_001"),
}
_KEYWORDS = {
    "taunt": 0,
    "divine_shield": 1,
    "stealth": 2,
    "windfury": 3,
    "charge": 4,
    "poisonous": 5,
    "immune": 9,
    "frozen": 24,
    "silenced": 25,
}
_OWN_HERO, _ENEMY_HERO = 1, 9
_OVER = 3
_RIGHTMOST = 7
_SIDES = ("me", "op")
_REF = re.compile(r"(me|op)\.(?:hero|board\.([0-6]))")


class ScenarioCards(Protocol):
    """The part of an edition that a scenario needs."""

    @property
    def card_set(self) -> core.CardSet:
        """The compiled cards."""
        ...

    def number_of(self, card: str) -> int:
        """The core's number for a card."""
        ...

    def id_of(self, number: int) -> str:
        """The card id for a core number."""
        ...

    def choices_of(self, card: str) -> Sequence[str]:
        """The option cards of a choose-one card; empty for other cards."""
        ...


class Stage:
    """A position of a scenario while it is carried out; player 0 is `me`, player 1 is `op`."""

    def __init__(self, edition: ScenarioCards, scenario: Mapping[str, Any], seed: int) -> None:
        self._edition = edition
        self._rng = Rng(seed, 0)
        me, op = (self._side(scenario[name]) for name in ("me", "op"))
        self._state = core.State.make(edition.card_set, me, op, active=0, turn=3)

    @property
    def state(self) -> core.State:
        """The position as it is now."""
        return self._state

    def _side(self, side: Mapping[str, Any]) -> dict[str, Any]:
        number = self._edition.number_of
        hero, power = HEROES[side["class"]]
        board = [entry if isinstance(entry, Mapping) else {"id": entry} for entry in side.get("board", [])]
        weapon = side.get("weapon")
        return {
            "hero": number(hero),
            "power": number(power),
            "health": side.get("health", 30),
            "max_health": max(30, side.get("health", 30)),
            "armor": side.get("armor", 0),
            "crystals": side["max_mana"],
            "used": side["max_mana"] - side["mana"],
            "fatigue": side.get("fatigue", 0),
            "hand": [number(card) for card in side.get("hand", [])],
            "deck": [number(card) for card in reversed(side.get("deck", WISPS))],
            "board": [(number(entry["id"]), entry.get("damage", 0), bool(entry.get("sick"))) for entry in board],
            "weapon": None if weapon is None else number(weapon),
            "secrets": [number(card) for card in side.get("secrets", [])],
        }

    def act(self, action: Mapping[str, Any]) -> None:
        """Carries out an action.

        Raises:
            IllegalActionError: If it is not legal.
        """
        self._state.apply(self._action(action), self._rng)

    def _action(self, action: Mapping[str, Any]) -> core.Action:
        kinds = core.ActionKind
        if "end_turn" in action:
            return core.Action(kinds.end_turn)
        target = self._code(action["target"]) if action.get("target") else 0
        if "power" in action:
            return core.Action(kinds.power, target=target)
        if "attack" in action:
            attacker = self._code(action["attack"])
            if not _OWN_HERO <= attacker < _ENEMY_HERO:
                raise IllegalActionError("only the player's own characters can attack")
            return core.Action(kinds.attack, source=attacker - _OWN_HERO, target=target)
        described = self._state.describe()
        if "pick" in action:
            offered = [self._edition.id_of(card) for card in described["choices"]]
            return core.Action(kinds.choose, source=_place(action["pick"], offered, "offered"))
        own = described["players"][described["active"]]
        source = _place(action["play"], [self._edition.id_of(card) for card, *_ in own["hand"]], "in the hand")
        choice = 0
        if "choose" in action:
            choice = 1 + _place(action["choose"], self._edition.choices_of(action["play"]), "an option")
        position = min(action["position"], len(own["board"])) if "position" in action else _RIGHTMOST
        return core.Action(kinds.play, source=source, choice=choice, target=target, position=position)

    def _code(self, ref: str) -> int:
        """The code of `me.hero`, `op.board.2` and the like, seen by the player to move."""
        match = _REF.fullmatch(ref)
        if match is None:
            raise TraceError(f"expected a reference such as me.hero or op.board.0, not {show(ref)}")
        side, place = match.groups()
        own = _SIDES.index(side) == self._state.describe()["active"]
        base = _OWN_HERO if own else _ENEMY_HERO
        return base if place is None else base + 1 + int(place)

    def fact(self, path: str) -> Any:
        """The value of a path such as `me.board.0.attack`."""
        described = self._state.describe()
        if path.startswith("sum("):
            parts = [self.fact(part.strip()) for part in path[4:-1].split(",")]
            return sum(parts) if all(isinstance(part, int) for part in parts) else None
        if path == "winner":
            return _winner(described)
        if path == "turn_of":
            return _SIDES[described["active"]]
        side, *rest = path.split(".")
        if side not in _SIDES:
            raise TraceError(f"unknown fact {show(path)}")
        try:
            return self._side_fact(described, _SIDES.index(side), rest)
        except (KeyError, ValueError, TypeError):
            raise TraceError(f"unknown fact {show(path)}") from None

    def _side_fact(self, described: dict[str, Any], player: int, path: Sequence[str]) -> Any:
        own = described["players"][player]
        match path:
            case ["hero", "id"]:
                return self._edition.id_of(own["hero"])
            case ["hero", "can_attack"]:
                return self._can_attack(described, player, 0)
            case ["hero", "damage"]:
                return own["max_health"] - own["health"]
            case ["hero", field]:
                return own[field]
            case ["weapon"]:
                return None if own["weapon"] is None else self._edition.id_of(own["weapon"]["card"])
            case ["weapon", field]:
                weapon = own["weapon"]
                return (
                    None if weapon is None else self._edition.id_of(weapon["card"]) if field == "id" else weapon[field]
                )
            case ["power", "id"]:
                return self._edition.id_of(own["power"])
            case ["power", "cost"]:
                return own["power_cost"]
            case ["power", "usable"]:
                kinds = core.ActionKind
                return described["active"] == player and any(
                    action.kind == kinds.power for action in self._state.legal_actions()
                )
            case ["max_mana"]:
                return own["crystals"]
            case ["overload"]:
                return own["overload_owed"]
            case ["choice"]:
                return sorted(self._edition.id_of(card) for card in described["choices"])
            case [("board" | "hand" | "deck" | "secrets") as zone, *rest]:
                return self._zone_fact(described, player, zone, rest)
            case [field]:
                return own[field]
        raise ValueError(path)

    def _zone_fact(self, described: dict[str, Any], player: int, zone: str, path: Sequence[str]) -> Any:
        entries = described["players"][player][zone]
        if zone == "deck":
            entries = entries[::-1]
        numbers = [_number_of(zone, entry) for entry in entries]
        ids = [self._edition.id_of(number) for number in numbers]
        match path:
            case ["length"]:
                return len(entries)
            case ["ids"]:
                return ids
            case ["sorted"]:
                return sorted(ids)
            case ["count", card]:
                return ids.count(card)
            case [index, field]:
                known = int(index) < len(entries)
                return self._entry_fact(described, player, zone, int(index), field) if known else None
        raise ValueError(path)

    def _entry_fact(self, described: dict[str, Any], player: int, zone: str, index: int, field: str) -> Any:
        entry = described["players"][player][zone][index]
        if field == "id":
            return self._edition.id_of(_number_of(zone, entry))
        if zone == "hand":
            return entry[1] if field == "cost" else self._targets(player, index) if field == "targets" else None
        if field in _KEYWORDS:
            return bool(entry["keywords"] >> _KEYWORDS[field] & 1)
        if field == "can_attack":
            return self._can_attack(described, player, index + 1)
        return entry[field]

    def _can_attack(self, described: dict[str, Any], player: int, attacker: int) -> bool:
        return described["active"] == player and any(
            action.kind == core.ActionKind.attack and action.source == attacker
            for action in self._state.legal_actions()
        )

    def _targets(self, player: int, index: int) -> list[str]:
        refs = []
        for action in self._state.legal_actions():
            if action.kind == core.ActionKind.play and action.source == index and action.target:
                own = action.target < _ENEMY_HERO
                side = _SIDES[player if own else 1 - player]
                place = action.target - (_OWN_HERO if own else _ENEMY_HERO)
                refs.append(f"{side}.hero" if place == 0 else f"{side}.board.{place - 1}")
        return sorted(set(refs))


def _number_of(zone: str, entry: Any) -> int:
    return int(entry["card"] if zone == "board" else entry[0] if zone == "hand" else entry)


def _place(card: str, among: Sequence[str], where: str) -> int:
    if card not in among:
        raise IllegalActionError(f"{card} is not {where}")
    return among.index(card)


def _winner(described: dict[str, Any]) -> str | None:
    if described["void"]:
        return "void"
    return ("me", "op", "draw")[described["winner"]] if described["phase"] == _OVER else None


def _agrees(found: Any, expected: Any) -> bool:
    if not isinstance(expected, Mapping):
        return bool(found == expected)
    if "in" in expected:
        return found in expected["in"]
    return isinstance(found, int) and expected.get("min", found) <= found <= expected.get("max", found)


def _broken(stage: Stage, facts: Mapping[str, Any]) -> Iterator[str]:
    for path, expected in facts.items():
        found = stage.fact(path)
        if not _agrees(found, expected):
            yield f"{path} is {found!r}, not {expected!r}"


def problems_of(stage: Stage, scenario: Mapping[str, Any]) -> list[str]:
    """Runs a scenario on a stage and returns the problems; empty if everything is as expected.

    Raises:
        DeckatlasError: If it names unknown cards, facts or places.
    """
    problems: list[str] = []
    for number, action in enumerate(scenario["do"]):
        if "check" in action:
            problems += [f"after action {number}: {problem}" for problem in _broken(stage, action["check"])]
        elif "illegal" in action:
            try:
                stage.act(action["illegal"])
                problems.append(f"action {number} is legal")
            except IllegalActionError:
                pass
        else:
            try:
                stage.act(action)
            except IllegalActionError as error:
                return [*problems, f"action {number} is not legal: {error}"]
    return [*problems, *_broken(stage, scenario["expect"])]
