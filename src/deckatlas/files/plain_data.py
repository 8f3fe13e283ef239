"""TOML and JSON texts from outside as plain data: bounded in depth, in digits, and in the time they take."""

import json
import math
import re
import tomllib
from pathlib import Path
from typing import Any

from deckatlas.errors import DeckatlasError
from deckatlas.files.limits import MOST_DEPTH, MOST_DIGITS, MOST_JSON_BYTES
from deckatlas.files.reading import read_bytes, shown_path
from deckatlas.shapes import show

# A dotted key that is too deep: the time of the standard library's reader is quadratic in the number of its parts.
_KEY = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP_KEY = re.compile(rf"(?<![A-Za-z0-9_-]){_KEY}(?:[ \t]*+\.[ \t]*+{_KEY}){{{MOST_DEPTH}}}")
_AT_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")

_NOT_TOML = "not TOML: "
_TOML_BITS = 63
_JSON_BITS = int(MOST_DIGITS * math.log2(10))
_TOO_DEEP = f"lists or tables are nested too deeply: more than {MOST_DEPTH} levels"


class NotPlainData(ValueError):  # noqa: N818 - callers turn it into an error that names what was read
    """A text that is not TOML or JSON, or is beyond a limit.

    Attributes:
        why: The reason.
        line: Its line, from 1, if known.
    """

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(f"{why.removeprefix(_NOT_TOML)}{'' if line is None else f' (line {line})'}")
        self.why, self.line = why, line

    def of(self, name: str, error: type[DeckatlasError]) -> DeckatlasError:
        """The error about a file of this name."""
        return error(f"{name}{'' if self.line is None else f', line {self.line}'}: {self.why}")


def toml_values(text: str) -> dict[str, Any]:
    """The values of a TOML document.

    Raises:
        NotPlainData: If it is not TOML, nested too deeply, or has a whole number beyond 64 bits.
    """
    if found := _DEEP_KEY.search(text):
        raise NotPlainData(_TOO_DEEP, text.count("\n", 0, found.end()) + 1)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = _AT_LINE.search(str(error))
        line = int(where[1]) if where and where[1] else None
        raise NotPlainData(f"{_NOT_TOML}{_AT_LINE.sub('', str(error))}", line) from None
    except RecursionError:
        raise NotPlainData(_TOO_DEEP) from None
    except ValueError:  # of Python itself, which reads no longer numbers
        raise NotPlainData("a number has thousands of digits") from None
    _check(values, _TOML_BITS, "has more than 64 bits")
    return values


def read_json(path: Path | str, *, error: type[DeckatlasError], what: str = "") -> Any:
    """The value in a JSON file.

    Args:
        path: The file.
        error: The class of what is raised.
        what: What the file is, for messages: "the network ".

    Raises:
        DeckatlasError: If it cannot be read, or is not JSON within the limits.
    """
    content = read_bytes(path, most=MOST_JSON_BYTES, error=error, what=what)
    try:
        return json_values(content)
    except NotPlainData as wrong:
        raise error(f"{what}{shown_path(path)}: {wrong.why}") from None


def json_values(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        NotPlainData: If it is not JSON, nested too deeply, or has a number that is not finite or has too many digits.
    """
    try:
        value = json.loads(text if isinstance(text, str) else text.decode("utf-8"), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise NotPlainData(f"it is not JSON, or cut off: {error.msg} (column {error.colno})", error.lineno) from None
    except UnicodeDecodeError:
        raise NotPlainData("it is not JSON: not UTF-8 text") from None
    except RecursionError:
        raise NotPlainData(f"it is not JSON: {_TOO_DEEP}") from None
    except NotPlainData:
        raise
    except ValueError:
        raise NotPlainData("it is not JSON: a number has thousands of digits") from None
    _check([value], _JSON_BITS, f"has more than {MOST_DIGITS} digits", finite=True)
    return value


def _no_constant(name: str) -> None:
    raise NotPlainData(f"it is not JSON: a number must be finite, not {name}")


def _check(value: dict[str, Any] | list[Any], most_bits: int, too_long: str, *, finite: bool = False) -> None:
    """Checks the depth and the numbers of a value, level by level: without recursion, which has a limit itself."""
    level: list[dict[str, Any] | list[Any]] = [value]
    depth = 0
    while level:
        if depth > MOST_DEPTH:
            raise NotPlainData(_TOO_DEEP)
        inside: list[dict[str, Any] | list[Any]] = []
        for container in level:
            for key, each in container.items() if isinstance(container, dict) else enumerate(container):
                kind = type(each)
                if kind is dict or kind is list:
                    inside.append(each)
                elif kind is int and each.bit_length() > most_bits:
                    raise NotPlainData(f"{_where(key)}a whole number {too_long}")
                elif finite and kind is float and not math.isfinite(each):
                    raise NotPlainData(f"{_where(key)}a number must be finite")
        level, depth = inside, depth + 1


def _where(key: str | int) -> str:
    return f"{show(key)}: " if isinstance(key, str) else ""
