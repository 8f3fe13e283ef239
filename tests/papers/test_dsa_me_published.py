"""The paper's numbers fit each other: its tests follow from its table, as far as the table is rounded."""

from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from deckatlas.papers.dsa_me.published import (
    ALGORITHMS,
    ANOVA,
    CELLS,
    COMPARED,
    DIFFERENCES,
    DSA_ME,
    DSA_ME_AD,
    HYPOTHESES,
    INTERACTION,
    LSA_ME,
    MAP_ELITES,
    METRICS,
    OFFLINE,
    OFFLINE_AD,
    ONE_WAY,
    QD_SCORE,
    STATEMENTS,
    TABLE_1,
    TRIALS,
    WIN_RATE,
    Mean,
    finding_title,
    sum_of_objectives,
    trials_of_table_1,
)
from deckatlas.papers.dsa_me.trial_tests import analyse_trials
from deckatlas.stats.anova import Values, one_way, pairwise_tests, two_way

ROOT = Path(__file__).parents[2]
HALF_UNITS = {WIN_RATE: 0.05}  # of the last printed digit of a mean; of all others, and of standard errors, 0.005


def trials_with(means: Sequence[Mean]) -> list[Values]:
    """Trials with these means and standard errors."""
    spread = np.array([-1.0, -1.0, 0.0, 1.0, 1.0]) * np.sqrt(5)
    return [mean.value + mean.error * spread for mean in means]


def f_one_way(groups: list[Values]) -> float:
    return one_way(groups).f


def f_interaction(groups: list[Values]) -> float:
    return two_way([groups[:2], groups[2:]]).interaction.f


def rounded_range(f_of: Callable[[list[Values]], float], metric: str, algorithms: Sequence[str]) -> tuple[float, float]:
    """The least and the largest F at the corners of all means and standard errors that are printed like those."""
    half = HALF_UNITS.get(metric, 0.005)
    found = []
    for *sides, error_side in product((-1, 1), repeat=len(algorithms) + 1):
        means = [TABLE_1[metric][algorithm] for algorithm in algorithms]
        moved = [
            Mean(mean.value + side * half, mean.error + error_side * 0.005)
            for mean, side in zip(means, sides, strict=True)
        ]
        found.append(f_of(trials_with(moved)))
    return min(found), max(found)


def test_made_up_trials_have_exactly_the_means_and_standard_errors_of_the_table() -> None:
    for metric, trials in trials_of_table_1().items():
        assert tuple(trials) == ALGORITHMS
        for algorithm, values in trials.items():
            assert len(values) == TRIALS
            found = (float(values.mean()), float(values.std(ddof=1) / np.sqrt(TRIALS)))
            assert found == pytest.approx(TABLE_1[metric][algorithm], rel=1e-12)


@pytest.mark.parametrize("metric", METRICS)
def test_the_printed_f_of_one_factor_follows_from_the_table(metric: str) -> None:
    low, high = rounded_range(f_one_way, metric, COMPARED)
    printed = ANOVA[ONE_WAY, metric].f
    assert printed is not None
    assert low < printed < high
    found = analyse_trials(trials_of_table_1())[metric].analyses[ONE_WAY]
    assert (found.freedom, found.error_freedom) == (3, 16)
    assert found.f == pytest.approx(printed, rel=0.01)


@pytest.mark.parametrize("metric", [metric for metric in METRICS if metric != QD_SCORE])
def test_the_printed_f_of_an_interaction_follows_from_the_table(metric: str) -> None:
    low, high = rounded_range(f_interaction, metric, (OFFLINE, OFFLINE_AD, DSA_ME, DSA_ME_AD))
    printed = ANOVA[INTERACTION, metric].f
    assert printed is not None
    assert low < printed < high
    assert analyse_trials(trials_of_table_1())[metric].analyses[INTERACTION].f == pytest.approx(printed, rel=0.01)


