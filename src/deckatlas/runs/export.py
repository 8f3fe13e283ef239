"""Exports of a run for other programs: tables of generations and elites, everything as JSON, the best as a policy."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from math import isfinite
from types import MappingProxyType
from typing import Any

import numpy as np

from deckatlas.errors import RunError
from deckatlas.runs.elites import Elite
from deckatlas.runs.round_statistics import round_statistics
from deckatlas.runs.rows import GenerationRow
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView
from deckatlas.search.archive_frame import archive_frame
from deckatlas.search.archive_statistics import ArchiveStatistics
from deckatlas.search.card_questions import BIAS

_CURVE_POINTS = 200
_DIGITS = 6
_GENERATION_COLUMNS = ("generation", "games", "best", "population_mean")


def fact_names(generations: Iterable[GenerationRow]) -> list[str]:
    """The names of all facts, in the order in which they first appear."""
    return list(dict.fromkeys(name for generation in generations for name in generation.facts))


def progress_csv(view: RunView) -> str:
    """The progress of the run: one row per generation, or the archive's statistics over time."""
    return curve_csv(view) if view.has_archive else generations_csv(view)


def generations_csv(view: RunView) -> str:
    """One row per generation: games until then, the best individual's score, the mean of all, and the facts."""
    facts = fact_names(view.generations)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*_GENERATION_COLUMNS, *facts])
    for row in view.generations:
        values = [row.facts.get(name) for name in facts]
        writer.writerow([row.number, row.games, row.best, row.mean, *values])
    return buffer.getvalue()


def run_json(view: RunView) -> dict[str, Any]:
    """Everything about a run: its configuration, digest, generations with all individuals, archive."""
    run = view.run
    values: dict[str, Any] = {
        "config": run.config,
        "versions": run.versions,
        "cards": run.cards,
        "created": run.created.isoformat(),
        "finished": None if run.finished is None else run.finished.isoformat(),
        "digest": view.digest,
        "evaluations": view.progress.evaluations,
        "games": view.games,
    }
    if view.generations:
        values["generations"] = _generations_json(view)
    return values | (_archive_json(view) if view.has_archive else {})


def _generations_json(view: RunView) -> list[dict[str, Any]]:
    generations = []
    with open_store(view.path) as store:
        for row in view.generations:
            genomes, scores = store.population(row.number)
            individuals = zip(scores.tolist(), genomes.tolist(), strict=True)
            generations.append(
                {
                    "generation": row.number,
                    "games": row.games,
                    "facts": row.facts,
                    "population": [{"score": score, "genome": genome} for score, genome in individuals],
                }
            )
    return generations


def elites_csv(view: RunView) -> str:
    """One row per elite, the best first: cell, measures, objective with its interval, deck code."""
    return _csv(_elite_rows(view))


def _elite_rows(view: RunView) -> list[dict[str, Any]]:
    predictions = _predictions(view)
    return [elite_row(view, elite, predicted=predictions.get(elite.number, {})) for elite in view.elites()]


