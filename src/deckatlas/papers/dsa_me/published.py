"""The paper's numbers and claims: table 1, the tests of section 5, appendix B.1, hypotheses, statements in passing.

Numbers are as printed; words are ours. `±` of table 1 is the standard error of five trials: with that reading, the
printed F values follow from the table (a test recomputes them).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from deckatlas.stats.anova import Outcome, Values

MAP_ELITES, OFFLINE, LSA_ME, DSA_ME = "MAP-Elites", "Offline DSA-ME", "LSA-ME", "DSA-ME"
OFFLINE_AD, DSA_ME_AD = "Offline DSA-ME (ad)", "DSA-ME (ad)"
WITH, WITHOUT = "with ancillary data", "without"  # the main effect over both models

ALGORITHMS = (MAP_ELITES, OFFLINE, LSA_ME, DSA_ME, OFFLINE_AD, DSA_ME_AD)
COMPARED = ALGORITHMS[:4]  # those of the one-way analyses
MODELS = {OFFLINE: OFFLINE_AD, DSA_ME: DSA_ME_AD}  # those of the two-way analyses, and each with ancillary data

QD_SCORE, WIN_RATE, HEALTH, CELLS = "qd_score", "max_win_rate", "max_health_difference", "cells"
METRICS = {
    QD_SCORE: "QD score, Σ (f + 30) / 60",
    WIN_RATE: "maximal win rate, %",
    HEALTH: "maximal mean health difference",
    CELLS: "cells filled, % of 1,600",
}

TRIALS = 5  # of each algorithm
ALL_CELLS = 1600  # the published share of cells is over all of them, though only 1,368 can be reached
_WORST, _RANGE = -30.0, 60.0  # the lowest mean health difference, and the way from it to the highest


class Mean(NamedTuple):
    """A mean over trials, and its standard error."""

    value: float
    error: float


TABLE_1: Mapping[str, Mapping[str, Mean]] = {
    HEALTH: {
        MAP_ELITES: Mean(15.72, 0.62),
        OFFLINE: Mean(18.69, 0.17),
        LSA_ME: Mean(20.07, 0.18),
        DSA_ME: Mean(22.30, 0.16),
        OFFLINE_AD: Mean(20.23, 0.20),
        DSA_ME_AD: Mean(21.15, 0.35),
    },
    WIN_RATE: {
        MAP_ELITES: Mean(90.6, 0.91),
        OFFLINE: Mean(97.1, 0.19),
        LSA_ME: Mean(96.2, 0.12),
        DSA_ME: Mean(98.4, 0.10),
        OFFLINE_AD: Mean(97.7, 0.30),
        DSA_ME_AD: Mean(97.4, 0.43),
    },
    CELLS: {
        MAP_ELITES: Mean(14.36, 0.32),
        OFFLINE: Mean(21.64, 0.12),
        LSA_ME: Mean(27.89, 0.64),
        DSA_ME: Mean(31.86, 0.71),
        OFFLINE_AD: Mean(15.65, 0.13),
        DSA_ME_AD: Mean(30.78, 1.35),
    },
    QD_SCORE: {
        MAP_ELITES: Mean(136.89, 1.95),
        OFFLINE: Mean(194.94, 1.65),
        LSA_ME: Mean(276.23, 6.10),
        DSA_ME: Mean(338.52, 5.86),
        OFFLINE_AD: Mean(168.67, 0.99),
        DSA_ME_AD: Mean(312.66, 11.72),
    },
}


def sum_of_objectives(qd_score: float, cells: float) -> float:
    """The QD score as the paper's text defines it, Σ f, from the printed one and the printed share of cells."""
    return _RANGE * qd_score + _WORST * cells / 100 * ALL_CELLS


