"""The games of Legends of Code and Magic that the bench signature is made of."""

from collections.abc import Iterator
from typing import Any

from deckatlas.games.locm.match import play
from deckatlas.play.runner import Columns

SEED = 2026

# Over every native agent, draft format and way to start.
_MATCHES: tuple[dict[str, Any], ...] = (
    {"a": "random/random", "b": "icebox/random:active", "format": "referee"},
    {"a": "icebox/greedy", "b": "random/greedy", "format": "referee"},
    {"a": "closetai/greedy", "b": "random/pass", "format": "distinct"},
    {"a": "greedy", "b": "random", "decks": (range(1, 31), range(101, 131))},
)


def signature_parts() -> Iterator[Columns]:
    """The columns of each match."""
    for match in _MATCHES:
        yield play(**match, games=400, seed=SEED).columns
