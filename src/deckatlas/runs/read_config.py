"""Reading the configuration of a run, of whatever kind, from its file and the command line."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from deckatlas.documents.document import Document, read_document
from deckatlas.errors import RunError
from deckatlas.games.hearthstone.map_config import HearthstoneMap
from deckatlas.games.locm.map_config import LocmDeckMap, LocmDraftMap
from deckatlas.runs.config import RunConfig
from deckatlas.runs.map_config import MapConfig
from deckatlas.shapes import nearest, show

AnyConfig = RunConfig | MapConfig

# The configurations of maps, by what their solutions are.
MAPS: dict[str, type[MapConfig]] = {
    "hearthstone-deck": HearthstoneMap,
    "locm-deck": LocmDeckMap,
    "locm-draft": LocmDraftMap,
}


def config_of(document: Document) -> AnyConfig:
    """The configuration that a document holds: of a map if it says what a solution is, otherwise of a search.

    Raises:
        RunError: If something in it is unknown or impossible; the message says where and what would be right.
    """
    if not {"solution", "archive"} & {*document.values}:
        return document.check(RunConfig)
    solution = document.values.get("solution")
    kind = solution.get("kind") if isinstance(solution, dict) else None
    if not isinstance(kind, str):
        raise RunError(f"{document.place(('solution',))}: [solution] needs a kind: one of {', '.join(MAPS)}")
    if kind not in MAPS:
        raise RunError(
            f"{document.place(('solution', 'kind'))}: unknown kind of solution {show(kind)}: {nearest(kind, MAPS)}"
        )
    return document.check(MAPS[kind])


def map_from(values: dict[str, Any], *, name: str, settings: Sequence[str] = ()) -> MapConfig:
    """The configuration of a map from plain data, as a TOML file gives it.

    Args:
        values: The data.
        name: What it is called in errors.
        settings: Values that replace those of the data, each as `a.b=3`.

    Raises:
        RunError: If it is of no map, or something in it is unknown or impossible.
    """
    document = Document(name, values)
    for setting in settings:
        document.set_from_text(setting)
    config = config_of(document)
    if not isinstance(config, MapConfig):
        raise RunError(f"{document.name} needs the tables solution, archive and search")
    config.check_playable(document)
    return config


def read_config(
    file: Path, *, settings: Sequence[str] = (), smoke: bool = False, seed: int | None = None, name: str | None = None
) -> AnyConfig:
    """Reads the configuration of a run.

    Args:
        file: A TOML file. Its table [smoke] has what `smoke` changes; without one the general rule holds.
        settings: Values that replace those of the file, each as `a.b=3`.
        smoke: Whether to shrink the run to seconds; its name then ends in `-smoke`.
        seed: Replaces the seed.
        name: Replaces the name.

    Raises:
        RunError: If something in it is unknown or impossible; the message says where and what would be right.
    """
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
        config_of(change(small))  # a mistake in [smoke] is one of the file
    return _playable(changed)


def _change(document: Document, *, settings: Sequence[str], seed: int | None, name: str | None) -> Document:
    """The document with what the command line says."""
    changed = document.copy()
    for setting in settings:
        changed.set_from_text(setting)
    if seed is not None:
        changed.set(("seed",), seed, f"--seed {seed}")
    if name is not None:
        changed.set(("name",), name, f"--name {name}")
    return changed


def _playable(document: Document) -> AnyConfig:
    """The configuration, made sure that it can be carried out."""
    config = config_of(document)
    config.check_playable(document)
    return config
