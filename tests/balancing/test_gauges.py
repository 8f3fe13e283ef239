"""Numbers of a target from games: of known decks, and of players who change to the best of some decks."""

import numpy as np
import pytest

from deckatlas.balancing.gauges import AdaptedRate, KnownRate, Played
from deckatlas.balancing.subject import Floats

# Decks 0 and 1 are known, and meet with equal shares; 2 to 5 are found, and meet the known ones.
KNOWN = {(0, 1): 0.5}
FOUND = tuple({(0, row): -0.5, (1, row): -0.5} for row in (2, 3, 4, 5))


def games(rates: dict[int, float], known: float = 0.5) -> Played:
    """Found decks that win so often against both known ones, in a hundred seeds of four possible shares each."""
    return {(0, 1): seeds(known)} | {(j, row): 1 - seeds(rate) for row, rate in rates.items() for j in (0, 1)}


def seeds(rate: float) -> Floats:
    won = np.zeros(100)
    won[: round(100 * rate)] = 1.0
    return won


def test_the_rate_of_known_decks_is_the_weighted_sum_of_their_games() -> None:
    before, after = games({}, known=0.6), games({}, known=0.4)
    rate, shift = KnownRate(KNOWN).read(after, before)
    assert rate.value == pytest.approx(0.5 + 0.5 * (0.4 - 0.5))
    assert shift.value == pytest.approx(0.5 * (0.4 - 0.6))
    assert shift.error > 0


def test_a_nerf_of_one_found_deck_moves_a_class_only_as_far_as_the_best_others() -> None:
    before = games({2: 0.8, 3: 0.7, 4: 0.6, 5: 0.6}, known=0.6)
    after = games({2: 0.2, 3: 0.7, 4: 0.6, 5: 0.6}, known=0.6)
    rate, shift = AdaptedRate(KNOWN, FOUND).read(after, before)
    # The best three win 70 % before. Without the first of them, players change to the other three.
    assert shift.value == pytest.approx((0.7 + 0.6 + 0.6) / 3 - (0.8 + 0.7 + 0.6) / 3)
    assert rate.value == pytest.approx(0.55 + shift.value)


def test_a_nerf_that_known_decks_alone_feel_moves_no_class_whose_players_adapt() -> None:
    found = {2: 0.8, 3: 0.7, 4: 0.6, 5: 0.6}
    before, after = games(found, known=0.6), games(found, known=0.1)
    gauge = AdaptedRate(KNOWN, FOUND)
    rate, shift = gauge.read(after, before)
    assert (rate.value, shift.value) == pytest.approx((0.55, 0.0))
    assert KnownRate(KNOWN).read(after, before)[1].value == pytest.approx(-0.25)
    assert gauge.pairs == {(0, 1), *((j, row) for j in (0, 1) for row in (2, 3, 4, 5))}


def test_fewer_found_decks_than_are_averaged_count_all() -> None:
    before, after = games({2: 0.8}), games({2: 0.5})
    assert AdaptedRate(KNOWN, FOUND[:1]).read(after, before)[1].value == pytest.approx(-0.3)
