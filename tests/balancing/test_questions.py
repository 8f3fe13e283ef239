"""Questions and answers: claims follow from p values and margins, and false claims stay as rare as stated."""

import numpy as np
import pytest

from deckatlas.balancing.questions import (
    FALLS,
    FIELD,
    RISES,
    UNCHANGED,
    UNDECIDED,
    Question,
    Shift,
    answered,
    over_trials,
    weighted_shift,
)
from deckatlas.stats.estimate import Estimate

HALF = Estimate(0.5, 0.45, 0.55, 100, is_share=True)


def asked(value: float, error: float, *, margin: float = 0.01, family: str = FIELD) -> Question:
    after = Estimate(0.5 + value, 0.0, 1.0, 100, is_share=True)
    shift = Shift(value, error, 30)
    return Question("deck", "Zoo", "the win rate of Zoo", HALF, after, shift, "100 games", margin, family)


@pytest.mark.parametrize(
    ("value", "error", "claim"),
    [(0.1, 0.01, RISES), (-0.1, 0.01, FALLS), (0.001, 0.002, UNCHANGED), (0.02, 0.02, UNDECIDED), (0, 0, UNCHANGED)],
)
def test_a_claim_follows_from_the_shift_and_its_error(value: float, error: float, claim: str) -> None:
    (sentence,) = answered([asked(value, error)])
    assert sentence.claim == claim


def test_more_questions_of_a_family_make_a_claim_harder_and_other_families_do_not() -> None:
    one = asked(0.025, 0.01)
    assert answered([one])[0].claim == RISES
    assert answered([one, *(asked(0, 0.01) for _ in range(20))])[0].claim == UNDECIDED
    assert answered([one, *(asked(0, 0.01, family="other") for _ in range(20))])[0].claim == RISES


def test_sentences_say_their_numbers_in_words() -> None:
    rises, undecided, unchanged = answered([asked(0.1, 0.01), asked(0.02, 0.02), asked(0, 0.001)])
    assert rises.text == (
        "The win rate of Zoo rises from 50.0 % to 60.0 %: +10.0 points [+8.0, +12.0] "
        "(adjusted p below 0.0001; 100 games)."
    )
    assert undecided.text == (
        "The win rate of Zoo, 50.0 % before and 52.0 % after, may have changed or not: +2.0 points [-2.1, +6.1] "
        "(100 games)."
    )
    assert unchanged.text == "The win rate of Zoo does not change: +0.00 points [-0.20, +0.20] (100 games)."


def test_the_shift_over_trials_is_the_paired_one() -> None:
    before, after = np.array([0.2, 0.5, 0.8]), np.array([0.3, 0.6, 0.9])
    one, other, shift = over_trials(before, after, step=0.0, is_share=True)
    assert (one.value, other.value) == pytest.approx((0.5, 0.6))
    assert shift.value == pytest.approx(0.1)
    assert shift.error == pytest.approx(0, abs=1e-12)  # trials differ, their differences do not
    assert over_trials(before, after, step=0.05, is_share=True)[2].error > 0.02  # and never count as certain


def test_trials_that_agree_are_not_certain() -> None:
    never = np.zeros(4)
    _, after, _ = over_trials(never, never, step=0.05, is_share=True)
    assert after.value == 0
    assert after.high > 0.03  # an intent of at most 1 % is not met by four trials without the card


@pytest.mark.parametrize("trials", [4, 6, 8])
def test_parts_that_half_of_the_trials_have_nothing_of_are_rarely_missed_on_either_side(trials: int) -> None:
    rng, studies, truth = np.random.default_rng(4), 600, 0.1
    sides = rng.uniform(0, 0.4, (studies, 2, trials)) * (rng.random((studies, 2, trials)) < 0.5)
    found = [over_trials(*each, step=0.05, is_share=True, is_part=True)[1] for each in sides]
    most = studies * 0.025 + 3 * (studies * 0.025 * 0.975) ** 0.5
    assert sum(each.high < truth for each in found) <= most  # Student's interval: 7 to 12 %
    assert sum(each.low > truth for each in found) <= most


def test_a_weighted_shift_adds_the_variances_of_its_parts() -> None:
    rng = np.random.default_rng(2)
    parts, weights = [rng.normal(0.1, 0.3, 50), rng.normal(-0.2, 0.1, 50)], np.array([0.7, -0.3])
    found = weighted_shift(parts, weights, step=0.0)
    assert found.value == pytest.approx(0.7 * parts[0].mean() - 0.3 * parts[1].mean())
    variance = 0.49 * parts[0].var(ddof=1) / 50 + 0.09 * parts[1].var(ddof=1) / 50
    assert found.error == pytest.approx(variance**0.5)
    assert 49 <= found.freedom <= 98


def test_intervals_of_weighted_shifts_cover_the_truth() -> None:
    rng = np.random.default_rng(3)
    weights = np.full(10, 0.1)
    missed = 0
    for _ in range(400):
        moved = [rng.choice([-0.5, 0.0, 0.5], p=[0.1, 0.7, 0.2], size=8) for _ in range(10)]  # the mean is 0.05
        found = weighted_shift(moved, weights, step=0.5).estimate(160, is_share=True)
        missed += not found.low <= 0.05 <= found.high
    assert missed <= 400 * 0.05 + 3 * (400 * 0.05 * 0.95) ** 0.5
