"""Parses expressions of the card language: its names and operators, and nothing else of Python."""

import ast
import operator
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from inspect import Parameter, signature
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from deckatlas.errors import CardError
from deckatlas.files.limits import MOST_EFFECT_CHARACTERS
from deckatlas.games.hearthstone.cards.language import VOCABULARY
from deckatlas.games.hearthstone.cards.long_form import LONG_FORM
from deckatlas.games.hearthstone.cards.terms import SLOTS, Slot
from deckatlas.shapes import nearest, show


def parse_effects(text: str) -> tuple[Slot, ...]:
    """Parses the effects of a card.

    Raises:
        CardError: If the text is not an expression of the language.
    """
    if len(text) > MOST_EFFECT_CHARACTERS:
        raise CardError(f"has an effect of more than {MOST_EFFECT_CHARACTERS:,} characters")
    try:
        effects = as_effects(_read(_parse(text)))
        for effect in effects:
            _check_fields(effect)
    except (SyntaxError, RecursionError, MemoryError):
        raise CardError(f"has an effect that is not an expression: {text[:200]!a}") from None
    return effects


def _parse(text: str) -> ast.expr:
    try:
        return ast.parse(f"({text}\n)", mode="eval").body
    except ValueError as error:  # characters that no program can contain: a null, half a surrogate pair
        raise SyntaxError(str(error)) from None


def as_effects(value: object) -> tuple[Slot, ...]:
    """An effect or several, as a tuple.

    Raises:
        CardError: If the value is something else.
    """
    slots = value if isinstance(value, tuple) else (value,)
    for slot in slots:
        if not isinstance(slot, SLOTS):
            raise CardError(
                "has something that is not an effect; start with spell, battlecry, on, aura, deathrattle, ..."
            )
    return slots


def _read(node: ast.expr) -> object:
    """The value that a syntax tree stands for."""
    match node:
        case ast.Constant(value=bool() | int() | str() as value):
            return value
        case ast.Name(id=name):
            return _word(name)
        case ast.Tuple(elts=items):
            return tuple(_read(item) for item in items)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=options):
            return _call(name, args, options)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert() as op, operand=operand):
            return _operate(node, _UNARY[type(op)], _read(operand))
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.Mult() | ast.Add() as op, right=right):
            return _operate(node, _BINARY[type(op)], _read(left), _read(right))
    raise CardError(f"has an effect with something that is not in the language: {ast.unparse(node)}")


def _word(name: str) -> object:
    if name in LONG_FORM:
        return LONG_FORM[name]
    if name not in VOCABULARY:
        raise CardError(f"has an effect with the unknown word {show(name)}: {nearest(name, VOCABULARY)}")
    return VOCABULARY[name]


def _plain(function: Callable[..., object]) -> list[Parameter]:
    """The parameters of a word, as people write them: without types."""
    return [each.replace(annotation=Parameter.empty) for each in signature(function).parameters.values()]


def _call(name: str, args: list[ast.expr], options: list[ast.keyword]) -> object:
    function = _word(name)
    if not callable(function):
        raise CardError(f"has an effect in which {name} has brackets, but takes nothing")
    named = {option.arg: _read(option.value) for option in options if option.arg is not None}
    if len(named) < len(options):
        raise CardError("has an effect with something that is not in the language: **")
    values = [_read(arg) for arg in args]
    try:
        return function(*values, **named)
    except CardError as error:
        raise CardError(f"has an effect with a wrong use of {name}: {error}") from None
    except (TypeError, AttributeError, ValueError, OverflowError):
        takes = ", ".join(map(str, _plain(function)))
        raise CardError(f"has an effect with a wrong use of {name}, which is written {name}({takes})") from None


def _operate(node: ast.expr, operation: Callable[..., object], *values: object) -> object:
    try:
        if any(isinstance(value, str | tuple) for value in values):
            raise TypeError
        return operation(*values)
    except TypeError:
        raise CardError(f"has an effect that combines values that do not fit: {ast.unparse(node)}") from None


_UNARY: dict[type[ast.unaryop], Callable[..., object]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_BINARY: dict[type[ast.operator], Callable[..., object]] = {
    ast.BitAnd: operator.and_,
    ast.Mult: operator.mul,
    ast.Add: operator.add,
}


def _check_fields(term: Any) -> None:
    """Checks that every part of a term has the right type, as a type checker does for effects in Python."""
    for name, kind in _hints(term.__class__).items():
        value = getattr(term, name)
        if not _fits(value, kind):
            parts = value if isinstance(value, tuple) else (value,)
            wrong = next(part for part in parts if not _fits((part,) if isinstance(value, tuple) else part, kind))
            raise CardError(f"has an effect with the wrong {name}: {_shown(wrong)}")
        for part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(part):
                _check_fields(part)


def _shown(value: object) -> str:
    """A value in the words of the language."""
    if callable(value):
        return f"{getattr(value, '__name__', 'a word')} without its brackets"
    name = next((name for name, known in VOCABULARY.items() if known is value), None)
    return name or show(value)


@cache
def _hints(kind: type[object]) -> dict[str, Any]:
    return get_type_hints(kind)


def _fits(value: object, kind: Any) -> bool:
    if isinstance(kind, UnionType):
        return any(_fits(value, one) for one in get_args(kind))
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(_fits(item, get_args(kind)[0]) for item in value)
    if kind is int and isinstance(value, bool):
        return False
    return isinstance(value, kind)
