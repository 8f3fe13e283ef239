"""The games of Legends of Code and Magic for the bench signature."""

from collections.abc import Iterator
from importlib import resources
from typing import Any

import numpy as np

from deckatlas.games.locm.agents import BATTLE_AGENTS, DRAFT_POLICIES
from deckatlas.games.locm.match import play
from deckatlas.play.runner import Columns
from deckatlas.play.signature import GAMES_BY_NAME, SEED, specs_of

# Both draft formats and both ways to start, with many games.
_MATCHES: tuple[dict[str, Any], ...] = (
    {"a": "random/random", "b": "icebox/random:active", "format": "referee"},
    {"a": "icebox/greedy", "b": "random/greedy", "format": "referee"},
    {"a": "closetai/greedy", "b": "random/pass", "format": "distinct"},
    {"a": "greedy", "b": "random", "decks": (range(1, 31), range(101, 131))},
)
_DRAFT_FILES = {"net": "rg_first.json", "genome": "atlas.json"}


def entrants() -> Iterator[Any]:
    """Each draft policy, then each battle agent, with each of its flags."""
    with resources.as_file(resources.files(__package__)) as folder:
        for name, entry in DRAFT_POLICIES.items():
            if name == "ranking":
                yield np.arange(160.0) % 7, "greedy"
            elif name in _DRAFT_FILES:
                yield f"{name}:file={folder / _DRAFT_FILES[name]}/greedy"
            else:
                yield from (f"{spec}/greedy" for spec in specs_of(name, entry))
    for name, agent in BATTLE_AGENTS.items():
        yield from (f"random/{spec}" for spec in specs_of(name, agent))


def signature_parts() -> Iterator[Columns]:
    """The columns of each match."""
    for match in _MATCHES:
        yield play(**match, games=400, seed=SEED).columns
    for entrant in entrants():
        yield play(entrant, "icebox/greedy", games=GAMES_BY_NAME, seed=SEED).columns
