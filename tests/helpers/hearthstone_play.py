"""Random decks and random games of Hearthstone for tests."""

from collections.abc import Iterator

import numpy as np

from deckatlas import hearthstone
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES, Deck, build_deck, random_deck
from deckatlas.games.hearthstone.state import Rng, State

EDITION = hearthstone.edition()


def some_deck(rng: np.random.Generator, hero_class: str | None = None, *, edition: str = "2018-12") -> Deck:
    """A random legal deck, of a random class if none is given."""
    hero_class = hero_class or str(rng.choice(HERO_CLASSES))
    return random_deck(hero_class, hearthstone.pool(edition, hero_class), edition, rng)


def some_decks(seed: int, *, edition: str = "2018-12") -> tuple[Deck, Deck]:
    rng = np.random.default_rng(seed)
    return some_deck(rng, edition=edition), some_deck(rng, edition=edition)


def thieves(count: int) -> list[Deck]:
    """Random Priest decks with every card that copies some of the enemy's hand or deck."""
    stolen = ["CS2_003", "EX1_339", "EX1_345"] * 2  # Mind Vision, Thoughtsteal, Mindgames
    decks = []
    for seed in range(count):
        others = [card for card in some_deck(np.random.default_rng(seed), "PRIEST").copies if card not in stolen]
        decks.append(build_deck([*others[: 30 - len(stolen)], *stolen], EDITION, hero_class="PRIEST"))
    return decks


def random_states(seed: int, *, edition: str = "2018-12") -> Iterator[State]:
    """A random game of random decks, a copy of its state after every action."""
    rng = Rng(seed, 0)
    state = hearthstone.new_game(*some_decks(seed, edition=edition), edition=edition, seed=seed)
    yield state.copy()
    while not state.is_over:
        actions = state.legal_actions()
        state.apply(actions[rng.below(len(actions))], rng)
        yield state.copy()


def some_state(seed: int, *, edition: str = "2018-12") -> State:
    """A state at a random moment of a random game that is not over."""
    states = [state for state in random_states(seed, edition=edition) if not state.is_over]
    return states[np.random.default_rng(seed).integers(len(states))]
