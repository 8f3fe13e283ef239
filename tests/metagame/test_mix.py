"""The mix of a measured field: its intervals cover the truth, and scores and portions follow from the shares."""

import numpy as np
import pytest

from deckatlas.errors import MatchError
from deckatlas.metagame.challenger import Challenge, percentile_among
from deckatlas.metagame.equilibrium import mix_of
from deckatlas.metagame.matchups import Matchups
from deckatlas.metagame.matrix_game import symmetric_mix
from deckatlas.metagame.metagame import Entrant, named_apart, portions_of
from deckatlas.stats.estimate import Estimate
from helpers.metagames import CYCLE, DrawnMetagame, drawn_analysis, drawn_matchups, rates_of


def test_intervals_of_shares_cover_the_true_mix() -> None:
    rates = rates_of(CYCLE)
    true, _ = symmetric_mix(rates - 0.5)
    rng = np.random.default_rng(3)
    trials = 80
    covered, safe = np.zeros(3), 0
    for trial in range(trials):
        found = mix_of(drawn_matchups(rates, seeds=100, rng=rng), np.random.default_rng(trial), samples=100)
        covered += (found.low <= true) & (true <= found.high)
        safe += float(((rates - 0.5) @ found.shares).max()) <= found.gain.high
    assert (covered / trials >= 0.9).all(), covered
    assert safe / trials >= 0.9


def test_more_games_make_the_mix_more_certain() -> None:
    rng = np.random.default_rng(4)
    widths = []
    for seeds in (50, 5000):
        found = mix_of(drawn_matchups(rates_of(CYCLE), seeds=seeds, rng=rng), np.random.default_rng(0), samples=100)
        widths.append(float((found.high - found.low).max()))
    assert widths[1] < widths[0] / 4


def test_a_pair_that_was_always_won_is_not_certain() -> None:
    always = Matchups(("a", "b"), {(0, 1): np.ones(3)})
    drawn = [float(rates[0, 1]) for rates in always.resampled(np.random.default_rng(0), 200)]
    assert min(drawn) < 0.9
    assert np.mean(drawn) > 0.8
    assert mix_of(always, np.random.default_rng(0), samples=20).shares.tolist() == [1, 0]


def test_resampled_rates_spread_like_the_measured_ones() -> None:
    matchups = drawn_matchups(rates_of((0.6,)), seeds=400, rng=np.random.default_rng(5))
    drawn = [float(rates[0, 1]) for rates in matchups.resampled(np.random.default_rng(0), 1000)]
    rate = matchups.rate(0, 1)
    assert np.mean(drawn) == pytest.approx(rate.value, abs=0.01)
    assert np.quantile(drawn, (0.025, 0.975)) == pytest.approx((rate.low, rate.high), abs=0.01)


def test_a_score_weighs_opponents_by_their_shares_and_its_own_by_a_half() -> None:
    matchups = Matchups(("a", "b", "c"), {(0, 1): np.ones(40), (0, 2): np.zeros(40), (1, 2): np.ones(40)})
    score = matchups.score(0, np.array([0.2, 0.5, 0.3]))
    assert score.value == pytest.approx(0.2 * 0.5 + 0.5)
    assert score.low < score.value < score.high
    assert matchups.rate(2, 0).value == 1
    assert matchups.ratings.value == pytest.approx(0)  # each beats one of the others


def test_scores_have_intervals_that_cover_the_truth() -> None:
    rates = rates_of((0.6, 0.4, 0.7))
    shares = np.array([0.2, 0.5, 0.3])
    rng = np.random.default_rng(6)
    covered = 0
    for _ in range(300):
        score = drawn_matchups(rates, seeds=60, rng=rng).score(0, shares)
        covered += score.low <= float(rates[0] @ shares) <= score.high
    assert 0.91 <= covered / 300 <= 0.99


def test_a_challenger_is_placed_among_the_field() -> None:
    field = drawn_analysis(rates_of(CYCLE))
    strong = Challenge("strong", {j: np.ones(50) for j in range(3)}, field)
    assert strong.percentile.value == 1
    assert strong.against_mix.value == pytest.approx(1)
    mixed = Challenge("mixed", {0: np.zeros(50), 1: np.ones(50), 2: np.full(50, 0.5)}, field)
    assert mixed.order == [1, 2, 0]
    assert mixed.overall.value == pytest.approx(0.5)
    assert percentile_among(Estimate(0.5, 0.4, 0.6, 10), np.array([0.3, 0.5, 0.9, 0.45])).value == pytest.approx(0.625)


def test_portions_are_the_shares_in_lowest_terms() -> None:
    assert portions_of(np.array([0.5, 0.26, 0.24, 0.0]), 20) == {0: 2, 1: 1, 2: 1}
    assert portions_of(np.array([0.0, 1.0]), 20) == {1: 1}
    assert portions_of(np.array([1 / 3, 1 / 3, 1 / 3]), 20) == {0: 7, 1: 7, 2: 6}


def test_the_portions_of_a_suite_are_the_mix() -> None:
    analysis = drawn_analysis(rates_of((0.9, 0.9, 0.5)))
    assert analysis.suite() == "deck 0: 1"
    with pytest.raises(MatchError, match="portions"):
        analysis.suite(portions=0)


@pytest.mark.parametrize(
    ("names", "weights", "mistake"),
    [(("a",), (1,), "2 to 100"), (("a", "a"), (1, 1), "'a'"), (("a", "b"), (0, 0), "share")],
)
def test_a_metagame_that_makes_no_sense_is_refused(
    names: tuple[str, ...], weights: tuple[float, ...], mistake: str
) -> None:
    with pytest.raises(MatchError, match=mistake):
        DrawnMetagame("x", tuple(Entrant(name, name, "pilot", w) for name, w in zip(names, weights, strict=True)))


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert named_apart("Zoo", ["Zoo", "Zoo (2)"]) == "Zoo (3)"
    assert named_apart("Zoo", []) == "Zoo"
