"""Ratings: what they must be where it can be said exactly, and how often their intervals cover the truth."""

from itertools import combinations
from math import log10

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas.play.ratings import ELO_PER_LOGIT, PRIOR_WINS, Ratings, SeedScores, rate_all

SEEDS = 500


def match(i: int, j: int, outcomes: npt.ArrayLike) -> SeedScores:
    """A match of two games a seed, from the share that `i` won of each."""
    wins = 2 * np.asarray(outcomes, dtype=np.float64)
    return SeedScores(i, j, wins, np.full(len(wins), 2.0))


def play_all(true: npt.NDArray[np.float64], luck: float, rng: np.random.Generator) -> list[SeedScores]:
    """A gauntlet of entrants of these strengths in Elo; a seed is kinder to some of them, in all of their games."""
    strength = true / ELO_PER_LOGIT + luck * rng.normal(size=(SEEDS, len(true)))
    return [
        match(i, j, rng.binomial(2, 1 / (1 + np.exp(strength[:, j] - strength[:, i]))) / 2)
        for i, j in combinations(range(len(true)), 2)
    ]


# ---- the ratings -----------------------------------------------------------------------------------------------------


def test_two_entrants_differ_by_the_elo_of_their_rate() -> None:
    ratings = rate_all(2, [match(0, 1, [1.0] * 300 + [0.5] * 100 + [0.0] * 100)])
    wins, losses = 700 + PRIOR_WINS, 300 + PRIOR_WINS
    assert ratings.value[0] - ratings.value[1] == pytest.approx(400 * log10(wins / losses))
    assert ratings.value.sum() == pytest.approx(0, abs=1e-9)


def test_ratings_make_expected_wins_equal_to_wins() -> None:
    rng = np.random.default_rng(5)
    matches = play_all(np.array([250.0, 100.0, 0.0, -350.0]), 0.5, rng)
    value = rate_all(4, matches).value
    surplus = np.zeros(4)
    for each in matches:
        games = each.games.sum() + 2 * PRIOR_WINS
        rate = 1 / (1 + 10 ** ((value[each.j] - value[each.i]) / 400))
        surplus[each.i] += each.wins.sum() + PRIOR_WINS - games * rate
        surplus[each.j] -= each.wins.sum() + PRIOR_WINS - games * rate
    assert surplus == pytest.approx(np.zeros(4), abs=1e-6)


def test_who_wins_or_loses_everything_has_a_rating_and_an_interval() -> None:
    won = [1.0] * SEEDS
    ratings = rate_all(3, [match(0, 1, won), match(0, 2, won), match(1, 2, won)])
    assert np.isfinite([ratings.value, ratings.low, ratings.high]).all()
    assert ratings.low[0] > ratings.high[1]
    assert ratings.low[1] > ratings.high[2]
    assert (ratings.high - ratings.low > 100).all()  # a thousand games tell how far ahead only roughly


def test_the_order_of_entrants_changes_nothing() -> None:
    matches = play_all(np.array([100.0, 0.0, -100.0]), 0.5, np.random.default_rng(2))
    ratings = rate_all(3, matches)
    turned = [SeedScores(2 - m.j, 2 - m.i, m.games - m.wins, m.games) for m in matches]
    mirrored = rate_all(3, turned)
    assert mirrored.value[::-1] == pytest.approx(ratings.value)
    assert mirrored.high[::-1] == pytest.approx(ratings.high)


def test_matches_may_have_different_numbers_of_seeds() -> None:
    rng = np.random.default_rng(7)
    long, short, middle = (rng.choice([0.0, 0.5, 1.0], n) for n in (4000, 40, 400))
    ratings = rate_all(3, [match(0, 1, long), match(0, 2, short), match(1, 2, middle)])
    widths = ratings.high - ratings.low
    assert widths[2] > 1.5 * widths[0]  # who played fewer games is known less well
    assert np.isfinite(widths).all()


# ---- the intervals ---------------------------------------------------------------------------------------------------


def lead_width(ratings: Ratings) -> float:
    c = ratings.covariance
    return float(np.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1]))


def test_the_more_pairs_split_the_better_ratings_are_known() -> None:
    loose = rate_all(2, [match(0, 1, [0.0, 1.0] * 250)])
    tight = rate_all(2, [match(0, 1, [0.5] * 400 + [0.0, 1.0] * 50)])
    independent = rate_all(2, [match(0, 1, [0.0, 0.5, 0.5, 1.0] * 125)])
    assert lead_width(loose) > 1.3 * lead_width(independent) > 1.3 * lead_width(tight) > 0
    assert lead_width(independent) == pytest.approx(ELO_PER_LOGIT * 2 / np.sqrt(1000), rel=0.01)


@pytest.mark.parametrize("luck", [0.0, 1.5])
@pytest.mark.parametrize("true", [[0.0, 0.0], [200.0, 50.0, -50.0, -200.0], [500.0, 0.0, -500.0]])
def test_an_interval_covers_the_truth_in_95_of_100_gauntlets(true: list[float], luck: float) -> None:
    rng = np.random.default_rng(11)
    gauntlets = 400
    found = [rate_all(len(true), play_all(np.array(true), luck, rng)) for _ in range(gauntlets)]
    # With luck the rates are no longer those of the strengths; what very many games would give is the truth then.
    truth = np.array(true) if luck == 0 else np.mean([each.value for each in found], axis=0)
    covered = np.mean([(each.low <= truth) & (truth <= each.high) for each in found])
    assert covered == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / gauntlets))
