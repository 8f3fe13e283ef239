"""The API of the studio as its description has it: addresses to ask, with values that fit the schema."""

from typing import Any
from urllib.parse import quote, urlencode

ADDRESS = "http://127.0.0.1"


def is_stream(operation: dict[str, Any]) -> bool:
    """Whether the answer has no end."""
    return "text/event-stream" in operation["responses"].get("200", {}).get("content", {})


def asked_addresses(description: dict[str, Any], *, run: str) -> list[str]:
    """An address for each GET of the API whose answer has an end; those about a run ask about this one."""
    return [
        _address(path, operation, run)
        for path, methods in description["paths"].items()
        if (operation := methods.get("get")) is not None and not is_stream(operation)
    ]


def _address(path: str, operation: dict[str, Any], run: str) -> str:
    query = {}
    for parameter in operation.get("parameters", ()):
        name = parameter["name"]
        value = run if name == "run" else _value(parameter["schema"], run)
        if parameter["in"] == "path":
            path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
        elif parameter["required"]:
            query[name] = value
    return f"{path}?{urlencode(query)}" if query else path


def _value(schema: dict[str, Any], run: str) -> object:
    """A value that a schema allows: the smallest number, the first word, or the id of the run."""
    kinds = {"integer": schema.get("minimum", 0), "number": schema.get("minimum", 0.0), "boolean": "true"}
    if "enum" in schema:
        return schema["enum"][0]
    return kinds.get(schema.get("type", ""), run)
