"""Quantiles and probabilities against published tables, closed forms, properties, and scipy where it is installed."""

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deckatlas.stats.distributions import (
    Z95,
    f_tail,
    incomplete_beta,
    inverse_incomplete_beta,
    normal_cdf,
    normal_quantile,
    student_cdf,
    student_quantile,
)

shapes = st.floats(0.05, 2000.0)
probabilities = st.floats(1e-9, 1 - 1e-9)


# ---- Student's distribution ------------------------------------------------------------------------------------------

# The 97.5 % and the 99.5 % point as the tables of textbooks have them, to three digits.
TABLE = {
    1: (12.706, 63.657),
    2: (4.303, 9.925),
    3: (3.182, 5.841),
    4: (2.776, 4.604),
    5: (2.571, 4.032),
    6: (2.447, 3.707),
    7: (2.365, 3.499),
    8: (2.306, 3.355),
    9: (2.262, 3.250),
    10: (2.228, 3.169),
    12: (2.179, 3.055),
    15: (2.131, 2.947),
    20: (2.086, 2.845),
    30: (2.042, 2.750),
    60: (2.000, 2.660),
    120: (1.980, 2.617),
    math.inf: (1.960, 2.576),
}


@pytest.mark.parametrize("freedom", TABLE)
def test_points_of_students_distribution_are_those_of_the_tables(freedom: float) -> None:
    found = student_quantile(freedom, 0.975), student_quantile(freedom, 0.995)
    assert found == pytest.approx(TABLE[freedom], abs=5.001e-4)
    assert student_quantile(freedom) == found[0]


def closed_form(freedom: int, t: float) -> float:
    """The distribution function, which has no integral left for few degrees of freedom."""
    if freedom == 1:
        return 0.5 + math.atan(t) / math.pi
    if freedom == 2:
        return 0.5 + t / (2 * math.sqrt(2 + t * t))
    if freedom == 3:
        root = math.sqrt(3)
        return 0.5 + (t / (root * (1 + t * t / 3)) + math.atan(t / root)) / math.pi
    cosine = 4 / (4 + t * t)
    return 0.5 + t / math.sqrt(4 + t * t) * (1 + cosine / 2) / 2


@pytest.mark.parametrize("freedom", [1, 2, 3, 4])
@pytest.mark.parametrize("p", [0.001, 0.2, 0.6, 0.975, 0.9995])
def test_few_degrees_of_freedom_agree_with_their_closed_form(freedom: int, p: float) -> None:
    assert closed_form(freedom, student_quantile(freedom, p)) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4])
@pytest.mark.parametrize("t", [-30.0, -1.3, 0.0, 1e-8, 0.7, 12.0])
def test_probabilities_of_few_degrees_of_freedom_agree_with_their_closed_form(freedom: int, t: float) -> None:
    assert student_cdf(t, freedom) == pytest.approx(closed_form(freedom, t), abs=1e-15, rel=1e-12)


@given(freedom=st.floats(0.5, 1e6), p=probabilities)
def test_the_probability_below_a_point_is_that_of_its_quantile(freedom: float, p: float) -> None:
    assert student_cdf(student_quantile(freedom, p), freedom) == pytest.approx(p, rel=1e-9)


def test_far_tails_of_students_distribution_keep_their_digits() -> None:
    # With two degrees of freedom the tail below -t is 1 / (2 t t) less terms of a higher order; at 1e60 they vanish.
    assert student_cdf(-1e60, 2) == pytest.approx(5e-121, rel=1e-12)
    assert student_cdf(-math.inf, 5) == 0
    assert student_cdf(math.inf, 5) == 1
    assert student_cdf(-10, math.inf) == normal_cdf(-10)


@pytest.mark.parametrize(("t", "freedom"), [(1, 0), (1, -2), (1, math.nan), (math.nan, 3)])
def test_probabilities_of_what_is_no_distribution_or_number_are_refused(t: float, freedom: float) -> None:
    with pytest.raises(ValueError, match=r"Student's distribution|a probability"):
        student_cdf(t, freedom)


