"""Checks of an experiment's table [published]: numbers and tables of numbers, and complaints about anything else.

A kind of report combines these checks, for example `tables({"median": tables(dict.fromkeys(labels, a_number))})`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from deckatlas.documents.complaints import Complaint
from deckatlas.documents.toml_lines import Path, dotted
from deckatlas.shapes import nearest, show

PublishedCheck = Callable[[Any, Path], Iterator[Complaint]]


def a_number(value: Any, path: Path) -> Iterator[Complaint]:
    """A number."""
    if not _is_number(value):
        yield Complaint((path,), f"{dotted(path)} must be a number")


def with_deviation(value: Any, path: Path) -> Iterator[Complaint]:
    """A number and its deviation."""
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)):
        yield Complaint((path,), f"{dotted(path)} must be two numbers, such as [50.5, 0.1]")


def some_of(known: Collection[str]) -> PublishedCheck:
    """A list of some of these names."""

    def check(value: Any, path: Path) -> Iterator[Complaint]:
        if not isinstance(value, list):
            yield Complaint((path,), f"{dotted(path)} must be a list of names")
            return
        for number, name in enumerate(value):
            if name not in known:
                text = f"unknown name {show(name)} in {dotted(path)}: {nearest(str(name), known)}"
                yield Complaint(((*path, number), path), text)

    return check


def tables(entries: Mapping[str, PublishedCheck]) -> PublishedCheck:
    """A table that may have these names, each with a check for its value."""

    def check(value: Any, path: Path) -> Iterator[Complaint]:
        if not isinstance(value, Mapping):
            yield Complaint((path,), f"{dotted(path)} must be a table")
            return
        for name, entry in value.items():
            if name in entries:
                yield from entries[name](entry, (*path, name))
            else:
                text = f"unknown name {show(name)} in [{dotted(path)}]: {nearest(name, entries)}"
                yield Complaint(((*path, name),), text)

    return check


def under_any_name(check: PublishedCheck) -> PublishedCheck:
    """A table that may have any names, with one check for all values."""

    def check_all(value: Any, path: Path) -> Iterator[Complaint]:
        known = value if isinstance(value, Mapping) else ()
        yield from tables(dict.fromkeys(known, check))(value, path)

    return check_all


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
