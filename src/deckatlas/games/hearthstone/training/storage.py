"""Files of a training that are complete or absent, whenever the process is killed."""

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError

Arrays = Mapping[str, npt.NDArray[Any]]

_NO_TIME = (1980, 1, 1, 0, 0, 0)  # so that the same arrays are the same bytes


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file that appears under its name only when it is complete and on the disk."""
    with whole_file(path) as partial:
        partial.write_bytes(content)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yields the name under which a file is to be written; it gets its own when it is complete and on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    yield partial
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.replace(path)


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Writes arrays as an NPZ file; the same arrays give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, array in arrays.items():
            entry = io.BytesIO()
            np.lib.format.write_array(entry, np.asarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _NO_TIME), entry.getbuffer())
    write_whole(path, content.getvalue())


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Reads the arrays of an NPZ file.

    Raises:
        RunError: If it is not such a file.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise RunError(f"cannot read {path}: {error}") from None


class Lines:
    """A file of JSON lines, one for each stage of a training; a stage that is repeated replaces its line."""

    def __init__(self, path: Path) -> None:
        """Reads the file, if it exists.

        Raises:
            RunError: If it has something else than JSON objects.
        """
        self._path = path
        self._lines: dict[str, dict[str, Any]] = {}
        if path.exists():
            try:
                lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
                self._lines = {line["stage"]: line for line in lines}
            except (OSError, ValueError, KeyError, TypeError):
                raise RunError(f"{path}: it does not have the measures of a training") from None

    def add(self, stage: str, values: Mapping[str, Any]) -> None:
        """Sets the line of a stage."""
        self._lines[stage] = {"stage": stage, **values}
        text = "".join(json.dumps(line) + "\n" for line in self._lines.values())
        write_whole(self._path, text.encode())

    def get(self, stage: str) -> dict[str, Any] | None:
        """The line of a stage, if there is one."""
        return self._lines.get(stage)

    def all(self) -> dict[str, dict[str, Any]]:
        """All lines by stage."""
        return dict(self._lines)
