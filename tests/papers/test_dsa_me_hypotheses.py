"""Verdicts on the paper's hypotheses follow the trials, and a report shows them beside the published ones."""

import json
import math
from collections.abc import Callable

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.papers.dsa_me.anova_report import anova_report
from deckatlas.papers.dsa_me.hypotheses import compare_differences, supports, verdicts
from deckatlas.papers.dsa_me.published import (
    ALGORITHMS,
    CELLS,
    DIFFERENCES,
    DSA_ME,
    DSA_ME_AD,
    HEALTH,
    HYPOTHESES,
    LSA_ME,
    MAP_ELITES,
    METRICS,
    OFFLINE,
    OFFLINE_AD,
    QD_SCORE,
    WIN_RATE,
    WITH,
    WITHOUT,
    Difference,
    trials_of_table_1,
)
from deckatlas.papers.dsa_me.trial_tests import analyse_trials
from deckatlas.stats.anova import Values

Trials = dict[str, dict[str, Values]]


def trials_around(means: dict[str, float], *, trials: int = 5, seed: int = 1) -> Trials:
    """Trials of all metrics about the same means, 1 apart at random."""
    rng = np.random.default_rng(seed)
    return {metric: {name: means[name] + rng.normal(size=trials) for name in ALGORITHMS} for metric in METRICS}


RISING = {MAP_ELITES: 0.0, OFFLINE: 20.0, LSA_ME: 40.0, DSA_ME: 60.0, OFFLINE_AD: 40.0, DSA_ME_AD: 80.0}


def supported(trials: Trials) -> dict[str, bool]:
    return {verdict.hypothesis.name: verdict.is_supported for verdict in verdicts(analyse_trials(trials))}


# ---- verdicts --------------------------------------------------------------------------------------------------------


def test_the_rule_turns_the_outcomes_of_the_paper_into_its_verdicts() -> None:
    counts = []
    for hypothesis in HYPOTHESES:
        printed = {
            difference: each.outcome
            for difference, each in DIFFERENCES.items()
            if each.outcome is not None and (difference.one, difference.other) in hypothesis.pairs
        }
        assert supports(printed) == hypothesis.is_supported
        counts.append(len(printed))
    assert counts == [12, 8, 7]


def test_table_1_has_the_verdicts_of_the_paper() -> None:
    found = verdicts(analyse_trials(trials_of_table_1()))
    assert [(each.hypothesis.name, each.is_supported, each.by_table_1) for each in found] == [
        ("H1", True, True),
        ("H2", True, True),
        ("H3", False, False),
    ]
    assert all(each.is_as_published for each in found)
    # Ancillary data: only the health difference of the model trained offline is higher; four are lower.
    assert (found[2].predictions, found[2].confirmed, found[2].contradicted) == (7, 1, 4)


def test_trials_in_the_predicted_order_support_all_hypotheses() -> None:
    assert supported(trials_around(RISING)) == {"H1": True, "H2": True, "H3": True}
    third = verdicts(analyse_trials(trials_around(RISING)))[2]
    assert (third.is_supported, third.by_table_1, third.is_as_published) == (True, False, False)


def test_trials_in_the_opposite_order_support_none() -> None:
    falling = {name: -mean for name, mean in RISING.items()}
    found = verdicts(analyse_trials(trials_around(falling)))
    assert not any(verdict.is_supported for verdict in found)
    assert all(verdict.contradicted == verdict.predictions for verdict in found)


def test_trials_without_differences_support_none_and_contradict_none() -> None:
    found = verdicts(analyse_trials(trials_around(dict.fromkeys(ALGORITHMS, 7.0))))
    assert [(each.is_supported, each.confirmed, each.contradicted) for each in found] == [(False, 0, 0)] * 3


def test_a_metric_that_is_significantly_lower_takes_the_support_away() -> None:
    trials = trials_around(RISING)
    trials[CELLS][DSA_ME] = trials[CELLS][DSA_ME] - 30  # still above MAP-Elites, but below LSA-ME
    assert supported(trials) == {"H1": True, "H2": False, "H3": True}


def test_a_metric_without_significant_differences_does_not_take_the_support_away_but_the_qd_score_does() -> None:
    same = dict.fromkeys(ALGORITHMS, np.array([95.0, 96.0, 97.0, 98.0, 99.0]))
    trials = trials_around(RISING)
    assert supported({**trials, WIN_RATE: same}) == {"H1": True, "H2": True, "H3": True}
    assert supported({**trials, QD_SCORE: same}) == {"H1": False, "H2": False, "H3": False}


