"""Checks for plain data from outside: the dictionaries, lists and numbers of a JSON text.

A check takes a value and raises `Misfit` if the value is wrong. Checks of lists and dictionaries are built from checks
of their contents, and report the place of the wrong value.
"""

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Check = Callable[[Any], None]

_MANY_NAMES = 60
_LONGEST_NAME = 100  # limit for comparing with known names, which is slow for long texts


class Misfit(Exception):  # noqa: N818 - callers turn it into an error that names what was read
    """A wrong value: the reason, and its place in the checked data."""

    def __init__(self, why: str, place: str = "") -> None:
        super().__init__(why, place)
        self.why, self.place = why, place

    def within(self, place: str) -> "Misfit":
        """The same misfit, with its place seen from one level further out."""
        return Misfit(self.why, place + self.place)

    def __str__(self) -> str:
        return f"{self.place.removeprefix('.')}: {self.why}" if self.place else self.why


def show(value: object) -> str:
    """A value as short, printable ASCII; only the type of values that can be large."""
    if not isinstance(value, int | float | str | None):
        return f"a {type(value).__name__}"
    if isinstance(value, int) and abs(value) >= 10**60:
        return "a huge number"
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def is_text(given: str) -> bool:
    """Whether a text can be written as UTF-8; names of files and arguments can hold bytes that are no text."""
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return True


def nearest(name: object, names: Iterable[str]) -> str:
    """A hint at the end of an error message: the nearest known name, ignoring case, or all of them if none is near."""
    known = sorted(names)
    by_folded = {each.casefold(): each for each in known}
    asked = name[:_LONGEST_NAME].casefold() if isinstance(name, str) else ""
    near = difflib.get_close_matches(asked, by_folded, n=1)
    if near:
        return f"did you mean {show(by_folded[near[0]])}?"
    if len(known) > _MANY_NAMES:
        return f"none of the {len(known)} known names is similar"
    return f"known: {', '.join(known)}" if known else "there are none"


def whole_number(value: Any) -> None:
    """Accepts any integer, but not true and false."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Misfit(f"expected a whole number, not {show(value)}")


def number_between(low: int, high: int) -> Check:
    """Accepts integers of a range, including both ends."""

    def check(value: Any) -> None:
        whole_number(value)
        if not low <= value <= high:
            raise Misfit(f"{show(value)} is not between {low} and {high}")

    return check


def flag(value: Any) -> None:
    """Accepts true and false."""
    if not isinstance(value, bool):
        raise Misfit(f"expected true or false, not {show(value)}")


def text(value: Any) -> None:
    """Accepts strings."""
    if not isinstance(value, str):
        raise Misfit(f"expected text, not {show(value)}")


def list_of(check: Check, *, size: int | None = None, most: int | None = None) -> Check:
    """Accepts lists of values that pass `check`, with exactly `size` or at most `most` of them."""

    def check_list(value: Any) -> None:
        if not isinstance(value, list | tuple):
            raise Misfit(f"expected a list, not {show(value)}")
        if size is not None and len(value) != size:
            raise Misfit(f"expected {size} entries, not {len(value)}")
        if most is not None and len(value) > most:
            raise Misfit(f"expected at most {most} entries, not {len(value)}")
        for i, entry in enumerate(value):
            try:
                check(entry)
            except Misfit as misfit:
                raise misfit.within(f"[{i}]") from None

    return check_list


def record(
    required: Mapping[str, Check], optional: Mapping[str, Check] | None = None, *, more_keys: bool = False
) -> Check:
    """Accepts dictionaries with these keys, and others only with `more_keys`."""
    checks = {**required, **(optional or {})}

    def check_record(value: Any) -> None:
        if not isinstance(value, Mapping):
            raise Misfit(f"expected a dictionary, not {show(value)}")
        for key in required:
            if key not in value:
                raise Misfit("missing", f".{key}")
        for key, entry in value.items():
            if key not in checks:
                if more_keys:
                    continue
                raise Misfit(f"unknown key {show(key)}: {nearest(key, checks)}")
            try:
                checks[key](entry)
            except Misfit as misfit:
                raise misfit.within(f".{key}") from None

    return check_record
