"""Reference files of other engines: JSON, one object per line, plain or gzip."""

import gzip
import io
import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckatlas.errors import TraceError

GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class ReferenceFile:
    """A reference file as lines that are not parsed yet."""

    name: str
    lines: tuple[bytes, ...]


def read_reference_file(path: Path | str) -> ReferenceFile:
    """Reads a file, unpacking it if it is gzip.

    Raises:
        TraceError: If it cannot be read, its gzip data is cut off, or it is empty.
    """
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise TraceError(f"{name}: cannot read it: {reason}") from None
    file = gzip.GzipFile(fileobj=io.BytesIO(data)) if data.startswith(GZIP_MAGIC) else io.BytesIO(data)
    lines: list[bytes] = []
    try:
        lines.extend(file)
    except (EOFError, OSError, zlib.error) as error:
        raise TraceError(f"{name}, line {len(lines) + 1}: broken gzip: {error}") from None
    if not any(line.strip() for line in lines):
        raise TraceError(f"{name}, line 1: the file is empty")
    return ReferenceFile(name, tuple(lines))


def parse_line(file: ReferenceFile, line: int) -> Any:
    """The content of line `line` (counted from 1) of a file.

    Raises:
        TraceError: If it is not JSON; the message names file and line.
    """
    where = f"{file.name}, line {line}"
    try:
        return json.loads(file.lines[line - 1].decode("utf-8"), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise TraceError(f"{where}: not JSON, or cut off: {error.msg} (column {error.colno})") from None
    except UnicodeDecodeError:
        raise TraceError(f"{where}: not JSON: it is not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise TraceError(f"{where}: not JSON: {error}") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
