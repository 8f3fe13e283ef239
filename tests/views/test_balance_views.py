"""The drawings of balance studies: cells of maps that gain, lose, are born and die."""

import re

import pytest

from deckatlas.balancing.trial_questions import cell_name
from deckatlas.views.balance_svg import maps_svg
from helpers.balance_trials import KEY, found_map, half, trials_of


@pytest.fixture
def difference() -> str:
    """The difference of maps whose first cell gains, whose second died, and whose last is born, beyond noise."""
    before = half(found_map([0, 1], [0.4, 0.6], [[1, 1, 0], [0, 1, 0]]), 0.5)
    after = half(found_map([0, 3], [0.5, 0.7], [[1, 1, 0], [1, 0, 0]]), 0.5)
    return maps_svg(trials_of([(before, after)] * 3), KEY, {cell_name(KEY, (1, 1))})[2]


def test_a_cell_that_both_editions_fill_has_its_difference(difference: str) -> None:
    assert re.findall(r'class="(rate won|rate lost)"[^>]*><title>([^<]*)', difference) == [("rate won", "+10.0 points")]


def test_cells_that_only_one_edition_fills_are_marked(difference: str) -> None:
    found = re.findall(r'class="(rate one-sided[^"]*)"><title>(born|died): filled in ([^,]*),', difference)
    assert found == [
        ("rate one-sided", "died", "3 of 3 trials"),
        ("rate one-sided beyond-noise", "born", "3 of 3 trials"),
    ]
    assert re.findall(r'class="(sign [^"]*)">([^<]*)<', difference) == [
        ("sign lost", "\N{MINUS SIGN}"),
        ("sign won", "+"),
    ]
