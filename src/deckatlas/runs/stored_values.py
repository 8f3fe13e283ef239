"""What a store says, checked before it is used or shown: the types of its rows, the form of its JSON texts, its dates.

A hash tells whether a value is as it was written, not whether it makes sense: whoever changes a file can write a hash.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from deckatlas.files.limits import MOST_STORED_JSON_BYTES
from deckatlas.files.plain_data import json_values
from deckatlas.shapes import Check, Misfit, number_between, record, show, text, whole_number

MOST_ROWS = 2**48  # evaluations, games and the like: their sums still fit 64 bits
_MOST_GENES = 2**20
_MOST_CARDS = 2**16  # in a deck
_STORAGES = ("i4", "i8", "f8")
_YEARS = (2000, 3000)

_NAMES = {int: "a whole number", float: "a number", str: "text", bytes: "bytes", type(None): "nothing"}


def check_rows(rows: Iterable[Sequence[Any]], *kinds: type | tuple[type, ...]) -> None:
    """Checks the type of every value: any column of SQLite can hold anything.

    Raises:
        ValueError: If one has another type.
    """
    for row in rows:
        for value, kind in zip(row, kinds, strict=True):
            if not isinstance(value, kind):
                expected = " or ".join(_NAMES[each] for each in (kind if isinstance(kind, tuple) else (kind,)))
                raise ValueError(f"expected {expected}, not {show(value)}")


def stored_json(content: Any, check: Check) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: If it is not such a text, or its value does not pass the check.
    """
    if not isinstance(content, str):
        raise ValueError(f"expected a JSON text, not {show(content)}")
    if len(content) > MOST_STORED_JSON_BYTES:
        raise ValueError(f"a JSON text has more than {MOST_STORED_JSON_BYTES // 2**20} MiB")
    value = json_values(content)
    try:
        check(value)
    except Misfit as misfit:
        raise ValueError(str(misfit)) from None
    return value


def stored_date(content: Any) -> datetime:
    """A date and time.

    Raises:
        ValueError: If it is none, or in another age.
    """
    if not isinstance(content, str):
        raise ValueError(f"expected a date, not {show(content)}")
    found = datetime.fromisoformat(content)
    if found.tzinfo is None or not _YEARS[0] <= found.year < _YEARS[1]:
        raise ValueError(f"{show(content)} is not a date of a run")
    return found


def number(value: Any) -> None:
    """Accepts finite numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Misfit(f"expected a number, not {show(value)}")


def or_nothing(check: Check) -> Check:
    """Accepts null, and what another check accepts."""
    return lambda value: None if value is None else check(value)


def by_name(check: Check) -> Check:
    """Accepts dictionaries whose values all pass a check."""
    return lambda value: record(dict.fromkeys(value, check) if isinstance(value, Mapping) else {})(value)


def anything(_: Any) -> None:
    """Accepts everything."""


_table = by_name(anything)
_count = number_between(0, MOST_ROWS)

_check_config = record(
    {
        "name": text,
        "seed": whole_number,
        "space": record({"kind": text}, more_keys=True),
        "search": record({"algorithm": text}, {"evaluations": or_nothing(_count)}, more_keys=True),
        "evaluation": record({}, {"games": _count, "files": by_name(text)}, more_keys=True),
    },
    {"budget": or_nothing(_count), "archive": or_nothing(record({"kind": text}, more_keys=True))},
    more_keys=True,
)


def check_config(value: Any) -> None:
    """Accepts what every configuration of a run has.

    Raises:
        Misfit: If something is missing or has another type.
    """
    _check_config(value)
    if value.get("archive") is not None:
        record({"evaluations": _count}, more_keys=True)(value["search"])
        record({"games": _count}, more_keys=True)(value["evaluation"])


check_versions: Check = by_name(text)
check_facts: Check = by_name(or_nothing(number))  # of generations
check_gene_facts: Check = record(
    {},
    {
        **dict.fromkeys(("cost", "most", "dbf"), number_between(-(2**31), 2**32)),
        "type": text,
    },
    more_keys=True,
)
check_note: Check = record(
    {"round": number_between(0, 2**31), "predicted": by_name(number)},
    {
        "facts": record(
            {"elites": _count, "candidates": _count},
            {
                **dict.fromkeys(("trained_on", "held_out"), _count),
                **dict.fromkeys(("errors", "held_out_errors"), by_name(or_nothing(number))),
            },
        )
    },
)


def _number_type(value: Any) -> None:
    text(value)
    try:
        kind = np.dtype(value)
    except (TypeError, ValueError, SyntaxError):
        raise Misfit(f"expected a type of numbers, not {show(value)}") from None
    if kind.kind not in "iuf" or kind.shape or not kind.itemsize <= 8:
        raise Misfit(f"expected a type of numbers, not {show(value)}")


def _scale(value: Any) -> None:
    number(value)
    if not value:
        raise Misfit("a scale cannot be 0")


check_description: Check = record(
    {
        "title": text,
        "kind": text,
        "length": number_between(0, _MOST_GENES),
        "type": _number_type,
        "deck_size": number_between(0, _MOST_CARDS),
        "participants": number_between(1, 2),
        "objective": text,
        "scoring": record({"offset": number, "scale": _scale}),
        "planned": _count,
        "facts": _table,
    }
)


def check_columns(rows: Sequence[Sequence[Any]]) -> None:
    """Checks what evaluations measure: name, unit, storage, over, of and scale of each column.

    Raises:
        ValueError: If a storage is unknown, or a column is a multiple of one that is not there.
    """
    check_rows(rows, str, str, str, str, str, float)
    measured = {row[0] for row in rows if not row[4]}
    for name, _, storage, _, of, scale in rows:
        if storage not in _STORAGES:
            raise ValueError(f"the column {show(name)} has the unknown storage {show(storage)}")
        if of and of not in measured:
            raise ValueError(f"the column {show(name)} is a multiple of {show(of)}, which is not there")
        if not math.isfinite(scale):
            raise ValueError(f"the column {show(name)} has a scale that is not finite")
