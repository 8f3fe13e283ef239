"""Deckatlas: plays collectible card games by the million, and maps what wins and how.

| package | what is inside |
|---|---|
| `deckatlas.locm` | Legends of Code and Magic 1.2, all one needs in one place |
| `deckatlas.cards` | what a card is: tables and decks |
| `deckatlas.games` | the rules as Python sees them: states, actions, records, positions, verification |
| `deckatlas.agents` | who plays: specs, registries, external programs |
| `deckatlas.play` | many games at once: matches, gauntlets, statistics |
| `deckatlas.cli` | the command line |
"""

from importlib.metadata import version

__version__ = version("deckatlas")
