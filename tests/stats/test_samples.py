"""Boxes and quantiles are those that one finds by hand."""

import numpy as np

from deckatlas.stats.samples import box_of, weighted_quantiles


def test_a_box_has_the_ends_the_quartiles_and_the_median() -> None:
    # Sorted 30, 32, 36, 40, 44: the median is the third, the quartiles the second and the fourth.
    assert box_of([44, 30, 36, 32, 40]).to_json() == {
        "lowest": 30,
        "lower_quartile": 32,
        "median": 36,
        "upper_quartile": 40,
        "highest": 44,
    }
    # Of ten values quartiles lie at 2.25 and 6.75 steps from the lowest: 12 + 0.25 * 1 and 16 + 0.75 * 1.
    ten = box_of([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    assert (ten.lower, ten.median, ten.upper, ten.n) == (12.25, 14.5, 16.75, 10)


def test_quantiles_are_the_least_values_up_to_which_there_is_as_much() -> None:
    values, share = np.array([3.0, 1.0, 2.0]), np.array([0.2, 0.5, 0.3])
    assert weighted_quantiles(values, share, (0.0, 0.4, 0.6, 0.95, 1.0)) == [1, 1, 2, 3, 3]
