"""Tests for the random generators of tasks."""

import numpy as np
import pytest

from deckatlas.search.generators import rng_of


@pytest.mark.parametrize("seed", [0, 1, 7, 2**31, 2**32, 2**63 - 1, 2**127 + 12345])
@pytest.mark.parametrize("number", [0, 1, 255, 256, 257, 99_999_999, 2**32 - 1])
def test_a_generator_is_the_one_that_numpy_seeds(seed: int, number: int) -> None:
    expected = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number,)))
    assert rng_of(seed, number).bit_generator.state == expected.state


def test_every_call_begins_again() -> None:
    rng_of(1, 5).random(10)
    assert rng_of(1, 5).random() == rng_of(1, 5).random()
