"""The rounds of DSA-ME: an archive of predictions beside the true one (figure 5), errors, and holes over rounds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field

from deckatlas.errors import RunError
from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.study import Study
from deckatlas.papers.budget import budget_note
from deckatlas.papers.dsa_me.placements import (
    errors_of,
    full_rounds,
    is_full,
    mean_overlap,
    measure_errors,
    noise_overlap,
    overlap,
    placement_of,
    predictions,
    rounds_in,
    solutions_of,
)
from deckatlas.papers.dsa_me.published import finding_title
from deckatlas.papers.dsa_me.trials import TrialsReport
from deckatlas.runs.view import RunView
from deckatlas.search.archive import Archive
from deckatlas.search.rounds import Round
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval
from deckatlas.views.columns import column_name
from deckatlas.views.figures import GREY, colour, logarithmic, quiet
from deckatlas.views.map_colours import searched
from deckatlas.views.map_figures import colour_bar, draw_grid
from deckatlas.views.map_grid import grids
from deckatlas.views.scale import Scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

Views = Sequence[RunView]
Row = Mapping[str, Any]


class SurrogateRounds(TrialsReport):
    """One round's archive of predictions and the true archive of the same decks; all rounds of all trials."""

    kind: Literal["surrogate-rounds"] = "surrogate-rounds"
    trial: int = Field(default=1, ge=1, le=1000, description="The number of the trial whose archives are shown.")
    well: float = Field(
        default=50.0, gt=0, le=100, description="Archives cover a map well from this share of its known cells on, %."
    )

    def report(self, study: Study) -> Report:
        """The last full round of one trial as two maps, and what the rounds of all trials say."""
        trials = self.trials(study)
        if self.trial > min(map(len, trials.values())):
            raise RunError(f"there is no trial {self.trial} of {' and '.join(trials)}")
        rows = [
            {"algorithm": name, "trial": number, **_round_row(view, each)}
            for name, views in trials.items()
            for number, view in enumerate(views, start=1)
            for each in rounds_in(view)
        ]
        holes = [row for name, views in trials.items() for row in _hole_rows(name, views, study)]
        shown = {name: views[self.trial - 1] for name, views in trials.items()}
        findings = [
            *_error_findings(trials),
            *self._hole_findings(holes),
        ]
        figures = {
            "archives": lambda figure: _draw_archives(figure, shown),
            "rounds": lambda figure: _draw_rounds(figure, rows, next(iter(shown.values()))),
        }
        objective = next(iter(shown.values())).objective
        report = Report(
            {"rounds": rows, "holes": holes},
            (_round_table(rows, objective), _hole_table(holes)),
            (budget_note(study), *self._notes()),
            figures,
        )
        return with_findings(report, findings)

    def _notes(self) -> tuple[str, ...]:
        return (
            "Figure `archives` shows the last full round of a trial: the archive of predictions, and the archive of "
            "the same decks by their games. A round is full if all elites of its archive of predictions were "
            "evaluated; the last round of a search is cut short.",
            "Errors are predictions minus results of a round's candidates: `too high by` is the mean error of the "
            "objective. Kept candidates are elites of an archive that holds only the round; `same cell` are those "
            "kept in the predicted cell, over all candidates; the distance is that of kept ones, in cells.",
            "First and last are the first and the last full round. Claims on errors and holes are over trials. "
            "Candidates of later rounds are farther from random decks: errors on them can grow while a model improves.",
            "Overlap is the share of the cells filled by at least one of two archives that both fill: of neighbouring "
            "full rounds; of a full round and the same candidates evaluated again, which differ by the noise of two "
            "evaluations alone (100 draws of normal noise with the standard errors of the results); and of the final "
            "archive and the same elites on fresh games, which is denser than a round, and dense archives overlap "
            "more. Known cells are those with an elite in any trial. That the union covers the map well means, "
            f"by our reading, that it fills more than {self.well:g} % of the known cells, and one round does not.",
        )

    def _hole_findings(self, holes: Sequence[Row]) -> Iterator[Finding]:
        """Appendix B.3: rounds leave different holes, and together they cover the map."""
        for name in dict.fromkeys(row["algorithm"] for row in holes):
            own = [row for row in holes if row["algorithm"] == name and row["rounds_overlap"] is not None]
            if not own:
                continue
            more = mean_interval([row["noise_overlap"] - row["rounds_overlap"] for row in own])
            words = "overlap of a round and itself evaluated again minus that of rounds, %"
            claims = (
                Claim("rounds overlap less than a round and itself evaluated again", words, more),
                Claim(
                    "one round does not cover the map", "% of known cells", _mean(own, "one_round"), "below", self.well
                ),
                Claim("all rounds together cover it", "% of known cells", _mean(own, "all_rounds"), mark=self.well),
            )
            yield Finding(f"{name}: {finding_title('holes-differ')}", claims)


