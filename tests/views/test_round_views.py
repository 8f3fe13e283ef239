"""The rounds of a surrogate as pictures and in the report of a map: what is drawn of which numbers."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from deckatlas.errors import RunError
from deckatlas.runs.round_statistics import round_statistics, targets_of
from deckatlas.views.map_pictures import plot_map
from deckatlas.views.round_figures import draw_predictions, draw_rounds
from deckatlas.views.round_numbers import Predictions, curves_of, predictions_of
from helpers.map_views import small_map
from helpers.reports import answers_of
from helpers.surrogates import surrogate_map


def test_predictions_are_those_of_all_candidates_and_the_last_round_is_the_newest() -> None:
    view = surrogate_map()
    for found in predictions_of(view):
        assert np.array_equal(found.measured, view.log.column(found.target)[60:])
        assert np.array_equal(found.predicted, np.concatenate([each.predicted[found.target] for each in view.rounds]))
        assert found.newest.sum() == len(view.rounds[-1].evaluations)
        assert found.newest[-1]


def test_extreme_predictions_do_not_squeeze_the_others() -> None:
    predicted = np.concatenate([np.linspace(0, 1, 199), [1e9]])
    found = Predictions("x", predicted, np.linspace(-1, 2, 200), np.zeros(200, np.bool_))
    assert found.ends == pytest.approx((-1.15, 2.15))
    assert found.beyond == 1


def test_curves_have_the_numbers_of_each_round() -> None:
    view = surrogate_map()
    numbers, curves = curves_of(view)
    rounds = round_statistics(view)
    assert numbers.tolist() == [each.number for each in rounds]
    by_title = {each.title: each for each in curves}
    errors = by_title["error of turns"]
    assert list(errors.lines) == ["candidates", "training", "noise"]
    assert errors.lines["candidates"].tolist() == [each.errors["num_turns"] for each in rounds]
    assert errors.lines["training"].tolist() == [each.training_errors["num_turns"] for each in rounds]
    assert by_title["candidates"].lines["entered"].tolist() == [each.entered.mean() for each in rounds]


def test_rounds_without_predictions_are_left_out_of_errors() -> None:
    view = surrogate_map()
    first = len(view.rounds[0].evaluations)
    at_random = json.dumps(json.loads(view.history.notes[60]) | {"predicted": {}})
    notes = {number: text for number, text in view.history.notes.items() if number >= 60 + first} | {60: at_random}
    changed = replace(view, history=replace(view.history, notes=notes))
    changed.__dict__["digest"] = view.digest  # its file no longer exists
    assert targets_of(changed) == targets_of(view)
    assert len(predictions_of(changed)[0].predicted) == 240 - first
    assert np.isnan(curves_of(changed)[1][0].lines["candidates"][0])
    told = answers_of(changed)["surrogate"]
    assert len(told["dots"]) + len(told["over_rounds"]) == 6
    assert told["over_rounds"][0]["lines"][0]["values"][0] is None


def test_pictures_have_a_panel_for_each_target_and_one_for_each_curve(tmp_path: Path) -> None:
    view = surrogate_map()
    figure = Figure(layout="constrained")
    draw_predictions(figure, view)
    assert len([axes for axes in figure.axes if axes.get_visible()]) == 2
    assert sum(len(np.asarray(points.get_offsets())) for points in figure.axes[0].collections) == 240
    figure = Figure(layout="constrained")
    draw_rounds(figure, view)
    assert len([axes for axes in figure.axes if axes.get_visible()]) == 4
    with pytest.raises(RunError, match="hunter has no predictions: its search is map-elites"):
        plot_map(small_map(), tmp_path / "a.png", what="predictions")
    with pytest.raises(RunError, match="hunter has no predictions: its search is map-elites"):
        plot_map(small_map(), tmp_path / "a.png", what="rounds")
