"""The settings of a run for people: one line per value, and which of them differ from the defaults."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from deckatlas.errors import DeckatlasError
from deckatlas.runs.read_config import config_class


def settings_of(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The values of a configuration by their names, such as `search.evaluations`; without absent ones."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from settings_of(value, f"{prefix}{key}.")
        elif value is not None:
            yield f"{prefix}{key}", str(value).lower() if isinstance(value, bool) else repr(value)


def given_settings(config: Mapping[str, Any]) -> frozenset[str] | None:
    """The names of the values that differ from their defaults or have none; None if the kind of run is not known here.

    Args:
        config: The resolved configuration.
    """
    try:
        known = config_class(str(config["space"]["kind"]))
    except DeckatlasError:
        return None
    return frozenset(_given(config, known, ""))


def _given(table: Mapping[str, Any], model: type[BaseModel], prefix: str) -> Iterator[str]:
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    defaults = _defaults(table, fields, model)
    for key, value in table.items():
        field, name = fields.get(key), f"{prefix}{key}"
        inner = _table_class(field.annotation, value) if field and isinstance(value, Mapping) else None
        if inner is not None:
            yield from _given(value, inner, f"{name}.")
        elif isinstance(value, Mapping):
            yield from (each for each, _ in settings_of(value, f"{name}."))
        elif key not in defaults or defaults[key] != value:
            yield name


def _defaults(table: Mapping[str, Any], fields: Mapping[str, FieldInfo], model: type[BaseModel]) -> dict[str, Any]:
    """The defaults of a table, ready for JSON. Some follow from another value, such as the name of a recipe."""
    own = {name: field for name, field in fields.items() if not field.is_required()}
    found = {name: field.get_default(call_default_factory=True, validated_data={}) for name, field in own.items()}
    chosen = {name: table[name] for name, field in own.items() if _is_literal(field.annotation) and name in table}
    with suppress(ValidationError, DeckatlasError):  # unless the table needs more values than these
        found |= {**model.model_validate(chosen).model_dump(), **{name: found[name] for name in chosen}}
    defaults: dict[str, Any] = to_jsonable_python(found)
    return defaults


def _is_literal(annotation: Any) -> bool:
    return get_origin(annotation) is Literal


def _table_class(annotation: Any, table: Mapping[str, Any]) -> type[BaseModel] | None:
    """The class of a table: of a union, the one whose literal values, such as `algorithm`, the table has."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        literals = ((name, field.annotation) for name, field in annotation.model_fields.items())
        chosen = [(name, get_args(each)) for name, each in literals if _is_literal(each)]
        return annotation if all(table.get(name, values[0]) in values for name, values in chosen) else None
    parts = () if _is_literal(annotation) else get_args(annotation)
    found = (_table_class(part, table) for part in parts)
    return next((each for each in found if each is not None), None)
