"""The decks of elites: lists with their codes, and the cards that elites of a map have in common."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck, a_number, tables
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.editions import DEFAULT
from deckatlas.games.hearthstone.setup import edition_of
from deckatlas.papers.drafts.fresh_games import rate_cells
from deckatlas.papers.mesb.maps import MapReport
from deckatlas.runs.elites import Elite
from deckatlas.runs.export import elite_row
from deckatlas.runs.inclusion import cards_of_elites
from deckatlas.runs.view import RunView
from deckatlas.stats.rates import independent_rate

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra


class EliteDecks(MapReport):
    """Deck lists of the best elites, and the share of a map's elites that have a card."""

    kind: Literal["elite-decks"] = "elite-decks"
    decks: int = Field(default=3, ge=1, le=1000, description="The number of best decks to show per map.")
    cards: int = Field(default=6, ge=1, le=1000, description="The number of most common cards to show per map.")

    def published_checks(self, runs: Collection[str]) -> Mapping[str, PublishedCheck]:
        """Checks of the published shares of a map's elites that have a card, by the card's name."""
        names = [card.name for card in edition_of(DEFAULT).cards if card.collectible]
        return {"share": tables(dict.fromkeys(runs, tables(dict.fromkeys(names, a_number))))}

    def report(self, study: Study) -> Report:
        """Deck lists, all elites with their codes, and shares of cards."""
        views = self.views(study)
        published = study.published.get("share", {})
        elites = {name: [_elite_row(name, view, each) for each in view.elites()] for name, view in views.items()}
        shares = [row for name, view in views.items() for row in _share_rows(name, view, published.get(name, {}))]
        shown = self._shown(shares, published)
        rows = {"elites": [row for own in elites.values() for row in own], "cards": shares}
        notes = (
            "A share is the percentage of a map's elites that have at least one copy of the card. Intervals in the "
            "files are Wilson's, as if elites were independent; they descend from each other, so other runs of the "
            "same search differ by more. Published shares are in (parentheses).",
        )
        best = [row for own in elites.values() for row in own[: self.decks]]
        printed = (_shares_table(views, shares, shown), _best_table(views), _codes_table(best))
        figures = {"cards": lambda figure: _draw(figure, list(views), shares, shown)}
        return Report(rows, printed, (self.budget(study), *notes), figures)

    def _shown(self, shares: Sequence[Mapping[str, Any]], published: Mapping[str, Mapping[str, Any]]) -> list[str]:
        """The most common cards of each map and the published ones, the most common of all first."""
        chosen = {name for of_map in published.values() for name in of_map}
        for name in dict.fromkeys(row["map"] for row in shares):
            own = sorted((row for row in shares if row["map"] == name), key=lambda row: -row["share"])
            chosen |= {row["card"] for row in own[: self.cards]}
        most = {name: max((row["share"] for row in shares if row["card"] == name), default=0.0) for name in chosen}
        return sorted(chosen, key=lambda name: (-most[name], name))


def card_list(view: RunView, elite: Elite) -> list[str]:
    """A deck's cards with their counts, by cost."""
    return [f"{line.copies} {line.name}" for line in view.deck_list(elite)]


def _elite_row(name: str, view: RunView, elite: Elite) -> dict[str, Any]:
    return {"map": name, **elite_row(view, elite), "cards": ", ".join(card_list(view, elite))}


def _share_rows(name: str, view: RunView, published: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    having = cards_of_elites(view)
    for gene, count in zip(view.description.genes, having.sum(axis=0).tolist(), strict=True):
        card = gene.name
        cells = rate_cells("share", independent_rate(count, len(having)))
        yield {"map": name, "card": card, **cells, "published": published.get(card)}


def _shares_table(views: Mapping[str, RunView], shares: Sequence[Mapping[str, Any]], shown: Sequence[str]) -> TextTable:
    found = {(row["card"], row["map"]): row for row in shares}

    def text(card: str, name: str) -> str:
        row = found.get((card, name))
        if row is None:
            return ""
        return f"{row['share']:.1f}" + ("" if row["published"] is None else f" ({row['published']:.1f})")

    lines = tuple((card, *(text(card, name) for name in views)) for card in shown)
    return TextTable("Elites that have a card, % (published)", ("card", *views), lines)


def _codes_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple((row["map"], f"{100 * row['win_rate']:.1f}", f"{row['games']:,}", row["code"]) for row in rows)
    return TextTable("The best elites of each map", ("map", "won in the search %", "games", "deck code"), lines)


def _best_table(views: Mapping[str, RunView]) -> TextTable:
    """The best deck of each map, one line per card."""
    lists = [card_list(view, view.elites()[0]) for view in views.values()]
    lines = tuple(("", *row) for row in zip_longest(*lists, fillvalue=""))
    return TextTable("The best deck of each map, by cost", ("", *views), lines)


def _draw(figure: "Figure", maps: Sequence[str], shares: Sequence[Mapping[str, Any]], shown: Sequence[str]) -> None:
    figure.set_size_inches(2.6 + 1.0 * len(maps), 1.0 + 0.24 * len(shown))
    found = {(row["card"], row["map"]): row["share"] for row in shares}
    table = np.array([[found.get((card, name), np.nan) for name in maps] for card in shown])
    axes = figure.add_subplot()
    axes.imshow(table, cmap="Blues", vmin=0, vmax=100, aspect="auto")
    for y, x in np.argwhere(np.isfinite(table)).tolist():
        ink = "white" if table[y, x] > 60 else "black"
        axes.text(x, y, f"{table[y, x]:.0f}", ha="center", va="center", fontsize=8, color=ink)
    axes.set_title("Elites that have a card, %", loc="left", fontsize=11)
    axes.set_xticks(range(len(maps)), maps, rotation=30, ha="right")
    axes.set_yticks(range(len(shown)), shown, fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