def trials_of_table_1() -> dict[str, dict[str, Values]]:
    """Five made-up trials of each algorithm whose means and standard errors are exactly those of table 1.

    All tests of the paper depend on means and standard errors alone, so these trials give the tests of the real ones,
    up to the rounding of the table.
    """
    ranks = np.arange(TRIALS, dtype=np.float64)
    spread = (ranks - ranks.mean()) / ranks.std(ddof=1) * math.sqrt(TRIALS)
    return {
        metric: {algorithm: mean.value + mean.error * spread for algorithm, mean in means.items()}
        for metric, means in TABLE_1.items()
    }


@dataclass(frozen=True)
class Printed:
    """A test as the paper prints it.

    Attributes:
        f: The value of F, where it is printed.
        p: The p value, where it is printed.
        is_bound: Whether p is only said to be below that value.
        outcome: The side of a significant difference; None for tests that have no side.
        is_significant: Whether the paper calls the effect significant.
    """

    f: float | None = None
    p: float | None = None
    is_bound: bool = False
    outcome: Outcome | None = None
    is_significant: bool = True

    def p_text(self) -> str:
        """The p value as printed, or the words instead of it."""
        if self.p is None:
            return "significant" if self.is_significant else "not significant"
        return f"< {self.p:g}" if self.is_bound else f"{self.p:.3f}"


class Difference(NamedTuple):
    """The question whether one algorithm has more of a metric than another."""

    metric: str
    one: str
    other: str


_HIGHER = Printed(outcome="higher")
_SAME = Printed(outcome="no difference", is_significant=False)

DIFFERENCES: Mapping[Difference, Printed] = {
    **{Difference(metric, one, MAP_ELITES): _HIGHER for metric, one in product(METRICS, (OFFLINE, LSA_ME, DSA_ME))},
    **{
        Difference(metric, DSA_ME, other): _HIGHER
        for metric, other in product((QD_SCORE, HEALTH, CELLS), (OFFLINE, LSA_ME))
    },
    **{Difference(WIN_RATE, *pair): _SAME for pair in ((DSA_ME, OFFLINE), (DSA_ME, LSA_ME), (LSA_ME, OFFLINE))},
    Difference(QD_SCORE, WITH, WITHOUT): Printed(p=0.001, outcome="lower"),
    Difference(HEALTH, OFFLINE_AD, OFFLINE): Printed(p=0.001, is_bound=True, outcome="higher"),
    Difference(CELLS, OFFLINE_AD, OFFLINE): Printed(p=0.001, is_bound=True, outcome="lower"),
    Difference(WIN_RATE, OFFLINE_AD, OFFLINE): _SAME,
    Difference(WIN_RATE, DSA_ME_AD, DSA_ME): Printed(p=0.024, outcome="lower"),
    Difference(HEALTH, DSA_ME_AD, DSA_ME): Printed(p=0.003, outcome="lower"),
    Difference(CELLS, DSA_ME_AD, DSA_ME): _SAME,
}


ONE_WAY, INTERACTION = "one-way", "interaction"
MODEL_EFFECT, ANCILLARY_EFFECT = "main effect of the model", "main effect of ancillary data"
SIMPLE_EFFECTS = {model: f"ancillary data in {model}" for model in MODELS}

