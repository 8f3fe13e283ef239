"""Table 1: the numbers of each algorithm over its trials, in the search and on fresh games, and their order."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.papers.budget import budget_note
from deckatlas.papers.dsa_me.joined_trials import TRIALS, JoinedTrials
from deckatlas.papers.dsa_me.published import QD_SCORE, TABLE_1
from deckatlas.papers.dsa_me.trial_figures import draw_trials
from deckatlas.papers.dsa_me.trials import (
    FRESH_OF,
    IN_THE_SEARCH,
    NOTES,
    ON_FRESH_GAMES,
    SUM,
    Values,
    ahead,
    mean_cells,
    numbers_of_trials,
    published_mean,
)
from deckatlas.stats.estimate import Estimate

_FRESH = "on fresh games"
_ORDERED = (QD_SCORE, SUM)

Of = Mapping[str, Mapping[str, Values]]  # by number and algorithm


class TrialTable(JoinedTrials):
    """The numbers of table 1, each also on fresh games, and whether the order of the algorithms survives these."""

    kind: Literal["trial-table"] = "trial-table"

    def report(self, study: Study) -> Report:
        """One line per algorithm, and the order of algorithms by both definitions of the QD score."""
        trials = self.rows(study)[TRIALS]
        numbers = numbers_of_trials(trials)
        means = list(_mean_rows(numbers))
        order = list(order_rows(numbers))
        rows = {"means": means, "order": order, TRIALS: trials}
        tables = (
            _means_table("In the search: mean ± standard error [95 %]", numbers, IN_THE_SEARCH),
            _means_table("Final elites on fresh games: mean ± standard error [95 %]", numbers, ON_FRESH_GAMES),
            _published_table(numbers),
            _order_table(order),
        )
        notes = (
            "± is the standard error over trials, as in the paper, and intervals are Student's over trials. The mean "
            "health difference of the best, and the win rate of the elite that won most, are those of the elite that "
            "led in the search: the best on fresh games would be lucky again.",
            "Claims on the order compare neighbours by the t test that pools their variance.",
        )
        drawn = {key: IN_THE_SEARCH[key] for key in FRESH_OF}
        figures = {"trials": lambda figure: draw_trials(figure, numbers, drawn)}
        report = Report(rows, tables, (budget_note(study), *self.join_notes({TRIALS: trials}), *NOTES, *notes), figures)
        return with_findings(report, list(order_findings(numbers)), digits=1)


def _mean_rows(numbers: Of) -> Iterator[dict[str, Any]]:
    for key, of_algorithms in numbers.items():
        for name, values in of_algorithms.items():
            theirs = published_mean(key, name)
            yield {
                "algorithm": name,
                "number": key,
                "trials": len(values),
                **mean_cells(values, key),
                "published": None if theirs is None else theirs.value,
                "published_error": None if theirs is None or np.isnan(theirs.error) else theirs.error,
            }


def order_rows(numbers: Of) -> Iterator[dict[str, Any]]:
    """The rank of each algorithm by each QD score: in the paper, in the search and on fresh games."""
    for key in _ORDERED:
        names = list(numbers[key])
        published = {name: mean.value for name in names if (mean := published_mean(key, name)) is not None}
        columns = {
            "published": _ranks(published),
            "search": _ranks({name: float(values.mean()) for name, values in numbers[key].items()}),
            "fresh": _ranks({name: float(values.mean()) for name, values in numbers[FRESH_OF[key]].items()}),
        }
        for name in names:
            yield {"number": key, "algorithm": name} | {title: ranks.get(name) for title, ranks in columns.items()}


def _ranks(values: Mapping[str, float]) -> dict[str, int]:
    return {name: rank for rank, name in enumerate(_descending(values), start=1)}


def _descending(values: Mapping[str, float]) -> list[str]:
    return sorted(values, key=lambda name: -values[name])


def order_findings(numbers: Of) -> Iterator[Finding]:
    """Whether the order is the published one, and whether the order of the search survives on fresh games."""
    published = {name: TABLE_1[QD_SCORE][name].value for name in numbers[QD_SCORE] if name in TABLE_1[QD_SCORE]}
    for key, ending in ((QD_SCORE, "in the search"), (FRESH_OF[QD_SCORE], _FRESH)):
        claims = _order_claims(_descending(published), numbers[key], f"QD score {ending}, ahead by")
        yield Finding(f"the order by QD score is that of table 1 ({ending})", claims)
    for key in _ORDERED:
        own = _descending({name: float(values.mean()) for name, values in numbers[key].items()})
        words = IN_THE_SEARCH[key]
        claims = _order_claims(own, numbers[FRESH_OF[key]], f"{words}, {_FRESH}, ahead by")
        yield Finding(f"the order that the search gives by {words} survives on fresh games", claims)


def _order_claims(order: Sequence[str], values: Mapping[str, Values], measure: str) -> tuple[Claim, ...]:
    return tuple(
        Claim(f"{better} is above {worse}", measure, ahead(values[better], values[worse]))
        for better, worse in pairwise(order)
    )


def _means_table(title: str, numbers: Of, words: Mapping[str, str]) -> TextTable:
    names = list(next(iter(numbers.values())))
    lines = tuple((name, *(_mean_text(numbers[key][name], key) for key in words)) for name in names)
    return TextTable(title, ("algorithm", *words.values()), lines)


def _mean_text(values: Values, number: str) -> str:
    cells = mean_cells(values, number)
    error = "" if cells["mean_error"] is None else f" ± {cells['mean_error']:.2f}"
    ends = Estimate.from_cells(cells, "mean", n=len(values)).ends(1)
    return f"{cells['mean']:.2f}{error} {ends}".rstrip()


def _published_table(numbers: Of) -> TextTable:
    lines = []
    for name in next(iter(numbers.values())):
        cells = []
        for key in IN_THE_SEARCH:
            theirs = published_mean(key, name)
            error = "" if theirs is None or np.isnan(theirs.error) else f" ± {theirs.error:.2f}"
            cells.append("" if theirs is None else f"{theirs.value:,.2f}{error}" if error else f"{theirs.value:,.0f}")
        lines.append((name, *cells))
    return TextTable("The paper: mean ± standard error", ("algorithm", *IN_THE_SEARCH.values()), tuple(lines))


def _order_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    places = ("published", "search", "fresh")
    found = {(row["number"], row["algorithm"]): row for row in rows}
    names = list(dict.fromkeys(row["algorithm"] for row in rows))
    lines = tuple(
        (
            name,
            *("" if (rank := found[key, name][place]) is None else str(rank) for key in _ORDERED for place in places),
        )
        for name in names
    )
    columns = [f"{IN_THE_SEARCH[key]}: {place}" for key in _ORDERED for place in ("paper", "search", "fresh games")]
    return TextTable("Rank of the algorithms", ("algorithm", *columns), lines)
