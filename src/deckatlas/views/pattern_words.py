"""Patterns in words, and on the map: what the terminal, pages and pictures share."""

from collections.abc import Iterator

import numpy as np

from deckatlas.patterns.patterns import Pattern, Patterns
from deckatlas.patterns.sources import decks_of_runs
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Floats
from deckatlas.views.columns import column_name

_LARGE_LIFT = 1e5  # from here on, powers of ten are easier to read


def summary_of(patterns: Patterns) -> str:
    """How many patterns there are, in one sentence."""
    kind = "maximal sets" if patterns.only_maximal else "sets"
    found = f"{patterns.found:,} {kind}" if patterns.found != 1 else f"1 {kind[:-1]}"
    decks = "decks by their shares of the mix" if _is_mix(patterns) else "decks"
    return f"{found} of cards in at least {100 * patterns.least:g} % of {len(patterns.decks):,} {decks}"


def _is_mix(patterns: Patterns) -> bool:
    replicas = patterns.decks.replicas
    return replicas is not None and replicas.are == "draws"


def size_of(pattern: Pattern) -> str:
    """How many cards a pattern has."""
    return f"{pattern.size} cards" if pattern.size != 1 else "1 card"


def facts_of(pattern: Pattern) -> str:
    """How large and how frequent a pattern is, as a part of a sentence."""
    often = "" if pattern.lift is None else f", {lift_text(pattern.lift)} times as often as in random decks"
    return f"{size_of(pattern)} in {pattern.count:,} decks: {pattern.support.text(1)}{often}"


def lift_text(lift: float) -> str:
    """A lift for people."""
    if lift >= _LARGE_LIFT:
        digits, power = f"{lift:.1e}".split("e")
        return f"{digits}·10^{int(power)}"
    return f"{lift:.3g}" if lift < 100 else f"{lift:,.0f}"


def region_lines(pattern: Pattern) -> Iterator[str]:
    """Where the decks of a pattern are, a line for each measure."""
    for name, span in pattern.region.items():
        yield f"{column_name(name)} {span.low:.4g} to {span.high:.4g}, {span.mean:.4g} on average"


def shares_on_map(view: RunView, pattern: Pattern) -> Floats:
    """For each cell along the first two measures, the share of its elites with a pattern; nan where there is none.

    A map of one measure has one row of cells.
    """
    has = decks_of_runs([view]).having(dict(pattern.cards))
    shape = view.archive.cells.shape[:2] if len(view.measures) > 1 else (view.archive.cells.shape[0], 1)
    with_it, all_of_them = np.zeros(shape), np.zeros(shape)
    for elite, has_it in zip(view.elites(), has.tolist(), strict=True):
        cell = elite.cell[:2] if len(view.measures) > 1 else (elite.cell[0], 0)
        with_it[cell] += has_it
        all_of_them[cell] += 1
    with np.errstate(invalid="ignore"):
        shares: Floats = with_it / all_of_them
    return shares
