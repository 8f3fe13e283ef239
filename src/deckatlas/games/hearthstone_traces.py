"""Games of Hearthstone that another engine recorded, replayed here with its random draws, compared after every action."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas._core import hearthstone as core
from deckatlas.errors import IllegalActionError, TraceError
from deckatlas.games.hearthstone_scenarios import Edition

_ACTION = re.compile(r"(?:(E)|p(\d+)(?:c([12]))?|(h)|a(\d)|k(\d))(?:@([mo])(\d))?(?:#(\d))?")
_DRAW = re.compile(r"(\d+):(\d+)(?:=(?:P\d\.\w+\.-?\d+\.)?(\w*))?")
_LETTERS = {"T": 0, "D": 1, "S": 2, "W": 3, "C": 4, "P": 5, "A": 7, "E": 8, "I": 9, "F": 24, "X": 25}
_ENEMY_HERO = 9


@dataclass(frozen=True)
class Mismatch:
    """Where a replay first differs: the step, the action and card, the field and both values."""

    step: int
    action: str
    card: str
    field: str
    recorded: object
    found: object

    def __str__(self) -> str:
        played = f" ({self.card})" if self.card else ""
        return f"step {self.step}, {self.action}{played}: {self.field} is {self.found!r}, recorded {self.recorded!r}"


@dataclass(frozen=True)
class Replay:
    """How a recorded game went: steps that agreed, and the first difference if there was one."""

    steps: int
    mismatch: Mismatch | None


def replay_game(edition: Edition, game: Mapping[str, Any]) -> Replay:
    """Replays a recorded game up to its end or the first difference."""
    state = _start(edition, game["start"])
    for number, step in enumerate(game["steps"]):
        difference = _check_step(edition, state, step)
        if difference is not None:
            field, recorded, found = difference
            return Replay(number, Mismatch(number, step["a"], step.get("card", ""), field, recorded, found))
    return Replay(len(game["steps"]), None)


def _start(edition: Edition, start: Mapping[str, Any]) -> core.State:
    number = edition.number_of

    def side(player: Mapping[str, Any]) -> dict[str, Any]:
        hero = player["hero"]
        return {
            "hero": number(hero["id"]),
            "power": number(player["pow"]["id"]),
            "health": hero["h"],
            "max_health": hero["mh"],
            "armor": hero["ar"],
            "crystals": player["mana"][0],
            "used": player["mana"][1],
            "fatigue": hero["fat"],
            "hand": [number(card[0]) for card in player["hand"]],
            "deck": [number(card) for card in player["deck_bottom_to_top"]],
            "board": [],
            "weapon": None,
            "secrets": [],
        }

    first, second = map(side, start["p"])
    return core.State.make(edition.card_set, first, second, active=start["cp"] - 1, turn=start["t"])


def _check_step(
    edition: Edition, state: core.State, step: Mapping[str, Any]
) -> tuple[str, object, object] | None:
    recorded_options = set(step["o"].split())
    found_options = {_option_code(action) for action in state.legal_actions()}
    if recorded_options != found_options:
        missing = sorted(recorded_options - found_options)
        return "options", f"also {missing}", f"also {sorted(found_options - recorded_options)}"
    try:
        matched = state.apply_recorded(_action(step["a"]), _draws(edition, step.get("rnd", "")))
    except IllegalActionError:
        return "action", "legal", "illegal"
    for field, recorded, found in _differences(edition, step["s"], state.describe()):
        return field, recorded, found
    if not matched:
        return "draws", step.get("rnd", ""), "others"
    return None


def _option_code(action: core.Action) -> str:
    kinds = core.ActionKind
    target = ""
    if action.target:
        enemy = action.target >= _ENEMY_HERO
        target = f"@{'o' if enemy else 'm'}{action.target - (_ENEMY_HERO if enemy else 1)}"
    if action.kind == kinds.end_turn:
        return "E"
    if action.kind == kinds.play:
        return f"p{action.source}{f'c{action.choice}' if action.choice else ''}{target}"
    if action.kind == kinds.power:
        return f"h{target}"
    if action.kind == kinds.attack:
        return f"a{action.source}{target}"
    return f"k{action.source}"


def _action(code: str) -> core.Action:
    match = _ACTION.fullmatch(code)
    if match is None:
        raise TraceError(f"unknown action {code!r}")
    end, hand, choice, power, attacker, pick, side, place, position = match.groups()
    kinds = core.ActionKind
    target = 0 if side is None else int(place) + (1 if side == "m" else _ENEMY_HERO)
    if end:
        return core.Action(kinds.end_turn)
    if power:
        return core.Action(kinds.power, target=target)
    if attacker is not None:
        return core.Action(kinds.attack, source=int(attacker), target=target)
    if pick is not None:
        return core.Action(kinds.choose, source=int(pick))
    at = 7 if position is None else int(position)
    return core.Action(kinds.play, source=int(hand), choice=int(choice or 0), target=target, position=at)


def _draws(edition: Edition, text: str | Sequence[str]) -> list[tuple[int, int, int]]:
    entries = text.split() if isinstance(text, str) else text
    draws = []
    for entry in entries:
        match = _DRAW.match(entry)
        if match is None:
            raise TraceError(f"unknown draw {entry!r}")
        bound, value, card = match.groups()
        draws.append((int(bound), int(value), edition.number_of(card) if card else 0))
    return draws


def _differences(
    edition: Edition, recorded: Mapping[str, Any], found: Mapping[str, Any]
) -> Iterator[tuple[str, object, object]]:
    over = recorded["st"] != "RUNNING"
    if over != (found["phase"] == 3):
        yield "over", over, found["phase"] == 3
    if not over:
        if recorded["cp"] != found["active"] + 1:
            yield "player to move", recorded["cp"], found["active"] + 1
        if recorded["t"] != found["turn"]:
            yield "turn", recorded["t"], found["turn"]
    for side in (0, 1):
        theirs, ours = recorded["p"][side], found["players"][side]
        wanted = _recorded_facts(theirs)
        have = _found_facts(edition, ours)
        for field, value in wanted.items():
            if have[field] != value:
                yield f"P{side + 1} {field}", value, have[field]


def _recorded_facts(player: Mapping[str, Any]) -> dict[str, object]:
    hero, weapon = player["hero"], player["wpn"]
    return {
        "hero": (hero["id"], hero["h"], hero["mh"], hero["ar"]),
        "hero attack": hero["a"],
        "hero frozen, immune": (hero["fz"], hero["im"]),
        "fatigue": hero["fat"],
        "weapon": None if weapon is None else (weapon["id"], weapon["a"], weapon["d"]),
        "power": player["pow"]["id"],
        "mana": tuple(player["mana"]),
        "board": [(m["id"], m["a"], m["h"], m["mh"], "".join(sorted(set(m["k"]) - set("RNL")))) for m in player["board"]],
        "hand": [(card[0], card[1]) for card in player["hand"]],
        "deck": player["deck"],
        "secrets": sorted(player["sec"]),
        "spell damage": player["spd"],
    }


def _found_facts(edition: Edition, player: Mapping[str, Any]) -> dict[str, object]:
    weapon = player["weapon"]
    name = edition.id_of
    return {
        "hero": (name(player["hero"]), player["health"], player["max_health"], player["armor"]),
        "hero attack": player["attack"],
        "hero frozen, immune": (int(player["frozen"]), int(player["immune"])),
        "fatigue": player["fatigue"],
        "weapon": None if weapon is None else (name(weapon["card"]), weapon["attack"], weapon["durability"]),
        "power": name(player["power"]),
        "mana": (
            player["crystals"],
            player["used"],
            player["extra"],
            player["overload_locked"],
            player["overload_owed"],
            player["mana"],
        ),
        "board": [
            (name(m["card"]), m["attack"], m["health"], m["max_health"], _letters(m["keywords"]))
            for m in player["board"]
        ],
        "hand": [(name(card), cost) for card, cost, *_ in player["hand"]],
        "deck": len(player["deck"]),
        "secrets": sorted(map(name, player["secrets"])),
        "spell damage": player["spell_damage"],
    }


def _letters(keywords: int) -> str:
    return "".join(sorted(letter for letter, bit in _LETTERS.items() if keywords >> bit & 1))
