"""Programs that files name: none is started unless the user allows it for this file.

Files are data. The one exception is an agent written as `exec:CMD`, in a suite or in the configuration of a run, of a
training or of an experiment: such a file starts a program of its author's choice.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from deckatlas.errors import RunError
from deckatlas.shapes import show

EXEC = "exec:"  # the prefix of an external program's command, in place of an agent

_PROGRAM = re.compile(rf"(?:^|/)\s*{EXEC}(.*)", re.DOTALL)  # an agent, or the pilot of DECK/PILOT


Report = Callable[[str, str], object]  # takes the place of a program in a file, and its command


def _no_report(place: str, command: str) -> None:
    pass


_permission: ContextVar[Report | None] = ContextVar("permission to start the programs that files name", default=None)


@contextmanager
def programs_allowed(allowed: bool, report: Report = _no_report) -> Iterator[None]:
    """Lets files that are read in this block name programs, if `allowed`; a permission around it stays.

    Args:
        allowed: Whether to allow it.
        report: Called for each program, before it is started.
    """
    if not allowed:
        yield
        return
    before = _permission.set(report)
    try:
        yield
    finally:
        _permission.reset(before)


def check_program(text: str, place: str) -> None:
    """Checks a text of a file: it must not name a program, unless that is allowed.

    Raises:
        RunError: If it does; the message shows the command.
    """
    found = _PROGRAM.search(text)
    if found is None:
        return
    report = _permission.get()
    if report is None:
        raise RunError(
            f"{place}: this file would start the program {show(found[1])}; if you trust it, add --allow-exec "
            "(in Python, allow_exec=True)"
        )
    report(place, found[1])
