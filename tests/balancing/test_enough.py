"""How much must be played for a verdict: sizes that are found are enough, and one less is not."""

import math

import numpy as np
import pytest

from deckatlas.balancing.enough import enough, is_decided, trials_to_meet
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.mean_shares import mean_share


@pytest.mark.parametrize(("most", "trials"), [(0.4, 8), (0.2, 17), (0.05, 72)])
def test_a_share_of_nothing_is_at_most_this_with_so_many_trials(most: float, trials: int) -> None:
    assert trials_to_meet(0.0, most) == trials
    assert 1 - 0.025 ** (1 / trials) <= most < 1 - 0.025 ** (1 / (trials - 1))  # Clopper and Pearson, for none of them
    found = mean_share(np.zeros(6))
    assert enough(found, [0.0] * 6, 0.0, most) == trials


def test_a_range_between_two_ends_takes_more_trials_and_a_point_cannot_be_met() -> None:
    needed, of_one_end = trials_to_meet(0.4, 0.6), trials_to_meet(0.0, 0.6)
    assert needed is not None
    assert of_one_end is not None
    assert needed > of_one_end
    assert trials_to_meet(0.5, 0.5) is None
    assert trials_to_meet(0.0, 1.0) == 1


@pytest.mark.parametrize(("low", "high"), [(0.3, 0.5), (0.0, 0.4), (0.6, 1.0), (0.45, 0.5)])
def test_so_many_equal_trials_are_within_the_range_and_one_less_is_not(low: float, high: float) -> None:
    needed = trials_to_meet(low, high)
    assert needed is not None
    for trials, meets in ((needed, True), (needed - 1, False)):
        best = low / 0.025 ** (1 / trials)  # the share whose interval begins at the low end
        found = mean_share(np.full(trials, min(1.0, best)))
        assert (low <= found.low + 1e-6 and found.high - 1e-6 <= high) == meets


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.4), (0.3, 1.0), (0.0, 0.1), (0.15, 0.35)])
def test_the_size_that_is_enough_decides_and_one_less_does_not(low: float, high: float) -> None:
    trials = [0.0, 0.3, 0.0, 0.5, 0.25, 0.15]
    needed = enough(mean_share(np.array(trials)), trials, low, high)
    assert len(trials) < needed < math.inf
    for size, decides in ((int(needed), True), (int(needed) - 1, False)):
        assert is_decided(mean_share(np.resize(np.array(trials), size)), low, high) == decides


def test_an_interval_that_shrinks_with_the_root_needs_four_times_as_much_for_half_its_width() -> None:
    assert enough(Estimate(0.5, 0.46, 0.54, 1000), (), 0.48, 1.0) == pytest.approx(4000)
    assert enough(Estimate(0.5, 0.46, 0.54, 1000), (), 0.5, 1.0) == math.inf