ANOVA: Mapping[tuple[str, str], Printed] = {
    (ONE_WAY, QD_SCORE): Printed(403.49, 0.001, is_bound=True),
    (ONE_WAY, WIN_RATE): Printed(52.81, 0.001, is_bound=True),
    (ONE_WAY, HEALTH): Printed(64.65, 0.001, is_bound=True),
    (ONE_WAY, CELLS): Printed(228.30, 0.001, is_bound=True),
    (INTERACTION, QD_SCORE): Printed(is_significant=False),
    (INTERACTION, WIN_RATE): Printed(8.00, 0.012),
    (INTERACTION, HEALTH): Printed(33.277, 0.001, is_bound=True),
    (INTERACTION, CELLS): Printed(10.148, 0.006),
    **{
        (effect, metric): DIFFERENCES[Difference(metric, with_data, without)]
        for (effect, with_data, without), metric in product(
            ((ANCILLARY_EFFECT, WITH, WITHOUT), *((SIMPLE_EFFECTS[model], MODELS[model], model) for model in MODELS)),
            METRICS,
        )
        if Difference(metric, with_data, without) in DIFFERENCES
    },
}


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis of the paper.

    Attributes:
        name: Its name in the paper.
        text: What it says.
        pairs: The algorithms that should do better, each with the one it is compared with.
        is_supported: Whether the paper finds it supported.
    """

    name: str
    text: str
    pairs: tuple[tuple[str, str], ...]
    is_supported: bool


HYPOTHESES = (
    Hypothesis(
        "H1",
        "each search with a surrogate model does better than MAP-Elites",
        ((OFFLINE, MAP_ELITES), (LSA_ME, MAP_ELITES), (DSA_ME, MAP_ELITES)),
        is_supported=True,
    ),
    Hypothesis(
        "H2",
        "DSA-ME does better than with a linear model, and than with a model trained offline",
        ((DSA_ME, OFFLINE), (DSA_ME, LSA_ME)),
        is_supported=True,
    ),
    Hypothesis(
        "H3",
        "ancillary data make DSA-ME and Offline DSA-ME better",
        ((WITH, WITHOUT), (OFFLINE_AD, OFFLINE), (DSA_ME_AD, DSA_ME)),
        is_supported=False,
    ),
)


@dataclass(frozen=True)
class SurrogateQuality:
    """Appendix B.1: how well the final model of DSA-ME predicts; means of five runs.

    Attributes:
        mse_turns: The mean squared error of the number of turns, on the data of another run.
        mse_hand_size: The same of the hand size.
        mse_health_difference: The same of the health difference.
        kept: The share of the surrogate archive's elites that are elites of the true archive of the same decks.
        same_cell: The share of all the surrogate archive's elites that enter it in the predicted cell.
        distance: The mean Manhattan distance between predicted and true cell, of the elites that enter it.
    """

    mse_turns: float
    mse_hand_size: float
    mse_health_difference: float
    kept: float
    same_cell: float
    distance: float


SURROGATE_QUALITY = SurrogateQuality(
    mse_turns=0.44, mse_hand_size=0.07, mse_health_difference=14.70, kept=0.44, same_cell=0.03, distance=2.45
)


@dataclass(frozen=True)
class Statement:
    """A statement that the paper makes outside its hypotheses, with the section where it stands."""

    name: str
    section: str
    text: str


STATEMENTS = (
    Statement("adversarial-candidates", "3.3", "early candidates exploit the model: they do worse than predicted"),
    Statement("error-falls", "3.3", "the model's error on its candidates falls over the rounds"),
    Statement("offline-below-linear", "5", "Offline DSA-ME has a lower QD score and fewer elites than LSA-ME"),
    Statement("more-at-every-quality", "5", "DSA-ME has more elites than the others above every health difference"),
    Statement("scores-struggle", "A.2", "hand-written scores play Rogue decks badly"),
    Statement("cma-me-beats-cma-es", "A.2", "CMA-ME finds a better network than CMA-ES"),
    Statement("objective-is-harder", "B.1", "the model predicts measures well, and the objective less well"),
    Statement("same-region", "B.1", "candidates seldom reach the predicted cell, but stay near it"),
    Statement("trained-model-is-better", "B.1", "Offline DSA-ME (surrogate model) does better than DSA-ME"),
    Statement("elite-data-suffice", "B.2", "Offline (elite data) does not differ from Offline (surrogate model)"),
    Statement(
        "holes-differ", "B.3", "archives of different rounds have different holes, and their union covers the map"
    ),
    Statement("resetting-helps", "B.3", "without resetting, QD score and coverage are lower"),
)


def finding_title(name: str) -> str:
    """The title of a finding about a statement, by its name: its text and section. Another text is its own title."""
    for each in STATEMENTS:
        if each.name == name:
            return f"{each.text} ({each.section})"
    return name
