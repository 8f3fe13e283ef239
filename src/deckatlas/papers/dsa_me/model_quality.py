"""Appendix B.1: how well the final model of DSA-ME predicts, on another trial's data and for its own elites."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.models.frozen import FrozenModel
from deckatlas.papers.budget import budget_note
from deckatlas.papers.dsa_me.placements import (
    Floats,
    distance_by_chance,
    measure_errors,
    placement_of,
    rounds_in,
    solutions_of,
    staying_share,
)
from deckatlas.papers.dsa_me.published import SURROGATE_QUALITY, finding_title
from deckatlas.papers.dsa_me.trials import TrialsReport
from deckatlas.runs.models import final_model
from deckatlas.runs.view import RunView
from deckatlas.shapes import nearest, show
from deckatlas.stats.means import mean_interval
from deckatlas.views.columns import axis_name, column_name
from deckatlas.views.figures import BLACK, colour, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_PUBLISHED_MSE = {
    "num_turns": SURROGATE_QUALITY.mse_turns,
    "hand_size": SURROGATE_QUALITY.mse_hand_size,
    "avg_health_diff": SURROGATE_QUALITY.mse_health_difference,
}
_PLACED = {
    "kept": ("kept, % of the model's elites", 100 * SURROGATE_QUALITY.kept),
    "same_cell": ("kept in the predicted cell, % of the model's elites", 100 * SURROGATE_QUALITY.same_cell),
    "hits": ("in the predicted cell, kept or not, %", None),
    "distance": ("distance of the kept from the predicted cell, in cells", SURROGATE_QUALITY.distance),
    "chance_distance": ("the same, predicted cells dealt out at random", None),
    "perfect_same_cell": ("in the predicted cell if predictions were perfect, %", None),
    "two_evaluations": ("two evaluations of one deck in the same cell, %", None),
    "rechecked_same_cell": ("final elites of DSA-ME in the same cell on fresh games, %", None),
}
_DISTANCES = ("distance", "chance_distance")  # in cells; the others are shares

Row = Mapping[str, Any]


class ModelQuality(TrialsReport):
    """Errors of final models on the data of other trials, and what becomes of the elites of their archives."""

    kind: Literal["model-quality"] = "model-quality"
    archives: str = Field(
        description="A run that searches with the final models: its first round is an archive of their predictions."
    )

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about a run of archives that does not exist."""
        if self.archives not in runs:
            text = f"no run {show(self.archives)}: {nearest(self.archives, runs)}"
            yield Complaint((("report", "archives"),), text)
        yield from super().complaints(published, runs)

    def report(self, study: Study) -> Report:
        """Errors by target beside the noise of games, and shares of elites beside what noise allows."""
        (views,) = self.trials(study).values()
        if len(views) < 2:
            raise RunError("a model is tested on the data of another trial: two trials or more are needed")
        models = [final_model(view) for view in views]
        errors = [row for number in range(len(views)) for row in _error_rows(number, models, views)]
        with_models = [run.view for run in study.maps[self.archives]]
        placed = [
            {"trial": number, **_placed_row(view, study.rng(f"chance {number}"))}
            for number, view in enumerate(with_models, start=1)
        ]
        for row, view in zip(placed, views, strict=True):
            row["rechecked_same_cell"] = _rechecked_same_cell(view)
        objective = views[0].objective
        report = Report(
            {"errors": errors, "archives": placed},
            (_error_table(errors), _placed_table(placed)),
            (budget_note(study), *_NOTES),
            {"predictions": lambda figure: _draw(figure, models[0], views[1])},
        )
        return with_findings(report, [_errors_finding(errors, objective), _region_finding(placed)], digits=3)


_NOTES = (
    "The model of each trial, after a last training on its whole log, predicts all decks of the next trial. Noise is "
    "the mean squared standard error of the results that it is tested on: no model can have a smaller MSE. Unexplained "
    "is the MSE in percent of the variance of the column.",
    "The archive of predictions is the first round of a search with that model, as in the paper's experiment: its "
    "elites were evaluated, and placed in a new archive. Kept are elites of the new archive. As in the paper, the "
    "share in the same cell is over all elites of the archive of predictions, and the distance is over kept ones.",
    "Noise moves decks between cells. The share in the predicted cell if predictions were perfect, and that of two "
    "evaluations of one deck, are computed for the same decks, from their standard errors.",
    "Intervals are over trials.",
)


def _error_rows(number: int, models: Sequence[FrozenModel], views: Sequence[RunView]) -> Iterator[dict[str, Any]]:
    """The errors of a trial's model on the data of the next trial."""
    model, other = models[number], views[(number + 1) % len(views)]
    predicted = model.predict(other.log.solutions)
    for place, target in enumerate(model.targets):
        found = np.asarray(other.log.column(target), dtype=np.float64)
        known = np.isfinite(found)
        mse = float(((predicted[known, place] - found[known]) ** 2).mean())
        variance = float(found[known].var())
        if variance == 0:
            raise RunError(f"{other.path}: {column_name(target)} is the same for all decks")
        yield {
            "model_of_trial": number + 1,
            "data_of_trial": (number + 1) % len(views) + 1,
            "target": target,
            "decks": int(known.sum()),
            "mse": mse,
            "noise": float((other.log.error(target)[known] ** 2).mean()),
            "variance": variance,
            "unexplained": 100 * mse / variance,
        }


