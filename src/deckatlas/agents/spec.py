"""Specs: short texts that name an agent and its options, such as `greedy` or `mcts:playouts=400,c=0.5`."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from deckatlas.errors import AgentError

Made = TypeVar("Made")


@dataclass(frozen=True)
class Entry(Generic[Made]):
    """What a registry knows about one name: how to make it, what it is, and which options it takes."""

    make: Callable[..., Made]
    summary: str
    options: Mapping[str, str] = field(default_factory=dict)


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint that ends an error message: the nearest known name, or all of them if none is near."""
    known = sorted(names)
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"known: {', '.join(known)}" if known else "there are none"


def int_option(name: str, text: str) -> int:
    """The whole number that an option's text gives.

    Raises:
        AgentError: If it gives none.
    """
    try:
        return int(text)
    except ValueError:
        raise AgentError(f"option '{name}' is a whole number, not '{text}'") from None


def float_option(name: str, text: str) -> float:
    """The number that an option's text gives.

    Raises:
        AgentError: If it gives none.
    """
    try:
        return float(text)
    except ValueError:
        raise AgentError(f"option '{name}' is a number, not '{text}'") from None


def _parse_options(spec: str, text: str) -> dict[str, str]:
    options = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key in options:
            raise AgentError(f"{spec!r}: option {key!r} is given twice")
        options[key] = value
    return options


def keep_options(spec: str, keep: Callable[[str], bool]) -> str:
    """The spec with those of its options that are to be kept."""
    name, _, rest = spec.partition(":")
    kept = [part for part in rest.split(",") if part and keep(part.partition("=")[0])]
    return f"{name}:{','.join(kept)}" if kept else name


def make_from_spec(spec: str, registry: Mapping[str, Entry[Made]], *, kind: str) -> Made:
    """Makes what `spec` names: a name, or a name, a colon and options separated by commas.

    Raises:
        AgentError: If the name or an option is unknown; the message has the nearest known one.
    """
    name, _, rest = spec.partition(":")
    entry = registry.get(name)
    if entry is None:
        raise AgentError(f"unknown {kind} {name!r}: {nearest(name, registry)}")
    options = _parse_options(spec, rest)
    for option in options:
        if option not in entry.options:
            raise AgentError(f"{name!r} has no option {option!r}: {nearest(option, entry.options)}")
    return entry.make(**options)
