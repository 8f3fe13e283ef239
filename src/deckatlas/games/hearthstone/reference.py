"""Reference files of Hearthstone: checks the form of every line.

A line is a *trace*, a whole game with the state after every step, or a *scenario*, a position with actions and
expectations. `traces` and `scenarios` compare their contents.
"""

from dataclasses import dataclass
from typing import Any

from deckatlas.errors import TraceError
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES
from deckatlas.games.reference_files import ReferenceLine
from deckatlas.shapes import Check, Misfit, flag, list_of, number_between, record, show, text, whole_number

# Other keys of a line of a scenario file, which are not used.
REMARKS = (
    "name",
    "cards",
    "source",
    "verified",
    "status",
    "note",
    "random",
    "changed_over_time",
    "why_unverified",
    "adapter_override",
    "fireplace_says",
)


@dataclass(frozen=True)
class ReferenceEntry:
    """One line of a reference file, with its form checked: a trace or a scenario."""

    where: str
    is_trace: bool
    data: dict[str, Any]


def parse_entry(line: ReferenceLine) -> ReferenceEntry:
    """Reads a line of a file. The states inside a trace are not checked yet.

    Raises:
        TraceError: If it is not a trace or a scenario; the message names file, line and place.
    """
    where, data = line.where, line.parse()
    is_trace = isinstance(data, dict) and "steps" in data
    if not is_trace and not (isinstance(data, dict) and "do" in data):
        raise TraceError(f"{where}: neither a trace (with 'steps') nor a scenario (with 'do')")
    try:
        (_trace if is_trace else _scenario)(data)
    except Misfit as misfit:
        raise TraceError(f"{where}: {misfit}") from None
    return ReferenceEntry(where, is_trace, data)


def one_of(*values: str) -> Check:
    """Accepts only these texts."""

    def check(value: Any) -> None:
        if value not in values:
            raise Misfit(f"expected one of {', '.join(values)}, not {show(value)}")

    return check


def or_null(check: Check) -> Check:
    """Accepts null, and everything that passes `check`."""

    def check_value(value: Any) -> None:
        if value is not None:
            check(value)

    return check_value


def anything(value: Any) -> None:
    """Accepts any value."""


# ---- traces ----------------------------------------------------------------------------------------------------------


def _held(value: Any) -> None:
    list_of(anything, most=4)(value)
    if len(value) not in (2, 4):
        raise Misfit(f"expected a card, its cost and optionally attack and health, not {len(value)} entries")
    text(value[0])
    list_of(whole_number)(value[1:])


_numbers = dict.fromkeys
_player = {
    "hero": record({"id": text, **_numbers(("h", "mh", "ar", "a", "fz", "im", "x", "na", "fat"), whole_number)}),
    "wpn": or_null(record({"id": text, "a": whole_number, "d": whole_number})),
    "pow": record({"id": text, "x": whole_number, "c": whole_number}),
    "mana": list_of(whole_number, size=6),
    "board": list_of(
        record({"id": text, "k": text, **_numbers(("a", "h", "mh", "x", "na", "sp", "c"), whole_number)}), most=7
    ),
    "hand": list_of(_held, most=10),
    "sec": list_of(text, most=5),
    **_numbers(("deck", "spd", "combo"), whole_number),
    "ps": text,
}
_state = {"t": whole_number, "cp": number_between(1, 2), "st": text}
_start = record(
    {**_state, "p": list_of(record({**_player, "deck_bottom_to_top": list_of(text, most=30)}), size=2)},
    {"choice": list_of(text)},
)
check_recorded_state = record({**_state, "p": list_of(record(_player), size=2)}, {"choice": list_of(text)})
_decision = record(_numbers(("score", "n_end_nodes", "plan_len"), whole_number), more_keys=True)
_step = record(
    {"a": text, "o": text, "s": record({}, more_keys=True)}, {"rnd": anything, "decision": _decision}, more_keys=True
)
_trace = record(
    {
        **_numbers(("game", "seed"), whole_number),
        "start": _start,
        "steps": list_of(_step),
        "result": list_of(text, size=2),
    },
    more_keys=True,
)

# ---- scenarios -------------------------------------------------------------------------------------------------------

_small = number_between(0, 1000)
_minion = record({"id": text}, {"damage": _small, "sick": flag})


def _on_board(value: Any) -> None:
    if not isinstance(value, str):
        _minion(value)


_side = record(
    {"class": one_of(*HERO_CLASSES), "mana": number_between(0, 10), "max_mana": number_between(0, 10)},
    {
        "health": number_between(-100, 1000),
        **_numbers(("armor", "fatigue"), number_between(0, 255)),
        "board": list_of(_on_board, most=7),
        "hand": list_of(text, most=10),
        "deck": list_of(text, most=30),
        "weapon": or_null(text),
        "secrets": list_of(text, most=5),
    },
)
_bounds = record({}, {"min": whole_number, "max": whole_number, "in": list_of(anything)})


def _fact(value: Any) -> None:
    if isinstance(value, dict):
        _bounds(value)


def _facts(value: Any) -> None:
    record(dict.fromkeys(value, _fact) if isinstance(value, dict) else {})(value)


_ACTIONS: dict[str, Check] = {
    "play": record({"play": text}, {"target": or_null(text), "position": number_between(0, 7), "choose": text}),
    "attack": record({"attack": text, "target": text}),
    "power": record({"power": flag}, {"target": or_null(text)}),
    "end_turn": record({"end_turn": flag}),
    "pick": record({"pick": text}),
}


def _action(value: Any) -> None:
    kind = next((kind for kind in _ACTIONS if isinstance(value, dict) and kind in value), None)
    if kind is None:
        raise Misfit(f"expected an action with one of {', '.join(_ACTIONS)}, illegal or check")
    _ACTIONS[kind](value)


def _doing(value: Any) -> None:
    if isinstance(value, dict) and "check" in value:
        record({"check": _facts})(value)
    elif isinstance(value, dict) and "illegal" in value:
        record({"illegal": _action})(value)
    else:
        _action(value)


check_doings = list_of(_doing)
check_facts = _facts
_scenario = record(
    {"name": text, "me": _side, "op": _side, "do": check_doings, "expect": check_facts},
    {"random": flag},
    more_keys=True,
)
