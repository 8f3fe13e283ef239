"""The rounds of a surrogate in numbers, against slow recomputations; and their exports and tables."""

import csv
import io
import json
from dataclasses import replace
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from deckatlas.errors import RunError
from deckatlas.runs.export import candidates_csv, elites_csv, run_json
from deckatlas.runs.loop import execute
from deckatlas.runs.round_statistics import (
    placement,
    placement_on_new_map,
    round_statistics,
    targets_of,
)
from deckatlas.runs.view import RunView
from deckatlas.search.archive import Archive
from deckatlas.search.cells import Cells
from deckatlas.views.terminal import run_story
from helpers.command_line import CommandLine
from helpers.map_views import small_map
from helpers.surrogates import surrogate_map, surrogate_run

CELLS = Cells((np.linspace(0, 4, 5), np.linspace(0, 4, 5)), "right")


def rows(*pairs: tuple[float, float]) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    return np.array(pairs, np.float64).reshape(len(pairs), 2)


# ---- placements ------------------------------------------------------------------------------------------------------


def test_distances_are_steps_along_all_measures_over_those_kept() -> None:
    found = placement(
        CELLS,
        predicted=rows((0.5, 0.5), (1.5, 1.5), (3.5, 0.5), (0.5, 0.5)),
        measured=rows((0.6, 0.1), (3.5, 0.5), (3.5, 1.5), (3.5, 3.5)),
        is_elite=np.array([True, True, True, False]),
    )
    assert (found.elite_share, found.same_cell) == (3 / 4, 1 / 4)
    assert found.distance == pytest.approx((0 + 3 + 1) / 3)


def test_without_candidates_or_kept_ones_there_is_no_distance() -> None:
    nobody = placement(CELLS, predicted=rows((0, 0)), measured=rows((0, 0)), is_elite=np.array([False]))
    assert (nobody.elite_share, nobody.same_cell) == (0, 0)
    assert isnan(nobody.distance)
    assert isnan(placement(CELLS, predicted=rows(), measured=rows(), is_elite=np.zeros(0, np.bool_)).elite_share)


def test_a_new_map_keeps_the_best_of_each_true_cell() -> None:
    found = placement_on_new_map(
        CELLS,
        predicted=rows((0.5, 0.5), (1.5, 1.5), (2.5, 2.5), (3.5, 3.5)),
        objectives=np.array([1.0, 2.0, 3.0, np.nan]),
        measured=rows((0.5, 0.5), (0.5, 0.5), (2.5, 2.5), (3.5, 3.5)),
    )
    assert (found.elite_share, found.same_cell, found.distance) == (2 / 4, 1 / 4, 1.0)
    assert found.is_elite.tolist() == [False, True, True, False]


# ---- rounds ----------------------------------------------------------------------------------------------------------


def archive_after(view: RunView, solutions: int) -> Archive:
    assert view.options is not None
    numbers = view.archive.objectives[:solutions], view.archive.measures[:solutions]
    return Archive.from_log(view.options, *numbers, planned=view.archive.planned)


def test_the_statistics_of_a_round_are_those_of_its_candidates() -> None:
    view = surrogate_map()
    rounds = round_statistics(view)
    assert [each.number for each in rounds] == list(range(1, len(rounds) + 1))
    assert len(rounds) > 3
    assert targets_of(view) == ("avg_health_diff", "num_turns")
    for each in rounds:
        start, end = int(each.round.evaluations[0]), int(each.round.evaluations[-1]) + 1
        assert each.solutions.tolist() == list(range(start, end))
        elites = set(archive_after(view, end).elites.tolist())
        cells = archive_after(view, start).cells
        steps = []
        for place, number in enumerate(each.solutions.tolist()):
            assert bool(each.entered[place]) == (number in elites)
            if number in elites:
                mana, turns = (view.log.column(name, number) for name in view.measures)
                predicted = cells.number([mana, each.round.predicted["num_turns"][place]])
                one, other = (np.unravel_index(cell, cells.shape) for cell in (predicted, cells.number([mana, turns])))
                steps.append(sum(abs(int(a) - int(b)) for a, b in zip(one, other, strict=True)))
        assert each.placement is not None
        shares = (len(steps) / (end - start), steps.count(0) / (end - start))
        assert (each.placement.elite_share, each.placement.same_cell) == pytest.approx(shares)
        assert each.placement.distance == pytest.approx(np.mean(steps) if steps else np.nan, nan_ok=True)
        for name in targets_of(view):
            gaps = each.round.predicted[name] - view.log.column(name)[start:end]
            assert each.errors[name] == pytest.approx((gaps**2).mean())
            assert each.noise[name] == pytest.approx((view.log.error(name)[start:end] ** 2).mean())
            assert each.training_errors[name] > 0


