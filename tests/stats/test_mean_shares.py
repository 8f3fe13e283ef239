"""Intervals of mean shares: exact for yes and no, and rarely wrong on either side for the shares of few trials."""

from collections.abc import Callable

import numpy as np
import pytest

from deckatlas.stats.distributions import inverse_incomplete_beta
from deckatlas.stats.estimate import Floats
from deckatlas.stats.mean_shares import chance_of_at_most, mean_share

Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]


@pytest.mark.parametrize("ones", range(9))
def test_trials_of_yes_and_no_have_the_interval_of_clopper_and_pearson(ones: int) -> None:
    found = mean_share(np.array([1.0] * ones + [0.0] * (8 - ones)))
    low = inverse_incomplete_beta(ones, 9 - ones, 0.025) if ones else 0.0
    high = inverse_incomplete_beta(ones + 1, 8 - ones, 0.975) if ones < 8 else 1.0
    assert (found.value, found.n, found.is_share) == (ones / 8, 8, True)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


def test_the_chance_of_a_weighted_mean_is_the_part_of_all_weightings() -> None:
    values = np.array([0.0, 0.0, 0.3, 0.5, 1.0])
    means = np.random.default_rng(5).dirichlet(np.ones(5), 100_000) @ values
    for bound in (0.1, 0.3, 0.5, 0.8):
        assert chance_of_at_most(bound, values.tolist()) == pytest.approx((means <= bound).mean(), abs=0.006)
    assert chance_of_at_most(0.3, [0.0, 1.0]) == pytest.approx(0.3)  # uniform between two values
    assert chance_of_at_most(-0.1, values.tolist()) == 0.0
    assert chance_of_at_most(1.0, values.tolist()) == 1.0


def test_an_interval_holds_the_mean_and_ends_at_0_and_1() -> None:
    rng = np.random.default_rng(6)
    for trials in (2, 3, 8, 30):
        found = mean_share(rng.beta(0.3, 0.6, trials))
        assert 0 <= found.low < found.value < found.high <= 1
    assert mean_share(np.full(4, 1 + 1e-12)).high == 1.0  # shares that add up with a rounding error


@pytest.mark.parametrize(
    ("draw", "truth"),
    [
        (lambda rng, size: rng.uniform(0, 0.4, size) * (rng.random(size) < 0.5), 0.1),
        (lambda rng, size: rng.uniform(0, 1, size) * (rng.random(size) < 0.5), 0.25),
        (lambda rng, size: 1.0 * (rng.random(size) < 0.3), 0.3),
        (lambda rng, size: rng.beta(0.3, 0.3, size), 0.5),
    ],
    ids=["small or absent", "any share or absent", "all or nothing", "mostly all or nothing"],
)
@pytest.mark.parametrize("trials", [3, 8])
def test_the_truth_is_missed_in_at_most_one_of_forty_studies_on_each_side(
    draw: Draw, truth: float, trials: int
) -> None:
    studies = 1200
    found = [mean_share(each) for each in draw(np.random.default_rng(7), (studies, trials))]
    most = studies * 0.025 + 3 * (studies * 0.025 * 0.975) ** 0.5
    assert sum(each.high < truth for each in found) <= most
    assert sum(each.low > truth for each in found) <= most
