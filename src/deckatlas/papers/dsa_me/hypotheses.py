"""What trials say about the paper's hypotheses, beside what the paper says and what follows from its table 1."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from deckatlas.papers.dsa_me.published import (
    DIFFERENCES,
    HYPOTHESES,
    METRICS,
    QD_SCORE,
    Difference,
    Hypothesis,
    Printed,
    trials_of_table_1,
)
from deckatlas.papers.dsa_me.trial_tests import MetricTests, analyse_trials
from deckatlas.stats.anova import Outcome, TTest

Outcomes = Mapping[Difference, Outcome]


@dataclass(frozen=True)
class ComparedDifference:
    """A difference between algorithms: what was found, what the paper prints, and what follows from its table.

    Attributes:
        of: The metric and the algorithms.
        hypothesis: The hypothesis that predicts a higher value; empty if there is none.
        counts: Whether it counts for the verdict on the hypothesis.
        found: The test of the trials.
        pooled: The post-hoc test with the variance of all four algorithms; None for other differences.
        table_1: The test of table 1; None for metrics that the table does not have.
        printed: The test as printed; None if the paper does not mention it.
    """

    of: Difference
    hypothesis: str
    counts: bool
    found: TTest
    pooled: TTest | None
    table_1: TTest | None
    printed: Printed | None

    @property
    def is_as_printed(self) -> bool | None:
        """Whether the outcome is the printed one; None if there is none."""
        return None if self.printed is None else self.found.outcome == self.printed.outcome


@dataclass(frozen=True)
class Verdict:
    """Whether a hypothesis is supported.

    Attributes:
        hypothesis: The hypothesis, with the paper's own verdict.
        is_supported: Whether the trials support it.
        by_table_1: Whether table 1 supports it, by the same tests.
        predictions: The number of differences that count.
        confirmed: How many of them are significant, as predicted.
        contradicted: How many of them are significant the other way.
    """

    hypothesis: Hypothesis
    is_supported: bool
    by_table_1: bool
    predictions: int
    confirmed: int
    contradicted: int

    @property
    def is_as_published(self) -> bool:
        """Whether the paper's verdict is the same."""
        return self.is_supported == self.hypothesis.is_supported


def compare_differences(tests: Mapping[str, MetricTests]) -> list[ComparedDifference]:
    """All differences of all metrics, in the order of the hypotheses that predict them; those of none come last."""
    table = analyse_trials(trials_of_table_1())
    predicted = {pair: hypothesis.name for hypothesis in HYPOTHESES for pair in hypothesis.pairs}
    found = [
        _compared(Difference(metric, *pair), predicted.get(pair, ""), tests[metric], table.get(metric))
        for metric in tests
        for pair in tests[metric].differences
    ]
    names = [hypothesis.name for hypothesis in HYPOTHESES]
    return sorted(found, key=lambda each: names.index(each.hypothesis) if each.hypothesis else len(names))


def verdicts(tests: Mapping[str, MetricTests]) -> list[Verdict]:
    """The verdict on each hypothesis, over the four metrics of the paper."""
    found, table = counted_outcomes(tests), counted_outcomes(analyse_trials(trials_of_table_1()))
    return [_verdict(hypothesis, _of(hypothesis, found), _of(hypothesis, table)) for hypothesis in HYPOTHESES]


def counted_outcomes(tests: Mapping[str, MetricTests]) -> dict[Difference, Outcome]:
    """The outcomes that count for hypotheses, over the four metrics of the paper."""
    return {
        Difference(metric, *pair): test.outcome
        for metric in METRICS
        for pair, test in tests[metric].differences.items()
        if _counts(tests[metric], pair)
    }


def supports(outcomes: Outcomes) -> bool:
    """Whether outcomes support the hypothesis that all values are higher.

    They do if all QD scores are significantly higher, and nothing is significantly lower. The paper has no rule of its
    own; with its own outcomes, this one gives its three verdicts: the QD score combines quality and diversity, and a
    difference in win rates that is not significant does not keep H2 from being supported.
    """
    decisive = [outcome for difference, outcome in outcomes.items() if difference.metric == QD_SCORE]
    return bool(decisive) and set(decisive) == {"higher"} and "lower" not in outcomes.values()


def _verdict(hypothesis: Hypothesis, found: Outcomes, table: Outcomes) -> Verdict:
    outcomes = list(found.values())
    return Verdict(
        hypothesis,
        supports(found),
        supports(table),
        predictions=len(outcomes),
        confirmed=outcomes.count("higher"),
        contradicted=outcomes.count("lower"),
    )


def _of(hypothesis: Hypothesis, outcomes: Outcomes) -> dict[Difference, Outcome]:
    pairs: Collection[tuple[str, str]] = hypothesis.pairs
    return {each: outcome for each, outcome in outcomes.items() if (each.one, each.other) in pairs}


def _compared(of: Difference, hypothesis: str, tests: MetricTests, table: MetricTests | None) -> ComparedDifference:
    pair = (of.one, of.other)
    return ComparedDifference(
        of,
        hypothesis,
        counts=bool(hypothesis) and of.metric in METRICS and _counts(tests, pair),
        found=tests.differences[pair],
        pooled=tests.post_hoc_of_all.get(pair),
        table_1=None if table is None else table.differences[pair],
        printed=DIFFERENCES.get(of),
    )


def _counts(tests: MetricTests, pair: tuple[str, str]) -> bool:
    return pair not in tests.ancillary or pair in tests.decisive_ancillary
