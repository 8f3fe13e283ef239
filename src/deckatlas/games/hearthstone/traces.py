"""Replays Hearthstone games that another engine recorded, with its random draws.

After every step, everything in the recording is compared: the options before the step, the draws it used, and every
field of the state after it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas._core import hearthstone as core
from deckatlas.errors import IllegalActionError, TraceError
from deckatlas.games.hearthstone.reference import check_recorded_state
from deckatlas.games.hearthstone.scenarios import ScenarioCards
from deckatlas.shapes import Misfit, show

_ACTION = re.compile(r"(?:(E)|p(\d)(?:c([12]))?|(h)|a([0-7])|k(\d))(?:@([mo])([0-7]))?(?:#([0-7]))?")
_DRAW = re.compile(r"(\d{1,9}):(\d{1,9})(?:=(?:P\d\.\w+\.-?\d+\.)?(\w*))?")
_LETTERS = {"T": 0, "D": 1, "S": 2, "W": 3, "C": 4, "P": 5, "L": 6, "A": 7, "E": 8, "I": 9, "F": 24, "X": 25}
_ENEMY_HERO = 9
_OVER = 3
_NOBODY = 2
_RIGHTMOST = 7

FieldDifference = tuple[str, object, object]  # the field, the recorded value, the found value


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
    """The result of a replay: the number of steps that agreed, and the first difference, if any."""

    steps: int
    mismatch: Mismatch | None


def replay_game(
    edition: ScenarioCards,
    game: Mapping[str, Any],
    *,
    before_step: Callable[[core.State, int], None] | None = None,
) -> Replay:
    """Replays a recorded game to its end or to the first difference.

    Args:
        edition: The cards and rules.
        game: A trace, as `parse_entry` returns it.
        before_step: Called with the state before each step and its number.

    Raises:
        DeckatlasError: If the recording names unknown cards or is malformed.
    """
    state = _start(edition, game["start"])
    number = 0
    for number, step in enumerate(game["steps"]):
        if before_step is not None:
            before_step(state, number)
        difference = _check_step(edition, state, step, number)
        if difference is not None:
            card = step.get("card", "")
            return Replay(number, Mismatch(number, step["a"], card if isinstance(card, str) else "", *difference))
    result = _play_states(state.describe())
    if game["result"] != result:
        return Replay(number, Mismatch(number, "end", "", "result", game["result"], result))
    return Replay(len(game["steps"]), None)


def _start(edition: ScenarioCards, start: Mapping[str, Any]) -> core.State:
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
    edition: ScenarioCards, state: core.State, step: Mapping[str, Any], number: int
) -> FieldDifference | None:
    recorded_options = set(step["o"].split())
    found_options = {_option_code(action) for action in state.legal_actions()}
    if recorded_options != found_options:
        missing = sorted(recorded_options - found_options)
        return "options", f"also {missing}", f"also {sorted(found_options - recorded_options)}"
    try:
        matched = state.apply_recorded(_action(step["a"]), _draws(edition, step.get("rnd", "")))
    except IllegalActionError:
        return "action", "legal", "illegal"
    try:
        difference = next(_differences(edition, step["s"], state.describe()), None)
    except (KeyError, TypeError, IndexError, AttributeError):
        _check_form(step["s"], number)
        raise
    if difference is not None:
        _check_form(step["s"], number)
        return difference
    return None if matched else ("draws", step.get("rnd", ""), "others")


def _check_form(recorded: Any, number: int) -> None:
    """Checks the form of a recorded state. This happens only for states that seem to differ, because there are many."""
    try:
        check_recorded_state(recorded)
    except Misfit as misfit:
        raise TraceError(f"steps[{number}].s.{misfit}") from None


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
        raise TraceError(f"unknown action {show(code)}")
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
    at = _RIGHTMOST if position is None else int(position)
    return core.Action(kinds.play, source=int(hand), choice=int(choice or 0), target=target, position=at)


def _draws(edition: ScenarioCards, recorded: str | Sequence[str]) -> list[tuple[int, int, int]]:
    entries = recorded.split() if isinstance(recorded, str) else recorded
    if not isinstance(entries, list):
        raise TraceError(f"rnd: expected draws, not {show(recorded)}")
    draws = []
    for entry in entries:
        match = _DRAW.match(entry) if isinstance(entry, str) else None
        if match is None:
            raise TraceError(f"unknown draw {show(entry)}")
        bound, value, card = match.groups()
        draws.append((int(bound), int(value), edition.number_of(card) if card else 0))
    return draws


# ---- states ----------------------------------------------------------------------------------------------------------


def _differences(
    edition: ScenarioCards, recorded: Mapping[str, Any], found: Mapping[str, Any]
) -> Iterator[FieldDifference]:
    pairs = {
        "state": (recorded["st"], "COMPLETE" if found["phase"] == _OVER else "RUNNING"),
        "player to move": (recorded["cp"], found["active"] + 1),
        "turn": (recorded["t"], found["turn"]),
        "choice": (recorded.get("choice", []), [edition.id_of(card) for card in found["choices"]]),
        "play states": ([player["ps"] for player in recorded["p"]], _play_states(found)),
    }
    for field, (wanted, have) in pairs.items():
        if wanted != have:
            yield field, wanted, have
    for side in (0, 1):
        recorded_facts = _recorded_facts(recorded["p"][side])
        found_facts = _found_facts(edition, found["players"][side])
        for field, value in recorded_facts.items():
            if found_facts[field] != value:
                yield f"P{side + 1} {field}", value, found_facts[field]


def _play_states(found: Mapping[str, Any]) -> list[str]:
    """Both players' states; in the recordings, both players have lost if they die together."""
    if found["phase"] != _OVER:
        return ["PLAYING", "PLAYING"]
    if found["void"]:
        return ["VOID", "VOID"]
    return ["WON" if found["winner"] == player else "LOST" for player in (0, 1)]