def _mean(rows: Sequence[Row], key: str) -> Estimate:
    """The mean of a number in percent over trials."""
    return mean_interval([row[key] for row in rows]).within(0.0, 100.0)


def _targets(view: RunView) -> tuple[str, ...]:
    return (view.objective, *view.measures)


def _round_row(view: RunView, each: Round) -> dict[str, Any]:
    placed = placement_of(view, each)
    row: dict[str, Any] = {
        "round": each.number,
        "evaluations_before": int(each.evaluations[0]),
        "candidates": len(each.evaluations),
        "full": is_full(each),
    }
    for name in _targets(view):
        errors = errors_of(view, each, name)
        row |= {f"{name}_mse": float((errors**2).mean()), f"{name}_bias": float(errors.mean())}
    row |= {f"{name}_training_mse": value for name, value in each.facts.get("errors", {}).items()}
    return row | {"kept": placed.elite_share, "same_cell": placed.same_cell, "distance": placed.distance}


def _hole_rows(name: str, views: Views, study: Study) -> Iterator[dict[str, Any]]:
    """What single rounds and all rounds of each trial fill, in percent of the cells that any trial filled."""
    known = frozenset[int]().union(*(view.archive.elite_cells.tolist() for view in views))
    for number, view in enumerate(views, start=1):
        rounds = full_rounds(view)
        archives = [placement_of(view, each).filled for each in rounds]
        rng = study.rng(f"noise of the rounds of {name}, trial {number}")
        fresh = view.recheck()
        if fresh is None:
            raise RunError(f"{view.path} has elites that played no fresh games: give its run a recheck")
        union = frozenset[int]().union(*archives)
        yield {
            "algorithm": name,
            "trial": number,
            "full_rounds": len(archives),
            "known_cells": len(known),
            "one_round": 100 * float(np.mean([len(each & known) for each in archives])) / len(known),
            "all_rounds": 100 * len(union & known) / len(known),
            "rounds_overlap": 100 * mean_overlap(archives) if len(archives) > 1 else None,
            "noise_overlap": 100 * float(np.mean([_noise_overlap(view, each, rng) for each in rounds])),
            "fresh_overlap": 100
            * overlap(frozenset(view.archive.elite_cells.tolist()), frozenset(fresh.cells.tolist())),
        }


def _noise_overlap(view: RunView, each: Round, rng: np.random.Generator) -> float:
    solutions = solutions_of(view, each)
    measures, errors = view.archive.measures[solutions], measure_errors(view, solutions)
    return noise_overlap(view.archive.cells, measures, errors, rng)


def _error_findings(trials: Mapping[str, Views]) -> Iterator[Finding]:
    """Section 3.3: early candidates exploit the model, and its error falls over the rounds."""
    for name, views in trials.items():
        if any(len(full_rounds(view)) < 2 for view in views):
            continue  # a first and a last round are needed
        ends = [(view, *_first_and_last(view)) for view in views]
        bias = [float(errors_of(view, first, view.objective).mean()) for view, first, _ in ends]
        less = [
            one - float(errors_of(view, last, view.objective).mean())
            for one, (view, _, last) in zip(bias, ends, strict=True)
        ]
        words = f"{column_name(views[0].objective)}, prediction minus result"
        yield Finding(
            f"{name}: {finding_title('adversarial-candidates')}",
            (
                Claim("candidates of the first round are worse than predicted", words, mean_interval(bias)),
                Claim("more so than those of the last", f"{words}, first minus last round", mean_interval(less)),
            ),
        )
        claims = []
        for column in _targets(views[0]):
            falls = [
                float((errors_of(view, first, column) ** 2).mean() - (errors_of(view, last, column) ** 2).mean())
                for view, first, last in ends
            ]
            claims.append(
                Claim(f"{column_name(column)}: the error falls", "MSE, first minus last round", mean_interval(falls))
            )
        yield Finding(f"{name}: {finding_title('error-falls')}", tuple(claims))


def _first_and_last(view: RunView) -> tuple[Round, Round]:
    found = full_rounds(view)
    return found[0], found[-1]


