"""Reference files of Legends of Code and Magic: checks the form of every line.

A *trace* is a whole game: seed, draft, picks, decks, and for each turn the attempted actions, the legal actions and the
state after it. A *scenario* is one legal action on one board. `verify` compares their contents.
"""

from dataclasses import dataclass
from typing import Any

from deckatlas.errors import IllegalActionError, TraceError
from deckatlas.games.locm.position import known_card
from deckatlas.games.locm.state import Action
from deckatlas.games.reference_files import ReferenceLine
from deckatlas.shapes import Misfit, flag, list_of, number_between, record, show, text, whole_number


@dataclass(frozen=True)
class ReferenceEntry:
    """One line of a reference file, with its form checked: a trace or a scenario."""

    file: str
    line: int
    is_trace: bool
    data: dict[str, Any]


def battle_action(value: Any) -> None:
    """Accepts the text of an action in a battle."""
    text(value)
    try:
        action = Action.from_text(value.encode("ascii").decode())
    except (UnicodeEncodeError, IllegalActionError):
        raise Misfit(f"malformed action {show(value)}") from None
    if action.verb == "PICK":
        raise Misfit(f"{show(value)} is not an action of a battle")


# Wrong values of the right type are differences; the comparison finds them.
_hand_card = record({"id": known_card, "instance": whole_number})
_creature = record(
    {
        "instance": whole_number,
        "id": known_card,
        "atk": whole_number,
        "def": whole_number,
        "abilities": text,
        "can_attack": flag,
        "has_attacked": flag,
    }
)
_player = record(
    {
        **dict.fromkeys(("hp", "max_mana", "mana", "bonus_mana", "next_rune", "runes_left"), whole_number),
        **dict.fromkeys(("next_turn_draw", "bonus_draw", "deck_left"), whole_number),
        "hand": list_of(_hand_card),
        "lanes": list_of(list_of(_creature), size=2),
    }
)
_state = record({"players": list_of(_player, size=2)})
_turn = record(
    {
        **dict.fromkeys(("turn", "player", "n_legal_start"), whole_number),
        "start": record(dict.fromkeys(("hp", "mana", "hand"), whole_number)),
        "actions": list_of(battle_action),
        "legal": list_of(whole_number),
        "n_legal": list_of(whole_number),
        "after": _state,
    }
)


def _played_turn(value: Any) -> None:
    _turn(value)
    for key in ("legal", "n_legal"):
        if len(value[key]) != len(value["actions"]):
            raise Misfit(f"{len(value[key])} entries for {len(value['actions'])} actions", f".{key}")


# Other keys of a line, such as the players and the engine, are not compared.
_trace = record(
    {
        "seed": number_between(-(2**63), 2**64 - 1),
        "draft": list_of(list_of(known_card, size=3), size=30),
        "picks": list_of(list_of(number_between(0, 2), size=30), size=2),
        "decks": list_of(list_of(known_card, size=30), size=2),
        "initial": _state,
        "turns": list_of(_played_turn),
        "winner": whole_number,
    },
    more_keys=True,
)
_scenario = record(
    {
        "player": number_between(0, 1),
        "before": _state,
        "legal": list_of(battle_action),
        "action": battle_action,
        "after": _state,
        "winner": whole_number,
    },
    {"scenario": whole_number},
    more_keys=True,
)


def parse_entry(line: ReferenceLine) -> ReferenceEntry:
    """Reads a line of a file.

    Raises:
        TraceError: If it is not a trace or a scenario; the message names file, line and place.
    """
    where, data = line.where, line.parse()
    is_trace = isinstance(data, dict) and "turns" in data
    if not is_trace and not (isinstance(data, dict) and "before" in data):
        raise TraceError(f"{where}: neither a trace (with 'turns') nor a scenario (with 'before')")
    try:
        (_trace if is_trace else _scenario)(data)
    except Misfit as misfit:
        raise TraceError(f"{where}: {misfit}") from None
    return ReferenceEntry(line.file, line.number, is_trace, data)
