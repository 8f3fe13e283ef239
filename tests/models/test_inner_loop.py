"""The inner loop by names of columns, on decks in the core and on any other space."""

from typing import Any

import numpy as np
import pytest

from deckatlas.errors import ModelError
from deckatlas.models.frozen import FrozenModel
from deckatlas.models.inner_loop import PredictedElites, Starts, inner_map
from deckatlas.search.cells import Cells
from deckatlas.search.deck_space import DeckColumn, DeckSpace, Limit
from deckatlas.search.vectors import Vectors

CARDS, SIZE = 20, 8
COSTS = np.arange(CARDS, dtype=np.int64) % 7


def deck_space() -> DeckSpace[int]:
    columns = {"mana": DeckColumn(COSTS), "spread": DeckColumn(COSTS, "variance")}
    return DeckSpace(range(CARDS), [2] * CARDS, size=SIZE, columns=columns)


def model(genes: int, deck_size: int | None) -> FrozenModel:
    rng = np.random.default_rng(3)
    sizes = (genes, 12, 3)
    layers: Any = [(rng.normal(size=(i, o)) / np.sqrt(i), rng.normal(size=o)) for i, o in ((sizes[:2]), sizes[1:])]
    return FrozenModel([layers], targets=("health", "turns", "mana"), deck_size=deck_size)


class OtherDecks:
    """The same decks for the version in numpy: the core cannot know them."""

    def __init__(self) -> None:
        space = deck_space()
        self.columns, self.random, self.mutate, self.measures = (
            space.columns,
            space.random,
            space.mutate,
            space.measures,
        )


def search(space: Any, predicting: FrozenModel, **options: Any) -> PredictedElites:
    grid = Cells((np.linspace(-3, 3, 13), np.linspace(10, 40, 11)), "right")
    values = {"objective": "health", "measures": ("turns", "mana"), "cells": grid}
    sizes = {"predictions": 3000, "initial": 50, "batch": 10, "seed": 1}
    return inner_map(space, predicting, **{**values, **sizes, **options})


def check(found: PredictedElites, space: Any, predicting: FrozenModel) -> None:
    assert found.predicted == 3000
    assert found.predictions.tobytes() == predicting.predict(found.genes).tobytes()
    measures = np.stack([found.predictions[:, 1], space.measures(found.genes)[:, 0]], axis=1)
    assert np.array_equal(found.measures, measures)
    assert np.array_equal(found.objectives, found.predictions[:, 0])
    cells = Cells((np.linspace(-3, 3, 13), np.linspace(10, 40, 11)), "right")
    assert np.array_equal(found.cells, cells.numbers(measures))
    assert (np.diff(found.cells) > 0).all()


@pytest.mark.parametrize("space", [deck_space(), OtherDecks()])
def test_elites_are_where_predictions_and_known_columns_put_them(space: Any) -> None:
    predicting = model(CARDS, SIZE)
    found = search(space, predicting)
    check(found, space, predicting)
    assert (found.genes.sum(axis=1) == SIZE).all()
    assert (found.genes <= 2).all()


def test_both_versions_find_maps_of_the_same_quality() -> None:
    predicting = model(CARDS, SIZE)
    of_core, of_numpy = (search(space, predicting) for space in (deck_space(), OtherDecks()))
    assert len(of_core.cells) == pytest.approx(len(of_numpy.cells), rel=0.15)
    assert of_core.objectives.mean() == pytest.approx(of_numpy.objectives.mean(), abs=0.25)


def test_real_vectors_are_searched() -> None:
    space = Vectors([-1] * 6, [1] * 6, names=("mana", "b", "c", "d", "e", "f"))
    predicting = model(6, None)
    grid = Cells((np.linspace(-3, 3, 13), np.linspace(-1, 1, 11)), "right")
    found = search(space, predicting, cells=grid)
    assert len(found.cells) > 20
    assert found.predictions.tobytes() == predicting.predict(found.genes).tobytes()
    assert np.array_equal(found.measures[:, 1], found.genes[:, 0])


@pytest.mark.parametrize("space", [deck_space(), OtherDecks()])
def test_given_solutions_keep_given_predictions(space: Any) -> None:
    predicting = model(CARDS, SIZE)
    genes = np.stack([deck_space().random(np.random.default_rng(seed)) for seed in range(4)])
    stale = np.array([[50.0, 0, 0]] * 4)
    found = search(space, predicting, initial=0, predictions=100, starts=Starts(genes, stale))
    assert found.predicted == 100
    assert (found.objectives == 50).sum() == len(np.unique(space.measures(genes)[:, 0] // 3))
    renewed = search(space, predicting, initial=0, predictions=4, starts=Starts(genes))
    assert renewed.predicted == 4
    assert renewed.predictions.tobytes() == predicting.predict(renewed.genes).tobytes()


@pytest.mark.parametrize("space", [deck_space(), OtherDecks()])
def test_bad_names_and_numbers_are_refused(space: Any) -> None:
    predicting = model(CARDS, SIZE)
    with pytest.raises(ModelError, match="does not predict 'helth': did you mean 'health'"):
        search(space, predicting, objective="helth")
    with pytest.raises(ModelError, match="1 measures, but the cells have 2"):
        search(space, predicting, measures=("turns",))
    with pytest.raises(ModelError, match="40 predictions are fewer than the 50"):
        search(space, predicting, predictions=40)


@pytest.mark.parametrize("space", [deck_space(), OtherDecks()])
def test_an_exception_of_progress_ends_the_search(space: Any) -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(space, model(CARDS, SIZE), predictions=10**9, progress=stop)


@pytest.mark.parametrize("seed", range(4))
def test_decks_of_the_core_keep_to_constraints(seed: int) -> None:
    least = [1, 2] + [0] * (CARDS - 2)
    limits = (Limit("mana", COSTS, 22), Limit("rare", (np.arange(CARDS) % 5 == 0).astype(np.int64), 2))
    columns = {"mana": DeckColumn(COSTS)}
    space = DeckSpace(range(CARDS), [2] * CARDS, size=SIZE, columns=columns, least_copies=least, limits=limits)
    grid = Cells((np.linspace(-3, 3, 13), np.linspace(0, 24, 13)), "right")
    found = search(space, model(CARDS, SIZE), seed=seed, cells=grid)
    assert found.predicted == 3000
    assert len(found.cells) > 10
    for deck in found.genes:
        space.check(deck)
    assert (found.genes @ COSTS).max() == 22
    assert len(np.unique(found.genes, axis=0)) > 10


def test_limits_that_leave_one_deck_end_the_search_with_it() -> None:
    columns = {"mana": DeckColumn(COSTS)}
    ones = (np.arange(CARDS) >= SIZE // 2).astype(np.int64)  # two copies of each of the first cards are the only deck
    space = DeckSpace(range(CARDS), [2] * CARDS, size=SIZE, columns=columns, limits=(Limit("later", ones, 0),))
    found = search(space, model(CARDS, SIZE), predictions=60)
    assert np.unique(found.genes, axis=0).tolist() == [[2] * (SIZE // 2) + [0] * (CARDS - SIZE // 2)]
