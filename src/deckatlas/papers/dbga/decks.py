"""The contents of drafted decks: cards by cost, and cards by two of their attributes."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.errors import RunError
from deckatlas.games.locm.cards import cards, official_table
from deckatlas.games.locm.entrants import Entrant
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval

COSTS = 8  # 0, 1, ..., 6, and 7 or more together
COST_NAMES = (*map(str, range(COSTS - 1)), f"{COSTS - 1}+")
ATTRIBUTES = ("cost", "attack", "defense")

Decks = npt.NDArray[np.uint8]


@cache
def card_numbers(attribute: str) -> npt.NDArray[np.int64]:
    """One attribute of all cards, in the order of their ids; attributes of items are signed."""
    return np.array([getattr(card, attribute) for card in cards()], dtype=np.int64)


@cache
def creatures() -> npt.NDArray[np.bool_]:
    """Which cards are creatures."""
    return np.array([card.type == "creature" for card in cards()], dtype=np.bool_)


def drafted_decks(entrant: Entrant, seeds: npt.NDArray[np.uint64], *, seat: int, format: str = "referee") -> Decks:
    """The decks that an entrant drafts in the games of these seeds: one row of thirty card ids per game.

    Raises:
        RunError: If it drafts outside the core, where drafts cannot be repeated.
    """
    agents = entrant.agents_of_core()
    if agents is None:
        raise RunError(f"the decks of {entrant.name!r} are not available: it does not draft inside the core")
    return np.asarray(core.draft_decks(official_table(), agents[0], seeds, seat=seat, format=format))


def cards_by_cost(decks: Decks) -> npt.NDArray[np.int64]:
    """For each deck, the number of cards that cost 0, 1, ..., 6, and 7 or more."""
    costs = np.minimum(card_numbers("cost"), COSTS - 1)[decks.astype(np.int64) - 1]
    return np.asarray((costs[:, :, None] == np.arange(COSTS)).sum(axis=1))


def mana_curve(decks: Decks) -> list[Estimate]:
    """The average number of cards of each cost in a deck; intervals are over decks."""
    return [mean_interval(column) for column in cards_by_cost(decks).T]


def cards_that_cost(decks: Decks, costs: range) -> Estimate:
    """The average number of cards of these costs in a deck (7 means 7 or more); the interval is over decks."""
    return mean_interval(cards_by_cost(decks)[:, costs].sum(axis=1))


@dataclass(frozen=True)
class Bubble:
    """Cards with the same two attribute values: the average number of such creatures and items in a deck."""

    x: int
    y: int
    creatures: Estimate
    items: Estimate


def bubbles(decks: Decks, x: str, y: str) -> list[Bubble]:
    """All pairs of attribute values of cards in the decks, in order; intervals are over decks."""
    drafted = decks.astype(np.int64) - 1
    xs, ys, counted = card_numbers(x)[drafted], card_numbers(y)[drafted], creatures()[drafted]
    found = []
    for a, b in sorted(set(zip(xs.ravel().tolist(), ys.ravel().tolist(), strict=True))):
        here = (xs == a) & (ys == b)
        found.append(
            Bubble(a, b, mean_interval((here & counted).sum(axis=1)), mean_interval((here & ~counted).sum(axis=1)))
        )
    return found


def creature_mean(decks: Decks, attribute: str) -> Estimate:
    """The mean of an attribute over a deck's creatures, over decks that have any; the interval is over decks."""
    drafted = decks.astype(np.int64) - 1
    numbers, counted = card_numbers(attribute)[drafted], creatures()[drafted]
    having = counted.any(axis=1)
    return mean_interval((numbers * counted).sum(axis=1)[having] / counted.sum(axis=1)[having])


def creatures_with(decks: Decks, attribute: str, least: int) -> Estimate:
    """The average number of creatures in a deck whose attribute is at least this; the interval is over decks."""
    drafted = decks.astype(np.int64) - 1
    return mean_interval((creatures()[drafted] & (card_numbers(attribute)[drafted] >= least)).sum(axis=1))
