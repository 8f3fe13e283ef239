"""Small drawings of web pages: round numbers at their axes, and values where they belong."""

import pytest

from deckatlas.views.svg import Frame, element, ticks


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0.0, 10.0, 6, [0, 2, 4, 6, 8, 10]),
        (-1.3, 1.1, 6, [-1, -0.5, 0, 0.5, 1]),
        (0.0, 600.0, 6, [0, 200, 400, 600]),
        (2.0, 2.0, 6, [2]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, most: int, expected: list[float]) -> None:
    assert ticks(low, high, most) == pytest.approx(expected)


def test_attributes_are_escaped_and_values_placed_between_the_margins() -> None:
    assert element("a", "<b/>", class_='"&') == '<a class="&quot;&amp;"><b/></a>'
    frame = Frame((0, 10), (0, 100), width=120, height=90, left=10, right=10, top=20, bottom=20)
    assert (frame.across(0), frame.across(10)) == (10, 110)
    assert (frame.down(0), frame.down(100)) == (70, 20)
