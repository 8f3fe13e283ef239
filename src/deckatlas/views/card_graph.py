"""Which cards of a map go together, as a graph: the most used cards, the weightiest links, and where to draw them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from deckatlas.patterns.partners import partners_of
from deckatlas.patterns.sources import decks_of_runs
from deckatlas.runs.card_statistics import CardStatistics, card_statistics
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Floats

MOST_CARDS = 60
MOST_LINKS = 120  # more would be a thicket
LEAST_LIFT = 2.0
_STEPS = 260
_GOLDEN_ANGLE = 2.399963


@dataclass(frozen=True)
class Node:
    """A card of the graph.

    Attributes:
        card: Its id.
        name: Its name.
        elites: How many elites have it.
        x: Its place from 0, left, to 1.
        y: Its place from 0, at the top, to 1.
    """

    card: str
    name: str
    elites: int
    x: float
    y: float


@dataclass(frozen=True)
class Link:
    """Two cards that share at least twice as many elites as random legal decks.

    Attributes:
        first: The number of a node.
        second: The number of another.
        count: How many elites have both.
        lift: How many times more often than random legal decks.
        weight: How much the link says: the elites times the logarithm of the lift.
    """

    first: int
    second: int
    count: int
    lift: float
    weight: float


@dataclass(frozen=True)
class CardGraph:
    """The graph of a map.

    Attributes:
        used: How many of the most used cards were looked at.
        elites: The number of elites.
        nodes: Those of them with a link, the most used first.
        links: The weightiest links, the weightiest first.
    """

    used: int
    elites: int
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]


def card_graph(view: RunView, statistics: Sequence[CardStatistics] | None = None) -> CardGraph:
    """The graph of the cards that the elites of a map share.

    Args:
        view: The map.
        statistics: Its cards, if they are known already.

    Raises:
        RunError: If it is not a map of decks, or has no elite.
    """
    decks = decks_of_runs([view])
    known = card_statistics(view) if statistics is None else statistics
    used = [each for each in known if each.elites > 1][:MOST_CARDS]
    place = {each.card: at for at, each in enumerate(used)}
    found = [
        Link(at, place[partner.card], partner.count, partner.lift, partner.count * log(partner.lift))
        for at, each in enumerate(used)
        for partner in partners_of(decks, each.card)
        if place.get(partner.card, -1) > at and partner.lift is not None and partner.lift >= LEAST_LIFT
    ]
    strong = sorted(found, key=lambda link: -link.weight)[:MOST_LINKS]
    linked = sorted({end for link in strong for end in (link.first, link.second)})
    number = {at: own for own, at in enumerate(linked)}
    links = tuple(Link(number[each.first], number[each.second], each.count, each.lift, each.weight) for each in strong)
    nodes = tuple(
        Node(used[at].card, used[at].name, used[at].elites, x, y)
        for at, (x, y) in zip(linked, places(len(linked), links).tolist(), strict=True)
    )
    return CardGraph(len(used), len(decks), nodes, links)


def places(nodes: int, links: Sequence[Link]) -> Floats:
    """Places between 0 and 1 for nodes: links pull, all nodes push each other apart, and nothing is random.

    Args:
        nodes: How many there are.
        links: What joins them.

    Returns:
        A row of x and y for each node.
    """
    if not nodes:
        return np.empty((0, 2))
    # A spiral to begin with, so that the first nodes, the most used cards, begin in the middle.
    at = np.arange(nodes)
    radius, angle = 0.5 * np.sqrt((at + 0.5) / nodes), _GOLDEN_ANGLE * at
    points = radius[:, np.newaxis] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ideal = 0.9 / np.sqrt(nodes)
    pull = _pull(nodes, links)
    for step in range(_STEPS):
        away = points[:, np.newaxis] - points
        gap = np.maximum(1e-4, np.hypot(away[..., 0], away[..., 1]))
        force = ideal**2 / gap - pull * gap**2 / ideal
        push = (away * (force / gap)[..., np.newaxis]).sum(axis=1) - 1.2 * ideal * points
        size = np.hypot(push[:, 0], push[:, 1])
        length = np.minimum(size, 0.06 * (1 - step / _STEPS))
        points = points + push * (length / np.where(size > 0, size, 1))[:, np.newaxis]
    low, high = points.min(axis=0), points.max(axis=0)
    return np.where(high > low, (points - low) / np.where(high > low, high - low, 1), 0.5)


def _pull(nodes: int, links: Sequence[Link]) -> Floats:
    """How strongly each pair pulls. Cards with many links would become one heap, so each of their links pulls less."""
    degrees = np.zeros(nodes)
    for link in links:
        degrees[[link.first, link.second]] += 1
    most = max((link.weight for link in links), default=1.0)
    pull = np.zeros((nodes, nodes))
    for link in links:
        strength = (0.4 + 1.6 * link.weight / most) / np.sqrt(degrees[link.first] * degrees[link.second])
        pull[link.first, link.second] = pull[link.second, link.first] = strength
    return pull
