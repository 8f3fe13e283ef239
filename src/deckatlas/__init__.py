"""Deckatlas: plays collectible card games by the million, and maps what wins and how.

| package | what is inside |
|---|---|
| `deckatlas.locm` | Legends of Code and Magic 1.2, all one needs in one place |
| `deckatlas.hearthstone` | Hearthstone, Basic and Classic, all one needs in one place |
| `deckatlas.games` | a folder for each game: cards, states, records, agents, evaluators |
| `deckatlas.play` | many games at once: matches, gauntlets, ratings, sequential tests |
| `deckatlas.stats` | intervals, averages, tests |
| `deckatlas.search` | searches by ask and tell: evolutions, MAP-Elites, archives |
| `deckatlas.runs` | configurations, stores that resume, exports |
| `deckatlas.metagame` | who beats whom among given decks, and what follows from it |
| `deckatlas.patterns` | sets of cards that many decks share |
| `deckatlas.balancing` | what a patch does to a metagame |
| `deckatlas.experiments`, `deckatlas.papers` | what is made of many runs, and the papers' tables and figures |
| `deckatlas.views` | figures, pages, terminal |
| `deckatlas.cli` | the command line |
| `deckatlas.errors`, `deckatlas.arguments`, `deckatlas.shapes` | what bad input raises, and checks on it |
"""

import sys
from typing import TYPE_CHECKING, Any

# The core's objects are safe to share between threads because of the lock: docs/embedding.md.
if "t" in getattr(sys, "abiflags", ""):
    raise ImportError(
        "Deckatlas needs a Python with the global interpreter lock, not a free-threaded one such as 3.13t"
    )

if TYPE_CHECKING:
    from deckatlas.balancing.one_call import balance, rebalance
    from deckatlas.patterns.sources import find_patterns
    from deckatlas.runs.cluster import on_cluster
    from deckatlas.runs.own_evaluator import map_elites
    from deckatlas.runs.view import RunView, open_run
    from deckatlas.search.vectors import Vectors

# Imported when it is first asked for: pydantic, which it comes with, takes longer than everything else.
_LATER = {
    "RunView": "deckatlas.runs.view",
    "Vectors": "deckatlas.search.vectors",
    "balance": "deckatlas.balancing.one_call",
    "find_patterns": "deckatlas.patterns.sources",
    "map_elites": "deckatlas.runs.own_evaluator",
    "on_cluster": "deckatlas.runs.cluster",
    "open_run": "deckatlas.runs.view",
    "rebalance": "deckatlas.balancing.one_call",
}

__all__ = ["RunView", "Vectors", "balance", "find_patterns", "map_elites", "on_cluster", "open_run", "rebalance"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version  # reading metadata takes longer than all else here

        return version("deckatlas")
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'deckatlas' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
