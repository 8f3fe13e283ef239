"""The results of a recheck for people: a few sentences, and the map before and after as rows of a table."""

from math import isfinite

from deckatlas.search.archive_statistics import ArchiveStatistics
from deckatlas.search.recheck import Recheck
from deckatlas.views.columns import column_name


def recheck_sentences(found: Recheck) -> tuple[str, str]:
    """Two sentences: where the elites are now, and how their objectives changed."""
    moved = ""
    if isfinite(found.distance_moved):
        moved = f", the others are {found.distance_moved:.1f} cells away on average, along all measures together"
    lost = f", {found.lost} have no fresh numbers" if found.lost else ""
    again = f"; {100 * found.slope:.0f} % of a difference between two elites remains" if isfinite(found.slope) else ""
    return (
        f"{found.stayed} of {found.before.elites} elites stay elites, {found.same_cell} in their own cells{moved}"
        f"{lost}.",
        f"Objectives change by {-found.optimism:+.2f} on average{again}; the best of the search has "
        f"{found.champion:.2f}.",
    )


def recheck_rows(found: Recheck, objective: str) -> list[tuple[str, str, str]]:
    """One row per number: its name, its value before, and its value on fresh games.

    The corrected map has the best of the former elites that share a cell, so its elites are a little lucky again. Best
    and mean are those of the former elites, whether or not they are still elites.
    """
    name = column_name(objective)
    both = found.before, found.after
    rows = {
        "elites, of the corrected map": [f"{each.elites:,}" for each in both],
        "coverage, of the corrected map": [f"{100 * each.coverage:.1f} %" for each in both],
        "QD score, of the corrected map": [_score(each) for each in both],
        f"{name} of the search's best": [f"{found.before.best:.2f}", f"{found.champion:.2f}"],
        f"mean {name} of all {found.before.elites:,} former elites": [
            f"{found.before.mean:.2f}",
            f"{found.before.mean - found.optimism:.2f}",
        ],
    }
    return [(label, before, after) for label, (before, after) in rows.items()]


def _score(statistics: ArchiveStatistics) -> str:
    below = f" ({statistics.below_offset:,} below the offset)" if statistics.below_offset else ""
    return f"{statistics.qd_score:,.1f}{below}"
