"""The third experiment: what a patch does to the cards of elites, in maps searched before and after it.

Every archetype (a class with a strategy) has maps without and with the patch against the same opponents. Trials of the
same number are paired: they begin with the same decks and have the same seeds.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import DeckError, RunError
from deckatlas.experiments.findings import with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.editions import DEFAULT
from deckatlas.games.hearthstone.setup import edition_of
from deckatlas.papers.joined import Rows
from deckatlas.papers.mesb.balance_claims import BalanceClaims, published_checks
from deckatlas.papers.mesb.balance_figures import draw_places, draw_shares
from deckatlas.papers.mesb.balance_trials import (
    DECK_TABLES,
    DECKS,
    deck_rows,
    decks_of_rows,
    space_of,
    trials_of_rows,
)
from deckatlas.papers.mesb.card_changes import PLACES, CardChange
from deckatlas.papers.mesb.card_choice import CardChoice, choice_rows, choices_table
from deckatlas.papers.mesb.curves import CURVE_TABLES, CurvesReport
from deckatlas.papers.mesb.maps import check_pairs
from deckatlas.papers.other_results import OtherResult, TrialRows
from deckatlas.runs.config import ConfigTable
from deckatlas.runs.view import RunView
from deckatlas.shapes import nearest, show
from deckatlas.stats.estimate import Estimate

SIDES = ("before", "after")
_NOT_IN_POOL = "–"  # noqa: RUF001 - a dash in a table


class PatchedArchetype(ConfigTable):
    """The maps of a class with a strategy."""

    before: str = Field(description="The run without the patch.")
    after: str = Field(description="The run with it.")


class CardBalance(CurvesReport):
    """Cards among elites before and after a patch, where their decks move, and the win rates of all maps."""

    trial_tables: ClassVar[Mapping[str, TrialRows]] = {**DECK_TABLES, **CURVE_TABLES}

    kind: Literal["card-balance"] = "card-balance"
    archetypes: dict[str, PatchedArchetype] = Field(min_length=1, description="The maps of each archetype.")
    cards: tuple[str, ...] = Field(min_length=1, description="The cards shown, by name.")
    rare: float = Field(
        default=25, ge=0, lt=100, description="A card that at most this share of elites has is marked by a cross, in %."
    )

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about runs and cards that do not exist."""
        for name, archetype in self.archetypes.items():
            for side in SIDES:
                run = getattr(archetype, side)
                if run not in runs:
                    place = ("report", "archetypes", name, side)
                    yield Complaint((place,), f"no run {show(run)}: {nearest(run, runs)}")
        known = [card.name for card in edition_of(DEFAULT).cards if card.collectible]
        for number, card in enumerate(self.cards):
            if card not in known:
                yield Complaint(
                    (("report", "cards", number), ("report", "cards")), f"no card {show(card)}: {nearest(card, known)}"
                )
        yield from super().complaints(published, runs)

    def published_checks(self, runs: Collection[str]) -> Mapping[str, PublishedCheck]:
        """Checks of what was published about cards and about curves."""
        return {**super().published_checks(runs), **published_checks(self.cards, self.archetypes)}

    def trial_runs(self, known: Collection[str]) -> Mapping[str, str]:
        """The maps of all sets and archetypes."""
        return {**{name: name for name in self._maps_of_archetypes}, **super().trial_runs(known)}

    def has_rows(self, name: str, table: str) -> bool:
        """All maps have curves, and those of archetypes also decks."""
        return table != DECKS or name in self._maps_of_archetypes

    def own_rows(self, name: str, view: RunView) -> Rows:
        """The curves of a map, and the decks of its elites if it is one of an archetype."""
        decks = {DECKS: deck_rows(view)} if self.has_rows(name, DECKS) else {}
        return {**decks, **super().own_rows(name, view)}

    def check_rows(self, other: OtherResult, rows: Rows, series: Mapping[str, Series]) -> None:
        """Checks that other trials have maps of all archetypes, and decks that these can have.

        Raises:
            RunError: If they do not.
        """
        numbers = {name: {row["run"] for row in rows[DECKS] if row["map"] == name} for name in self._maps_of_archetypes}
        for name, found in numbers.items():
            if missing := sorted(set().union(*numbers.values()) - found):
                raise other.refused(f"it has no trial {missing[0]} of {name}")
            try:
                decks_of_rows([row for row in rows[DECKS] if row["map"] == name], space_of(series[name].config))
            except DeckError as error:
                raise other.refused(f"{name}: {error}") from None

    def report(self, study: Study) -> Report:
        """Shares of cards and the places of their decks, before and after, curves, and the published findings."""
        self._check_pairs(study)
        rows_of_trials = self.rows(study)
        spaces = {name: space_of(study.maps[name][0].config) for name in self._maps_of_archetypes}
        trials = trials_of_rows(rows_of_trials[DECKS], spaces)
        pairs = {
            name: {number: (trials[each.before][number], trials[each.after][number]) for number in trials[each.before]}
            for name, each in self.archetypes.items()
        }
        changes = [CardChange.of(card, name, each) for card in self.cards for name, each in pairs.items()]
        named = study.published.get("before", {})
        choices = [
            CardChoice.of(name, trials[each.before], spaces[each.before], named.get(name, {}))
            for name, each in self.archetypes.items()
        ]
        curves, of_curves = self.curves_of(study, rows_of_trials)
        claims = BalanceClaims({(each.card, each.archetype): each for each in changes}, self.rare)
        findings = [*claims.findings(study.published), *of_curves]
        rows = {
            "cards": list(_card_rows(changes, study.published)),
            "places": list(_place_rows(changes)),
            "trials": list(_trial_rows(changes)),
            "choices": list(choice_rows(choices)),
            DECKS: rows_of_trials[DECKS],
            **curves.rows,
        }
        shares = tuple(self._shares_table(side, rows["cards"], study.published) for side in SIDES)
        common = {(each.card, each.archetype) for each in changes if each.is_common(self.rare)}
        places = [row for row in rows["places"] if (row["card"], row["archetype"]) in common]
        moved = [_places_table(places)] if places else []
        tables = (choices_table(choices), *shares, _changes_table(rows["cards"]), *moved, *curves.tables)
        figures = {
            "cards": lambda figure: draw_shares(figure, changes, self.rare),
            "places": lambda figure: draw_places(figure, changes, self.rare),
            **curves.figures,
        }
        trials_note = self._notes(len(next(iter(pairs.values()))))
        notes = (self.budget(study), *self.join_notes(rows_of_trials), *trials_note, *curves.notes)
        return with_findings(Report(rows, tables, notes, figures), findings)

    @property
    def _maps_of_archetypes(self) -> tuple[str, ...]:
        return tuple(name for each in self.archetypes.values() for name in (each.before, each.after))

    def _check_pairs(self, study: Study) -> None:
        """Checks that the trials of this call are pairs.

        Raises:
            RunError: If trials of the same number do not have the same seed, opponents and games.
        """
        counts = set()
        for archetype in self.archetypes.values():
            found = self.series(study, (archetype.before, archetype.after))
            check_pairs(found)
            pairs = list(zip(found[archetype.before], found[archetype.after], strict=True))
            if any(before.config["evaluation"] != after.config["evaluation"] for before, after in pairs):
                raise RunError(
                    f"{archetype.before} and {archetype.after} must have the same opponents, pilot and games"
                )
            counts.add(len(pairs))
        if len(counts) != 1:
            raise RunError("all archetypes need the same number of trials")

    def _shares_table(self, side: str, rows: Sequence[Mapping[str, Any]], published: Mapping[str, Any]) -> TextTable:
        """Figure 6: a cross marks rare cards, as in the paper; published shares are in parentheses."""
        found = {(row["card"], row["archetype"]): row for row in rows}
        is_complete = side == "before" and side in published  # the paper's table of the time after is not complete

        def shown(share: float | None) -> str:
            return "×" if share is None or share <= self.rare else f"{share:.1f}"  # noqa: RUF001 - the paper's cross

        def text(card: str, archetype: str) -> str:
            row = found[card, archetype]
            ours = shown(row[side]) if row["is_in_pool"] else _NOT_IN_POOL
            theirs = row[f"published_{side}"]
            return f"{ours} ({shown(theirs)})" if theirs is not None or is_complete else ours

        lines = tuple((card, *(text(card, name) for name in self.archetypes)) for card in self.cards)
        title = f"Elites that have a card, {side} the patch, % (published); ×: {self.rare:g} % or fewer"  # noqa: RUF001
        return TextTable(title, ("card", *self.archetypes), lines)

    def _notes(self, trials: int) -> tuple[str, ...]:
        return (
            "A share is the percentage of a map's elites that have at least one copy of the card, on average over "
            f"trials. Intervals are 95 % intervals over {trials} trials, since searches differ more than games; those "
            "of changes are over pairs of trials with the same seed and opponents. A single trial has no interval, and "
            "decides nothing.",
            "Patterns are sets of cards that at least half of the elites before the patch have. The card to change is "
            "the one that most of them have; `times random decks` is how much commoner it is than in random legal "
            "decks. The paper has one run of each map, so its choice corresponds to that of one trial alone.",
            f"A cross is a share of {self.rare:g} % or fewer, as in the paper; {_NOT_IN_POOL} is a card of another "
            "class. The paper's shares after the patch are those that its text names.",
            "A place is the centroid of the cells whose elites have the card: the mean sum of mana costs of 30 cards "
            "and the mean variance, by the costs of the map's own cards. A pair counts if elites of both maps have the "
            f"card. Shown are cards that are in more than {self.rare:g} % of the elites, before or after; `places.csv` "
            "has all. The patch makes cards dearer, so the same decks move to higher costs by themselves: a shift seen "
            "from all elites is the shift less that of the centroid of all elites. `apart afterwards` is the centroid "
            "of the elites with the card minus that of the elites without it, both after the patch.",
        )