@pytest.mark.parametrize("freedom", [5.0, 19.0, 20.0, 21.0, 333.3, 1e5, 1e9, 1e12])
@pytest.mark.parametrize("p", [0.6, 0.975, 0.999])
def test_a_point_has_its_probability_below_it(freedom: float, p: float) -> None:
    t = student_quantile(freedom, p)
    inside = incomplete_beta(0.5, freedom / 2, t * t / (freedom + t * t))
    assert inside == pytest.approx(2 * p - 1, rel=1e-12)


def test_with_many_degrees_of_freedom_it_is_the_normal_distribution() -> None:
    # The first terms of the expansion about the normal distribution; the next is of the order of 1 / n cubed.
    z = Z95
    for n in (1e4, 1e6, 1e9):
        near = z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n * n)
        assert student_quantile(n) == pytest.approx(near, abs=1e-11)
    assert student_quantile(math.inf, 0.3) == normal_quantile(0.3)


@given(freedom=st.floats(1.0, 1e6), p=probabilities)
def test_the_points_lie_on_either_side_of_zero_alike(freedom: float, p: float) -> None:
    assume(1 - (1 - p) == p)
    assert student_quantile(freedom, 1 - p) == -student_quantile(freedom, p)


def test_fewer_degrees_of_freedom_have_points_farther_out() -> None:
    points = [student_quantile(freedom) for freedom in (1, 1.5, 2, 3, 4.9, 5, 50, 51, 1e3, 1e5, math.inf)]
    assert all(one > other for one, other in pairwise(points))


@pytest.mark.parametrize(("freedom", "p"), [(0, 0.9), (-1, 0.9), (math.nan, 0.9), (3, 0), (3, 1), (3, math.nan)])
def test_what_has_no_point_is_refused(freedom: float, p: float) -> None:
    with pytest.raises(ValueError, match=r"Student's distribution|a quantile"):
        student_quantile(freedom, p)


# ---- beta, F and normal ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("above", "below", "point"),  # 95 % points of F in textbooks, to two or three digits
    [(1, 10, 4.96), (2, 20, 3.49), (3, 12, 3.49), (4, 30, 2.69), (10, 10, 2.98), (6, 120, 2.18)],
)
def test_points_of_the_f_distribution_are_those_of_the_tables(above: int, below: int, point: float) -> None:
    x = inverse_incomplete_beta(above / 2, below / 2, 0.95)
    assert below * x / (above * (1 - x)) == pytest.approx(point, abs=0.0051)
    assert f_tail(point - 0.0051, above, below) > 0.05 > f_tail(point + 0.0051, above, below)


@pytest.mark.parametrize("freedom", [1, 2.5, 16, 1e5])
@pytest.mark.parametrize("f", [1e-9, 0.3, 1.0, 50.0, 1e9])
def test_tails_of_f_agree_with_their_closed_form_if_one_variance_has_two_degrees(freedom: float, f: float) -> None:
    assert f_tail(f, 2, freedom) == pytest.approx(math.exp(-freedom / 2 * math.log1p(2 * f / freedom)), rel=1e-10)
    below = math.exp(-freedom / 2 * math.log1p(2 / (freedom * f)))
    assert f_tail(f, freedom, 2) == pytest.approx(1 - below, rel=1e-10, abs=1e-15)


@given(above=st.floats(0.5, 500), below=st.floats(0.5, 500), f=st.floats(1e-3, 1e3))
def test_the_tail_above_f_and_that_above_its_inverse_add_up_to_one(above: float, below: float, f: float) -> None:
    assert f_tail(f, above, below) + f_tail(1 / f, below, above) == pytest.approx(1, abs=1e-11)


def test_tails_of_f_end_at_one_and_at_zero() -> None:
    assert (f_tail(0, 3, 16), f_tail(math.inf, 3, 16)) == (1, 0)


@pytest.mark.parametrize(
    "wrong", [(-1, 3, 16), (math.nan, 3, 16), (1, 0, 16), (1, 3, 0), (1, math.inf, 16), (1, 3, math.nan)]
)
def test_what_is_no_ratio_or_distribution_of_variances_is_refused(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match=r"ratio of variances|F distribution"):
        f_tail(*wrong)


