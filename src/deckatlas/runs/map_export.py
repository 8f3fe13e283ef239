"""What a map found, for other programs: its elites and curve as tables, everything as JSON, decks as a suite."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from deckatlas.errors import RunError
from deckatlas.games.hearthstone.map_config import HearthstoneMap
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.games.locm.map_config import LocmDraftMap
from deckatlas.runs.map_view import Elite, MapView
from deckatlas.search.archive_frame import archive_frame
from deckatlas.search.archive_statistics import ArchiveStatistics

_CURVE_POINTS = 200
_DIGITS = 6


def elites_csv(view: MapView) -> str:
    """A row an elite, the best first: its cell, its measures, its objective with the interval, its deck code."""
    return _csv([elite_row(view, elite) for elite in view.elites()])


def elite_row(view: MapView, elite: Elite) -> dict[str, Any]:
    """An elite as plain data."""
    row: dict[str, Any] = {f"cell_{name}": place for name, place in zip(view.measures, elite.cell, strict=True)}
    row |= elite.measures
    row |= elite.objective.cells(view.objective)
    if elite.rechecked is not None:
        row |= elite.rechecked.cells("rechecked")
    row |= {"games": elite.games, "solution": elite.number, "parent": elite.parent}
    row |= {name: value for name, value in elite.columns.items() if name not in row}
    return {**{name: _plain(value) for name, value in row.items()}, "code": view.config.words_of(elite.solution)}


def frame_csv(view: MapView) -> str:
    """The elites as the frame that pyribs' visualisers take: solution_0 and on, objective, measures_0 and on, index."""
    columns = {
        name: values.tolist()
        for name, values in archive_frame(view.archive, view.log.solutions[view.archive.elites]).items()
    }
    rows = zip(*columns.values(), strict=True)
    return _csv([dict(zip(columns, row, strict=True)) for row in rows])


def curve_csv(view: MapView) -> str:
    """The archive in numbers over the run."""
    return _csv(_curve_rows(view))


def _curve_rows(view: MapView) -> list[dict[str, Any]]:
    return [{"evaluations": made, **_numbers(then)} for made, then in view.curve(_CURVE_POINTS)]


def _numbers(statistics: ArchiveStatistics) -> dict[str, Any]:
    """An archive in numbers as plain data; what its QD score counts from is beside it."""
    numbers = asdict(statistics)
    scoring = numbers.pop("scoring")
    numbers |= {"qd_score_offset": scoring["offset"], "qd_score_scale": scoring["scale"]}
    numbers |= {"coverage": statistics.coverage, "reachable_coverage": statistics.reachable_coverage}
    return {name: _plain(value) for name, value in numbers.items()}


def map_json(view: MapView) -> dict[str, Any]:
    """The map: its configuration, digest, boundaries, statistics, curve, elites and recheck."""
    return {
        "config": view.run.config,
        "versions": view.run.versions,
        "cards": view.run.cards,
        "created": view.run.created.isoformat(),
        "finished": None if view.run.finished is None else view.run.finished.isoformat(),
        "digest": view.digest,
        "evaluations": view.log.evaluations,
        "solutions": len(view.log),
        "games": view.games,
        "void_games": view.void_games,
        "boundaries": dict(
            zip(view.measures, ([_plain(x) for x in edge] for edge in view.archive.boundaries), strict=True)
        ),
        "statistics": _numbers(view.statistics),
        "curve": _curve_rows(view),
        "elites": [elite_row(view, elite) for elite in view.elites()],
        "recheck": _recheck(view),
    }


def _recheck(view: MapView) -> dict[str, Any] | None:
    """What fresh games of all elites say of the map, if there were such games."""
    found = view.recheck()
    if found is None:
        return None
    told = ("stayed", "same_cell", "lost", "distance", "distance_moved", "optimism", "slope", "champion")
    numbers = {name: _plain(getattr(found, name)) for name in told}
    return {**numbers, "before": _numbers(found.before), "after": _numbers(found.after)}


def best_opponents(views: Sequence[MapView]) -> tuple[OpponentTable, ...]:
    """The best deck of each map with the pilot that it was found with.

    Raises:
        RunError: If a map is not one of Hearthstone decks, or has no elite.
    """
    return tuple(opponent for _, opponent in map(_best_opponent, views))


def suite_toml(views: Sequence[MapView]) -> str:
    """The best deck of each map with its pilot, as the opponents of a suite.

    Raises:
        RunError: If a map is not one of Hearthstone decks, or has no elite.
    """
    lines = ["# The best deck of each of these maps, with the pilot that it was found with.", ""]
    for view in views:
        best, opponent = _best_opponent(view)
        lines += [
            f"# {view.config.name}: {view.objective} {(best.rechecked or best.objective).value:.2f}",
            "[[opponent]]",
            f"deck = {json.dumps(opponent.deck)}",
            f"pilot = {json.dumps(opponent.pilot)}",
            "",
        ]
    return "\n".join(lines)


def best_policy_text(view: MapView) -> str:
    """The best draft policy of a map as the text of a policy file, which `genome:file=PATH` drafts by.

    Raises:
        RunError: If it is no map of draft policies, or has no elite.
    """
    if not isinstance(view.config, LocmDraftMap):
        raise RunError(f"{view.path} is no map of draft policies, of which the best could be a --policy")
    return view.code(_best(view)) + "\n"


def _best_opponent(view: MapView) -> tuple[Elite, OpponentTable]:
    if not isinstance(view.config, HearthstoneMap):
        raise RunError(f"{view.path} is no map of Hearthstone decks: a suite is made of these")
    best = _best(view)
    deck, pilot = view.config.words_of(best.solution), view.config.evaluation.pilot
    return best, OpponentTable(deck=deck, pilot=pilot)


def _best(view: MapView) -> Elite:
    if (best := view.best()) is None:
        raise RunError(f"{view.path} has no elite yet")
    return best


def _plain(value: Any) -> Any:
    """A number as files have it; what is none is absent."""
    return (round(value, _DIGITS) if isfinite(value) else None) if isinstance(value, float) else value


def _csv(rows: Iterable[Mapping[str, Any]]) -> str:
    buffer = io.StringIO()
    kept = list(rows)
    names = dict.fromkeys(name for row in kept for name in row)  # rows may lack some, such as those of a recheck
    writer = csv.DictWriter(buffer, fieldnames=list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept)
    return buffer.getvalue()


# What can be made of a map, by what it is called on the command line.
MAP_TEXTS: Mapping[str, Callable[[MapView], str]] = {
    "csv": curve_csv,
    "json": lambda view: json.dumps(map_json(view), indent=2) + "\n",
    "elites": elites_csv,
    "frame": frame_csv,
    "policy": best_policy_text,
}
