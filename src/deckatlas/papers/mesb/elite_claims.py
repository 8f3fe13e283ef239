"""What the paper says about elites in the space of mana curves, checked against the rows of a report on elites."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deckatlas.experiments.findings import Claim, Finding
from deckatlas.experiments.published import PublishedCheck, some_of, tables, under_any_name
from deckatlas.papers.mesb.maps import MANA, VARIANCE, of_elites
from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import average, difference, magnitude, mean_interval

Rows = Sequence[Mapping[str, Any]]
Pairs = Mapping[str, Sequence[str]]

THIRDS = ("cheap", "middle", "dear")
CORRELATION = "mana_r"
_HALVES = ("low_variance", "high_variance")


def third_rows(name: str, view: RunView) -> Iterator[dict[str, Any]]:
    """The quality of a map's elites in each third of their mana costs, and in its halves of low and high variance.

    A third with fewer than two elites has no halves and no row.
    """
    mana, variance, quality, rates = (of_elites(view, key) for key in (MANA, VARIANCE, view.objective, WIN_RATE))
    for title, third in zip(THIRDS, np.array_split(np.argsort(mana, kind="stable"), len(THIRDS)), strict=True):
        if len(third) < len(_HALVES):
            continue
        row: dict[str, Any] = {"map": name, "third": title, "elites": len(third)}
        row |= {"mana_from": float(mana[third].min()), "mana_to": float(mana[third].max())}
        row |= mean_interval(100 * rates[third]).cells("win_rate")
        row |= mean_interval(quality[third]).cells("quality")
        by_variance = third[np.argsort(variance[third], kind="stable")]
        for half, chosen in zip(_HALVES, np.array_split(by_variance, len(_HALVES)), strict=True):
            row |= mean_interval(quality[chosen]).cells(half, n=f"{half}_elites")
        yield row


def published_checks(runs: Collection[str]) -> Mapping[str, PublishedCheck]:
    """Checks of the published names: see `findings`."""
    pairs = tables(dict.fromkeys(runs, some_of(runs)))
    return {
        "low_mana": under_any_name(some_of(runs)),
        "lower_mana": under_any_name(pairs),
        "high_variance": under_any_name(some_of(runs)),
        "across_mana": under_any_name(some_of(runs)),
        "weaker": under_any_name(pairs),
        "alike": under_any_name(tables({"of": pairs, "than": pairs})),
    }


def mean_of(row: Mapping[str, Any], key: str) -> Estimate:
    """A mean from a map's row, with the number of decks behind it."""
    best, decks = row["best_elites"], row["elites"]
    n = best if key.endswith("of_best") else decks - best if key.endswith("of_others") else decks
    return Estimate.from_cells(row, key, n=n)


@dataclass(frozen=True)
class EliteClaims:
    """The published findings about the maps of a report; for a repeated map, about the mean of its runs.

    Attributes:
        runs: For each run, the names of its maps.
        maps: One row per map.
        thirds: The rows of `third_rows`, of all maps.
    """

    runs: Mapping[str, Sequence[str]]
    maps: Rows
    thirds: Rows

    def findings(self, published: Mapping[str, Any]) -> Iterator[Finding]:
        """The findings, by the names of the table [published], each under a title.

        - `low_mana`: the best elites of these maps cost less than their other elites.
        - `lower_mana`: elites of these maps cost less than those of others.
        - `high_variance`: of the dearest third of the elites, those with high variance are better.
        - `across_mana`: the elites of each third of the costs win most of their games.
        - `weaker`: quality depends less on mana costs in these maps than in others.
        - `alike`: the maps of a pair are more alike in how quality depends on mana than those of other pairs.
        """
        for title, low in published.get("low_mana", {}).items():
            yield Finding(title, tuple(self._low_mana(low)))
        for title, pairs in published.get("lower_mana", {}).items():
            for key, words in (("of_best", "best elites"), ("of_all", "all elites")):
                yield Finding(f"{title} ({words})", tuple(self._lower_mana(pairs, key, words)))
        for title, runs in published.get("high_variance", {}).items():
            yield Finding(title, tuple(self._high_variance(runs)))
        for title, runs in published.get("across_mana", {}).items():
            yield Finding(title, tuple(self._across_mana(runs)))
        for title, pairs in published.get("weaker", {}).items():
            yield Finding(title, tuple(self._weaker(pairs)))
        for title, compared in published.get("alike", {}).items():
            yield Finding(title, tuple(self._alike(compared.get("of", {}), compared.get("than", {}))))

    def _low_mana(self, runs: Sequence[str]) -> Iterator[Claim]:
        for run in runs:
            if run in self.runs and all(f"{MANA}_of_others" in row for row in self._rows_of(run)):
                found = difference(self._mana(run, "of_best"), self._mana(run, "of_others"))
                yield Claim(f"{run}: the best cost less", "mana, best - others", found, "below")

    def _lower_mana(self, pairs: Pairs, key: str, words: str) -> Iterator[Claim]:
        for one, other in self._shown(pairs):
            found = difference(self._mana(one, key), self._mana(other, key))
            yield Claim(f"{one} < {other}", f"mana of {words}", found, "below")

    def _high_variance(self, runs: Sequence[str]) -> Iterator[Claim]:
        for run in runs:
            if rows := self._thirds_of(run, "dear"):
                low, high = (
                    average([Estimate.from_cells(row, half, n=row[f"{half}_elites"]) for row in rows])
                    for half in _HALVES
                )
                measure = "health difference of dear elites, high - low variance"
                yield Claim(f"{run}: dear decks need variance", measure, difference(high, low))

    def _across_mana(self, runs: Sequence[str]) -> Iterator[Claim]:
        for run in runs:
            for third in THIRDS:
                if rows := self._thirds_of(run, third):
                    found = average([Estimate.from_cells(row, "win_rate", n=row["elites"]) for row in rows])
                    yield Claim(f"{run}: {third} elites win", "mean win rate, %", found, mark=50)

    def _weaker(self, pairs: Pairs) -> Iterator[Claim]:
        for one, other in self._shown(pairs):
            found = difference(self._correlation(one), self._correlation(other))
            yield Claim(f"{one}: costs matter less than for {other}", "difference of r of mana", found)

    def _alike(self, of: Pairs, than: Pairs) -> Iterator[Claim]:
        for one, other in self._shown(of):
            for third, fourth in self._shown(than):
                found = difference(self._gap(one, other), self._gap(third, fourth))
                statement = f"{one} is more like {other} than {third} is like {fourth}"
                yield Claim(statement, "distance of r of mana, less by", found, "below")

    def _gap(self, one: str, other: str) -> Estimate:
        return magnitude(difference(self._correlation(one), self._correlation(other)))

    def _correlation(self, run: str) -> Estimate:
        return average([mean_of(row, CORRELATION) for row in self._rows_of(run)])

    def _mana(self, run: str, key: str) -> Estimate:
        return average([mean_of(row, f"{MANA}_{key}") for row in self._rows_of(run)])

    def _rows_of(self, run: str) -> list[Mapping[str, Any]]:
        return [row for row in self.maps if row["map"] in self.runs[run]]

    def _thirds_of(self, run: str, third: str) -> list[Mapping[str, Any]]:
        names = self.runs.get(run, ())
        return [row for row in self.thirds if row["map"] in names and row["third"] == third]

    def _shown(self, pairs: Pairs) -> list[tuple[str, str]]:
        """The pairs of runs that are both shown."""
        return [(one, other) for one, others in pairs.items() for other in others if {one, other} <= {*self.runs}]
