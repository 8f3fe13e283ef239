"""Adjusted p values: worked cases, and how often they claim something where there is nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.stats.multiple import holm, two_sided_p


def test_holm_gives_the_textbook_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(st.lists(st.floats(0, 1), max_size=30))
def test_adjusted_values_keep_the_order_and_are_never_smaller(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= found <= 1 for p, found in zip(p_values, adjusted, strict=True))
    in_order = [adjusted[at] for at in sorted(range(len(p_values)), key=p_values.__getitem__)]
    assert in_order == sorted(in_order)


def test_of_true_hypotheses_any_is_rejected_in_five_percent_of_cases_at_most() -> None:
    rng = np.random.default_rng(1)
    wrong = sum(min(holm(rng.uniform(size=20).tolist())) <= 0.05 for _ in range(2000))
    assert wrong <= 2000 * 0.05 + 3 * (2000 * 0.05 * 0.95) ** 0.5


@pytest.mark.parametrize(
    ("value", "error", "freedom", "p"),
    [(2.571, 1.0, 5, 0.05), (-1.96, 1.0, float("inf"), 0.05), (0.0, 0.0, 3, 1.0), (1.0, 0.0, 3, 0.0)],
)
def test_two_sided_p_values_are_those_of_tables(value: float, error: float, freedom: float, p: float) -> None:
    assert two_sided_p(value, error, freedom) == pytest.approx(p, abs=2e-4)
