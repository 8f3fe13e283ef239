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
| `deckatlas.experiments`, `deckatlas.papers` | what is made of many runs, and the papers' tables and figures |
| `deckatlas.views` | figures, pages, terminal |
| `deckatlas.cli` | the command line |
| `deckatlas.errors`, `deckatlas.shapes` | what bad input raises, and checks on plain data |
"""


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import version  # reading metadata takes longer than all else here

        return version("deckatlas")
    raise AttributeError(f"module 'deckatlas' has no attribute '{name}'")
