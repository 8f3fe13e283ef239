"""The bench signature: one number for the behaviour of the whole core, from fixed games of every game in it.

Every name in the registries of agents takes part, with each of its flags: a new agent changes the signature.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import deckatlas
from deckatlas.files.limits import MOST_ARRAY_BYTES
from deckatlas.files.reading import content_of_file, package_text
from deckatlas.games import built_in_games
from deckatlas.play.spec import Entry

SEED = 2026
# Games per named agent: only a few, since some agents are slow even with a small budget.
GAMES_BY_NAME = 10
_SMALL_BUDGETS = {"playouts": 20, "nodes": 100}


def signature() -> str:
    """One number for the behaviour of the whole core: it changes only when behaviour does."""
    digest = hashlib.sha256()
    for game in built_in_games():
        for columns in game.signature_parts():
            for name in sorted(columns):
                column = columns[name]
                digest.update(name.encode() + column.astype(column.dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()[:16]


def expected_signature() -> str:
    """The signature of this version, which ships with it; `make golden` writes it."""
    lines = package_text(str(__package__), "signature.txt").splitlines()
    return next(line for line in lines if not line.startswith("#"))


@cache
def own_signature() -> str:
    """The signature of this process; the games are played once."""
    return signature()


@cache
def build_hash() -> str:
    """A hash of all files of the package: processes with the same one behave the same, and no game has to tell."""
    roots = [Path(root) for root in deckatlas.__path__]
    files = {path.relative_to(root).as_posix(): path for root in roots for path in root.rglob("*") if path.is_file()}
    digest = hashlib.sha256()
    for name in sorted(files):
        if "__pycache__" not in name:
            digest.update(name.encode() + b"\0" + hashlib.sha256(_content(files[name])).digest())
    return digest.hexdigest()[:16]


def _content(file: Path) -> bytes:
    return content_of_file(file, most=MOST_ARRAY_BYTES)


def specs_of(name: str, entry: Entry[Any], needed: str | None = None) -> Iterator[str]:
    """The specs of an agent with a small budget: without flags, and once with each flag.

    Args:
        name: The agent's name.
        entry: Its entry in the registry.
        needed: Options that it requires.
    """
    budgets = [f"{key}={_SMALL_BUDGETS[key]}" for key in entry.options if key in _SMALL_BUDGETS]
    flags = [key for key, option in entry.options.items() if option.form is None]
    for flag in [None, *flags]:
        options = ",".join(filter(None, [flag, needed, *budgets]))
        yield f"{name}:{options}" if options else name
