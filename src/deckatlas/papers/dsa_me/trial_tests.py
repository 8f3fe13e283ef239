"""The tests of the paper over trials: one-way and two-way analyses of variance, and all differences they lead to.

Pure functions of the numbers of trials, in tables by metric and algorithm; no function here knows where they come from.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.papers.dsa_me.published import (
    ALGORITHMS,
    ANCILLARY_EFFECT,
    COMPARED,
    INTERACTION,
    METRICS,
    MODEL_EFFECT,
    MODELS,
    ONE_WAY,
    SIMPLE_EFFECTS,
    WITH,
    WITHOUT,
)
from deckatlas.stats.anova import (
    FTest,
    TTest,
    Values,
    common_difference,
    one_way,
    pairwise_tests,
    simple_main_effects,
    two_way,
)

Trials = Mapping[str, Mapping[str, npt.ArrayLike]]
Pair = tuple[str, str]


@dataclass(frozen=True)
class MetricTests:
    """All tests of one metric.

    Attributes:
        analyses: The F tests, by their names in `published`.
        post_hoc: Each later of the four algorithms minus each earlier one. As in the published program, a test pools
            the variance of its two algorithms.
        post_hoc_of_all: The same with the variance of all four.
        ancillary: The differences that ancillary data make, over both models and in each. Over both it is the main
            effect; in each it is the simple main effect, with the error of all four cells.
    """

    analyses: Mapping[str, FTest]
    post_hoc: Mapping[Pair, TTest]
    post_hoc_of_all: Mapping[Pair, TTest]
    ancillary: Mapping[Pair, TTest]

    @property
    def differences(self) -> dict[Pair, TTest]:
        """All differences by their pairs, with the published post-hoc tests."""
        return {**self.post_hoc, **self.ancillary}

    @property
    def decisive_ancillary(self) -> Collection[Pair]:
        """The differences that say what ancillary data do: if there is an interaction, those in each model alone."""
        simple = tuple((with_data, without) for without, with_data in MODELS.items())
        return simple if self.analyses[INTERACTION].is_significant else ((WITH, WITHOUT),)


def analyse_trials(trials: Trials) -> dict[str, MetricTests]:
    """The tests of each metric, those of the paper first.

    Args:
        trials: For each metric, those of the paper and any others, the values of all trials of each algorithm.

    Raises:
        RunError: If a metric of the paper or an algorithm is missing, an algorithm has fewer than two trials, or a
            value is not finite.
    """
    for metric in METRICS:
        if metric not in trials:
            raise RunError(f"the tests need the metric {metric}")
    in_order = dict.fromkeys((*METRICS, *trials))
    return {metric: _tests(_checked(metric, trials[metric])) for metric in in_order}


def _checked(metric: str, values: Mapping[str, npt.ArrayLike]) -> dict[str, Values]:
    checked = {}
    for algorithm in ALGORITHMS:
        if algorithm not in values:
            raise RunError(f"the tests need trials of {algorithm} ({metric})")
        sample = np.asarray(values[algorithm], dtype=np.float64)
        if sample.ndim != 1 or len(sample) < 2:
            raise RunError(f"the tests need two trials or more of {algorithm} ({metric})")
        if not np.isfinite(sample).all():
            raise RunError(f"a trial of {algorithm} has no finite {metric}")
        checked[algorithm] = sample
    return checked


def _tests(values: Mapping[str, Values]) -> MetricTests:
    compared = {algorithm: values[algorithm] for algorithm in COMPARED}
    cells = {(with_data, without): (values[with_data], values[without]) for without, with_data in MODELS.items()}
    both = two_way(list(cells.values()))
    simple = simple_main_effects(list(cells.values()))
    return MetricTests(
        analyses={
            ONE_WAY: one_way(list(compared.values())),
            INTERACTION: both.interaction,
            MODEL_EFFECT: both.rows,
            ANCILLARY_EFFECT: both.columns,
            **{SIMPLE_EFFECTS[model]: test for model, test in zip(MODELS, simple, strict=True)},
        },
        post_hoc=pairwise_tests(compared),
        post_hoc_of_all=pairwise_tests(compared, error="all"),
        ancillary={
            (WITH, WITHOUT): common_difference(list(cells.values()), both.error),
            **{names: common_difference([pair], both.error) for names, pair in cells.items()},
        },
    )
