"""Reference files of Legends of Code and Magic: reading them, and holding every line to its form.

A reference file is JSON, one object a line, plain or gzip. A *trace* is a whole game: seed, draft, picks, decks, and
for each turn what was tried, what was legal and the state after it. A *scenario* is one legal action on one board.
What they say is compared in `locm_verify`; here it is only made sure that they say something.
"""

import gzip
import io
import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckatlas.errors import IllegalActionError, TraceError
from deckatlas.games.locm import Action
from deckatlas.games.locm_position import known_card
from deckatlas.shapes import Misfit, between, flag, list_of, record, show, text, whole_number

GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class ReferenceFile:
    """A reference file as lines, not looked into yet."""

    name: str
    lines: tuple[bytes, ...]


@dataclass(frozen=True)
class Entry:
    """One line of a reference file, in good form: a trace, or else a scenario."""

    file: str
    line: int
    is_trace: bool
    data: dict[str, Any]


def read_reference_file(path: Path | str) -> ReferenceFile:
    """Reads a file, unpacking it if it is gzip.

    Raises:
        TraceError: If it cannot be read, is cut off inside gzip, or is empty.
    """
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise TraceError(f"{name}: cannot read it: {reason}") from None
    file = gzip.GzipFile(fileobj=io.BytesIO(data)) if data.startswith(GZIP_MAGIC) else io.BytesIO(data)
    lines: list[bytes] = []
    try:
        lines.extend(file)
    except (EOFError, OSError, zlib.error) as error:
        raise TraceError(f"{name}, line {len(lines) + 1}: broken gzip: {error}") from None
    if not any(line.strip() for line in lines):
        raise TraceError(f"{name}, line 1: the file is empty")
    return ReferenceFile(name, tuple(lines))


def battle_action(value: Any) -> None:
    """Accepts the text of an action in a battle."""
    text(value)
    try:
        action = Action.from_text(value.encode("ascii").decode())
    except (UnicodeEncodeError, IllegalActionError):
        raise Misfit(f"malformed action {show(value)}") from None
    if action.verb == "PICK":
        raise Misfit(f"{show(value)} is not an action of a battle")


# Values that are of the right kind but wrong are differences, to be found by comparing.
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


# A line may say more about itself than is compared: who played, which engine.
_trace = record(
    {
        "seed": between(-(2**63), 2**64 - 1),
        "draft": list_of(list_of(known_card, size=3), size=30),
        "picks": list_of(list_of(between(0, 2), size=30), size=2),
        "decks": list_of(list_of(known_card, size=30), size=2),
        "initial": _state,
        "turns": list_of(_played_turn),
        "winner": whole_number,
    },
    more_keys=True,
)
_scenario = record(
    {
        "player": between(0, 1),
        "before": _state,
        "legal": list_of(battle_action),
        "action": battle_action,
        "after": _state,
        "winner": whole_number,
    },
    {"scenario": whole_number},
    more_keys=True,
)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def parse_entry(file: ReferenceFile, line: int) -> Entry:
    """Reads line `line` (counted from 1) of a file.

    Raises:
        TraceError: If it is not a trace or a scenario; the message names file, line and place.
    """
    where = f"{file.name}, line {line}"
    try:
        data = json.loads(file.lines[line - 1].decode("utf-8"), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise TraceError(f"{where}: not JSON, or cut off: {error.msg} (column {error.colno})") from None
    except (ValueError, RecursionError) as error:
        raise TraceError(f"{where}: not JSON: {error}") from None
    is_trace = isinstance(data, dict) and "turns" in data
    if not is_trace and not (isinstance(data, dict) and "before" in data):
        raise TraceError(f"{where}: neither a trace (with 'turns') nor a scenario (with 'before')")
    try:
        (_trace if is_trace else _scenario)(data)
    except Misfit as misfit:
        raise TraceError(f"{where}: {misfit}") from None
    return Entry(file.name, line, is_trace, data)