def _placed_row(view: RunView, rng: np.random.Generator) -> dict[str, Any]:
    first = rounds_in(view)[0]
    placed, solutions = placement_of(view, first), solutions_of(view, first)
    measures = view.archive.measures[solutions]
    errors = measure_errors(view, solutions)
    return {
        "elites": len(solutions),
        "kept": 100 * placed.elite_share,
        "same_cell": 100 * placed.same_cell,
        "hits": 100 * float((placed.predicted == placed.found).mean()),
        "distance": placed.distance,
        "chance_distance": distance_by_chance(placed, rng),
        "perfect_same_cell": 100 * staying_share(view.archive.cells, measures, errors),
        "two_evaluations": 100 * staying_share(view.archive.cells, measures, math.sqrt(2) * errors),
    }


def _rechecked_same_cell(view: RunView) -> float:
    found = view.recheck()
    if found is None:
        raise RunError(f"{view.path} has elites that played no fresh games: give its run a recheck")
    return 100 * found.same_cell / len(view.archive)


def _errors_finding(errors: Sequence[Row], objective: str) -> Finding:
    """The objective is harder to predict than the measures."""
    shares = {
        target: np.array([row["unexplained"] for row in errors if row["target"] == target])
        for target in dict.fromkeys(row["target"] for row in errors)
    }
    claims = tuple(
        Claim(
            f"{column_name(objective)} is harder to predict than {column_name(target)}",
            "unexplained, percentage points",
            mean_interval(shares[objective] - values),
        )
        for target, values in shares.items()
        if target != objective
    )
    return Finding(finding_title("objective-is-harder"), claims)


def _region_finding(placed: Sequence[Row]) -> Finding:
    """Candidates seldom reach the predicted cell, but stay near it."""
    missed = [row["hits"] - row["perfect_same_cell"] for row in placed]  # kept or not, as noise has it
    nearer = [row["distance"] - row["chance_distance"] for row in placed]
    claims = (
        Claim("fewer in the predicted cell than noise explains", "percentage points", mean_interval(missed), "below"),
        Claim("nearer to it than by chance", "distance in cells", mean_interval(nearer), "below"),
    )
    return Finding(finding_title("same-region"), claims)


def _error_table(errors: Sequence[Row]) -> TextTable:
    lines = []
    for target in dict.fromkeys(row["target"] for row in errors):
        own = [row for row in errors if row["target"] == target]
        mse = mean_interval([row["mse"] for row in own]).within(0.0, math.inf)
        noise, shares = (np.array([row[key] for row in own]) for key in ("noise", "unexplained"))
        theirs = _PUBLISHED_MSE.get(target)
        lines.append(
            (
                column_name(target),
                mse.text(3),
                "" if theirs is None else f"{theirs:.2f}",
                f"{noise.mean():.4f}",
                f"{mse.value / noise.mean():.1f}" if noise.mean() else "",
                f"{shares.mean():.1f}",
            )
        )
    columns = ("target", "MSE on another trial's data [95 %]", "paper", "noise", "MSE / noise", "unexplained %")
    return TextTable("Errors of the final models, mean of trials", columns, tuple(lines))


def _placed_table(placed: Sequence[Row]) -> TextTable:
    lines = tuple(
        (
            words,
            mean_interval([row[key] for row in placed]).within(0.0, math.inf if key in _DISTANCES else 100.0).text(2),
            "" if theirs is None else f"{theirs:g}",
        )
        for key, (words, theirs) in _PLACED.items()
    )
    return TextTable("Elites of the archives of predictions, mean of trials", ("", "found [95 %]", "paper"), lines)


def _draw(figure: "Figure", model: FrozenModel, other: RunView) -> None:
    shown = (other.objective, *other.measures)
    figure.set_size_inches(4.4 * len(shown), 4.5)
    predicted = model.predict(other.log.solutions)
    for panel, target in zip(figure.subplots(1, len(shown)), shown, strict=True):
        values: Floats = predicted[:, model.targets.index(target)]
        found = np.asarray(other.log.column(target))
        panel.scatter(values, found, s=4, alpha=0.25, color=colour(0), linewidths=0, rasterized=True)
        ends = [float(min(values.min(), found.min())), float(max(values.max(), found.max()))]
        panel.plot(ends, ends, color=BLACK, linewidth=1, linestyle="--")
        quiet(panel, title=axis_name(target), x="predicted by the first trial's model", y="in the second trial")
