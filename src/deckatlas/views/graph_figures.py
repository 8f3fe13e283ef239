"""The cards of a map that go together, as a picture: a card is a dot, as large as it is common, and links are lifts."""

from typing import TYPE_CHECKING, Any

from deckatlas.errors import RunError
from deckatlas.runs.view import RunView
from deckatlas.views.card_graph import LEAST_LIFT, CardGraph, Link, card_graph
from deckatlas.views.figures import GREY, colour
from deckatlas.views.map_figures import Canvas, Size, title
from deckatlas.views.pattern_words import lift_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = 11.0, 7.0  # inches
_DOTS = 2.0, 8.0  # radii of the rarest and the most common card, in points


def graph_size(view: RunView) -> Size:
    """The width and height of a picture of the graph, in inches."""
    return _SIZE


def draw_graph(canvas: Canvas, view: RunView) -> None:
    """Draws which of the most used cards go together.

    Raises:
        RunError: If the map has no decks, or no two cards go together.
    """
    graph = card_graph(view)
    if not graph.links:
        raise RunError(f"there is nothing to draw: no cards of {view.name} share more elites than random decks")
    axes = canvas.subplots()
    _draw_links(axes, graph)
    _draw_cards(axes, graph)
    axes.set_xlim(-0.06, 1.06)
    axes.set_ylim(1.04, -0.06)
    axes.set_axis_off()
    _legend(axes, graph)
    title(
        axes,
        f"{view.name}: cards that go together",
        f"{len(graph.nodes)} of the {graph.used} most used cards of {graph.elites:,} elites, and the "
        f"{len(graph.links)} weightiest pairs of them whose lift is {LEAST_LIFT:g} or more",
    )


def _look(graph: CardGraph, link: Link) -> dict[str, Any]:
    """How a link is drawn: the weightier, the stronger."""
    share = link.weight / graph.links[0].weight
    return {"color": GREY, "alpha": 0.15 + 0.5 * share, "linewidth": 0.7 + 2.3 * share}


def _draw_links(axes: "Axes", graph: CardGraph) -> None:
    for link in graph.links:
        ends = graph.nodes[link.first], graph.nodes[link.second]
        axes.plot([each.x for each in ends], [each.y for each in ends], **_look(graph, link), zorder=1)


def _radii(graph: CardGraph) -> list[float]:
    most = max(node.elites for node in graph.nodes)
    least, largest = _DOTS
    return [least + (largest - least) * (node.elites / most) ** 0.5 for node in graph.nodes]


def _legend(axes: "Axes", graph: CardGraph) -> None:
    """Says what the ends of both scales are: the cards in most and in fewest elites, and two links."""
    from matplotlib.lines import Line2D  # an extra, and slow to import

    by_elites = sorted(zip(_radii(graph), graph.nodes, strict=True), key=lambda each: -each[1].elites)
    dots = [
        Line2D(
            [], [], marker="o", linestyle="", color=colour(0), markersize=2 * radius, label=f"in {node.elites:,} elites"
        )
        for radius, node in (by_elites[0], by_elites[-1])
    ]
    links = [
        Line2D([], [], **_look(graph, link), label=f"{link.count:,} elites have both, lift {lift_text(link.lift)}")
        for link in (graph.links[0], graph.links[-1])
    ]
    axes.legend(handles=[*dots, *links], loc="upper left", bbox_to_anchor=(0, 0), ncols=4, frameon=False, fontsize=8.5)


def _draw_cards(axes: "Axes", graph: CardGraph) -> None:
    from matplotlib.patheffects import withStroke

    radii = _radii(graph)
    axes.scatter(
        [node.x for node in graph.nodes],
        [node.y for node in graph.nodes],
        s=[(2 * radius) ** 2 for radius in radii],
        color=colour(0),
        linewidths=0,
        zorder=2,
    )
    for node, radius in zip(graph.nodes, radii, strict=True):
        axes.annotate(
            node.name,
            (node.x, node.y),
            xytext=(0, radius + 2),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=7.5,
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
            zorder=3,
        )