def test_all_printed_p_values_follow_from_the_table() -> None:
    tests = analyse_trials(trials_of_table_1())
    checked = 0
    for (name, metric), printed in ANOVA.items():
        p = tests[metric].analyses[name].p
        if printed.p is None:
            assert (p < 0.05) == printed.is_significant, (name, metric)
        elif printed.is_bound:
            assert p < printed.p, (name, metric)
        else:
            assert round(p, 3) == printed.p, (name, metric)
        checked += printed.p is not None
    assert checked == 12


def test_of_the_printed_outcomes_only_those_of_win_rates_do_not_follow_from_the_table() -> None:
    # The text sees no significant difference between the win rates of the three searches with models. By the table and
    # the published program's tests all three differ; with the variance of all four algorithms one of them still does.
    tests = analyse_trials(trials_of_table_1())
    found = {
        each: tests[each.metric].differences[each.one, each.other].outcome == printed.outcome
        for each, printed in DIFFERENCES.items()
    }
    unlike = {(each.one, each.other) for each, is_like in found.items() if not is_like}
    assert {each.metric for each, is_like in found.items() if not is_like} == {WIN_RATE}
    assert unlike == {(DSA_ME, OFFLINE), (DSA_ME, LSA_ME), (LSA_ME, OFFLINE)}
    pooled = {pair: test.outcome for pair, test in tests[WIN_RATE].post_hoc_of_all.items() if pair in unlike}
    assert [pair for pair, outcome in pooled.items() if outcome != "no difference"] == [(DSA_ME, LSA_ME)]


def test_dsa_me_wins_more_than_both_others_however_the_table_is_rounded() -> None:
    # The least differences and the largest errors that are printed like those. Between the two others nothing is sure.
    nearest = {
        name: Mean(mean.value + (-0.05 if name == DSA_ME else 0.05), mean.error + 0.005)
        for name, mean in TABLE_1[WIN_RATE].items()
        if name in COMPARED
    }
    groups = dict(zip(nearest, trials_with(list(nearest.values())), strict=True))
    found = pairwise_tests(groups)
    assert found[DSA_ME, OFFLINE].outcome == found[DSA_ME, LSA_ME].outcome == "higher"
    assert pairwise_tests(groups, error="all")[DSA_ME, LSA_ME].outcome == "higher"


@pytest.mark.parametrize(
    ("algorithm", "total"),  # as re-derived by hand, to about one
    [(MAP_ELITES, 1321), (OFFLINE, 1309), (LSA_ME, 3187), (DSA_ME, 5018), (OFFLINE_AD, 2608), (DSA_ME_AD, 3985)],
)
def test_the_other_qd_score_follows_from_the_table(algorithm: str, total: float) -> None:
    qd_score, cells = TABLE_1[QD_SCORE][algorithm].value, TABLE_1[CELLS][algorithm].value
    assert sum_of_objectives(qd_score, cells) == pytest.approx(total, abs=1)


def test_hypotheses_and_printed_outcomes_are_about_pairs_that_are_tested() -> None:
    tests = analyse_trials(trials_of_table_1())
    for metric in METRICS:
        tested = {*tests[metric].differences}
        assert {pair for hypothesis in HYPOTHESES for pair in hypothesis.pairs} <= tested
        assert {(each.one, each.other) for each in DIFFERENCES if each.metric == metric} <= tested


def test_statements_have_names_of_their_own() -> None:
    assert len({statement.name for statement in STATEMENTS}) == len(STATEMENTS)


def test_the_title_of_a_finding_is_the_statement_with_its_section() -> None:
    assert finding_title("error-falls") == "the model's error on its candidates falls over the rounds (3.3)"
    assert finding_title("our own words") == "our own words"


def test_every_statement_is_a_finding_of_some_report() -> None:
    folders = (ROOT / "src/deckatlas/papers/dsa_me", ROOT / "experiments/dsa-me")
    files = [path for folder in folders for path in folder.iterdir() if path.suffix in (".py", ".toml")]
    text = "".join(path.read_text(encoding="utf-8") for path in files if path.name != "published.py")
    assert [each.name for each in STATEMENTS if each.name not in text] == []
