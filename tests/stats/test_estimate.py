"""An estimate prints itself, goes into rows and comes back; arrays of them hold the same numbers."""

import json
import math

import numpy as np
import pytest

from deckatlas.stats.estimate import Estimate, Estimates

RATE = Estimate(0.8, 0.774, 0.8236, 1000, is_share=True)
NUMBER = Estimate(-3.14159, -4.0, -2.5, 12345)
UNSURE = Estimate.without_ends(7.0, 1)


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (RATE, "80.00 % [77.40, 82.36] (n = 1,000)"),
        (NUMBER, "-3.14 [-4.00, -2.50] (n = 12,345)"),
        (UNSURE, "7.00 (n = 1)"),
        (Estimate.exact(5.0), "5.00 [5.00, 5.00] (n = 0)"),
    ],
)
def test_it_prints_its_interval_and_what_it_rests_on(estimate: Estimate, text: str) -> None:
    assert str(estimate) == text


def test_tables_choose_digits_and_form() -> None:
    assert (RATE.text(1), RATE.ends(0), RATE.plus_minus(1)) == ("80.0 % [77.4, 82.4]", "[77, 82]", "80.0 ±2.5")
    assert RATE.in_percent().text(1) == "80.0 [77.4, 82.4]"
    assert (NUMBER.text(1), NUMBER.plus_minus()) == ("-3.1 [-4.0, -2.5]", "-3.14 ±0.75")
    assert (UNSURE.text(), UNSURE.ends(), UNSURE.plus_minus()) == ("7.00", "", "7.00")


def test_rows_can_be_written_as_json_and_read_again() -> None:
    for estimate in (NUMBER, UNSURE):
        row = json.loads(json.dumps(estimate.cells("won", n="games"), allow_nan=False))
        assert list(row) == ["won", "won_low", "won_high", "games"]
        again = Estimate.from_cells(row, "won", n=row["games"])
        assert repr(again) == repr(estimate)  # nan is not equal to itself
    assert UNSURE.cells("won", prefix="") == {"won": 7.0, "low": None, "high": None}
    assert Estimate.from_cells(NUMBER.cells("won", prefix=""), "won", n=12345, prefix="") == NUMBER


def test_an_interval_ends_where_values_are_impossible() -> None:
    wide = Estimate(-0.1, -1.302, 1.102, 10, is_share=True)
    assert wide.within(-1.0, 1.0) == Estimate(-0.1, -1.0, 1.0, 10, is_share=True)
    assert RATE.within(0.0, 1.0) == RATE
    assert str(UNSURE.within(-1.0, 1.0)) == str(UNSURE)


def test_an_unknown_interval_is_on_no_side_of_anything() -> None:
    assert not UNSURE.has_ends
    assert not UNSURE.low > 0
    assert not UNSURE.high < 0
    assert math.isnan(UNSURE.half_width)


def test_a_mirrored_rate_is_that_of_the_opponent() -> None:
    mirrored = RATE.mirrored()
    assert (mirrored.value, mirrored.low, mirrored.high) == pytest.approx((0.2, 0.1764, 0.226))
    assert (mirrored.n, mirrored.is_share) == (1000, True)


def several() -> Estimates:
    value = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    return Estimates(value, value / 10, value - 0.05, value + 0.07, np.arange(6).reshape(3, 2), is_share=True)


def test_one_of_many_is_an_estimate() -> None:
    assert several()[2, 1] == Estimate(0.6, 0.6 - 0.05, 0.6 + 0.07, 5, is_share=True)
    assert several().taken(1)[0] == several()[1, 0]


def test_parts_are_joined_and_taken_again() -> None:
    whole, unknown = several(), Estimates.unknown((3, 1))
    wide = Estimates.joined([whole, unknown], axis=1).taken((slice(None), [2, 0, 1]))
    assert (wide[1, 1], wide[1, 2]) == (whole[1, 0], whole[1, 1])
    assert (wide[1, 0].has_ends, wide[1, 0].n) == (False, 0)
    long = Estimates.joined([whole, whole])
    assert (long.value.shape, long[4, 1], long.is_share) == ((6, 2), whole[1, 1], True)


def test_sums_are_so_many_times_the_means() -> None:
    whole, sums = several(), several().times(200)
    for name in ("value", "error", "low", "high"):
        assert getattr(sums, name) == pytest.approx(200 * getattr(whole, name))
    assert sums.n.tolist() == whole.n.tolist()
