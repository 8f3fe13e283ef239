"""Games: a folder for each, with everything that only that game has; and what all games share."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

_RUN_KINDS = {
    "hearthstone-deck": "deckatlas.games.hearthstone.run_config:HearthstoneDeckRun",
    "locm-deck": "deckatlas.games.locm.run_config:LocmDeckRun",
    "locm-draft": "deckatlas.games.locm.run_config:LocmDraftRun",
}


def run_kinds() -> Mapping[str, Callable[[], Any]]:
    """What can be searched: for each kind of space a function that imports the class of its configurations."""
    return {kind: partial(_imported, place) for kind, place in _RUN_KINDS.items()}


def _imported(place: str) -> Any:
    module, name = place.split(":")
    return getattr(import_module(module), name)
