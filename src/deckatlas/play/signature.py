"""The bench signature: one number for the behaviour of the whole core, from a fixed set of games of both games."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.games.hearthstone import match as hearthstone
from deckatlas.games.hearthstone.cards.decks import DECK_SIZE, HERO_CLASSES, MOST_COPIES, Deck
from deckatlas.games.hearthstone.cards.editions import Edition, edition
from deckatlas.games.hearthstone.cards.pools import pool
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.locm.match import play

SEED = 2026

# Over every native agent, draft format and way to start.
_LOCM_MATCHES: tuple[dict[str, Any], ...] = (
    {"a": "random/random", "b": "icebox/random:active", "format": "referee"},
    {"a": "icebox/greedy", "b": "random/greedy", "format": "referee"},
    {"a": "closetai/greedy", "b": "random/pass", "format": "distinct"},
    {"a": "greedy", "b": "random", "decks": (range(1, 31), range(101, 131))},
)
# Agents, edition and games, all with decks that hold every card between them.
_HEARTHSTONE_MATCHES = (
    ("random", "random:active", "2018-12", 400),
    ("random:active", "random", "2019-12", 400),
    ("random", "random:active", "sabberstone", 400),
    ("planner:score=midrange", "planner:score=control,information=perfect", "2018-12", 40),
    ("planner:score=aggro,information=perfect,replan=false", "planner:score=ramp", "sabberstone", 40),
)

Columns = Mapping[str, npt.NDArray[Any]]


def signature() -> str:
    """One number for the behaviour of the whole core: it changes only when behaviour does."""
    digest = hashlib.sha256()
    for columns in _results():
        for name in sorted(columns):
            column = columns[name]
            digest.update(name.encode() + column.astype(column.dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()[:16]


def _results() -> Iterator[Columns]:
    for match in _LOCM_MATCHES:
        yield play(**match, games=400, seed=SEED).columns
    for a, b, name, games in _HEARTHSTONE_MATCHES:
        decks = every_card(edition(name))
        yield hearthstone.play(
            a, b, decks=(decks, decks[::-1]), edition=name, games=games, seed=SEED, mulligan="inverted"
        ).columns
    results = evaluate(
        ("Starter Rogue", "Starter Mage"),
        pilot="planner:score=fatigue",
        games=12,
        seed=SEED,
        profile="evostone",
        edition="sabberstone",
        keep_games=True,
    )
    if results.games is not None:
        yield {**results.games.noted, "plays": results.card_plays}


def every_card(cards: Edition) -> list[Deck]:
    """Decks that together hold every card of the edition that decks can: the pool of each class, cut into pieces."""
    decks = []
    for name in HERO_CLASSES:
        copies = [
            card.id
            for card in pool(cards, name.lower())
            for _ in range(1 if card.rarity == "legendary" else MOST_COPIES)
        ]
        copies += copies[: -len(copies) % DECK_SIZE]  # so that the last piece is whole
        for start in range(0, len(copies), DECK_SIZE):
            ids, counts = np.unique(copies[start : start + DECK_SIZE], return_counts=True)
            decks.append(Deck(name, tuple(zip(ids.tolist(), counts.tolist(), strict=True))))
    return decks