def test_measures_that_were_not_predicted_leave_out_where_candidates_belong() -> None:
    known = round_statistics(surrogate_map().by(["num_turns", "num_item_cards"]))
    assert all(each.placement is not None for each in known)
    unknown = round_statistics(surrogate_map().by(["mana_spent", "num_turns"]))
    assert all(each.placement is None for each in unknown)
    assert [each.errors for each in known] == [each.errors for each in unknown]


def test_a_round_that_is_not_complete_has_the_statistics_of_its_evaluations() -> None:
    view = surrogate_map()
    first = view.rounds[0]
    half = first.evaluations[: len(first.evaluations) // 2]
    kept = {number: note for number, note in view.history.notes.items() if number <= half[-1]}
    partial = replace(view, history=replace(view.history, notes=kept))
    (found,) = round_statistics(partial)
    assert found.solutions.tolist() == half.tolist()
    assert found.round.facts["candidates"] == len(first.evaluations)


def test_runs_without_a_surrogate_have_no_rounds() -> None:
    assert round_statistics(small_map()) == ()
    assert targets_of(small_map()) == ()


def test_damaged_notes_are_one_line() -> None:
    view = surrogate_map()
    for note in ("", "{", "[]", '{"round": 1}', '{"round": 1, "predicted": {}}'):
        damaged = replace(view, history=replace(view.history, notes={70: note}))
        with pytest.raises(RunError, match="damaged"):
            _ = damaged.rounds


# ---- exports and tables ----------------------------------------------------------------------------------------------


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_elites_that_a_surrogate_proposed_have_their_round_and_predictions() -> None:
    view = surrogate_map(evaluations=80)
    of = {int(number): each for each in view.rounds for number in each.evaluations}
    rows = read(elites_csv(view))
    assert list(rows[0])[-4:] == ["round", "predicted_avg_health_diff", "predicted_num_turns", "code"]
    assert {row["round"] == "" for row in rows} == {False, True}  # some are random solutions
    for row in rows:
        number = int(row["solution"])
        if number < 60:
            assert row["round"] == row["predicted_num_turns"] == ""
            continue
        assert int(row["round"]) == of[number].number
        place = of[number].evaluations.tolist().index(number)
        assert float(row["predicted_num_turns"]) == pytest.approx(of[number].predicted["num_turns"][place], abs=1e-6)
    assert "round" not in read(elites_csv(small_map()))[0]


def test_candidates_are_exported_with_predictions_and_results() -> None:
    view = surrogate_map()
    rows = read(candidates_csv(view))
    assert [int(row["evaluation"]) for row in rows] == list(range(60, 300))
    assert sum(int(row["entered"]) for row in rows) == sum(each.entered.sum() for each in round_statistics(view))
    for row in rows:
        assert float(row["num_turns"]) == pytest.approx(view.log.column("num_turns", int(row["solution"])), abs=1e-6)
    assert rows[0]["code"] == view.code(view.log.solutions[60])
    with pytest.raises(RunError, match="no candidates of a surrogate: its search is map-elites"):
        candidates_csv(small_map())


def test_the_json_of_a_run_has_its_rounds() -> None:
    view = surrogate_map()
    found = json.loads(json.dumps(run_json(view), allow_nan=False))["rounds"]
    assert [each["round"] for each in found] == [each.number for each in view.rounds]
    assert set(found[0]["candidate_errors"]) == set(found[0]["errors"]) == {"avg_health_diff", "num_turns"}
    assert run_json(small_map())["rounds"] == []


def test_a_run_with_a_surrogate_is_shown_with_a_table_of_its_rounds() -> None:
    view = surrogate_map()
    console = Console(width=160, record=True, file=io.StringIO())
    for part in run_story(view, colours=False):
        console.print(part)
    shown = console.export_text()
    assert "rounds of the surrogate" in shown
    lines = shown.partition("rounds of the surrogate")[2].splitlines()
    first, last = round_statistics(view)[0], round_statistics(view)[-1]
    for each in (first, last):
        (line,) = [
            line.split() for line in lines[4:20] if line.split()[:2] == [str(each.number), f"{each.solutions[0]}"]
        ]
        assert line[2] == str(len(each.solutions))
        assert line[-2:] == [f"{each.errors[name]:.2f}" for name in targets_of(view)]
    assert "rounds of the surrogate" not in "".join(map(str, run_story(small_map(), colours=False)))


def test_candidates_are_exported_by_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    execute(surrogate_run(tmp_path), tmp_path / "ours.db")
    program = CommandLine(monkeypatch, capsys)
    code, out, errors = program("export", str(tmp_path / "ours.db"), "--candidates", "-")
    assert (code, errors) == (0, "")
    assert len(read(out)) == 70
    assert program("show", str(tmp_path / "ours.db"))[1].count("rounds of the surrogate") == 1
