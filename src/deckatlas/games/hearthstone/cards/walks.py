"""Walks through all parts of expressions of the card language."""

from dataclasses import fields, is_dataclass

from deckatlas.games.hearthstone.cards.terms import Selector, Step

_FIELD_NAMES: dict[type, tuple[str, ...]] = {}  # a cache: walks ask for few types, very often


def field_names(kind: type) -> tuple[str, ...]:
    """The field names of a term's type; empty for other types."""
    if kind not in _FIELD_NAMES:
        _FIELD_NAMES[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
    return _FIELD_NAMES[kind]


def walk(node: object) -> list[object]:
    """All values inside an expression, the expression itself first."""
    found: list[object] = []
    _add_all(node, found)
    return found


def _add_all(node: object, found: list[object]) -> None:
    found.append(node)
    if isinstance(node, tuple):
        for item in node:
            _add_all(item, found)
        return
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, tuple) or field_names(type(value)):
            _add_all(value, found)


def chosen_in(steps: tuple[Step, ...]) -> Selector | None:
    """The set that an effect's target is chosen from; None if it has no target."""
    for node in walk(steps):
        if isinstance(node, Selector) and node.among is not None:
            return node.among
    return None