def elite_row(view: RunView, elite: Elite, *, predicted: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """An elite as plain data.

    Args:
        view: The map.
        elite: The elite.
        predicted: The round and the predictions of a surrogate, if one proposed it.
    """
    row: dict[str, Any] = {f"cell_{name}": place for name, place in zip(view.measures, elite.cell, strict=True)}
    row |= elite.measures
    row |= elite.objective.cells(view.objective)
    if elite.rechecked is not None:
        row |= elite.rechecked.cells("rechecked")
    row |= {"games": elite.games, "solution": elite.number, "parent": elite.parent}
    row |= {name: value for name, value in elite.columns.items() if name not in row} | dict(predicted)
    return {**{name: _plain(value) for name, value in row.items()}, "code": view.code(elite)}


def cards_csv(view: RunView) -> str:
    """One row per elite and card, the best elite first: what fresh games say about the card.

    Raises:
        RunError: If cards were not counted.
    """
    rows = [
        {f"cell_{name}": place for name, place in zip(view.measures, elite.cell, strict=True)}
        | {"solution": elite.number, **row}
        for elite in view.elites()
        for row in view.cards_in_games(elite.number)
    ]
    if not rows:
        raise RunError(f"the cards of {view.path} are not counted yet: count them with `deckatlas run FILE --cards`")
    return _csv(rows)


def _predictions(view: RunView) -> dict[int, dict[str, Any]]:
    """The round and the predictions of each solution that a surrogate proposed, by the number of the solution."""
    found: dict[int, dict[str, Any]] = {}
    for each in view.rounds:
        columns = {f"predicted_{name}": values.tolist() for name, values in each.predicted.items()}
        for place, number in enumerate(view.history.solution[each.evaluations].tolist()):
            found[number] = {"round": each.number, **{name: values[place] for name, values in columns.items()}}
    return found


def candidates_csv(view: RunView) -> str:
    """One row per candidate of a surrogate: its round, whether it entered the map, its predictions and its results.

    Raises:
        RunError: If the run has no surrogate.
    """
    predictions = _predictions(view)
    if not predictions:
        raise RunError(f"{view.path} has no candidates of a surrogate: its search is {view.run.algorithm}")
    rows = []
    for each in round_statistics(view):
        numbers = zip(each.round.evaluations.tolist(), each.solutions.tolist(), each.entered.tolist(), strict=True)
        for place, (evaluation, number, entered) in enumerate(numbers):
            row = {"evaluation": evaluation, "solution": number, "entered": int(entered), **predictions[number]}
            row |= {name: float(values[place]) for name, values in each.measured.items()}
            code = view.code(view.log.solutions[number])
            rows.append({**{name: _plain(value) for name, value in row.items()}, "code": code})
    return _csv(rows)


def frame_csv(view: RunView) -> str:
    """The elites as the frame of pyribs' visualisers: solution_0, ..., objective, measures_0, ..., index."""
    columns = {
        name: values.tolist()
        for name, values in archive_frame(view.archive, view.log.solutions[view.archive.elites]).items()
    }
    rows = zip(*columns.values(), strict=True)
    return _csv([dict(zip(columns, row, strict=True)) for row in rows])


def curve_csv(view: RunView) -> str:
    """The archive's statistics over the run."""
    return _csv(_curve_rows(view))


def _curve_rows(view: RunView) -> list[dict[str, Any]]:
    return [{"evaluations": made, **_numbers(then)} for made, then in view.curve(_CURVE_POINTS)]


def _numbers(statistics: ArchiveStatistics) -> dict[str, Any]:
    """The statistics of an archive as plain data, with the offset and scale of its QD score."""
    numbers = asdict(statistics)
    scoring = numbers.pop("scoring")
    numbers |= {"qd_score_offset": scoring["offset"], "qd_score_scale": scoring["scale"]}
    numbers |= {"coverage": statistics.coverage, "reachable_coverage": statistics.reachable_coverage}
    return {name: _plain(value) for name, value in numbers.items()}


def _archive_json(view: RunView) -> dict[str, Any]:
    """The archive: boundaries, statistics, curve, elites and recheck."""
    edges = ([_plain(x) for x in edge] for edge in view.archive.boundaries)
    return {
        "solutions": len(view.log),
        "void_games": view.void_games,
        "boundaries": dict(zip(view.measures, edges, strict=True)),
        "statistics": _numbers(view.statistics),
        "curve": _curve_rows(view),
        "elites": [row | _cards_json(view, row["solution"]) for row in _elite_rows(view)],
        **({"cards_note": BIAS} if view.card_tables else {}),
        "rounds": [_plain_numbers(each.to_json()) for each in round_statistics(view)],
        "recheck": _recheck(view),
    }


def _cards_json(view: RunView, number: int) -> dict[str, Any]:
    rows = view.cards_in_games(number)
    return {"cards": rows} if rows else {}


def _recheck(view: RunView) -> dict[str, Any] | None:
    """The result of fresh games of all elites, if they have been played."""
    found = view.recheck()
    if found is None:
        return None
    named = ("stayed", "same_cell", "lost", "distance", "distance_moved", "optimism", "slope", "champion")
    numbers = {name: _plain(getattr(found, name)) for name in named}
    return {**numbers, "before": _numbers(found.before), "after": _numbers(found.after)}


def best_solution(view: RunView) -> Any:
    """The best solution of the archive, or of the last generation.

    Raises:
        RunError: If there is no solution yet.
    """
    if view.has_archive:
        if (best := view.best()) is None:
            raise RunError(f"{view.path} has no elite yet")
        return best.solution
    genomes, _ = view.best_population
    if not len(genomes):
        raise RunError(f"{view.path} has no generation yet")
    return genomes[0]


def best_policy(view: RunView) -> str:
    """The best draft policy or pilot as the content of a file, for agents such as `genome:file=PATH`.

    Raises:
        RunError: If no agent reads such solutions from a file, or there is no solution yet.
    """
    if not view.has_policies:
        raise RunError(f"{view.path} has no draft policies or pilots: --policy needs a run that searches them")
    return view.code(best_solution(view)) + "\n"


def mean_policy(view: RunView) -> str:
    """The mean of the better halves of the last generations of CMA-ES, as the content of a file like `best_policy`.

    Games are noisy, so the best solution of a search is a lucky one; in the mean over a tenth of all generations, luck
    cancels out.

    Raises:
        RunError: If no agent reads such solutions from a file, the run is no CMA-ES, or it has no generation yet.
    """
    search = view.run.config["search"]
    if not view.has_policies or search["algorithm"] != "cma-es":
        raise RunError(f"{view.path} is not a run of cma-es over policies or pilots: only those have a --mean")
    log, population = view.log, int(search["population"])
    generations = len(log) // population
    if not generations:
        raise RunError(f"{view.path} has no complete generation yet")
    values, halves = log.column(view.objective), []
    for generation in range(generations - max(1, generations // 10), generations):
        first = generation * population
        order = np.argsort(-values[first : first + population], kind="stable")
        halves.append(log.solutions[first : first + population][order[: population // 2]])
    return view.code(np.concatenate(halves).mean(axis=0)) + "\n"


def model_text(view: RunView) -> str:
    """The final model of a search with a surrogate, as the content of a model file.

    Raises:
        RunError: If the run has no surrogate.
    """
    from deckatlas.runs.models import final_model, model_file_text  # it needs the game that made the run

    return model_file_text(view, final_model(view), cards=view.run.cards)


def _plain(value: Any) -> Any:
    """A value as plain data; a number that is not finite becomes None."""
    return (round(value, _DIGITS) if isfinite(value) else None) if isinstance(value, float) else value


def _plain_numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same for a table of values, and for tables in it."""
    return {
        name: _plain_numbers(value) if isinstance(value, Mapping) else _plain(value) for name, value in values.items()
    }


def _csv(rows: Iterable[Mapping[str, Any]]) -> str:
    buffer = io.StringIO()
    kept = list(rows)
    # Some rows may lack columns, such as those of a recheck. The longest row says where these stand among the others.
    names = dict.fromkeys(name for row in sorted(kept, key=len, reverse=True) for name in row)
    writer = csv.DictWriter(buffer, fieldnames=list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept)
    return buffer.getvalue()


# The exports by their name on the command line; elites, cards, frames and candidates need an archive.
TEXTS: Mapping[str, Callable[[RunView], str]] = {
    "csv": progress_csv,
    "json": lambda view: json.dumps(run_json(view), indent=2) + "\n",
    "policy": best_policy,
    "mean": mean_policy,
    "model": model_text,
    "elites": elites_csv,
    "cards": cards_csv,
    "frame": frame_csv,
    "candidates": candidates_csv,
}