@given(n=st.integers(1, 60), k=st.integers(1, 60), x=st.floats(0.01, 0.99))
def test_whole_numbers_give_sums_of_binomial_probabilities(n: int, k: int, x: float) -> None:
    assume(k <= n)
    at_least_k = math.fsum(math.comb(n, i) * x**i * (1 - x) ** (n - i) for i in range(k, n + 1))
    assert incomplete_beta(k, n - k + 1, x) == pytest.approx(at_least_k, rel=1e-11)


@given(a=shapes, b=shapes, x=st.floats(0.001, 0.999))
def test_mirrored_beta_distributions_have_mirrored_probabilities(a: float, b: float, x: float) -> None:
    assert incomplete_beta(a, b, x) + incomplete_beta(b, a, 1 - x) == pytest.approx(1, abs=1e-11)


@given(a=shapes, b=shapes, p=probabilities)
def test_the_inverse_gives_the_probability_back(a: float, b: float, p: float) -> None:
    x = inverse_incomplete_beta(a, b, p)
    assume(1e-300 < x < 1 - 1e-9)  # nearer to 1 there are not enough digits between two numbers
    assert incomplete_beta(a, b, x) == pytest.approx(p, rel=1e-6 if x > 1 - 1e-6 else 1e-9)


def test_ends_are_exact_and_what_is_outside_is_refused() -> None:
    for function in (incomplete_beta, inverse_incomplete_beta):
        assert (function(2, 3, 0), function(2, 3, 1)) == (0, 1)
        for wrong in ((0, 1, 0.5), (1, -1, 0.5), (math.inf, 1, 0.5), (1, 1, 1.1), (1, 1, -0.1), (1, 1, math.nan)):
            with pytest.raises(ValueError, match=r"beta distribution|between 0 and 1"):
                function(*wrong)


@pytest.mark.parametrize(
    ("x", "p"), [(0, 0.5), (1, 0.8413447460685429), (-2, 0.0227501319481792), (3, 0.9986501019683699)]
)
def test_probabilities_of_the_normal_distribution_are_those_of_the_tables(x: float, p: float) -> None:
    assert normal_cdf(x) == pytest.approx(p, rel=1e-14)
    assert normal_quantile(p) == pytest.approx(x, abs=1e-12)


def test_far_tails_of_the_normal_distribution_keep_their_digits() -> None:
    assert normal_cdf(-10) == pytest.approx(7.619853024160526e-24, rel=1e-12)
    assert normal_quantile(7.619853024160526e-24) == pytest.approx(-10, rel=1e-12)
    assert normal_quantile(0.975) == pytest.approx(Z95, abs=1e-15)


# ---- scipy -----------------------------------------------------------------------------------------------------------


def test_scipy_has_the_same_numbers() -> None:
    stats = pytest.importorskip("scipy.stats")
    for freedom in (1, 1.7, 2, 5, 12.3, 25, 99, 1234.5, 1e6):
        for p in (1e-10, 0.01, 0.4, 0.975, 0.9999):
            assert student_quantile(freedom, p) == pytest.approx(float(stats.t.ppf(p, freedom)), rel=1e-9)
    for a, b in ((0.5, 0.5), (0.5, 40), (3, 2), (12, 900), (300, 0.5), (2000, 2500)):
        for p in (1e-9, 0.05, 0.5, 0.95):
            x = float(stats.beta.ppf(p, a, b))
            assert inverse_incomplete_beta(a, b, p) == pytest.approx(x, rel=1e-9)
            assert incomplete_beta(a, b, x) == pytest.approx(float(stats.beta.cdf(x, a, b)), rel=1e-9)


def test_scipy_has_the_same_tails() -> None:
    stats = pytest.importorskip("scipy.stats")
    for freedom in (1, 1.7, 2, 5, 16, 99, 1234.5, 1e6):
        for t in (-40, -3, -0.01, 0, 1e-5, 2, 6):
            assert student_cdf(t, freedom) == pytest.approx(float(stats.t.cdf(t, freedom)), rel=1e-9)
    for above, below in ((1, 1), (1, 16), (3, 16), (2, 1000), (40, 7), (350, 350)):
        for f in (1e-6, 0.2, 1, 3.3, 52.81, 403.49, 1e5):
            assert f_tail(f, above, below) == pytest.approx(float(stats.f.sf(f, above, below)), rel=1e-8)
