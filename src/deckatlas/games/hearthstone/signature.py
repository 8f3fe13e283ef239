"""The games of Hearthstone for the bench signature."""

from collections.abc import Iterator

import numpy as np

from deckatlas.games.hearthstone.agents import AGENTS
from deckatlas.games.hearthstone.cards.decks import DECK_SIZE, HERO_CLASSES, MOST_COPIES, Deck
from deckatlas.games.hearthstone.cards.editions import Edition, edition
from deckatlas.games.hearthstone.cards.pools import pool
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.hearthstone.match import play
from deckatlas.play.runner import Columns
from deckatlas.play.signature import GAMES_BY_NAME, SEED, specs_of

# Agents, edition and number of games; together their decks contain every card.
_MATCHES = (
    ("random", "random:active", "2018-12", 400),
    ("random:active", "random", "2019-12", 400),
    ("random", "random:active", "sabberstone", 400),
    ("planner:score=midrange", "planner:score=control,information=perfect", "2018-12", 40),
    ("planner:score=aggro,information=perfect,replan=false", "planner:score=ramp", "sabberstone", 40),
)
# The options that an agent requires.
_NEEDED = {"planner": "score=midrange"}


def agent_specs() -> Iterator[str]:
    """Each agent, with each of its flags, as specs."""
    for name, entry in AGENTS.items():
        yield from specs_of(name, entry, _NEEDED.get(name))


def signature_parts() -> Iterator[Columns]:
    """The columns of each match, and the numbers of an evaluation."""
    for a, b, name, games in _MATCHES:
        decks = every_card(edition(name))
        yield play(a, b, decks=(decks, decks[::-1]), edition=name, games=games, seed=SEED, mulligan="inverted").columns
    decks = every_card(edition())
    for spec in agent_specs():
        yield play(spec, "random:active", decks=(decks, decks[::-1]), games=GAMES_BY_NAME, seed=SEED).columns
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
    """Decks that together contain every card that decks of the edition can have: each class's pool, cut into decks."""
    decks = []
    for name in HERO_CLASSES:
        copies = [
            card.id
            for card in pool(cards, name.lower())
            for _ in range(1 if card.rarity == "legendary" else MOST_COPIES)
        ]
        copies += copies[: -len(copies) % DECK_SIZE]  # so that the last deck is complete
        for start in range(0, len(copies), DECK_SIZE):
            ids, counts = np.unique(copies[start : start + DECK_SIZE], return_counts=True)
            decks.append(Deck(name, tuple(zip(ids.tolist(), counts.tolist(), strict=True))))
    return decks
