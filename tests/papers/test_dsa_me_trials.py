"""Reports on trials of the DSA-ME paper: the numbers of a trial, their order, curves, maps, and what is refused."""

from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.findings import FAILS, HOLDS
from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.papers.dsa_me.fewer_games import FewerGames
from deckatlas.papers.dsa_me.published import ALGORITHMS, CELLS, DSA_ME, HEALTH, MAP_ELITES, METRICS, OFFLINE, QD_SCORE
from deckatlas.papers.dsa_me.published import WIN_RATE as MOST_WON
from deckatlas.papers.dsa_me.trial_anova import TrialAnova
from deckatlas.papers.dsa_me.trial_curves import TrialCurves
from deckatlas.papers.dsa_me.trial_maps import TrialMaps
from deckatlas.papers.dsa_me.trial_table import TrialTable, order_findings, order_rows
from deckatlas.papers.dsa_me.trials import (
    FRESH_CELLS,
    FRESH_HEALTH,
    FRESH_OF,
    FRESH_QD,
    FRESH_SUM,
    REACHABLE,
    SUM,
    TrialsReport,
    ahead,
    mean_of,
    numbers_of,
    published_mean,
    standard_error,
)
from deckatlas.runs.loop import execute
from deckatlas.search.cells import best_of_cells
from deckatlas.stats.distributions import student_quantile
from helpers.map_reports import by, check_drawn, study_of
from helpers.surrogate_trials import EVALUATIONS, trial_config
from helpers.surrogate_trials import MAP_ELITES as SEARCH

TWO = {"MAP-Elites": "map-elites", "DSA-ME": "dsa-me"}
SIX = dict.fromkeys(ALGORITHMS, "map-elites") | {DSA_ME: "dsa-me", OFFLINE: "final"}


@pytest.fixture
def study(trial_runs: dict[str, tuple[FinishedRun, ...]], tmp_path: Path) -> Study:
    return study_of(trial_runs, tmp_path)


# ---- the numbers of a trial ------------------------------------------------------------------------------------------


def test_both_qd_scores_are_sums_over_elites(study: Study) -> None:
    view = study.runs["dsa-me"][0].view
    found, quality = numbers_of(view), view.archive.objectives[view.archive.elites]
    assert found[QD_SCORE] == pytest.approx(((quality + 30) / 60).sum())
    assert found[SUM] == pytest.approx(quality.sum())
    assert found[SUM] == pytest.approx(60 * found[QD_SCORE] - 30 * len(quality))
    assert found[HEALTH] == quality.max()
    assert found[MOST_WON] == 100 * np.asarray(view.log.column("win_rate"))[view.archive.elites].max()


def test_cells_are_counted_over_all_and_over_those_that_can_be_reached(study: Study) -> None:
    view = study.runs["dsa-me"][0].view
    found, elites = numbers_of(view), len(view.archive)
    assert view.archive.cells.reachable < view.archive.cells.count == 1600
    assert found[CELLS] == pytest.approx(100 * elites / 1600)
    assert found[REACHABLE] == pytest.approx(100 * elites / view.archive.cells.reachable)


def test_elites_are_placed_again_by_their_fresh_games(study: Study) -> None:
    view = study.runs["dsa-me"][1].view
    numbers = view.archive.elites.tolist()
    fresh = view.rechecked(numbers)[0]
    measures = np.stack([view.rechecked(numbers, name)[0] for name in view.measures], axis=1)
    _, best = best_of_cells(view.archive.cells.numbers(measures), fresh)
    found = numbers_of(view)
    assert found[FRESH_QD] == pytest.approx(((fresh[best] + 30) / 60).sum())
    assert found[FRESH_SUM] == pytest.approx(fresh[best].sum())
    assert found[FRESH_CELLS] == pytest.approx(100 * len(best) / 1600)
    assert found[FRESH_HEALTH] == fresh[np.argmax(view.archive.objectives[numbers])]


def test_a_trial_without_fresh_games_is_refused(study: Study, tmp_path: Path) -> None:
    config = trial_config("map-elites-4", SEARCH, seed=4)
    execute(config, tmp_path / "4.db", threads=1)
    runs = {"map-elites": (FinishedRun(config, tmp_path / "4.db"),)}
    with pytest.raises(RunError, match="give its run a recheck"):
        TrialTable(algorithms={"MAP-Elites": "map-elites"}).report(replace(study, runs=runs))


def test_the_papers_second_qd_score_follows_from_its_table() -> None:
    for name, about in {MAP_ELITES: 1321, OFFLINE: 1309, DSA_ME: 5018}.items():
        mean = published_mean(SUM, name)
        assert mean is not None
        assert mean.value == pytest.approx(about, abs=1)
    assert published_mean(FRESH_QD, DSA_ME) is None
    assert published_mean(QD_SCORE, "another") is None


