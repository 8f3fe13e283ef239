"""Successive halving: it finds what is best, spends its budget there, and believes what it knew before."""

import numpy as np
import pytest

from deckatlas.play.halving import Ints, successive_halving
from deckatlas.stats.estimate import Floats


class Noisy:
    """Candidates with known leads, and how many rounds each has played."""

    def __init__(self, leads: Floats, noise: float, seed: int = 0) -> None:
        self.leads, self.noise, self.rng = leads, noise, np.random.default_rng(seed)
        self.rounds: list[tuple[int, range]] = []
        self.played = np.zeros(len(leads), np.int64)

    def __call__(self, candidates: Ints, rounds: range) -> Floats:
        self.rounds.append((len(candidates), rounds))
        self.played[candidates] += len(rounds)
        luck = self.rng.standard_normal((len(candidates), len(rounds)))
        return np.asarray(self.leads[candidates][:, np.newaxis] + self.noise * luck)


def test_the_best_of_many_is_found_and_plays_most() -> None:
    leads = np.linspace(-0.05, 0.0, 48)
    leads[17] = 0.06
    hits = 0
    for seed in range(20):
        field = Noisy(leads, 0.05, seed)
        found = successive_halving(field, np.zeros(48), doubt=0.03, finalists=3, budget=480)
        hits += 17 in found.order[:3]
        assert field.played[found.order[0]] == field.played.max() > 4 * field.played.min()
        assert sorted(found.order.tolist()) == list(range(48))
        assert found.played == field.played.sum() <= 480
    assert hits >= 18


def test_rounds_follow_on_each_other_and_candidates_are_halved() -> None:
    field = Noisy(np.zeros(16), 0.1)
    successive_halving(field, np.zeros(16), doubt=0.1, finalists=2, budget=96)
    assert [count for count, _ in field.rounds] == [16, 8, 4]
    assert [rounds for _, rounds in field.rounds] == [range(2), range(2, 6), range(6, 14)]


def test_without_noise_the_order_is_that_of_the_leads() -> None:
    leads = np.array([0.3, 0.1, 0.5, 0.2, 0.4])
    found = successive_halving(Noisy(leads, 0.0), np.zeros(5), doubt=0.1, finalists=2, budget=40)
    assert found.order[:2].tolist() == [2, 4]


@pytest.mark.parametrize(("doubt", "winner"), [(0.0001, 0), (10.0, 1)])
def test_what_was_believed_counts_as_much_as_it_was_certain(doubt: float, winner: int) -> None:
    play = Noisy(np.array([0.0, 0.1]), 0.001)
    found = successive_halving(play, np.array([0.2, 0.0]), doubt=doubt, finalists=1, budget=8)
    assert found.order[0] == winner
