"""The model of shifts: it recovers planted parts, knows what it does not know, and allows for the luck of laps."""

import numpy as np

from deckatlas.balancing.shift_model import features, fitted
from deckatlas.balancing.subject import Floats

ERROR = 0.005


def planted(scaled: Floats) -> Floats:
    """A shift with a bend, and with knobs that help each other."""
    return np.asarray(-0.10 * scaled[:, 0] + 0.04 * scaled[:, 1] ** 2 - 0.05 * scaled[:, 0] * scaled[:, 1])


def evaluations(count: int, seed: int, luck: float = 0.0) -> tuple[Floats, Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    scaled = rng.integers(-3, 4, (count, 2)) / 3
    shifts = planted(scaled) + luck + rng.normal(0, ERROR, count)
    return features(scaled), np.ones((count, 1)), shifts, np.full(count, ERROR)


def test_it_recovers_planted_shifts() -> None:
    model = fitted(*evaluations(60, 1), knobs=2)
    fresh = np.random.default_rng(2).integers(-3, 4, (40, 2)) / 3
    drawn = np.mean([model.drawn(features(fresh), np.random.default_rng(seed)) for seed in range(50)], axis=0)
    assert np.abs(drawn - planted(fresh)).max() < 0.012


def test_a_patch_that_changes_nothing_shifts_nothing() -> None:
    model = fitted(*evaluations(30, 3), knobs=2)
    assert model.drawn(features(np.zeros((1, 2))), np.random.default_rng(0)).tolist() == [0.0]


def test_the_luck_of_laps_is_no_part_of_a_patch() -> None:
    model = fitted(*evaluations(60, 4, luck=0.03), knobs=2)
    small = features(np.array([[0.0, 0.1]]))
    drawn = [model.drawn(small, np.random.default_rng(seed))[0] for seed in range(50)]
    assert abs(np.mean(drawn)) < 0.01


def test_draws_differ_more_where_less_is_known() -> None:
    far = features(np.array([[1.0, 1.0]]))

    def spread(count: int) -> float:
        model = fitted(*evaluations(count, 5), knobs=2)
        return float(np.std([model.drawn(far, np.random.default_rng(seed))[0] for seed in range(80)]))

    assert spread(80) < 0.6 * spread(6)
