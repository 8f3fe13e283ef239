"""Deckatlas: plays collectible card games by the million, and maps what wins and how.

| package | what is inside |
|---|---|
| `deckatlas.locm` | Legends of Code and Magic 1.2, all one needs in one place |
| `deckatlas.hearthstone` | Hearthstone, Basic and Classic, all one needs in one place |
| `deckatlas.cards` | what a card is: tables and decks |
| `deckatlas.games` | the rules as Python sees them: states, actions, records, positions, verification |
| `deckatlas.agents` | who plays: specs, registries, external programs |
| `deckatlas.play` | many games at once: matches, gauntlets, statistics |
| `deckatlas.search`, `deckatlas.maps` | searches by ask and tell: for draft policies, and for the best of every kind |
| `deckatlas.runs` | configurations, stores that resume, exports |
| `deckatlas.reports` | tables, figures and pages |
| `deckatlas.cli` | the command line |
| `deckatlas.errors`, `deckatlas.shapes` | what bad input raises, and checks on plain data |
"""


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import version  # reading metadata takes longer than all else here

        return version("deckatlas")
    raise AttributeError(f"module 'deckatlas' has no attribute '{name}'")