def test_a_difference_has_the_interval_of_the_pooled_t_test() -> None:
    one, other = np.array([3.0, 5.0, 4.0]), np.array([1.0, 2.0, 0.0, 1.0])
    found = ahead(one, other)
    pooled = (2 * one.var(ddof=1) + 3 * other.var(ddof=1)) / 5
    half = student_quantile(5) * sqrt(pooled * (1 / 3 + 1 / 4))
    assert found.value == pytest.approx(3.0)
    assert found.half_width == pytest.approx(half)
    assert not ahead(one[:1], other[:1]).has_ends
    assert standard_error(one) == pytest.approx(1 / sqrt(3))
    assert standard_error(one[:1]) is None


def test_the_interval_of_a_share_ends_at_100_percent() -> None:
    values = np.array([94.0, 98.0, 100.0])
    assert mean_of(values, MOST_WON).high == 100
    assert mean_of(values, QD_SCORE).high > 100
    assert mean_of(values, MOST_WON).low == mean_of(values, QD_SCORE).low


# ---- table 1 ---------------------------------------------------------------------------------------------------------


def made_up(search: dict[str, float], fresh: dict[str, float]) -> Any:
    """Numbers of trials whose QD scores lie closely about these means."""
    close = np.array([-0.1, 0.0, 0.1])
    numbers = {key: {name: value + close for name, value in search.items()} for key in (QD_SCORE, SUM)}
    return numbers | {FRESH_OF[key]: {name: value + close for name, value in fresh.items()} for key in (QD_SCORE, SUM)}


def test_ranks_are_by_both_scores_in_the_paper_in_the_search_and_on_fresh_games() -> None:
    rows = by(
        order_rows(made_up({MAP_ELITES: 9, OFFLINE: 5, DSA_ME: 7}, {MAP_ELITES: 1, OFFLINE: 2, DSA_ME: 3})),
        "number",
        "algorithm",
    )
    ranks = {name: tuple(rows[QD_SCORE, name][key] for key in ("published", "search", "fresh")) for name in TWO}
    assert ranks == {MAP_ELITES: (3, 1, 3), DSA_ME: (1, 2, 1)}
    assert rows[SUM, MAP_ELITES]["published"] < rows[SUM, OFFLINE]["published"]


def test_an_order_survives_only_if_fresh_games_show_it_too() -> None:
    means = {MAP_ELITES: 1.0, OFFLINE: 2.0, DSA_ME: 3.0}
    same = [finding.verdict for finding in order_findings(made_up(means, means))]
    assert same == [HOLDS] * 4
    turned = order_findings(made_up(means, {MAP_ELITES: 3.0, OFFLINE: 2.0, DSA_ME: 1.0}))
    assert [finding.verdict for finding in turned] == [HOLDS, FAILS, FAILS, FAILS]


def test_table_1_has_a_row_per_number_and_algorithm(study: Study) -> None:
    report = TrialTable(algorithms=TWO).report(study)
    means = by(report.rows["means"], "number", "algorithm")
    values = [numbers_of(run.view)[QD_SCORE] for run in study.runs["dsa-me"]]
    row = means[QD_SCORE, "DSA-ME"]
    assert (row["trials"], row["mean"]) == (3, pytest.approx(np.mean(values)))
    assert row["mean_error"] == pytest.approx(np.std(values, ddof=1) / sqrt(3))
    assert (row["published"], row["published_error"]) == (338.52, 5.86)
    assert means[FRESH_QD, "DSA-ME"]["published"] is None


# ---- tests of section 5 ----------------------------------------------------------------------------------------------


def test_the_tests_are_also_made_on_fresh_games(study: Study) -> None:
    rows = TrialAnova(algorithms=SIX).report(study).rows
    assert {row["hypothesis"] for row in rows["hypotheses"]} == {"H1", "H2", "H3"}
    assert all(isinstance(row["supported_on_fresh_games"], bool) for row in rows["hypotheses"])
    tested = {row["metric"] for row in rows["analyses"]}
    assert {*METRICS, "QD score, Σ f", "QD score, Σ (f + 30) / 60, on fresh games"} <= tested


def test_the_tests_need_all_algorithms_of_the_paper() -> None:
    (complaint, *_) = TrialAnova(algorithms=TWO).complaints({}, ["map-elites", "dsa-me"])
    assert complaint.text == "the tests need the algorithm 'Offline DSA-ME'"


# ---- curves and maps -------------------------------------------------------------------------------------------------


def test_curves_end_with_the_final_archives(study: Study) -> None:
    report = TrialCurves(algorithms=TWO, points=7).report(study)
    for number, run in enumerate(study.runs["dsa-me"], start=1):
        own = [row for row in report.rows["curves"] if (row["algorithm"], row["trial"]) == ("DSA-ME", number)]
        assert own[-1]["qd_score"] == pytest.approx(run.view.statistics.qd_score)
        assert (own[-1]["elites"], own[-1]["evaluations"]) == (len(run.view.archive), EVALUATIONS)
    above = by(report.rows["above"], "algorithm", "trial", "health_difference")
    for number, run in enumerate(study.runs["dsa-me"], start=1):
        quality = run.view.archive.objectives[run.view.archive.elites]
        assert above["DSA-ME", number, -5.0]["cells"] == pytest.approx(100 * (quality > -5).sum() / 1600)


