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
    rate, shift = KnownRate(KNOWN).read(after, before, before)
    assert rate.value == pytest.approx(0.5 + 0.5 * (0.4 - 0.5))
    assert shift.value == pytest.approx(0.5 * (0.4 - 0.6))
    assert shift.error > 0


def test_a_nerf_of_one_found_deck_moves_a_class_only_as_far_as_the_best_others() -> None:
    before = games({2: 0.8, 3: 0.7, 4: 0.6, 5: 0.6}, known=0.6)
    after = games({2: 0.2, 3: 0.7, 4: 0.6, 5: 0.6}, known=0.6)
    rate, shift = AdaptedRate(KNOWN, FOUND).read(after, before, before)
    # The best three win 70 % before. Without the first of them, players change to the other three.
    assert shift.value == pytest.approx((0.7 + 0.6 + 0.6) / 3 - (0.8 + 0.7 + 0.6) / 3)
    assert rate.value == pytest.approx(0.55 + shift.value)


def test_a_nerf_that_known_decks_alone_feel_moves_no_class_whose_players_adapt() -> None:
    found = {2: 0.8, 3: 0.7, 4: 0.6, 5: 0.6}
    before, after = games(found, known=0.6), games(found, known=0.1)
    gauge = AdaptedRate(KNOWN, FOUND)
    rate, shift = gauge.read(after, before, before)
    assert (rate.value, shift.value) == pytest.approx((0.55, 0.0))
    assert KnownRate(KNOWN).read(after, before, before)[1].value == pytest.approx(-0.25)
    assert gauge.pairs == {(0, 1), *((j, row) for j in (0, 1) for row in (2, 3, 4, 5))}


def test_fewer_found_decks_than_are_averaged_count_all() -> None:
    before, after = games({2: 0.8}), games({2: 0.5})
    assert AdaptedRate(KNOWN, FOUND[:1]).read(after, before, before)[1].value == pytest.approx(-0.3)


def test_few_games_find_the_shift_of_a_class_whose_decks_become_alike() -> None:
    rng = np.random.default_rng(1)
    found = tuple({(j, row): -1 / 20 for j in range(20)} for row in range(20, 28))
    known = {(0, 1): 1.0}
    today = dict(zip(range(20, 28), (0.66, 0.66, 0.66, 0.58, 0.58, 0.58, 0.58, 0.58), strict=True))

    def play(rates: dict[int, float], luck: dict[int, Floats]) -> dict[tuple[int, int], Floats]:
        return {(0, 1): np.full(16, 0.5)} | {
            (j, row): 1.0 - (luck[row][j] < rates[row]).mean(axis=1) for row in rates for j in range(20)
        }

    shifts, covered = [], 0
    for _ in range(200):
        luck = {row: rng.random((20, 16, 2)) for row in today}
        base, alike = play(today, luck), play(dict.fromkeys(today, 0.58), luck)
        laps = slice(0, 2)
        few = [{pair: won[laps] for pair, won in played.items()} for played in (alike, base)]
        _, shift = AdaptedRate(known, found).read(few[0], few[1], base)
        shifts.append(shift.value)
        covered += abs(shift.value + 0.08) < 2 * shift.error
    assert np.mean(shifts) == pytest.approx(-0.08, abs=0.012)
    assert covered > 170
