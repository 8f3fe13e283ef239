"""Frozen models of the core: what they predict, the first layer in whole numbers, and what they refuse."""

import itertools
from typing import Any

import numpy as np
import pytest

from deckatlas._core import surrogate as core
from deckatlas.errors import ModelError

SHAPES = [(9, 3), (180, 128, 32, 16, 3), (30, 17, 12)]


def layers(seed: int, sizes: tuple[int, ...], *, scale: float = 1.0) -> Any:
    rng = np.random.default_rng([seed, *sizes])
    return [
        ((rng.normal(size=(i, o)) * scale / np.sqrt(i)).astype("f4"), rng.normal(size=o).astype("f4"))
        for i, o in itertools.pairwise(sizes)
    ]


def decks(cards: int, count: int, size: int) -> Any:
    rng = np.random.default_rng(cards)
    return rng.multinomial(size, np.full(cards, 1 / cards), count).astype(np.uint8)


def expected(members: Any, inputs: Any) -> Any:
    """The predictions in double precision."""
    found = []
    for member in members:
        values = inputs.astype(np.float64)
        for weights, biases in member[:-1]:
            values = values @ weights.astype(np.float64) + biases
            values = np.where(values < 0, np.expm1(np.minimum(values, 0)), values)
        found.append(values @ member[-1][0].astype(np.float64) + member[-1][1])
    return np.mean(found, axis=0)


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("members", [1, 3])
def test_predictions_are_those_of_the_networks(sizes: tuple[int, ...], members: int) -> None:
    networks = [layers(seed, sizes) for seed in range(members)]
    model = core.Model(networks, most_cards=30)
    counts = decks(sizes[0], 70, 30)
    np.testing.assert_allclose(model.predict(counts), expected(networks, counts), rtol=2e-5, atol=2e-5)
    vectors = np.random.default_rng(1).normal(size=(70, sizes[0]))
    np.testing.assert_allclose(model.predict_vectors(vectors), expected(networks, vectors), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("sizes", SHAPES)
@pytest.mark.parametrize("scale", [1e-20, 1e-3, 1.0, 1e6, 1e30])
def test_both_paths_predict_the_same_bytes(sizes: tuple[int, ...], scale: float) -> None:
    networks = [layers(seed, sizes, scale=scale) for seed in range(2)]
    model = core.Model(networks, most_cards=30)
    counts = decks(sizes[0], 103, 30)
    assert model.predict(counts).tobytes() == model.predict(counts, portable=True).tobytes()
    vectors = counts.astype(np.float64) / 7
    assert model.predict_vectors(vectors).tobytes() == model.predict_vectors(vectors, portable=True).tobytes()


def test_predictions_do_not_depend_on_the_rows_beside_them() -> None:
    model = core.Model([layers(1, SHAPES[1])], most_cards=30)
    counts = decks(180, 103, 30)
    together = model.predict(counts)
    for row in range(0, 103, 17):
        assert model.predict(counts[row : row + 1]).tobytes() == together[row].tobytes()


def test_large_weights_do_not_overflow_the_whole_numbers() -> None:
    weights = np.full((4, 2), 3e38, "f4")
    weights[:, 1] = -1
    model = core.Model([[(weights, np.zeros(2, "f4"))]], most_cards=255)
    found = model.predict(np.array([[1, 0, 0, 0]], np.uint8))
    assert found[0, 0] == pytest.approx(3e38, rel=1e-5)
    one_card = np.array([[255, 0, 0, 0]], np.uint8)
    small = core.Model([[(-np.ones((4, 2), "f4"), np.zeros(2, "f4"))]], most_cards=255)
    assert small.predict(one_card).tolist() == [[-255, -255]]


def test_activations_are_exact_far_from_zero_and_near_it() -> None:
    values = np.array([-1e30, -200.0, -81.0, -20.0, -1.0, -1e-3, -1e-6, -1e-20, 0.0, 1e-20, 1.0, 50.0, 1e30])
    model = core.Model([[(np.ones((1, 1), "f4"), np.zeros(1, "f4"))] * 2], most_cards=1)
    found = model.predict_vectors(values[:, np.newaxis])[:, 0]
    exact = np.where(values < 0, np.expm1(np.minimum(values, 0)), values)
    np.testing.assert_allclose(found, exact, rtol=3e-7)


def good() -> Any:
    return layers(1, (4, 3, 2))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([], "1 to 64 networks"),
        ([[]], "1 to 16 layers"),
        ([[(np.zeros((4, 3), "f4"), np.zeros(2, "f4"))]], "do not fit"),
        ([[good()[0], (np.zeros((2, 2), "f4"), np.zeros(2, "f4"))]], "do not fit"),
        ([[(np.zeros((0, 3), "f4"), np.zeros(3, "f4"))]], "do not fit"),
        ([[(np.full((4, 3), np.nan, "f4"), np.zeros(3, "f4"))]], "weights and biases must be finite"),
        ([[(np.zeros((4, 3), "f4"), np.full(3, np.inf, "f4"))]], "biases must be finite"),
        ([good(), layers(1, (5, 2))], "the same inputs and targets"),
    ],
)
def test_bad_layers_are_refused(members: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        core.Model(members, most_cards=30)


def test_bad_decks_and_vectors_are_refused() -> None:
    model = core.Model([good()], most_cards=30)
    with pytest.raises(ModelError, match="has 4 cards, not 5"):
        model.predict(np.zeros((1, 5), np.uint8))
    with pytest.raises(ModelError, match="at most 30 cards, not 31"):
        model.predict(np.array([[30, 1, 0, 0]], np.uint8))
    with pytest.raises(ModelError, match="finite"):
        model.predict_vectors(np.full((1, 4), np.nan))
    with pytest.raises(ModelError, match="1 to 255 cards"):
        core.Model([good()], most_cards=256)
    assert model.predict(np.zeros((0, 4), np.uint8)).shape == (0, 2)


def test_products_are_summed_in_order() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(5, 40)).astype("f4"), rng.normal(size=(40, 7)).astype("f4")
    sums = np.zeros((5, 7), "f4")
    for step in range(40):
        sums += a[:, step : step + 1] * b[step]
    assert core.product(a, b).tobytes() == sums.tobytes()
    with pytest.raises(ModelError, match="do not fit"):
        core.product(a, a)
