"""Reading the configuration of a run from its file and the command line."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from deckatlas.documents.document import Document, read_document
from deckatlas.errors import RunError
from deckatlas.files.programs import programs_allowed
from deckatlas.games import run_kinds
from deckatlas.runs.config import RunConfig
from deckatlas.shapes import nearest, show

# The names of tables in older configurations.
_RENAMED = {"genome": "space", "solution": "space", "arena": "evaluation"}


def config_of(document: Document) -> RunConfig:
    """The configuration in a document.

    Raises:
        RunError: If something in it is unknown or impossible; the message says where and what would be right.
    """
    for old, new in _RENAMED.items():
        if old in document.values:
            raise RunError(f"{document.place((old,))}: the table [{old}] is now called [{new}]: see docs/runs.md")
    kinds = run_kinds()
    space = document.values.get("space")
    kind = space.get("kind") if isinstance(space, dict) else None
    if not isinstance(kind, str):
        raise RunError(f"{document.place(('space',))}: [space] needs a kind: one of {', '.join(kinds)}")
    if kind not in kinds:
        raise RunError(
            f"{document.place(('space', 'kind'))}: unknown kind of space {show(kind)}: {nearest(kind, kinds)}"
        )
    found = config_class(kind)
    return _with_search(document, found).check(found)


def _with_search(document: Document, kind: type[RunConfig]) -> Document:
    """The document with the usual search of the kind, if it is a map whose file names no search."""
    search = document.values.get("search", {})
    if not kind.default_search or "archive" not in document.values:
        return document
    if not isinstance(search, dict) or "algorithm" in search:
        return document
    filled = document.copy()
    for table, values in kind.default_search.items():
        given = document.values.get(table, {})
        for key, value in values.items():
            if isinstance(given, dict) and key not in given:
                filled.set((table, key), value, f"the usual search of {kind.title}")
    return filled


def config_class(kind: str) -> type[RunConfig]:
    """The configuration class of a kind of space.

    Raises:
        RunError: If there is no such kind.
    """
    kinds = run_kinds()
    if kind not in kinds:
        raise RunError(f"unknown kind of space {show(kind)}: {nearest(kind, kinds)}")
    found: type[RunConfig] = kinds[kind]()
    return found


def config_from(values: dict[str, Any], *, name: str, settings: Sequence[str] = ()) -> RunConfig:
    """The configuration of a run from plain data, as a TOML file gives it.

    Args:
        values: The data.
        name: Its name in error messages.
        settings: Values that replace those of the data, each as `a.b=3`.

    Raises:
        RunError: If something in it is unknown or impossible.
    """
    document = Document(name, values)
    for setting in settings:
        document.set_from_text(setting)
    return playable(document)


def read_config(
    file: Path,
    *,
    settings: Sequence[str] = (),
    smoke: bool = False,
    seed: int | None = None,
    name: str | None = None,
    allow_exec: bool = False,
) -> RunConfig:
    """Reads the configuration of a run.

    Args:
        file: A TOML file. Its table [smoke] has the values that `smoke` changes; without it, a general rule applies.
        settings: Values that replace those of the file, each as `a.b=3`.
        smoke: Whether to shrink the run to a few seconds; its name then ends in `-smoke`.
        seed: Replaces the seed.
        name: Replaces the name.
        allow_exec: Whether the file may name programs (`exec:CMD`), which then play.

    Raises:
        RunError: If something in it is unknown or impossible; the message says where and what would be right.
    """
    with programs_allowed(allow_exec):
        full = read_document(file)
    shrunk = full.pop("smoke")
    full.values.setdefault("name", file.stem)
    small = full.copy()
    if shrunk is not None:
        if not isinstance(shrunk, dict):
            raise RunError(f"{full.place(('smoke',))}: smoke must be a table")
        small.merge(shrunk, "smoke")
    change = partial(_change, settings=settings, seed=seed, name=name)
    config = config_of(change(full))
    if shrunk is None:
        small.values = config.smoke().to_json()
    changed = change(small if smoke else full)
    if smoke and name is None:
        changed.values["name"] += "-smoke"
    if not smoke and shrunk is not None:
        config_of(change(small))  # an error in [smoke] belongs to the file, not to the command line
    return playable(changed)


def _change(document: Document, *, settings: Sequence[str], seed: int | None, name: str | None) -> Document:
    """The document with the values of the command line."""
    changed = document.copy()
    for setting in settings:
        changed.set_from_text(setting)
    if seed is not None:
        changed.set(("seed",), seed, f"--seed {seed}")
    if name is not None:
        changed.set(("name",), name, f"--name {name}")
    return changed


def playable(document: Document) -> RunConfig:
    """The configuration in a document, after checking that it can be executed.

    Raises:
        RunError: If something in it is unknown or impossible; the message says where and what would be right.
    """
    config = config_of(document)
    config.check_playable(document)
    return config