def test_the_main_effect_counts_without_an_interaction_and_each_model_counts_with_one() -> None:
    trials = trials_of_table_1()
    counted = {
        metric: {
            (each.of.one, each.of.other)
            for each in compare_differences(analyse_trials(trials))
            if each.of.metric == metric and each.hypothesis == "H3" and each.counts
        }
        for metric in METRICS
    }
    simple = {(OFFLINE_AD, OFFLINE), (DSA_ME_AD, DSA_ME)}
    assert counted == {QD_SCORE: {(WITH, WITHOUT)}, WIN_RATE: simple, HEALTH: simple, CELLS: simple}


def test_the_main_effect_of_ancillary_data_is_that_of_the_analysis() -> None:
    trials = trials_around(RISING)
    trials[QD_SCORE][OFFLINE_AD] = np.append(trials[QD_SCORE][OFFLINE_AD], [44.0, 39.0])  # cells of different sizes
    tests = analyse_trials(trials)[QD_SCORE]
    main = tests.ancillary[WITH, WITHOUT]
    assert main.t**2 == pytest.approx(tests.analyses["main effect of ancillary data"].f)
    offline = tests.ancillary[OFFLINE_AD, OFFLINE]
    assert offline.p == pytest.approx(tests.analyses["ancillary data in Offline DSA-ME"].p)
    assert main.freedom == offline.freedom == 22 - 4


# ---- the report ------------------------------------------------------------------------------------------------------


def test_a_report_has_found_and_published_numbers_side_by_side() -> None:
    report = anova_report(trials_around(RISING))
    one = next(row for row in report.rows["analyses"] if (row["metric"], row["test"]) == (QD_SCORE, "one-way"))
    assert one["f"] > 1000
    assert one["table_1_f"] == pytest.approx(403.65, abs=0.01)
    assert (one["published_f"], one["published_p"]) == (403.49, "< 0.001")
    effect = Difference(QD_SCORE, WITH, WITHOUT)._asdict().items()
    row = next(row for row in report.rows["differences"] if effect <= row.items())
    assert (row["outcome"], row["table_1_outcome"], row["published_outcome"]) == ("higher", "lower", "lower")
    assert row["as_published"] is False
    assert [table.title for table in report.tables] == [
        "Analyses of variance",
        "Differences between algorithms",
        "Hypotheses",
    ]
    for table in report.tables:
        assert {len(line) for line in table.rows} == {len(table.columns)}
    assert report.tables[-1].rows[2][3:] == ("supported", "not supported", "not supported", "no")


def test_further_metrics_are_tested_but_change_no_verdict() -> None:
    trials = trials_around(RISING)
    falling = {name: -values for name, values in trials[QD_SCORE].items()}
    report = anova_report({"qd_score_as_defined": falling, **trials})
    assert report.rows["hypotheses"] == anova_report(trials).rows["hypotheses"]
    own = [row for row in report.rows["differences"] if row["metric"] == "qd_score_as_defined"]
    assert len(own) == 9
    assert not any(row["counts"] for row in own)
    assert {row["published_outcome"] for row in own} == {row["table_1_outcome"] for row in own} == {None}


def test_trials_that_never_vary_still_give_a_report_that_json_can_hold() -> None:
    trials = {metric: {name: np.full(3, RISING[name]) for name in ALGORITHMS} for metric in METRICS}
    rows = anova_report(trials).rows
    assert json.loads(json.dumps(rows, allow_nan=False))["hypotheses"][0]["supported"] is True
    assert rows["analyses"][0]["f"] is None


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda trials: trials.pop(CELLS), "the metric cells"),
        (lambda trials: trials[CELLS].pop(LSA_ME), r"trials of LSA-ME \(cells\)"),
        (lambda trials: trials[HEALTH].update({DSA_ME: np.array([1.0])}), "two trials or more of DSA-ME"),
        (lambda trials: trials[HEALTH].update({DSA_ME: np.array([1.0, math.nan])}), "DSA-ME has no finite max_health"),
    ],
)
def test_trials_that_cannot_be_tested_are_refused_in_one_line(
    spoil: Callable[[Trials], object], complaint: str
) -> None:
    trials = trials_around(RISING)
    spoil(trials)
    with pytest.raises(RunError, match=complaint):
        anova_report(trials)
