"""What the paper says about cards of elites before and after its patch, checked against the changes of a report."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from deckatlas.documents.complaints import Complaint
from deckatlas.documents.toml_lines import Path, dotted
from deckatlas.experiments.findings import Claim, Finding
from deckatlas.experiments.published import PublishedCheck, a_number, some_of, tables, under_any_name
from deckatlas.papers.mesb.card_changes import CardChange
from deckatlas.papers.mesb.maps import SUM, VARIANCE
from deckatlas.shapes import show
from deckatlas.stats.means import mean_interval

ALMOST_ALL = 99.0  # of elites, in percent; what is published as 100 % counts as more than this
_FEW = (1, 2)  # archetypes
_COLUMNS = {"mana": SUM, "variance": VARIANCE}
_WAYS: Mapping[str, Literal["above", "below"]] = {"higher": "above", "lower": "below"}


def published_checks(cards: Collection[str], archetypes: Collection[str]) -> Mapping[str, PublishedCheck]:
    """Checks of the published shares and names: see `BalanceClaims.findings`."""
    shares = tables(dict.fromkeys(archetypes, tables(dict.fromkeys(cards, a_number))))
    places = under_any_name(tables(dict.fromkeys(cards, some_of(archetypes))))
    ways = under_any_name(
        tables(dict.fromkeys(cards, tables(dict.fromkeys(archetypes, tables(dict.fromkeys(_COLUMNS, _a_way))))))
    )
    return {
        "before": shares,
        "after": shares,
        **dict.fromkeys(("common_before", "rare_after", "common_after", "in_all_after", "more", "fewer"), places),
        "in_few_before": under_any_name(some_of(cards)),
        "moves": ways,
        "apart": ways,
    }


def _a_way(value: Any, path: Path) -> Iterator[Complaint]:
    if value not in _WAYS:
        yield Complaint((path,), f"{dotted(path)} must be {' or '.join(_WAYS)}, not {show(value)}")


@dataclass(frozen=True)
class BalanceClaims:
    """The published findings about cards.

    Attributes:
        changes: The change of each card in each archetype.
        rare: The share of elites, in percent, up to which a card counts as rare.
    """

    changes: Mapping[tuple[str, str], CardChange]
    rare: float

    def findings(self, published: Mapping[str, Any]) -> Iterator[Finding]:
        """The findings, by the names of the table [published], each under a title.

        - `common_before`, `rare_after`, `common_after`: cards in more, or not more, elites than the mark of rare ones.
        - `in_all_after`: cards in almost all elites.
        - `more`, `fewer`: cards that more or fewer elites have after the patch.
        - `in_few_before`: most of these cards are common in one or two archetypes.
        - `moves`: how the centroid of the cells with the card shifts, by itself and seen from that of all cells.
        - `apart`: where that centroid is after the patch, seen from the cells without the card.
        """
        makers: dict[str, Callable[[CardChange], Claim]] = {
            "common_before": lambda change: self._share(change, "before", "above", self.rare),
            "rare_after": lambda change: self._share(change, "after", "below", self.rare),
            "common_after": lambda change: self._share(change, "after", "above", self.rare),
            "in_all_after": lambda change: self._share(change, "after", "above", ALMOST_ALL),
            "more": lambda change: self._changed(change, "above"),
            "fewer": lambda change: self._changed(change, "below"),
        }
        for key, make in makers.items():
            for title, chosen in published.get(key, {}).items():
                claims = (make(self.changes[card, name]) for card, names in chosen.items() for name in names)
                yield Finding(title, tuple(claims))
        for title, cards in published.get("in_few_before", {}).items():
            yield Finding(title, (self._in_few(cards),))
        for title, chosen in published.get("moves", {}).items():
            yield Finding(title, tuple(self._moves(chosen)))
        for title, chosen in published.get("apart", {}).items():
            yield Finding(title, tuple(self._apart(chosen)))

    def _share(
        self, change: CardChange, side: Literal["before", "after"], is_claimed: Literal["above", "below"], mark: float
    ) -> Claim:
        words = {"above": f"more than {mark:g} %", "below": f"at most {mark:g} %"}[is_claimed]
        statement = f"{change.card} in {change.archetype}: {words} {side}"
        return Claim(statement, "elites that have it, %", getattr(change.share, side), is_claimed, mark)

    def _changed(self, change: CardChange, is_claimed: Literal["above", "below"]) -> Claim:
        words = {"above": "rises", "below": "falls"}[is_claimed]
        statement = f"{change.card} in {change.archetype}: {words}"
        return Claim(statement, "elites that have it, %, change", change.share.change, is_claimed)

    def _in_few(self, cards: Sequence[str]) -> Claim:
        archetypes = list(dict.fromkeys(name for _, name in self.changes))
        # One row per card, one column per trial: in how many archetypes it is common.
        common = np.array(
            [sum(self.changes[card, name].trials[:, 0] > self.rare for name in archetypes) for card in cards]
        )
        shares = 100 * np.isin(common, _FEW).mean(axis=0)
        return Claim(
            f"most of {len(cards)} cards are in one or two archetypes", "cards, %", mean_interval(shares), mark=50
        )

    def _moves(self, chosen: Mapping[str, Mapping[str, Mapping[str, str]]]) -> Iterator[Claim]:
        """Two claims for each column: that the centroid shifts, and that it shifts against that of all elites."""
        for change, key, way in self._ways(chosen):
            statement = f"{change.card} in {change.archetype}: moves to {way} {key}"
            for places, measure in ((change.places, "shift"), (change.seen, "shift seen from all elites")):
                if _COLUMNS[key] in places:
                    yield Claim(statement, f"{key}, {measure}", places[_COLUMNS[key]].change, _WAYS[way])

    def _apart(self, chosen: Mapping[str, Mapping[str, Mapping[str, str]]]) -> Iterator[Claim]:
        for change, key, way in self._ways(chosen):
            if _COLUMNS[key] in change.apart:
                statement = f"{change.card} in {change.archetype}: {way} {key} than others after"
                yield Claim(statement, f"{key}, centroid - others", change.apart[_COLUMNS[key]], _WAYS[way])

    def _ways(self, chosen: Mapping[str, Mapping[str, Mapping[str, str]]]) -> Iterator[tuple[CardChange, str, str]]:
        for card, archetypes in chosen.items():
            for name, ways in archetypes.items():
                for key, way in ways.items():
                    yield self.changes[card, name], key, way
