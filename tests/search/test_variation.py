"""Variations of real vectors in MAP-Elites."""

from typing import Any

import numpy as np
import pytest

import deckatlas
from deckatlas.errors import RunError, SearchError
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Floats
from deckatlas.search.map_searches import MapElites
from deckatlas.search.variation import Gaussian, IsoLine, Variation
from deckatlas.search.vectors import Bounds, bounds_of
from helpers.maps import Digits

FREE = Bounds(np.full(3, -1e9), np.full(3, 1e9))
SOLUTIONS = np.array([[0.0, 0.0, 0.0], [10.0, 20.0, -10.0]])
ELITES = np.array([0, 1])


def children(options: Any, bounds: Bounds = FREE, *, count: int = 4000) -> Floats:
    rng, variation = np.random.default_rng(1), Variation(options, bounds)
    return np.array([variation.child(SOLUTIONS, 0, ELITES, rng) for _ in range(count)])


def test_gaussian_noise_has_its_standard_deviation_on_every_number() -> None:
    drawn = children(Gaussian(sigma=0.05))
    np.testing.assert_allclose(drawn.std(axis=0), 0.05, rtol=0.05)
    np.testing.assert_allclose(drawn.mean(axis=0), 0, atol=0.005)


def test_iso_line_steps_towards_the_other_elite_and_has_noise_across() -> None:
    drawn = children(IsoLine(iso_sigma=0.01, line_sigma=0.2))
    distance = float(np.linalg.norm(SOLUTIONS[1]))
    line = SOLUTIONS[1] / distance
    along = drawn @ line
    across = drawn - along[:, None] * line
    # In half of all cases the other elite is the parent itself, and only the noise is left.
    assert along.std() == pytest.approx(0.2 * distance * np.sqrt(0.5), rel=0.05)
    assert across.std() == pytest.approx(0.01 * np.sqrt(2 / 3), rel=0.05)


def test_children_stay_within_the_bounds() -> None:
    drawn = children(Gaussian(sigma=5.0), Bounds(np.full(3, -1.0), np.full(3, 2.0)), count=200)
    assert (drawn >= -1).all()
    assert (drawn <= 2).all()


def bowl(x: Any) -> dict[str, float]:
    return {"value": -float((x**2).sum())}


def small_map(*settings: str, space: Any = None) -> RunView:
    space = space or deckatlas.Vectors([-1.0, -1.0], [1.0, 1.0], names=["a", "b"])
    return deckatlas.map_elites(
        space, bowl, objective="value", measures=["a", "b"], ranges=[(-1, 1), (-1, 1)], resolution=4,
        evaluations=120, initial=40, seed=3, settings=settings,
    )  # fmt: skip


def test_map_elites_varies_by_the_variation_that_it_is_given() -> None:
    found = small_map('search.variation={kind="gaussian", sigma=0.001}')
    log = found.log
    steps = log.solutions[40:] - log.solutions[log.parents[40:]]
    assert np.abs(steps).max() < 0.01
    assert found.digest != small_map().digest
    assert small_map("search.variation.kind=iso-line").digest != found.digest


def test_variations_of_decks_and_of_whole_numbers_are_refused_in_one_line() -> None:
    with pytest.raises(SearchError, match=r"^the variation gaussian needs .* real numbers, [^\n]*$"):
        bounds_of(Digits(), "the variation gaussian", "variation")
    with pytest.raises(RunError, match="variation"):
        small_map("search.variation.kind=uniform")
    with pytest.raises(RunError, match="sigma"):
        small_map('search.variation={kind="gaussian", sigma=-1}')


def test_without_a_variation_the_options_are_those_of_earlier_runs() -> None:
    assert MapElites().model_dump()["variation"] is None
