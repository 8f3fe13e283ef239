"""The rounds of a search with a surrogate, as the notes of its log tell them: candidates with their predictions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.files.plain_data import json_values
from deckatlas.models.data import TrainingData
from deckatlas.models.surrogate import FitReport
from deckatlas.search.evaluation import Floats, Ints
from deckatlas.search.log import Log


@dataclass(frozen=True)
class Round:
    """A round of a search with a surrogate.

    Attributes:
        number: Its number, from 1.
        evaluations: The numbers of the evaluations of its candidates.
        predicted: The predictions of each candidate, by column.
        facts: What was noted about the round as a whole: see `round_facts`.
    """

    number: int
    evaluations: Ints
    predicted: Mapping[str, Floats]
    facts: Mapping[str, Any]


def candidate_note(number: int, predicted: Mapping[str, float], facts: Mapping[str, Any] | None) -> str:
    """The note of a candidate.

    Args:
        number: The number of its round.
        predicted: The predictions, by column; none for a random solution.
        facts: Facts about the round, for its first candidate only.
    """
    note: dict[str, Any] = {"round": number, "predicted": dict(predicted)}
    return json.dumps(note if facts is None else {**note, "facts": facts}, allow_nan=False)


def round_facts(report: FitReport | None, targets: Sequence[str], *, elites: int, candidates: int) -> dict[str, Any]:
    """The facts about a round.

    Args:
        report: What the model learned, if it learned.
        targets: What it predicts.
        elites: The number of elites of the archive of predictions.
        candidates: How many of them are evaluated.
    """
    facts: dict[str, Any] = {"elites": elites, "candidates": candidates}
    if report is not None:
        facts["trained_on"] = report.rows
        facts["errors"] = dict(zip(targets, report.trained_errors, strict=True))
        if report.held_out:
            facts["held_out"] = report.held_out
            facts["held_out_errors"] = dict(zip(targets, report.held_out_errors, strict=True))
    return facts


def round_starts(notes: Mapping[int, str]) -> list[int]:
    """The numbers of the evaluations with which rounds start, ascending."""
    return [number for number, note in sorted(notes.items()) if "facts" in json_values(note)]


def rounds_of(notes: Mapping[int, str]) -> list[Round]:
    """All rounds of a log, from its notes."""
    found: dict[int, list[tuple[int, dict[str, Any]]]] = {}
    for number, text in sorted(notes.items()):
        note = json_values(text)
        found.setdefault(note["round"], []).append((number, note))
    return [_round_of(number, members) for number, members in sorted(found.items())]


def _round_of(number: int, members: list[tuple[int, dict[str, Any]]]) -> Round:
    targets = members[0][1]["predicted"]
    return Round(
        number=number,
        evaluations=np.array([evaluation for evaluation, _ in members]),
        predicted={name: np.array([note["predicted"][name] for _, note in members]) for name in targets},
        facts=members[0][1]["facts"],
    )


def is_known(log: Log, targets: Sequence[str]) -> npt.NDArray[np.bool_]:
    """For each solution of a log, whether all these columns are known."""
    return np.asarray(np.isfinite(log.matrix(targets)).all(axis=1))


def training_data(log: Log, targets: Sequence[str]) -> TrainingData:
    """What a model can learn from a log: all solutions whose targets are known, weighted by their games."""
    values, known = log.matrix(targets), is_known(log, targets)
    games = log.games[known].astype(np.float64)
    return TrainingData(log.solutions[known], values[known], games / games.mean() if len(games) else games)
