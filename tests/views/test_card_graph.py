"""The graph of cards that go together: which cards and links it has, and where they are drawn."""

from itertools import combinations
from math import dist, log

import numpy as np
import pytest
from matplotlib.figure import Figure

from deckatlas.errors import RunError
from deckatlas.patterns.partners import partners_of
from deckatlas.patterns.sources import decks_of_runs
from deckatlas.runs.card_statistics import card_statistics
from deckatlas.views import card_graph as graphs
from deckatlas.views.card_graph import Link, card_graph, places
from deckatlas.views.graph_figures import draw_graph
from helpers.map_views import small_map

TWO_PAIRS = [Link(0, 1, 3, 4.0, 5.0), Link(2, 3, 3, 4.0, 5.0)]


def test_links_are_the_weightiest_pairs_that_random_decks_share_half_as_often() -> None:
    view = small_map()
    graph, decks = card_graph(view), decks_of_runs([view])
    used = [each.card for each in card_statistics(view) if each.elites > 1][: graphs.MOST_CARDS]
    lifts = {
        frozenset((card, partner.card)): (partner.count, partner.lift)
        for card in used
        for partner in partners_of(decks, card)
        if partner.card in used and partner.lift is not None and partner.lift >= 2
    }
    weights = sorted((count * log(lift) for count, lift in lifts.values()), reverse=True)
    assert [link.weight for link in graph.links] == pytest.approx(weights[: graphs.MOST_LINKS])
    for link in graph.links:
        ends = frozenset((graph.nodes[link.first].card, graph.nodes[link.second].card))
        assert (link.count, link.lift) == lifts[ends]
    assert (graph.used, graph.elites) == (len(used), len(view.archive))


def test_every_card_of_the_graph_has_a_link() -> None:
    graph = card_graph(small_map())
    assert {end for link in graph.links for end in (link.first, link.second)} == {*range(len(graph.nodes))}
    elites = {each.card: each.elites for each in card_statistics(small_map())}
    assert [node.elites for node in graph.nodes] == [elites[node.card] for node in graph.nodes]


def test_places_are_the_same_every_time_and_fill_the_picture() -> None:
    found = places(6, TWO_PAIRS)
    assert np.array_equal(places(6, TWO_PAIRS), found)
    assert found.min(axis=0).tolist() == [0, 0]
    assert found.max(axis=0).tolist() == [1, 1]


def test_linked_cards_are_nearer_to_each_other_than_others() -> None:
    points = places(6, TWO_PAIRS).tolist()
    gaps = {pair: dist(points[pair[0]], points[pair[1]]) for pair in combinations(range(6), 2)}
    assert max(gaps.pop((0, 1)), gaps.pop((2, 3))) < min(gaps.values())


def test_a_picture_has_a_dot_and_a_name_for_each_card_and_a_line_for_each_link() -> None:
    view = small_map()
    graph, figure = card_graph(view), Figure()
    draw_graph(figure, view)
    (axes,) = figure.axes
    (dots,) = axes.collections
    assert np.asarray(dots.get_offsets()).tolist() == [[node.x, node.y] for node in graph.nodes]
    assert {node.name for node in graph.nodes} <= {text.get_text() for text in axes.texts}
    drawn = [line.get_xydata() for line in axes.lines]
    ends = [[graph.nodes[at] for at in (link.first, link.second)] for link in graph.links]
    assert [np.asarray(line).tolist() for line in drawn] == [[[each.x, each.y] for each in both] for both in ends]


def test_cards_without_links_are_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "LEAST_LIFT", 1e9)
    with pytest.raises(RunError, match="nothing to draw: no cards of hunter share more elites"):
        draw_graph(Figure(), small_map())
