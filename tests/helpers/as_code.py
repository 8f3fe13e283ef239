"""The command and the Python lines beside a chart, carried out: both draw the same picture."""

import shlex
from collections.abc import Mapping
from pathlib import Path

from helpers.command_line import CommandLine


def check_drawn(code: Mapping[str, str], deckatlas: CommandLine, folder: Path) -> None:
    """Checks that both lines write the same PNG file, and nothing else.

    Args:
        code: The command and the Python lines.
        deckatlas: The program.
        folder: The current folder, which is empty.
    """
    program, *words = shlex.split(code["command"])
    assert program == "deckatlas"
    exec(code["python"], {})
    (drawn,) = folder.iterdir()
    by_python = drawn.read_bytes()
    assert by_python.startswith(b"\x89PNG")
    drawn.unlink()
    status, _, errors = deckatlas(*words)
    assert (status, errors) == (0, ""), words
    assert [file.name for file in folder.iterdir()] == [drawn.name]
    assert drawn.read_bytes() == by_python
    drawn.unlink()
