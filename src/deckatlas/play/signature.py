"""The bench signature: one number for the behaviour of the whole core, from a fixed set of games of both games.

Every name in the registries of agents takes part, with each of its flags: a new agent changes the signature.
"""

import hashlib
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.games.hearthstone import match as hearthstone
from deckatlas.games.hearthstone.agents import AGENTS
from deckatlas.games.hearthstone.cards.decks import DECK_SIZE, HERO_CLASSES, MOST_COPIES, Deck
from deckatlas.games.hearthstone.cards.editions import Edition, edition
from deckatlas.games.hearthstone.cards.pools import pool
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.locm.agents import BATTLE_AGENTS, DRAFT_POLICIES
from deckatlas.play.match import play
from deckatlas.play.spec import Entry

SEED = 2026

# Over both draft formats and ways to start, in many games.
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
# Games of every agent by its name: a few, since some search long even with a small budget.
_GAMES_BY_NAME = 10
_SMALL_BUDGETS = {"playouts": 20, "nodes": 100}
# What an entry cannot do without.
_NEEDED = {"planner": "score=midrange"}
_DRAFT_FILES = {"net": "locm_rg_first.json", "genome": "locm_atlas.json"}

Columns = Mapping[str, npt.NDArray[Any]]


def signature() -> str:
    """One number for the behaviour of the whole core: it changes only when behaviour does."""
    digest = hashlib.sha256()
    for columns in _results():
        for name in sorted(columns):
            column = columns[name]
            digest.update(name.encode() + column.astype(column.dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()[:16]


def locm_entrants() -> Iterator[Any]:
    """Each draft policy, then each battle agent of Legends of Code and Magic, with each of its flags."""
    with resources.as_file(resources.files("deckatlas.agents")) as folder:
        for name, entry in DRAFT_POLICIES.items():
            if name == "ranking":
                yield np.arange(160.0) % 7, "greedy"
            elif name in _DRAFT_FILES:
                yield f"{name}:file={folder / _DRAFT_FILES[name]}/greedy"
            else:
                yield from (f"{spec}/greedy" for spec in _specs(name, entry))
    for name, battle in BATTLE_AGENTS.items():
        yield from (f"random/{spec}" for spec in _specs(name, battle))


def hearthstone_agents() -> Iterator[str]:
    """Each agent of Hearthstone, with each of its flags."""
    for name, entry in AGENTS.items():
        yield from _specs(name, entry, _NEEDED.get(name))


def _specs(name: str, entry: Entry[Any], needed: str | None = None) -> Iterator[str]:
    """An agent with a small budget as it is, and once with each option that takes no value."""
    budgets = [f"{key}={_SMALL_BUDGETS[key]}" for key in entry.options if key in _SMALL_BUDGETS]
    flags = [key for key, option in entry.options.items() if option.form is None]
    for flag in [None, *flags]:
        options = ",".join(filter(None, [flag, needed, *budgets]))
        yield f"{name}:{options}" if options else name


def _results() -> Iterator[Columns]:
    yield from _locm_results()
    yield from _hearthstone_results()


def _locm_results() -> Iterator[Columns]:
    for match in _LOCM_MATCHES:
        yield play(**match, games=400, seed=SEED).columns
    for entrant in locm_entrants():
        yield play(entrant, "icebox/greedy", games=_GAMES_BY_NAME, seed=SEED).columns


def _hearthstone_results() -> Iterator[Columns]:
    for a, b, name, games in _HEARTHSTONE_MATCHES:
        decks = every_card(edition(name))
        yield hearthstone.play(
            a, b, decks=(decks, decks[::-1]), edition=name, games=games, seed=SEED, mulligan="inverted"
        ).columns
    decks = every_card(edition())
    for spec in hearthstone_agents():
        yield hearthstone.play(
            spec, "random:active", decks=(decks, decks[::-1]), games=_GAMES_BY_NAME, seed=SEED
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