def test_findings_compare_algorithms_in_the_search_and_on_fresh_games(study: Study) -> None:
    published = {
        "higher": {"one is better": {"DSA-ME": ["MAP-Elites"]}},
        "alike": {"both are alike": {"DSA-ME": ["MAP-Elites"]}},
        "more_at_every_quality": ["DSA-ME"],
    }
    rows = TrialCurves(algorithms=TWO, marks=(-10, 0)).report(replace(study, published=published)).rows
    found = by(rows["findings"], "finding", "measure")
    values = [[numbers_of(run.view)[FRESH_QD] for run in study.runs[name]] for name in ("dsa-me", "map-elites")]
    claim = found["one is better, on fresh games", "QD score, on fresh games"]
    assert claim["found"] == pytest.approx(np.mean(values[0]) - np.mean(values[1]))
    assert ("both are alike", "QD score, apart by") in found
    more = [row["measure"] for row in rows["findings"] if row["finding"].startswith("DSA-ME has more elites")]
    assert more == ["% of cells above -10", "% of cells above 0"]


def test_maps_show_one_trial_and_refuse_one_that_does_not_exist(study: Study) -> None:
    rows = TrialMaps(algorithms=TWO, trial=2).report(study).rows
    view = study.runs["dsa-me"][1].view
    own = [row for row in rows["elites"] if row["algorithm"] == "DSA-ME"]
    assert len(own) == len(view.archive)
    best = max(own, key=lambda row: row["avg_health_diff"])
    assert best["avg_health_diff"] == pytest.approx(view.statistics.best)
    with pytest.raises(RunError, match="MAP-Elites has no trial 4, only 3"):
        TrialMaps(algorithms=TWO, trial=4).report(study)


@pytest.mark.parametrize(
    "kind",
    [TrialTable(algorithms=TWO), TrialAnova(algorithms=SIX), TrialCurves(algorithms=TWO), TrialMaps(algorithms=TWO)],
)
def test_a_report_on_trials_draws_its_numbers_and_refuses_unknown_runs(
    kind: TrialsReport, study: Study, tmp_path: Path
) -> None:
    report = kind.report(study)
    check_drawn(report, tmp_path)
    texts = [complaint.text for complaint in kind.complaints({}, ["map-elite", "dsa-me", "final"])]
    assert "no run 'map-elites': did you mean 'map-elite'?" in texts


# ---- fewer games -----------------------------------------------------------------------------------------------------

THREE = {"ours": "final", "DSA-ME": "dsa-me", "another": "map-elites"}


def test_a_search_is_compared_by_its_score_on_fresh_games_and_by_its_games(study: Study, tmp_path: Path) -> None:
    report = FewerGames(algorithms=THREE, ours="ours", baseline="DSA-ME", points=10).report(study)
    for row in report.rows["trials"]:
        view = study.runs[THREE[row["algorithm"]]][row["trial"] - 1].view
        assert (row["games"], row[FRESH_QD]) == (view.games, numbers_of(view)[FRESH_QD])
    values = {name: np.array([numbers_of(run.view)[FRESH_QD] for run in study.runs[of]]) for name, of in THREE.items()}
    for row in report.rows["differences"]:
        expected = ahead(values["ours"], values[row["other"]])
        assert (row["ours_ahead_by"], row["ours_ahead_by_low"]) == (expected.value, expected.low)
    assert [row["other"] for row in report.rows["differences"]] == ["DSA-ME", "another"]
    shares = [row for row in report.rows["findings"] if row["measure"] == "games, % of the baseline's"]
    assert [(row["found"], row["verdict"]) for row in shares] == [(100, FAILS)]
    check_drawn(report, tmp_path)


@pytest.mark.parametrize(("share", "verdict"), [(0.5, HOLDS), (0.3, FAILS)])
def test_the_share_of_games_decides_whether_a_search_takes_few(study: Study, share: float, verdict: str) -> None:
    kind = FewerGames(algorithms=THREE, ours="another", baseline="DSA-ME", share=share)
    (row,) = [row for row in kind.report(study).rows["findings"] if row["measure"] == "games, % of the baseline's"]
    few, many = (study.runs[name][0].view.games for name in ("map-elites", "dsa-me"))
    assert row["found"] == pytest.approx(100 * few / many)
    assert row["verdict"] == verdict


def test_curves_over_games_end_with_all_games_of_the_search(study: Study) -> None:
    report = FewerGames(algorithms=THREE, ours="ours", baseline="DSA-ME", points=10).report(study)
    for name, run in THREE.items():
        for number, finished in enumerate(study.runs[run], start=1):
            last = by(report.rows["curves"], "algorithm", "trial")[name, number]
            assert last["games"] == finished.view.games
            assert last["qd_score"] == finished.view.statistics.qd_score


def test_names_that_no_algorithm_has_are_refused() -> None:
    kind = FewerGames(algorithms=THREE, ours="our", baseline="DSA")
    texts = [complaint.text for complaint in kind.complaints({}, [*THREE.values()])]
    assert texts[0].startswith("no algorithm 'our': did you mean 'ours'")
    assert len(texts) == 2