def _card_rows(changes: Sequence[CardChange], published: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for each in changes:
        row: dict[str, Any] = {"card": each.card, "archetype": each.archetype, "is_in_pool": each.is_in_pool}
        row |= each.share.before.cells("before") | each.share.after.cells("after") | each.share.change.cells("change")
        row["trials"] = len(each.trials)
        for side in SIDES:
            row[f"published_{side}"] = published.get(side, {}).get(each.archetype, {}).get(each.card)
        yield row


def _place_rows(changes: Sequence[CardChange]) -> Iterator[dict[str, Any]]:
    for each in changes:
        for column, place in each.places.items():
            row: dict[str, Any] = {"card": each.card, "archetype": each.archetype, "column": column}
            row |= place.before.cells("before") | place.after.cells("after")
            row |= place.change.cells("change", n="trials") | each.seen[column].change.cells("seen_from_all")
            yield row | (each.apart[column].cells("apart", n="apart_trials") if column in each.apart else {})


def _trial_rows(changes: Sequence[CardChange]) -> Iterator[dict[str, Any]]:
    for each in changes:
        for trial, (before, after) in zip(each.numbers, each.trials.tolist(), strict=True):
            own = {"card": each.card, "archetype": each.archetype, "trial": trial}
            yield {**own, "before": before, "after": after}


def _changes_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    """The cards that some elites have, before or after."""
    lines = tuple(
        (
            row["card"],
            row["archetype"],
            *(Estimate.from_cells(row, key, n=row["trials"]).text(1) for key in (*SIDES, "change")),
            str(row["trials"]),
        )
        for row in rows
        if row["before"] or row["after"]
    )
    columns = ("card", "archetype", "before %", "after %", "change [95 %]", "trials")
    return TextTable("Elites that have a card: trial by trial", columns, lines)


def _places_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple(
        (
            row["card"],
            row["archetype"],
            PLACES[row["column"]],
            *(f"{row[side]:.2f}" for side in SIDES),
            *(Estimate.from_cells(row, key, n=row["trials"]).text() for key in ("change", "seen_from_all")),
            str(row["trials"]),
            Estimate.from_cells(row, "apart", n=row["apart_trials"]).text() if "apart" in row else "",
        )
        for row in rows
    )
    places = ("before", "after", "shift [95 %]", "seen from all elites [95 %]", "trials", "apart afterwards [95 %]")
    return TextTable("Where the elites with a card are", ("card", "archetype", "", *places), lines)
