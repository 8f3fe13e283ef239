"""Writes plain data as a TOML document, the inverse of reading one."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(values: Mapping[str, Any]) -> str:
    """The document with these values: numbers, strings, booleans, lists and tables of them. None is left out."""
    return "\n".join(_lines(values, ())).strip() + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    there = {key: value for key, value in table.items() if value is not None}
    tables = {key: value for key, value in there.items() if isinstance(value, Mapping)}
    if path and (len(tables) < len(there) or not there):
        yield f"\n[{'.'.join(map(_key, path))}]"
    for key, value in there.items():
        if key not in tables:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in tables.items():
        yield from _lines(value, (*path, key))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items() if each is not None)
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    # JSON writes numbers, strings and booleans like TOML, except for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
