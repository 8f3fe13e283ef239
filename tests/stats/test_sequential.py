"""Sequential tests: published critical values, the error rate over all looks, and the power that is stated."""

from math import pi, sqrt

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas.stats.distributions import normal_cdf, normal_quantile, student_quantile
from deckatlas.stats.sequential import ALPHA, LOOKS, SPENDING, detectable, planned_looks, spent_levels


def critical(looks: tuple[int, ...], alpha: float = ALPHA) -> list[float]:
    return [normal_quantile(1 - level / 2) for level in spent_levels(looks, alpha=alpha)]


def paths(looks: tuple[int, ...], *, drift: float = 0.0, tries: int = 40_000) -> npt.NDArray[np.float64]:
    """Standardised sums of independent numbers at the looks; with a drift, the last look has it as its mean."""
    steps = np.diff((0, *looks))
    rng = np.random.default_rng(1)
    sums = np.cumsum(rng.standard_normal((tries, len(looks))) * np.sqrt(steps), axis=1)
    return np.asarray((sums + drift * np.array(looks) / np.sqrt(looks[-1])) / np.sqrt(looks))


def test_one_look_is_the_usual_test() -> None:
    assert critical((50,)) == [pytest.approx(1.959964, abs=1e-6)]


def test_two_looks_spend_what_the_first_one_may_and_all_in_the_end() -> None:
    first, second = critical((10, 20))
    assert first == pytest.approx(normal_quantile(1 - ALPHA * 0.5**SPENDING / 2), abs=1e-9)
    z = np.linspace(-first, first, 20_001)
    beyond = [normal_cdf(each - second * sqrt(2)) + normal_cdf(-each - second * sqrt(2)) for each in z.tolist()]
    spent_later = np.trapezoid(np.exp(-(z**2) / 2) / sqrt(2 * pi) * beyond, z)
    assert spent_later == pytest.approx(ALPHA * (1 - 0.5**SPENDING), abs=1e-7)


@pytest.mark.parametrize("alpha", [0.05, 0.0125])
def test_all_looks_together_err_as_often_as_stated(alpha: float) -> None:
    looks = planned_looks(160)
    assert len(looks) == len(LOOKS)
    errs = (np.abs(paths(looks)) > critical(looks, alpha)).cumsum(axis=1) > 0
    for share, found in zip(LOOKS, errs.mean(axis=0), strict=True):
        expected = alpha * share**SPENDING
        assert found == pytest.approx(expected, abs=4 * np.sqrt(expected / len(errs)))


def test_the_stated_difference_is_found_at_least_as_often_as_stated() -> None:
    looks = planned_looks(160)
    lead = detectable(1.0, spent_levels(looks)[-1], power=0.8)
    found = (np.abs(paths(looks, drift=lead)) > critical(looks)).any(axis=1).mean()
    assert 0.8 < found < 0.84


@pytest.mark.parametrize(("units", "least"), [(3, 0.76), (6, 0.79), (20, 0.795)])
def test_the_stated_difference_takes_account_of_an_estimated_spread(units: int, least: float) -> None:
    lead = detectable(1 / sqrt(units), ALPHA, freedom=units - 1)
    values = np.random.default_rng(1).standard_normal((100_000, units)) + lead
    t = values.mean(axis=1) / (values.std(axis=1, ddof=1) / sqrt(units))
    assert least < (np.abs(t) > student_quantile(units - 1)).mean() < 0.805


def test_a_larger_difference_is_found_with_fewer_units() -> None:
    looks = planned_looks(160)
    passed = paths(looks, drift=6.0) > critical(looks)
    assert passed.any(axis=1).mean() > 0.99
    assert np.array(looks)[passed.argmax(axis=1)].mean() < 0.5 * looks[-1]


def test_looks_keep_a_least_number_of_units_and_ascend() -> None:
    assert planned_looks(160) == (10, 20, 40, 60, 80, 120, 160)
    assert planned_looks(10, least=4) == (4, 5, 8, 10)
    assert planned_looks(2) == (2,)
    assert planned_looks(3, least=8) == (3,)


@pytest.mark.parametrize(("looks", "alpha"), [((), 0.05), ((5, 5), 0.05), ((0, 5), 0.05), ((5,), 0.0), ((5,), 1.0)])
def test_impossible_plans_are_refused(looks: tuple[int, ...], alpha: float) -> None:
    with pytest.raises(ValueError, match="looks must ascend"):
        spent_levels(looks, alpha=alpha)


def test_looks_widen_the_last_interval_far_less_than_a_confidence_sequence_would() -> None:
    last = critical(planned_looks(160))[-1]
    assert last / critical((160,))[0] == pytest.approx(1.07, abs=0.005)
    # The narrowest interval at the end of the budget of a confidence sequence with a normal mixture.
    mixture = np.linspace(0.01, 1, 1_000)
    anytime = np.sqrt((1 + mixture) * np.log((1 + mixture) / (mixture * ALPHA**2))).min()
    assert anytime / last == pytest.approx(1.45, abs=0.01)
