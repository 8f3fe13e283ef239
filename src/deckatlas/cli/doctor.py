"""`deckatlas doctor`: checks an installation in a few seconds, for bug reports."""

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from deckatlas import __version__, _core
from deckatlas.cli.common import RUNS, StoreOption, out, print_table
from deckatlas.cli.console import error_line
from deckatlas.errors import DeckatlasError
from deckatlas.files.writing import check_writable
from deckatlas.games import built_in_games
from deckatlas.studio import has_pages

BROKEN = 1
LITTLE_SPACE = 2**30  # bytes: a run of a million evaluations takes about as much


class Unsound(DeckatlasError):  # noqa: N818 - a finding of the doctor
    """What is wrong with an installation."""


@dataclass(frozen=True)
class Check:
    """One check: its name, and a function that says what it found, or raises what is wrong."""

    name: str
    find: Callable[[], str]


def doctor(store: StoreOption = RUNS) -> None:
    """Checks this installation: the build, the core, one game of each kind, a store, the web pages, and the disk.

    The check takes a few seconds and leaves nothing behind. The exit code is 1 if something is wrong. Please include
    the output in bug reports.

    Example: deckatlas doctor
    """
    checks = [
        Check("deckatlas", lambda: f"{__version__}, built with {_core.build_flags}"),
        Check("python", _python),
        Check("signature", _signature),
        *(Check(f"a game of {game.name}", _golden(game)) for game in built_in_games()),
        Check("a store", _store),
        Check("the studio", _studio),
        Check("reports", _reports),
        Check("disk", lambda: _disk(store)),
    ]
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("check", "", "result"):
        table.add_column(column, no_wrap=True)
    table.add_column("seconds", justify="right")
    sound = True
    for check in checks:
        begun = time.perf_counter()
        try:
            verdict, found = "ok", check.find()
        except Exception as error:
            verdict, found, sound = "WRONG", error_line(f"{type(error).__name__}: {error}"), False
        table.add_row(check.name, verdict, Text(found), f"{time.perf_counter() - begun:.1f}")
    print_table(table)
    if not sound:
        out.print("something is wrong: see the lines marked WRONG")
        raise typer.Exit(BROKEN)
    out.print("everything is sound")


def _python() -> str:
    import numpy as np

    return f"{platform.python_version()}, numpy {np.__version__}, {platform.platform()}, {os.cpu_count()} cores"


def _signature() -> str:
    from deckatlas.play.signature import expected_signature, signature

    found, expected = signature(), expected_signature()
    if found != expected:
        raise Unsound(f"the core behaves as {found}, not as {expected}: it was built from other sources, or wrongly")
    return f"{found}, as expected"


def _golden(game: Any) -> Callable[[], str]:
    def find() -> str:
        played, expected = game.golden_game()
        if played != expected:
            lines = zip(played.splitlines(), expected.splitlines(), strict=False)
            line = next((number for number, (one, other) in enumerate(lines, start=1) if one != other), "the end")
            raise Unsound(f"it differs from the one that ships with the package, from line {line} of its text on")
        return f"{len(expected.splitlines())} lines, as expected"

    return find


def _store() -> str:
    """Makes the same small run in two files, opens one again, and verifies it."""
    from deckatlas.runs.own_evaluator import map_elites
    from deckatlas.runs.store import open_store
    from deckatlas.runs.verification import run_digest
    from deckatlas.search.vectors import Vectors

    def height(solution: Any) -> dict[str, float]:
        return {"height": -float(solution @ solution)}

    def run(path: Path) -> str:
        view = map_elites(
            Vectors([-1, -1], [1, 1]),
            height,
            objective="height",
            measures=["x0", "x1"],
            ranges=[(-1, 1), (-1, 1)],
            resolution=4,
            evaluations=60,
            seed=1,
            path=path,
        )
        return view.digest

    with TemporaryDirectory() as folder:
        whole = run(Path(folder) / "whole.db")
        again = run(Path(folder) / "whole.db")  # finds its run finished
        other = run(Path(folder) / "other.db")
        with open_store(Path(folder) / "whole.db") as opened:
            verified = run_digest(opened)
    if not whole == again == other == verified:
        raise Unsound("two runs of the same configuration have different digests")
    return f"written, read and verified, digest {whole[:16]}"


def _studio() -> str:
    """Whether the studio can be opened; people who do not use it need neither its extra nor its pages."""
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        return "not installed: pip install 'deckatlas[studio]'"
    return "its pages are built" if has_pages() else "its pages are not built: make pages"


def _reports() -> str:
    """Whether reports can be written; in a clone, everything else works without their page."""
    from deckatlas.views.map_report import has_page  # pydantic is slow to import

    return "their page is built" if has_page() else "their page is not built: make pages"


def _disk(store: Path) -> str:
    folder = store if store.is_dir() else Path()
    check_writable(folder / "doctor")
    system = os.statvfs(folder)
    free = system.f_bavail * system.f_frsize
    if free < LITTLE_SPACE:
        raise Unsound(f"{free / 2**20:,.0f} MiB are free in {folder.absolute()}: a run may fill that")
    return f"{free / 2**30:,.1f} GiB free in {folder.absolute()}, which is writable"
