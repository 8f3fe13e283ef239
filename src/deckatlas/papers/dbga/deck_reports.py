"""Reports on the decks of contenders: mana curves, and bubble charts of two attributes of cards."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field

from deckatlas.experiments.kind import Draw, Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.papers.dbga.deck_figures import AXIS_NAMES, bubble_legend, draw_bubbles, draw_mana_curves
from deckatlas.papers.dbga.decks import (
    ATTRIBUTES,
    COST_NAMES,
    COSTS,
    Decks,
    bubbles,
    cards_that_cost,
    creature_mean,
    creatures_with,
    drafted_decks,
    mana_curve,
)
from deckatlas.papers.drafts.contenders import ContenderReport, Drafter, SeatedContender, drafters
from deckatlas.papers.drafts.finalists import runs_table
from deckatlas.papers.drafts.fresh_games import SEAT_NAMES, referee_course
from deckatlas.stats.estimate import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Attribute = Literal["cost", "attack", "defense"]
HIGH_DEFENSE = 5
CHEAP, DEAR = 2, 6


class DeckReport(ContenderReport):
    """The decks that contenders draft in the same games."""

    games: int = Field(default=250, ge=2, description="The number of games, one deck per contender in each.")
    contenders: dict[str, SeatedContender] = Field(min_length=1, description="The contenders, by label.")

    def report(self, study: Study) -> Report:
        """The decks of all contenders, in numbers and figures."""
        seeds = referee_course(study, "decks", self.games).game_seeds
        drafted: dict[Drafter, Decks] = {}
        runs: list[dict[str, Any]] = []
        for label, contender in self.contenders.items():
            chosen, rows = drafters(self, study, label, contender)
            drafted |= {each: drafted_decks(each.entrant, seeds, seat=each.seat) for each in chosen}
            runs += rows
        tables, rows_by_name, figure = self._looked_at(drafted)
        if runs:
            tables = (*tables, runs_table(runs))
            rows_by_name = {**rows_by_name, "runs": runs}
        notes = (
            f"Means over the decks that each contender drafts in the same {self.games:,} games, whose seeds no search "
            "has seen; intervals are 95 % intervals over decks.",
            self.choices_note,
        )
        return Report(rows_by_name, tables, notes, figure)

    def smoke(self) -> Self:
        """A few decks."""
        sizes = {"games": min(self.games, 20), "validation_games": min(self.validation_games, 50)}
        return self.model_copy(update=sizes)

    @abstractmethod
    def _looked_at(
        self, drafted: Mapping[Drafter, Decks]
    ) -> tuple[tuple[TextTable, ...], dict[str, list[dict[str, Any]]], dict[str, Draw]]:
        """The tables, rows and figures of the decks."""


def _cells(drafter: Drafter) -> dict[str, Any]:
    return {"contender": drafter.label, "choice": drafter.choice, "seat": SEAT_NAMES[drafter.seat]}


class ManaCurves(DeckReport):
    """The number of cards of each cost in decks."""

    kind: Literal["mana-curves"] = "mana-curves"

    def _looked_at(
        self, drafted: Mapping[Drafter, Decks]
    ) -> tuple[tuple[TextTable, ...], dict[str, list[dict[str, Any]]], dict[str, Draw]]:
        curves = {drafter: mana_curve(decks) for drafter, decks in drafted.items()}
        means = {drafter: _cost_means(decks) for drafter, decks in drafted.items()}
        rows = [
            {**_cells(drafter), "cost": name, **mean.cells("cards", n="decks")}
            for drafter, curve in curves.items()
            for name, mean in zip(COST_NAMES, curve, strict=True)
        ]
        table = TextTable(
            "Cards of a deck by mana cost, mean",
            ("contender", "choice", "seat", *COST_NAMES),
            tuple(
                (*_cells(drafter).values(), *(mean.plus_minus() for mean in curve)) for drafter, curve in curves.items()
            ),
        )

        def draw(figure: "Figure") -> None:
            figure.set_size_inches(7, 4.2)
            draw_mana_curves(figure.add_subplot(), curves)

        tables = (table, _means_table("Costs of a deck, mean", means))
        return tables, {"cards": rows, "means": _mean_rows(means)}, {"mana-curves": draw}


class Bubbles(DeckReport):
    """The number of cards in decks for each pair of attribute values."""

    kind: Literal["bubbles"] = "bubbles"
    x: Attribute = Field(description="The attribute on the horizontal axis.")
    y: Attribute = Field(default="defense", description="The attribute on the vertical axis.")

    def _looked_at(
        self, drafted: Mapping[Drafter, Decks]
    ) -> tuple[tuple[TextTable, ...], dict[str, list[dict[str, Any]]], dict[str, Draw]]:
        found = {drafter: bubbles(decks, self.x, self.y) for drafter, decks in drafted.items()}
        rows = [
            {**_cells(drafter), self.x: each.x, self.y: each.y}
            | each.creatures.cells("creatures", n="decks")
            | each.items.cells("items", n="decks")
            for drafter, all_of in found.items()
            for each in all_of
        ]
        means = {drafter: _creature_means(decks) for drafter, decks in drafted.items()}

        def draw(figure: "Figure") -> None:
            figure.set_size_inches(1.4 + 4.3 * len(found), 5.2)
            axes = figure.subplots(1, len(found), sharex=True, sharey=True, squeeze=False)[0]
            for (drafter, all_of), part in zip(found.items(), axes, strict=True):
                draw_bubbles(part, drafter, all_of, x=self.x, y=self.y)
            bubble_legend(axes[-1])

        table = _means_table("Creatures of a deck, mean", means)
        return (table,), {"bubbles": rows, "means": _mean_rows(means)}, {"bubbles": draw}


def _means_table(title: str, means: Mapping[Drafter, Mapping[str, Estimate]]) -> TextTable:
    names = (AXIS_NAMES.get(name, name) for name in next(iter(means.values())))
    lines = tuple(
        (*_cells(drafter).values(), *(mean.plus_minus() for mean in of.values())) for drafter, of in means.items()
    )
    return TextTable(title, ("contender", "choice", "seat", *names), lines)


def _mean_rows(means: Mapping[Drafter, Mapping[str, Estimate]]) -> list[dict[str, Any]]:
    return [
        {**_cells(drafter), "of": name, **mean.cells("mean", n="decks")}
        for drafter, of in means.items()
        for name, mean in of.items()
    ]


def _cost_means(decks: Decks) -> dict[str, Estimate]:
    """The number of cards at both ends of a mana curve, and the mean cost of creatures."""
    return {
        f"cards that cost {CHEAP} or less": cards_that_cost(decks, range(CHEAP + 1)),
        f"cards that cost {DEAR} or more": cards_that_cost(decks, range(DEAR, COSTS)),
        "mean cost of creatures": creature_mean(decks, "cost"),
    }


def _creature_means(decks: Decks) -> dict[str, Estimate]:
    return {attribute: creature_mean(decks, attribute) for attribute in ATTRIBUTES} | {
        f"of defence {HIGH_DEFENSE} or more": creatures_with(decks, "defense", HIGH_DEFENSE)
    }