def _recorded_facts(player: Mapping[str, Any]) -> dict[str, object]:
    hero, weapon, power = player["hero"], player["wpn"], player["pow"]
    return {
        "hero": (hero["id"], hero["h"], hero["mh"], hero["ar"]),
        "hero attack": hero["a"],
        "hero frozen, immune": (hero["fz"], hero["im"]),
        "hero exhausted, attacks": (hero["x"], hero["na"]),
        "fatigue": hero["fat"],
        "weapon": None if weapon is None else (weapon["id"], weapon["a"], weapon["d"]),
        "power": (power["id"], power["x"], power["c"]),
        "mana": tuple(player["mana"]),
        "board": [
            (m["id"], m["a"], m["h"], m["mh"], "".join(sorted(m["k"])), m["x"], m["na"], m["sp"], m["c"])
            for m in player["board"]
        ],
        "hand": [tuple(card) for card in player["hand"]],
        "deck": player["deck"],
        "secrets": player["sec"],
        "spell damage": player["spd"],
        "combo": player["combo"],
    }


def _found_facts(edition: ScenarioCards, player: Mapping[str, Any]) -> dict[str, object]:
    weapon = player["weapon"]
    name = edition.id_of
    return {
        "hero": (name(player["hero"]), player["health"], player["max_health"], player["armor"]),
        "hero attack": player["attack"],
        "hero frozen, immune": (player["frozen"], player["immune"]),
        "hero exhausted, attacks": (player["exhausted"], player["attacks"]),
        "fatigue": player["fatigue"],
        "weapon": None if weapon is None else (name(weapon["card"]), weapon["attack"], weapon["durability"]),
        "power": (name(player["power"]), player["power_used"], player["power_cost"]),
        "mana": (
            player["crystals"],
            player["used"],
            player["extra"],
            player["overload_locked"],
            player["overload_owed"],
            player["mana"],
        ),
        "board": [_found_minion(name(minion["card"]), minion) for minion in player["board"]],
        "hand": [(name(card), cost, *stats) for card, cost, stats in player["hand"]],
        "deck": len(player["deck"]),
        "secrets": [name(card) for card in player["secrets"]],
        "spell damage": player["spell_damage"],
        "combo": player["cards_played"] > 0,
    }


def _found_minion(card: str, minion: Mapping[str, Any]) -> tuple[object, ...]:
    letters = [letter for letter, bit in _LETTERS.items() if minion["keywords"] >> bit & 1]
    letters += ["R"] * minion["deathrattle"] + ["N"] * minion["enrage"]
    stats = (minion["attack"], minion["health"], minion["max_health"])
    readiness = (minion["exhausted"], minion["attacks"])
    return (card, *stats, "".join(sorted(letters)), *readiness, minion["spell_damage"], minion["cost"])
