"""The long form of effects: texts of the terms that expressions of the card language build.

People write the language, which is shorter. The long form is for files that store effects made in Python;
`parse_effects` reads both, but the words of the long form are not part of the language.
"""

import json
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum, Flag
from functools import partial, reduce
from operator import or_
from typing import Any

from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards import terms
from deckatlas.shapes import nearest, show


def effects_text(effects: tuple[terms.Slot, ...]) -> str:
    """The text from which `parse_effects` reads these effects."""
    return ", ".join(map(_text, effects))


def _text(value: Any) -> str:
    if isinstance(value, Enum):
        names = [each.name for each in type(value) if each in value] if isinstance(value, Flag) else [value.name]
        return f"{type(value).__name__}({', '.join(map(json.dumps, names))})"
    if isinstance(value, tuple):
        return f"({''.join(f'{_text(each)}, ' for each in value)})"
    if not is_dataclass(value):
        return repr(value)
    given = {field.name: getattr(value, field.name) for field in fields(value) if _is_given(field, value)}
    return f"{type(value).__name__}({', '.join(f'{name}={_text(part)}' for name, part in given.items())})"


def _is_given(field: Any, term: object) -> bool:
    return field.default is MISSING or getattr(term, field.name) != field.default


def _member(codes: type[Enum], *names: str) -> Enum:
    """A code by its name; for flags, the union of several names."""
    for name in names:
        if name not in codes.__members__:
            raise CardError(f"there is no {show(name)}: {nearest(name, codes.__members__)}")
    if issubclass(codes, Flag):
        return reduce(or_, (codes[name] for name in names), codes(0))
    (name,) = names
    return codes[name]


# The words of the long form: how each term and each code is made.
LONG_FORM: dict[str, Callable[..., object]] = {
    name: partial(_member, value) if issubclass(value, Enum) else value
    for name, value in vars(terms).items()
    if isinstance(value, type) and (is_dataclass(value) or (issubclass(value, Enum) and value is not Enum))
}
