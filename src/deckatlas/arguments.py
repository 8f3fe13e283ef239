"""Arguments of wrong types: public functions name the argument, in an error of ours.

A function that is `checked` runs as it is written. Only if it fails, with an error that is not ours or with that of a
function inside it that does not take an argument, are its arguments compared with its annotations: if one has another
type, that is the reason, and an `ArgumentError` says so. Mistakes of our own, and errors of functions that a caller
passes in, stay what they are. Functions of the core raise an `ArgumentError` by themselves.
"""

import collections.abc
import inspect
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from itertools import islice
from numbers import Integral, Real
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np

from deckatlas.errors import ArgumentError, DeckatlasError
from deckatlas.shapes import show

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_FUNCTION: type = collections.abc.Callable  # type: ignore[assignment]
_LOOKED_AT = 1000  # the first elements of a sequence


def checked(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """A public function that explains arguments of wrong types."""

    @wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if isinstance(error, DeckatlasError) and not isinstance(error, ArgumentError):
                raise
            wrong = wrong_argument(function, args, kwargs)
            if wrong is None:
                raise
            raise ArgumentError(wrong) from None

    return call


def wrong_argument(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> str | None:
    """What is wrong with the first argument that has another type than annotated; None if all fit."""
    try:
        given = inspect.signature(function).bind(*args, **kwargs)
        hints = typing.get_type_hints(function)
    except (TypeError, NameError):  # wrong names or numbers of arguments, which Python explains itself
        return None
    variable = {
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }
    for name, value in given.arguments.items():
        if name in hints and name not in variable and not fits(value, hints[name]):
            return f"{name} of {function.__name__} must be {described(hints[name])}, not {show(value)}"
    return None


def fits(value: object, hint: Any) -> bool:
    """Whether a value has an annotated type, as far as that can be seen without using it."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is None or hint is type(None):
        return value is None
    if origin in (Union, types.UnionType):
        return any(fits(value, each) for each in inner)
    if origin is Literal:
        return value in inner
    if origin is tuple:
        return isinstance(value, tuple | list) and _elements_fit(value, inner)
    if isinstance(origin, type):
        return _of_class(value, origin) and _contents_fit(value, origin, inner)
    return _of_class(value, hint) if isinstance(hint, type) else True


def _of_class(value: object, kind: type) -> bool:
    if kind is object or kind is Any:
        return True
    if kind is bool:
        return isinstance(value, bool | np.bool_)
    if kind in (int, float):
        number = Integral if kind is int else Real
        return isinstance(value, number) and not isinstance(value, bool)
    if kind is _FUNCTION:
        return callable(value)
    if getattr(kind, "_is_protocol", False):
        return all(hasattr(value, name) for name in vars(kind) if not name.startswith("_"))
    if isinstance(value, np.ndarray):
        return kind is np.ndarray or (value.ndim > 0 and kind in (Sequence, Collection, Iterable))
    return isinstance(value, kind)


def _elements_fit(values: Collection[object], hints: Sequence[Any]) -> bool:
    if len(hints) == 2 and hints[1] is Ellipsis:
        return all(fits(value, hints[0]) for value in islice(values, _LOOKED_AT))
    return len(values) == len(hints) and all(fits(value, hint) for value, hint in zip(values, hints, strict=True))


def _contents_fit(value: Any, origin: type, inner: Sequence[Any]) -> bool:
    if issubclass(origin, Mapping) and len(inner) == 2:
        return all(fits(key, inner[0]) and fits(each, inner[1]) for key, each in islice(value.items(), _LOOKED_AT))
    if issubclass(origin, Iterable) and isinstance(value, Collection) and len(inner) == 1:
        return isinstance(value, str) or all(fits(each, inner[0]) for each in islice(value, _LOOKED_AT))
    return True


def described(hint: Any) -> str:
    """A type in words, such as `str, Path or Edition`."""
    names = list(dict.fromkeys(_names(hint)))
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _names(hint: Any) -> list[str]:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return [name for each in get_args(hint) for name in _names(each)]
    if origin is Literal:
        return [repr(value) for value in get_args(hint)]
    if hint is None or hint is type(None):
        return ["None"]
    words = {int: "a whole number", float: "a number", str: "a text", bool: "True or False", Callable: "a function"}
    kind = hint if origin is None else origin
    return [words.get(kind, getattr(kind, "__name__", str(kind)))]
