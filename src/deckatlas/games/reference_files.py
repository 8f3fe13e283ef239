"""Reference files of other engines: JSON, one object per line, plain or gzip. They are read line by line."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckatlas.errors import TraceError
from deckatlas.files.plain_data import NotPlainData, json_values
from deckatlas.files.reading import check_readable, read_lines, shown_path


@dataclass(frozen=True)
class ReferenceLine:
    """A line of a reference file that is not parsed yet."""

    file: str
    number: int
    content: bytes

    @property
    def where(self) -> str:
        """Its place, for messages."""
        return f"{self.file}, line {self.number}"

    def parse(self) -> Any:
        """Its content.

        Raises:
            TraceError: If it is not JSON; the message names file and line.
        """
        try:
            return json_values(self.content)
        except NotPlainData as error:
            raise TraceError(f"{self.where}: {error.why.removeprefix('it is ')}") from None


@dataclass(frozen=True)
class ReferenceFile:
    """A reference file."""

    path: Path | str

    def lines(self) -> Iterator[ReferenceLine]:
        """The lines that are not blank, as they are read.

        Raises:
            TraceError: If the file cannot be read, its gzip data is broken, a line is too long, or it is empty.
        """
        name, is_empty = shown_path(self.path), True
        for number, content in enumerate(read_lines(self.path, error=TraceError), start=1):
            if content.strip():
                is_empty = False
                yield ReferenceLine(name, number, content)
        if is_empty:
            raise TraceError(f"{name}, line 1: the file is empty")


def read_reference_file(path: Path | str) -> ReferenceFile:
    """A reference file, after checking that it can be read.

    Raises:
        TraceError: If it cannot.
    """
    check_readable(path, error=TraceError)
    return ReferenceFile(path)
