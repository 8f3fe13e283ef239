"""Games: one folder per game with all game-specific code, and the registry of games by name.

This is the only place where games are registered. The games of Deckatlas are imported on first use. Other games come
from an installed package, which names them as entry points of the group `deckatlas.games`, from the modules or files in
the environment variable `DECKATLAS_GAMES`, or from a call of `register`.
"""

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckatlas.errors import GameError
from deckatlas.games.game import Game
from deckatlas.shapes import nearest, show

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["BUILT_IN", "Game", "all_games", "built_in_games", "find", "is_known", "register", "run_kinds"]

# The games that come with Deckatlas, each a module with a `GAME`.
BUILT_IN = {"locm": "deckatlas.games.locm.plugin", "hearthstone": "deckatlas.games.hearthstone.plugin"}
ENTRY_POINTS = "deckatlas.games"
MODULES = "DECKATLAS_GAMES"

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_registered: dict[str, Game] = {}
_imported: set[str] = set()  # the entries of MODULES that have been imported


def register(game: Game) -> Game:
    """Registers a game by its name, and returns it; replaces a game of the same name that was registered before.

    Raises:
        GameError: If it is not a game, its name is not valid, or Deckatlas has a game of that name.
    """
    if not isinstance(game, Game):
        raise GameError(f"a game is an object of a class derived from deckatlas.games.Game, not {show(game)}")
    name = getattr(game, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise GameError(f"the name of a game is a lower-case word, not {show(name)}")
    if name in BUILT_IN:
        raise GameError(f"there already is a game {name!r} in Deckatlas: choose another name")
    _registered[name] = game
    return game


def find(name: str) -> Game:
    """The game of that name.

    Raises:
        GameError: If there is no such game (the message has the nearest name), or it cannot be loaded.
    """
    if name in BUILT_IN:
        return _built_in(name)
    if name not in _registered:
        _import_modules()
    if name not in _registered:
        points = _entry_points()
        if name not in points:
            raise GameError(f"unknown game {show(name)}: {nearest(name, {*BUILT_IN, *_registered, *points})}")
        _load(points[name])
    return _registered[name]


def is_known(name: str) -> bool:
    """Whether there is a game of that name."""
    if name in BUILT_IN or name in _registered:
        return True
    _import_modules()
    return name in _registered or name in _entry_points()


def built_in_games() -> Iterator[Game]:
    """The games that come with Deckatlas."""
    return map(_built_in, BUILT_IN)


def all_games() -> Iterator[Game]:
    """All games, those of Deckatlas first. A game that cannot be loaded is left out, with a warning."""
    yield from built_in_games()
    _import_modules()
    for name, point in _entry_points().items():
        if name not in _registered:
            try:
                _load(point)
            except GameError as error:
                warnings.warn(str(error), stacklevel=2)
    yield from _registered.values()


def run_kinds() -> Mapping[str, Callable[[], Any]]:
    """The kinds of spaces of all games, each with a function that imports the class of its runs."""
    return {kind: partial(_imported_class, place) for game in all_games() for kind, place in game.run_kinds.items()}


def _imported_class(place: str) -> Any:
    module, name = place.split(":")
    return getattr(import_module(module), name)


def _built_in(name: str) -> Game:
    game: Game = import_module(BUILT_IN[name]).GAME
    return game


@cache
def _entry_points() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points  # reading metadata is slow

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _load(point: "EntryPoint") -> None:
    try:
        game = point.load()
        register(game() if isinstance(game, type) else game)
    except Exception as error:
        raise GameError(f"the game {point.name!r} ({point.value}) cannot be loaded: {error}") from error
    if point.name not in _registered:
        raise GameError(
            f"the entry point {point.name!r} ({point.value}) loads a game with another name: the names must be the same"
        )


def _import_modules() -> None:
    """Imports the entries of `DECKATLAS_GAMES`, separated by commas: modules by name, or Python files by path."""
    for place in filter(None, (part.strip() for part in os.environ.get(MODULES, "").split(","))):
        if place in _imported or place in sys.modules:
            continue
        before = dict(_registered)
        try:
            _import_file(Path(place)) if place.endswith(".py") else import_module(place)
        except Exception as error:
            raise GameError(f"{MODULES}: {place} cannot be imported: {error}") from error
        if _registered == before:
            raise GameError(f"{MODULES}: {place} registers no game: it should call deckatlas.games.register")
        _imported.add(place)


def _import_file(path: Path) -> None:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError("it is not a Python file")
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # dataclasses and others look up the module of a class here
    spec.loader.exec_module(module)
