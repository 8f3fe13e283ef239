"""The file of a training's measures, a JSON line for each stage."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deckatlas.errors import RunError
from deckatlas.files.limits import MOST_JSON_BYTES
from deckatlas.files.plain_data import NotPlainData, json_values
from deckatlas.files.reading import read_text
from deckatlas.files.writing import make_folder, write_text


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
            text = read_text(path, most=MOST_JSON_BYTES, error=RunError)
            try:
                lines = [json_values(line) for line in text.splitlines()]
                self._lines = {str(line["stage"]): line for line in lines}
            except (NotPlainData, LookupError, TypeError):
                raise RunError(f"{path}: it does not have the measures of a training") from None

    def add(self, stage: str, values: Mapping[str, Any]) -> None:
        """Sets the line of a stage."""
        self._lines[stage] = {"stage": stage, **values}
        text = "".join(json.dumps(line) + "\n" for line in self._lines.values())
        make_folder(self._path.parent, error=RunError)
        write_text(self._path, text, error=RunError)

    def get(self, stage: str) -> dict[str, Any] | None:
        """The line of a stage, if there is one."""
        return self._lines.get(stage)

    def all(self) -> dict[str, dict[str, Any]]:
        """All lines by stage."""
        return dict(self._lines)
