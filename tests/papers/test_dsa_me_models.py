"""Reports on surrogates of the DSA-ME paper: placements, rounds, models on other data; and on searches for pilots."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.papers.dsa_me.model_quality import ModelQuality
from deckatlas.papers.dsa_me.pilots import PilotSearches
from deckatlas.papers.dsa_me.placements import (
    distance_by_chance,
    full_rounds,
    is_full,
    mean_overlap,
    noise_overlap,
    overlap,
    placement_of,
    rounds_in,
    solutions_of,
    staying_share,
)
from deckatlas.papers.dsa_me.surrogate_rounds import SurrogateRounds
from deckatlas.papers.dsa_me.trials import TrialsReport
from deckatlas.runs.loop import execute
from deckatlas.runs.models import final_model
from deckatlas.runs.read_config import config_of
from deckatlas.runs.round_statistics import Placement
from deckatlas.search.cells import NOWHERE, Cells
from helpers.map_reports import by, check_drawn, study_of

DSA_ME = {"DSA-ME": "dsa-me"}
GRID = Cells((np.arange(5.0), np.arange(5.0)), "right")


@pytest.fixture
def study(trial_runs: dict[str, tuple[FinishedRun, ...]], tmp_path: Path) -> Study:
    return study_of(trial_runs, tmp_path)


# ---- placements ------------------------------------------------------------------------------------------------------


def test_shares_and_distances_are_as_the_paper_defines_them() -> None:
    predicted, found = np.array([0, 5, 10, 15]), np.array([0, 0, 11, 12])
    placed = Placement(GRID, predicted, found, np.array([True, False, True, True]))
    assert placed.elite_share == 3 / 4
    assert placed.same_cell == 1 / 4  # over all candidates
    assert placed.distance == pytest.approx((0 + 1 + 3) / 3)  # over kept ones
    assert placed.filled == {0, 11, 12}
    assert distance_by_chance(placed, np.random.default_rng(1)) > placed.distance


def test_candidates_compete_for_cells_by_their_games(study: Study) -> None:
    view = study.runs["dsa-me"][0].view
    for each in rounds_in(view):
        placed, numbers = placement_of(view, each), solutions_of(view, each)
        best: dict[int, int] = {}
        for number in numbers.tolist():
            cell = view.archive.cells.number(view.archive.measures[number].tolist())
            if cell not in best or view.archive.objectives[number] > view.archive.objectives[best[cell]]:
                best[cell] = number
        assert placed.filled == best.keys()
        assert set(numbers[placed.is_elite].tolist()) == set(best.values())
        pairs = zip(each.predicted["num_turns"], each.predicted["hand_size"], strict=True)
        assert placed.predicted.tolist() == [view.archive.cells.number(pair) for pair in pairs]
        assert len(set(placed.predicted.tolist())) == len(numbers)  # one elite a cell


def test_a_round_is_full_if_all_its_elites_were_evaluated(study: Study) -> None:
    view = study.runs["dsa-me"][0].view
    rounds = rounds_in(view)
    assert len(full_rounds(view)) >= 2
    cut = replace(rounds[0], facts={**rounds[0].facts, "elites": len(rounds[0].evaluations) + 1})
    assert is_full(rounds[0])
    assert not is_full(cut)
    with pytest.raises(RunError, match="no round with predictions: its search is map-elites"):
        rounds_in(study.runs["map-elites"][0].view)


def test_noise_moves_solutions_out_of_their_cells() -> None:
    rng = np.random.default_rng(3)
    measures, errors = rng.uniform(0, 4, (200, 2)), rng.uniform(0.2, 0.6, (200, 2))
    assert staying_share(GRID, measures, np.zeros((200, 2))) == 1
    again = measures[None] + errors[None] * rng.standard_normal((2000, 200, 2))
    stays = GRID.numbers(again.reshape(-1, 2)).reshape(2000, 200) == GRID.numbers(measures)
    assert staying_share(GRID, measures, errors) == pytest.approx(stays.mean(), abs=0.005)


def test_overlap_is_over_the_union_of_two_archives() -> None:
    one, other, third = (frozenset(cells) for cells in ((1, 2, 3), (2, 3, 4), (9,)))
    assert overlap(one, other) == 2 / 4
    assert mean_overlap([one, other, third]) == 1 / 4


def test_noise_alone_changes_what_two_evaluations_fill() -> None:
    rng = np.random.default_rng(3)
    true, errors = rng.uniform(0.9, 3.1, (12, 2)), rng.uniform(0.1, 0.3, (12, 2))  # not at the edges, which hold noise
    pairs = true + errors * rng.standard_normal((2, 4000, 12, 2))
    once, again = GRID.numbers(pairs.reshape(-1, 2)).reshape(2, 4000, 12).tolist()
    twice = np.mean([overlap(frozenset(one), frozenset(other)) for one, other in zip(once, again, strict=True)])
    drawn = np.mean([noise_overlap(GRID, measures, errors, rng, samples=20) for measures in pairs[0][:400]])
    assert drawn == pytest.approx(twice, abs=0.03)
    assert noise_overlap(GRID, true, np.zeros((12, 2)), rng) == 1
    lost = np.concatenate([true, [[np.nan, 1.0]]])
    assert noise_overlap(GRID, lost, np.zeros((13, 2)), rng) == 1


# ---- rounds ----------------------------------------------------------------------------------------------------------


def test_rounds_are_told_with_the_errors_of_their_predictions(study: Study) -> None:
    rows = by(SurrogateRounds(algorithms=DSA_ME).report(study).rows["rounds"], "trial", "round")
    view = study.runs["dsa-me"][1].view
    for each in rounds_in(view):
        true = np.asarray(view.log.column("avg_health_diff"))[each.evaluations]
        errors = each.predicted["avg_health_diff"] - true
        row = rows[2, each.number]
        assert row["avg_health_diff_mse"] == pytest.approx((errors**2).mean())
        assert row["avg_health_diff_bias"] == pytest.approx(errors.mean())
        assert row["candidates"] == len(each.evaluations)
        assert row["avg_health_diff_training_mse"] == each.facts["errors"]["avg_health_diff"]


def test_claims_on_rounds_are_over_trials(study: Study) -> None:
    rows = SurrogateRounds(algorithms=DSA_ME).report(study).rows
    found = by(rows["findings"], "claim")
    bias, falls = [], []
    for run in study.runs["dsa-me"]:
        first, *_, last = full_rounds(run.view)
        errors = [
            each.predicted["num_turns"] - np.asarray(run.view.log.column("num_turns"))[each.evaluations]
            for each in (first, last)
        ]
        falls.append((errors[0] ** 2).mean() - (errors[1] ** 2).mean())
        true = np.asarray(run.view.log.column("avg_health_diff"))[first.evaluations]
        bias.append((first.predicted["avg_health_diff"] - true).mean())
    assert found["candidates of the first round are worse than predicted"]["found"] == pytest.approx(np.mean(bias))
    assert found["turns: the error falls"]["found"] == pytest.approx(np.mean(falls))


def test_all_rounds_together_fill_more_cells_than_one(study: Study) -> None:
    rows = SurrogateRounds(algorithms=DSA_ME).report(study).rows
    known = {cell for run in study.runs["dsa-me"] for cell in run.view.archive.elite_cells.tolist()}
    for row, run in zip(rows["holes"], study.runs["dsa-me"], strict=True):
        archives = [placement_of(run.view, each).filled for each in full_rounds(run.view)]
        assert (row["known_cells"], row["full_rounds"]) == (len(known), len(archives))
        assert row["all_rounds"] == pytest.approx(100 * len(frozenset().union(*archives)) / len(known))
        assert row["one_round"] < row["all_rounds"]
        assert 0 <= row["rounds_overlap"] <= 100
        assert 0 < row["noise_overlap"] < 100
    assert rows["holes"] == SurrogateRounds(algorithms=DSA_ME).report(study).rows["holes"]
    more = [row["noise_overlap"] - row["rounds_overlap"] for row in rows["holes"]]
    (claim,) = (row for row in rows["findings"] if row["claim"].startswith("rounds overlap less than a round"))
    assert claim["found"] == pytest.approx(np.mean(more))
    with pytest.raises(RunError, match="there is no trial 4 of DSA-ME"):
        SurrogateRounds(algorithms=DSA_ME, trial=4).report(study)


# ---- models on other data --------------------------------------------------------------------------------------------


def test_a_model_is_tested_on_the_data_of_the_next_trial(study: Study) -> None:
    rows = ModelQuality(algorithms=DSA_ME, archives="final").report(study).rows
    errors = by(rows["errors"], "model_of_trial", "target")
    model, data = final_model(study.runs["dsa-me"][2].view), study.runs["dsa-me"][0].view.log
    row = errors[3, "hand_size"]
    true = np.asarray(data.column("hand_size"))
    predicted = model.predict(data.solutions)[:, model.targets.index("hand_size")]
    assert row["data_of_trial"] == 1
    assert row["mse"] == pytest.approx(((predicted - true) ** 2).mean())
    assert row["noise"] == pytest.approx((data.error("hand_size") ** 2).mean())
    assert row["unexplained"] == pytest.approx(100 * row["mse"] / true.var())


def test_the_models_elites_are_those_of_its_first_archive(study: Study) -> None:
    rows = ModelQuality(algorithms=DSA_ME, archives="final").report(study).rows
    view = study.runs["final"][0].view
    placed = placement_of(view, rounds_in(view)[0])
    row = rows["archives"][0]
    assert row["kept"] == 100 * placed.elite_share
    assert row["same_cell"] <= row["kept"]
    assert row["two_evaluations"] < row["perfect_same_cell"] < 100
    again = study.runs["dsa-me"][0].view.recheck()
    assert again is not None
    assert row["rechecked_same_cell"] == pytest.approx(100 * again.same_cell / again.before.elites)


def test_a_model_needs_another_trial_and_its_archives(study: Study) -> None:
    kind = ModelQuality(algorithms=DSA_ME, archives="finale")
    texts = [complaint.text for complaint in kind.complaints({}, ["dsa-me", "final"])]
    assert texts == ["no run 'finale': did you mean 'final'?"]
    alone = replace(study, runs={name: runs[:1] for name, runs in study.runs.items()})
    with pytest.raises(RunError, match="two trials or more"):
        ModelQuality(algorithms=DSA_ME, archives="final").report(alone)


# ---- pilots ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pilots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[FinishedRun, ...]]:
    folder, found = tmp_path_factory.mktemp("pilots"), {}
    for name, repeat in (("cma-me", 2), ("cma-es", 1)):
        runs = []
        for number in range(1, repeat + 1):
            config = config_of(Document("a test", pilot_table(f"{name}-{number}", name, number)))
            execute(config, folder / f"{config.name}.db", threads=1)
            runs.append(FinishedRun(config, folder / f"{config.name}.db"))
        found[name] = tuple(runs)
    return found


def pilot_table(name: str, algorithm: str, seed: int) -> dict[str, Any]:
    return {
        "name": name,
        "seed": seed,
        "space": {"kind": "hearthstone-pilot", "edition": "sabberstone", "deck": "Classic Miracle Rogue"},
        "evaluation": {"suite": "elite", "profile": "evostone", "games": 2, "seeds": "fresh"},
        "archive": {
            "kind": "grid",
            "measures": ["num_turns", "hand_size"],
            "ranges": [[5, 15], [1, 7]],
            "resolution": [10, 10],
        },
        "search": {"algorithm": algorithm, "evaluations": 12, "population": 4},
    }


def test_pilots_of_searches_play_the_same_fresh_games_as_hand_written_scores(
    pilots: dict[str, tuple[FinishedRun, ...]], tmp_path: Path
) -> None:
    published = {"better": {"one is better": {"CMA-ME": ["CMA-ES"]}}}
    study = replace(study_of(pilots, tmp_path), published=published)
    kind = PilotSearches(algorithms={"CMA-ME": "cma-me", "CMA-ES": "cma-es"}, scores=("aggro",), games=8)
    rows = kind.report(study).rows
    rated = by(rows["pilots"], "pilot", "trial")
    assert set(rated) == {("CMA-ME", 1), ("CMA-ME", 2), ("CMA-ES", 1), ("score aggro", 1)}
    assert study.tally.now == 4 * 8
    assert kind.report(study).rows == rows
    found = by(rows["findings"], "finding", "measure")
    mine = [rated["CMA-ME", trial]["avg_health_diff"] for trial in (1, 2)]
    ahead = np.mean(mine) - rated["CMA-ES", 1]["avg_health_diff"]
    assert found["one is better", "health difference"]["found"] == pytest.approx(ahead)
    (lose,) = [row for row in rows["findings"] if row["claim"] == "score aggro loses"]
    assert (lose["found"], lose["claimed"]) == (rated["score aggro", 1]["win_rate"], "below 50")


def test_scores_and_runs_of_pilots_must_exist(study: Study) -> None:
    kind = PilotSearches(algorithms=DSA_ME, scores=("agro",))
    assert [complaint.text for complaint in kind.complaints({}, ["dsa-me"])] == [
        "no score 'agro': did you mean 'aggro'?"
    ]
    with pytest.raises(RunError, match="is not a search for pilots"):
        kind.report(study)


# ---- all of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [SurrogateRounds(algorithms=DSA_ME), ModelQuality(algorithms=DSA_ME, archives="final")]
)
def test_a_report_on_models_draws_its_numbers(kind: TrialsReport, study: Study, tmp_path: Path) -> None:
    report = kind.report(study)
    check_drawn(report, tmp_path)


def test_a_candidate_without_results_is_in_no_cell() -> None:
    placed = Placement(GRID, np.array([1, 2]), np.array([1, NOWHERE]), np.array([True, False]))
    assert placed.elite_share == 0.5
    assert placed.filled == {1}
