"""Analyses of variance against cases worked by hand, other ways to compute them, and scipy where it is installed."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.stats.anova import (
    Squares,
    Values,
    common_difference,
    one_way,
    pairwise_tests,
    simple_main_effects,
    two_way,
)

# Means 5, 9 and 10, of all values 8: between groups 6 * (9 + 1 + 4) = 84, within them 16 + 24 + 28 = 68.
THREE = {"a": [6, 8, 4, 5, 3, 4], "b": [8, 12, 9, 11, 6, 8], "c": [13, 9, 11, 8, 7, 12]}

# Means 2, 6 in the first row and 4, 12 in the second; 2 within each cell.
BALANCED = [[[1, 3], [5, 7]], [[3, 5], [11, 13]]]

# Sizes 1, 2 in the first row and 2, 1 in the second; means 1, 4 and 6, 7; within cells 2 and 8.
UNBALANCED = [[[1], [3, 5]], [[4, 8], [7]]]

Cells = list[list[list[float]]]
values = st.floats(-100, 100).map(lambda value: round(value, 3))


@st.composite
def tables(draw: st.DrawFn) -> Cells:
    """Cells of two factors, of any sizes, at least one of them with two different values."""
    rows, columns = draw(st.integers(2, 4)), draw(st.integers(2, 3))
    cells = [[draw(st.lists(values, min_size=1, max_size=4)) for _ in range(columns)] for _ in range(rows)]
    cells[0][0] += [cells[0][0][0] + 1.0]
    return cells


def left_over(y: Values, columns: list[Values]) -> float:
    """The squares that a linear model does not explain."""
    design = np.column_stack([np.ones(len(y)), *columns])
    return float(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())


# ---- one factor ------------------------------------------------------------------------------------------------------


def test_one_factor_worked_by_hand() -> None:
    found = one_way(list(THREE.values()))
    assert found.f == pytest.approx((84 / 2) / (68 / 15))
    assert (found.freedom, found.error_freedom) == (2, 15)
    assert found.p == pytest.approx((1 + 2 * found.f / 15) ** -7.5)  # with two degrees of freedom there is no integral
    assert found.explained == pytest.approx(84 / 152)
    assert found.is_significant


def test_groups_of_different_sizes_count_by_their_values() -> None:
    # Means 2 and 5 of two and four values, of all 4: between 2 * 4 + 4 * 1 = 12, within 2 + 10 = 12.
    found = one_way([[1, 3], [3, 4, 6, 7]])
    assert (found.f, found.freedom, found.error_freedom) == pytest.approx((4, 1, 4))
    assert not found.is_significant


@given(st.lists(st.lists(values, min_size=2, max_size=6), min_size=2, max_size=2))
def test_of_two_groups_f_is_the_square_of_t(groups: list[list[float]]) -> None:
    groups[0][0] = groups[0][1] + 1.0
    ((_, test),) = pairwise_tests({"a": groups[0], "b": groups[1]}).items()
    found = one_way(groups)
    assert found.f == pytest.approx(test.t**2, rel=1e-8, abs=1e-12)
    assert found.p == pytest.approx(test.p, rel=1e-8)


def test_values_that_never_vary_are_no_evidence_if_equal_and_certain_if_not() -> None:
    equal, unequal = one_way([[97.3] * 5, [97.3] * 4]), one_way([[97.3] * 5, [97.4] * 4])
    assert (equal.f, equal.p, equal.explained) == (0, 1, 0)
    assert (unequal.f, unequal.p, unequal.explained) == (math.inf, 0, 1)
    assert pairwise_tests({"a": [97.3] * 5, "b": [97.3] * 3})["b", "a"].outcome == "no difference"
    assert pairwise_tests({"a": [97.3] * 5, "b": [97.1] * 3})["b", "a"].outcome == "lower"


@pytest.mark.parametrize("groups", [[[1, 2]], [[1, 2], []], [[1], [2]], [[1, 2], [3, math.nan]], [[1, 2], [[3], [4]]]])
def test_groups_without_an_analysis_are_refused(groups: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"needs two groups|must be a list of finite|needs a group with two"):
        one_way(groups)


# ---- pairs -----------------------------------------------------------------------------------------------------------


def test_pairs_pool_the_variance_of_both_groups() -> None:
    found = pairwise_tests(THREE)
    assert list(found) == [("b", "a"), ("c", "a"), ("c", "b")]
    test = found["b", "a"]
    assert test.difference.value == 4
    assert (test.t, test.freedom, test.tests) == pytest.approx((4 / math.sqrt((16 + 24) / 10 * 2 / 6), 10, 3))
    assert test.adjusted_p == 3 * test.p
    assert found["c", "b"].adjusted_p == 1


def test_pairs_can_share_the_error_of_all_groups() -> None:
    test = pairwise_tests(THREE, error="all")["c", "b"]
    assert (test.t, test.freedom) == pytest.approx((1 / math.sqrt(68 / 15 * 2 / 6), 15))


@given(st.lists(st.lists(values, min_size=2, max_size=5), min_size=2, max_size=5), st.sampled_from(("pair", "all")))
def test_an_interval_excludes_zero_exactly_if_its_test_is_significant(groups: list[list[float]], error: str) -> None:
    for number, group in enumerate(groups):
        group[0] = group[1] + 0.5 + number
    named = {str(number): group for number, group in enumerate(groups)}
    for test in pairwise_tests(named, error="pair" if error == "pair" else "all").values():
        above, below = test.difference.low > 0, test.difference.high < 0
        assert test.outcome == ("higher" if above else "lower" if below else "no difference")


def test_one_of_twenty_families_finds_a_difference_where_there_is_none() -> None:
    rng, trials = np.random.default_rng(5), 2000
    drawn = rng.normal(size=(trials, 3, 5))
    wrong = np.mean(
        [
            any(
                test.outcome != "no difference"
                for test in pairwise_tests(dict(zip("abc", groups, strict=True))).values()
            )
            for groups in drawn
        ]
    )
    assert 0.02 < wrong < 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)


# ---- two factors -----------------------------------------------------------------------------------------------------


def test_two_factors_worked_by_hand() -> None:
    # Rows have the means 4 and 8, columns 3 and 9, all values 6: 8 * 4 = 32 and 8 * 9 = 72. The columns differ by 4 in
    # one row and by 8 in the other: 8 * (4 / 4) ** 2 = 8. The error is 8 with 4 degrees of freedom.
    found = two_way(BALANCED)
    assert (found.rows.f, found.columns.f, found.interaction.f) == pytest.approx((16, 36, 4))
    assert (found.error.total, found.error.freedom) == pytest.approx((8, 4))
    assert {found.rows.freedom, found.columns.freedom, found.interaction.freedom} == {1}
    assert found.columns.explained == pytest.approx(72 / 80)


def test_cells_of_different_sizes_worked_by_hand() -> None:
    # Columns differ by 3 and 1 in the two rows. Both differences have the weight 1 * 2 / 3: together they are 2, with
    # squares of 2 * 2 * (4 / 3). Rows differ by 5 and 3 in the two columns, again with equal weights: 4 * 4 * (4 / 3).
    # The two differences of the interaction, 2 apart, leave 2 * 2 / (3 / 2 + 3 / 2).
    found = two_way(UNBALANCED)
    mean_square = 10 / 2
    assert found.columns.f == pytest.approx(16 / 3 / mean_square)
    assert found.rows.f == pytest.approx(64 / 3 / mean_square)
    assert found.interaction.f == pytest.approx(4 / 3 / mean_square)


@given(tables())
def test_each_effect_is_what_its_columns_explain_beyond_the_model_without_them(cells: Cells) -> None:
    placed = [(value, i, j) for i, line in enumerate(cells) for j, group in enumerate(line) for value in group]
    y, row, column = np.array(placed).T
    rows = [(row == level).astype(float) for level in range(1, len(cells))]
    columns = [(column == level).astype(float) for level in range(1, len(cells[0]))]
    both = [one * other for one, other in product(rows, columns)]
    full = left_over(y, rows + columns + both)
    found, scale = two_way(cells), float(y @ y)
    assert found.error.total == pytest.approx(full, abs=1e-9 * scale)
    for test, squares in (
        (found.rows, left_over(y, columns) - left_over(y, rows + columns)),
        (found.columns, left_over(y, rows) - left_over(y, rows + columns)),
        (found.interaction, left_over(y, rows + columns) - full),
    ):
        assert test.f * test.freedom * found.error.mean == pytest.approx(squares, rel=1e-6, abs=1e-9 * scale)


@given(tables())
def test_exchanged_factors_exchange_their_effects(cells: Cells) -> None:
    found, turned = two_way(cells), two_way([list(column) for column in zip(*cells, strict=True)])
    for one, other in ((found.rows, turned.columns), (found.columns, turned.rows)):
        assert (one.freedom, one.explained) == pytest.approx((other.freedom, other.explained), abs=1e-9)
    assert found.interaction.explained == pytest.approx(turned.interaction.explained, abs=1e-9)


@given(tables())
def test_the_main_effect_of_two_levels_is_the_common_difference_over_the_other_factor(cells: Cells) -> None:
    two = [line[:2] for line in cells]
    found = two_way(two)
    test = common_difference([(line[1], line[0]) for line in two], found.error)
    assert test.t**2 == pytest.approx(found.columns.f, rel=1e-6, abs=1e-9)
    assert test.p == pytest.approx(found.columns.p, rel=1e-6, abs=1e-9)


def test_an_effect_that_is_only_rounding_is_none() -> None:
    found = two_way([[[0.1] * 3, [0.7] * 3], [[0.1] * 3, [0.7] * 3]])
    assert (found.rows.p, found.columns.p, found.interaction.p) == (1, 0, 1)


def test_simple_main_effects_have_the_error_of_all_cells() -> None:
    # Columns differ by 4 in the first row and by 8 in the second, two values each: 16 and 64 over an error of 8 / 4.
    first, second = simple_main_effects(BALANCED)
    assert (first.f, second.f) == pytest.approx((8, 32))
    assert (first.freedom, first.error_freedom) == (1, 4)
    test = common_difference([(BALANCED[1][1], BALANCED[1][0])], two_way(BALANCED).error)
    assert (test.t**2, test.p) == pytest.approx((second.f, second.p))


@pytest.mark.parametrize("cells", [[[[1, 2], [3, 4]]], [[[1, 2]], [[3, 4]]], [[[1, 2], [3]], [[4]]], [[], []]])
def test_factors_without_levels_or_with_missing_cells_are_refused(cells: Cells) -> None:
    for analysis in (two_way, simple_main_effects):
        with pytest.raises(ValueError, match="two levels or more"):
            analysis(cells)


def test_the_interval_of_a_difference_is_students() -> None:
    found = common_difference([([1, 3], [6, 8])], Squares(4.0, 2)).difference
    half = 4.302652729911275 * math.sqrt(2)  # a mean square of 2, twice over two values
    assert (found.value, found.low, found.high) == pytest.approx((-5, -5 - half, -5 + half))
    assert found.n == 4


# ---- scipy -----------------------------------------------------------------------------------------------------------


def test_scipy_has_the_same_tests() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(8)
    for sizes in ((5, 5, 5, 5), (2, 9, 4), (30, 3)):
        groups = {str(i): rng.normal(10 * i, 8, size) for i, size in enumerate(sizes)}
        found, theirs = one_way(list(groups.values())), stats.f_oneway(*groups.values())
        assert (found.f, found.p) == pytest.approx((float(theirs.statistic), float(theirs.pvalue)), rel=1e-9)
        for (one, other), test in pairwise_tests(groups).items():
            pair = stats.ttest_ind(groups[one], groups[other])
            assert (test.t, test.p) == pytest.approx((float(pair.statistic), float(pair.pvalue)), rel=1e-9)
