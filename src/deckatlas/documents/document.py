"""Configuration files: TOML, overrides by `--set`, and validation by a pydantic model.

An error is one line that names the place: the file and the line, or the `--set` option.
"""

import datetime
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from deckatlas.documents.complaints import Complaint, first_complaint
from deckatlas.documents.toml_lines import Path, dotted, toml_lines
from deckatlas.errors import RunError
from deckatlas.files.limits import MOST_DEPTH, MOST_TOML_BYTES
from deckatlas.files.plain_data import NotPlainData, toml_values
from deckatlas.files.programs import check_program
from deckatlas.files.reading import read_text, shown_path
from deckatlas.shapes import is_text, show

Model = TypeVar("Model", bound=BaseModel)


@dataclass
class Document:
    """Values from a file and from the command line, each with its place.

    Attributes:
        name: The name of the file in errors.
        values: The values, as read from TOML.
        places: The place of each path's value; a path without an entry has the place of its table.
    """

    name: str
    values: dict[str, Any]
    places: dict[Path, str] = field(default_factory=dict)

    def copy(self) -> "Document":
        """An independent copy."""
        return Document(self.name, deepcopy(self.values), dict(self.places))

    def place(self, path: Path) -> str:
        """The place of a value, as readable text."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return self.name

    def likeliest_place(self, paths: Sequence[Path]) -> str:
        """The place to blame for a mistake in one of these values.

        That is the first of them that the command line set, or else the first with a place of its own.
        """
        own = [self.places[path] for path in paths if path in self.places]
        set_there = [place for place in own if place.startswith("--")]
        return (set_there or own or [self.place(paths[0])])[0]

    def pop(self, key: str) -> Any:
        """Removes a key and returns its value, or None if it is missing; its places are kept."""
        return self.values.pop(key, None)

    def set(self, path: tuple[str, ...], value: Any, place: str) -> None:
        """Sets a value; missing tables on the way to it are created.

        Raises:
            RunError: If something on the way is not a table.
        """
        table = self.values
        for depth, key in enumerate(path[:-1], start=1):
            if key not in table:
                table[key] = {}
                self.places[path[:depth]] = place
            table = table[key]
            if not isinstance(table, dict):
                raise RunError(f"{place}: {dotted(path[:depth])} is not a table")
        if isinstance(table.get(path[-1]), dict | list):  # then something inside may have a place
            self.places = {known: where for known, where in self.places.items() if known[: len(path)] != path}
        table[path[-1]] = value
        self.places.pop(path, None)  # what is set later comes later
        self.places[path] = place

    def set_from_text(self, text: str) -> None:
        """Sets a value from the text of `--set`, such as `a.b=3`. The value is TOML, or else plain text.

        Raises:
            RunError: If the text does not have this form.
        """
        place = f"--set {text if text.isprintable() else ascii(text)}"
        key, equals, value = text.partition("=")
        path = tuple(part.strip() for part in key.split("."))
        if not equals or not all(path):
            raise RunError(f"{place}: write KEY=VALUE, such as search.population=20")
        if len(path) > MOST_DEPTH:
            raise RunError(f"{place}: the key has {len(path):,} parts, but it may have at most {MOST_DEPTH}")
        if not is_text(text):
            raise RunError(f"{place}: it is not UTF-8")
        self.set(path, _value_of(value), place)

    def merge(self, table: Mapping[str, Any], within: str) -> None:
        """Sets every value of a table of this document, under the key `within`."""
        for path, value in _leaves(table):
            self.set(path, value, self.place((within, *path)))

    def part(self, *tables: tuple[str, ...]) -> "Document":
        """A new document from tables of this one; later tables override earlier ones, missing tables are skipped.

        Raises:
            RunError: If one of them is not a table.
        """
        made = Document(self.place(tables[-1]), {})
        for path in tables:
            value: Any = self.values
            for depth, key in enumerate(path, start=1):
                value = value.get(key, {})
                if not isinstance(value, dict):
                    raise RunError(f"{self.place(path[:depth])}: {dotted(path[:depth])} must be a table")
            for inner, leaf in _leaves(value):
                made.set(inner, leaf, self.place((*path, *inner)))
        return made

    def over(self, values: Mapping[str, Any]) -> "Document":
        """A document with `values`, which have no place, overridden by the values of this one."""
        made = Document(self.name, deepcopy(dict(values)))
        for path, value in _leaves(self.values):
            made.set(path, value, self.place(path))
        return made

    def check(self, model: type[Model]) -> Model:
        """The document as a model.

        Raises:
            RunError: If a key is unknown, or a value is impossible.
        """
        for path, value in _values(self.values):
            if isinstance(value, float) and not math.isfinite(value):
                raise RunError(f"{self.place(path)}: {dotted(path)} must be a finite number, not {value}")
            if isinstance(value, datetime.date | datetime.time):
                raise RunError(f"{self.place(path)}: {dotted(path)} cannot be a date or a time")
            if isinstance(value, str) and not is_text(value):  # such as a name made of that of a file
                raise RunError(f"{self.place(path)}: {dotted(path)} must be UTF-8, not {show(value)}")
        try:
            # Through JSON, which separates numbers, texts and lists as strictly as TOML does.
            return model.model_validate_json(json.dumps(self.values), strict=True)
        except ValidationError as error:
            complaint = first_complaint(error, model, order=self._order())
        # Outside the handler, to release pydantic's error: the garbage collector cannot see what it references.
        raise RunError(self._line_of(complaint))

    def _line_of(self, complaint: Complaint) -> str:
        return f"{self.likeliest_place(complaint.paths)}: {complaint.text}"

    def _order(self) -> Callable[[Sequence[Path]], int]:
        """Gives the position of paths among all that have a place, so that a file's first mistake is reported first."""
        order: dict[str, int] = {}
        for number, place in enumerate(self.places.values()):
            order.setdefault(place, number)
        return lambda paths: order.get(self.likeliest_place(paths), -1)


def read_document(file: FilePath, *, may_start_programs: bool = True) -> Document:
    """Reads a TOML file.

    Args:
        file: The file.
        may_start_programs: Whether the agents of such a file can be programs, which the user must then allow. Other
            files have no agents, or their readers refuse programs.

    Raises:
        RunError: If it cannot be read, is not TOML, or names a program that the user does not allow.
    """
    text = read_text(file, most=MOST_TOML_BYTES, error=RunError).replace("\r\n", "\n")
    name = shown_path(file)
    try:
        values = toml_values(text)
    except NotPlainData as error:
        raise error.of(name, RunError) from None
    document = Document(name, values, {path: f"{name}, line {line}" for path, line in toml_lines(text).items()})
    for path, value in _values(values) if may_start_programs else ():
        if isinstance(value, str):
            check_program(value, document.place(path))
    return document


def _value_of(text: str) -> Any:
    try:
        values = toml_values(f"value = {text}")
    except NotPlainData:
        return text.strip()
    return values["value"] if len(values) == 1 else text


def _leaves(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from (((key, *path), leaf) for path, leaf in _leaves(value))
        else:
            yield (key,), value


def _values(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """All values that are not tables or lists, at any depth."""
    if isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in entries:
            yield from _values(entry, (*path, key))
    else:
        yield path, value