def _round_table(rows: Sequence[Row], objective: str) -> TextTable:
    """The mean over trials of each round that all trials have."""
    keys = (f"{objective}_mse", f"{objective}_bias", "kept", "same_cell", "distance")
    lines = []
    for name in dict.fromkeys(row["algorithm"] for row in rows):
        own = [row for row in rows if row["algorithm"] == name]
        trials = len({row["trial"] for row in own})
        for number in sorted({row["round"] for row in own}):
            same = [row for row in own if row["round"] == number]
            if len(same) == trials:
                mse, bias, kept, cell, distance = (float(np.mean([row[key] for row in same])) for key in keys)
                candidates = float(np.mean([row["candidates"] for row in same]))
                shares = (f"{100 * kept:.0f}", f"{100 * cell:.1f}", f"{distance:.2f}")
                lines.append((name, str(number), f"{candidates:.0f}", f"{mse:.1f}", f"{bias:+.1f}", *shares))
    columns = ("algorithm", "round", "candidates", "MSE", "too high by", "kept %", "same cell %", "distance")
    return TextTable(f"Rounds: errors of the {column_name(objective)}, mean of trials", columns, tuple(lines))


def _hole_table(rows: Sequence[Row]) -> TextTable:
    lines = tuple(
        (
            f"{row['algorithm']}, trial {row['trial']}",
            str(row["full_rounds"]),
            f"{row['one_round']:.1f}",
            f"{row['all_rounds']:.1f}",
            "" if row["rounds_overlap"] is None else f"{row['rounds_overlap']:.1f}",
            f"{row['noise_overlap']:.1f}",
            f"{row['fresh_overlap']:.1f}",
        )
        for row in rows
    )
    overlaps = ("overlap of rounds %", "evaluated again %", "final archive on fresh games %")
    columns = ("", "full rounds", "one round fills %", "all fill %", *overlaps)
    return TextTable("Holes: cells filled by true archives of rounds, of the cells known", columns, lines)


def _draw_archives(figure: "Figure", shown: Mapping[str, RunView]) -> None:
    figure.set_size_inches(11.4, 0.4 + 4.4 * len(shown))
    panels = figure.subplots(len(shown), 2, squeeze=False, sharex=True, sharey=True)
    for line, (name, view) in zip(panels, shown.items(), strict=True):
        each = full_rounds(view)[-1]
        archives = {
            "predicted": _archive(view, each, is_predicted=True),
            "true": _archive(view, each, is_predicted=False),
        }
        scale = Scale.over(np.concatenate([found.objectives for found in archives.values()]))
        for panel, (title, archive) in zip(line, archives.items(), strict=True):
            (grid,) = grids(archive, view.measures)
            draw_grid(panel, grid, scale)
            panel.set_title(f"{name}, round {each.number}, {title}: {len(archive)} elites", loc="left", fontsize=11)
            panel.label_outer()
        colour_bar(figure, scale, searched(view.objective), list(line))


def _archive(view: RunView, each: Round, *, is_predicted: bool) -> Archive:
    """The archive of a round's candidates alone, by their predictions or by their games."""
    solutions = solutions_of(view, each)
    objectives, measures = view.archive.objectives[solutions], view.archive.measures[solutions]
    if is_predicted:
        objectives = predictions(view, each, view.objective)
        measures = np.stack([predictions(view, each, name) for name in view.measures], axis=1)
    assert view.options is not None
    return Archive.from_log(view.options, objectives, measures, planned=len(solutions))


def _draw_rounds(figure: "Figure", rows: Sequence[Row], view: RunView) -> None:
    shown = {f"{name}_mse": f"{column_name(name)}: MSE" for name in _targets(view)}
    shown |= {f"{view.objective}_bias": f"{column_name(view.objective)}: too high by"}
    figure.set_size_inches(9.6, 6.4)
    panels = figure.subplots(2, 2, sharex=True).ravel()
    for panel, (key, words) in zip(panels, shown.items(), strict=True):
        for number, name in enumerate(dict.fromkeys(row["algorithm"] for row in rows)):
            for trial in dict.fromkeys(row["trial"] for row in rows if row["algorithm"] == name):
                own = [row for row in rows if (row["algorithm"], row["trial"]) == (name, trial)]
                x, y = ([row[column] for row in own] for column in ("round", key))
                panel.plot(x, y, "-o", color=colour(number), alpha=0.6, markersize=3, linewidth=1)
        if key.endswith("_mse"):
            logarithmic(panel)
        else:
            panel.axhline(0, color=GREY, linewidth=0.8)
        quiet(panel, title=words, x="" if panel in panels[:2] else "round", y="")
        panel.xaxis.get_major_locator().set_params(integer=True)
