"""Turns a pydantic validation error into one line that says what would be right."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from deckatlas.documents.toml_lines import Path, dotted
from deckatlas.errors import SearchError
from deckatlas.shapes import nearest, show

Schema = Mapping[str, Any]

_MOST_COMPARED = 100  # a file can have a hundred thousand mistakes; the first of these is reported


@dataclass(frozen=True)
class Complaint:
    """A mistake, and the paths of the values that may cause it, the most likely first."""

    paths: tuple[Path, ...]
    text: str


def first_complaint(
    error: ValidationError, model: type[BaseModel], *, order: Callable[[tuple[Path, ...]], int]
) -> Complaint:
    """The complaint to report: an unknown key, because it may explain the others, or else the first by `order`."""
    schema = _schema_of(model)
    details = error.errors(include_url=False)
    unknown = [detail for detail in details if detail["type"] == "extra_forbidden"]
    found = [schema.complaint(detail) for detail in (unknown or details)[:_MOST_COMPARED]]
    return min(found, key=lambda complaint: order(complaint.paths))


@cache
def _schema_of(model: type[BaseModel]) -> "_Schema":
    return _Schema(model)


class _Schema:
    """The JSON schema of a model, with its keys and their possible values."""

    def __init__(self, model: type[BaseModel]) -> None:
        self._root: Schema = model.model_json_schema()

    def complaint(self, detail: ErrorDetails) -> Complaint:
        path, node, table = self._find(detail["loc"])
        kind, given = detail["type"], detail["input"]
        if kind == "extra_forbidden":
            tags = [key for key in table["properties"] if "const" in table["properties"][key]]  # tags select the table
            return _unknown_key(path, table["properties"], *((*path[:-1], tag) for tag in tags))
        if kind in ("union_tag_not_found", "union_tag_invalid"):
            return self._tag_complaint(path, node, given)
        if kind == "missing":
            return Complaint((path,), f"{dotted(path)} is missing: it must be {self._expected(node)}")
        if kind in ("value_error", "assertion_error"):
            error = detail["ctx"]["error"]
            keys = error.keys if isinstance(error, SearchError) else ()
            paths = (*((*path, *key.split(".")) for key in keys), path)
            return Complaint(paths, f"{dotted(path)}: {error}" if path else str(error))
        expected = self._expected(node)
        return Complaint((path,), f"{dotted(path) or 'the configuration'} must be {expected}, not {_shown(given)}")

    def _find(self, location: tuple[int | str, ...]) -> tuple[Path, Schema, Schema]:
        """Follows the location of an error; returns its path, the schema there, and the table around it.

        In a location, a table of a union is followed by the tag that selected its member; a path has no tags.
        """
        path: Path = ()
        node = table = self._resolved(self._root)
        for part in location:
            if "discriminator" in node:
                node = self._resolved({"$ref": node["discriminator"]["mapping"][part]})
                continue
            table, path = node, (*path, part)
            inner = node["items"] if isinstance(part, int) else node.get("properties", {}).get(part)
            node = self._resolved(inner or node.get("additionalProperties") or {})
        return path, node, table

    def _resolved(self, node: Schema) -> Schema:
        while "$ref" in node:
            node = self._root["$defs"][node["$ref"].rpartition("/")[2]]
        choices = [choice for choice in node.get("anyOf", ()) if choice.get("type") != "null"]
        return self._resolved(choices[0]) if len(choices) == 1 else node

    def _tag_complaint(self, path: Path, union: Schema, given: Mapping[str, Any]) -> Complaint:
        tag, members = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        if tag in given:
            return Complaint(((*path, tag),), f"unknown {tag} {show(given[tag])}: {nearest(str(given[tag]), members)}")
        known = {tag}.union(*(self._resolved({"$ref": member})["properties"] for member in members.values()))
        for key in given:
            if key not in known:
                return _unknown_key((*path, key), known)
        return Complaint((path,), f"{dotted((*path, tag))} is missing: it must be {_one_of(list(members))}")

    def _expected(self, node: Schema) -> str:
        node = self._resolved(node)
        if "const" in node:
            return repr(node["const"])
        if "enum" in node:
            return _one_of(node["enum"])
        if "anyOf" in node:
            return " or ".join(self._expected(choice) for choice in node["anyOf"])
        kind = node.get("type", "object")
        names = {"integer": "a whole number", "number": "a number", "boolean": "true or false", "string": "a text"}
        names |= {"array": "a list", "object": "a table"}
        return f"{names[kind]}{_range(node)}"


def _unknown_key(path: Path, known: Mapping[str, Any] | set[str], *others: Path) -> Complaint:
    where = f" in [{dotted(path[:-1])}]" if path[:-1] else ""
    return Complaint((path, *others), f"unknown key {show(path[-1])}{where}: {nearest(str(path[-1]), known)}")


def _shown(value: object) -> str:
    """A value in TOML's terms."""
    if isinstance(value, bool):
        return str(value).lower()
    return "a table" if isinstance(value, dict) else show(value)


def _one_of(values: list[Any]) -> str:
    *others, last = [repr(value) for value in values]
    return f"{', '.join(others)} or {last}" if others else last


def _range(node: Schema) -> str:
    """The bounds of a number or of the length of a list, as words to append to its name."""
    multiple = f", a multiple of {node['multipleOf']:g}" if "multipleOf" in node else ""
    if "minimum" in node and "maximum" in node:
        return f" from {node['minimum']} to {node['maximum']}{multiple}"
    bounds = {
        "minimum": "of at least",
        "exclusiveMinimum": "above",
        "maximum": "of at most",
        "exclusiveMaximum": "below",
    }
    bounds |= {"minItems": "of at least", "maxItems": "of at most"}
    words = [f"{word} {node[bound]}" for bound, word in bounds.items() if bound in node]
    return (f" {' and '.join(words)}" if words else "") + multiple
