"""Arrays that another thread changes while the core calculates with them: the core has its own copies."""

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from deckatlas._core import surrogate as core

ROWS, CARDS, TARGETS = 40_000, 60, 3


@pytest.fixture(autouse=True)
def _no_forced_switch() -> Iterator[None]:
    """Threads take turns only where one waits, or where the core releases the interpreter."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


def changed_meanwhile(calculate: Callable[[], Any], *arrays: Any) -> Any:
    """The result of a calculation in the core, while another thread sets these arrays to zero."""
    begins, done = Event(), Event()

    def change() -> None:
        begins.wait()
        for array in arrays:
            array[:] = 0
        done.set()

    other = Thread(target=change)
    other.start()
    begins.set()
    result = calculate()
    assert done.is_set()  # otherwise the calculation was too short to say anything
    other.join()
    return result


def a_model(wide: int = 256) -> core.Model:
    rng = np.random.default_rng(1)
    sizes = (CARDS, wide, TARGETS)
    layers = [(rng.normal(size=shape).astype("f4"), np.zeros(shape[1], "f4")) for shape in pairwise(sizes)]
    return core.Model([layers], most_cards=30)


def decks(rows: int) -> Any:
    return np.random.default_rng(2).multinomial(30, np.full(CARDS, 1 / CARDS), rows).astype(np.uint8)


def test_decks_that_change_are_predicted_as_they_were() -> None:
    model, counts = a_model(), decks(ROWS)
    expected = model.predict(counts)
    assert changed_meanwhile(lambda: model.predict(counts), counts).tobytes() == expected.tobytes()


def test_vectors_that_change_are_predicted_as_they_were() -> None:
    model, vectors = a_model(), np.random.default_rng(2).normal(size=(ROWS, CARDS))
    expected = model.predict_vectors(vectors)
    assert changed_meanwhile(lambda: model.predict_vectors(vectors), vectors).tobytes() == expected.tobytes()


def test_matrices_that_change_are_multiplied_as_they_were() -> None:
    a, b = (np.random.default_rng(seed).normal(size=(600, 600)).astype("f4") for seed in (1, 2))
    expected = core.product(a, b)
    assert changed_meanwhile(lambda: core.product(a, b), a, b).tobytes() == expected.tobytes()


def test_rows_that_change_are_learned_as_they_were() -> None:
    rng = np.random.default_rng(3)
    inputs, targets = (rng.normal(size=shape).astype("f4") for shape in ((4000, CARDS), (4000, TARGETS)))
    weights = np.ones(4000, "f4")

    def trained() -> Any:
        trainer = core.Trainer([CARDS, 64, TARGETS], 1)
        trainer.fit(inputs, targets, weights, epochs=5, batch_size=64, rate=0.01, final_rate=0.0, seed=1)
        return trainer.state()[1]

    expected = trained()
    assert changed_meanwhile(trained, inputs, targets, weights).tobytes() == expected.tobytes()


def test_rows_that_change_are_predicted_by_a_trainer_as_they_were() -> None:
    inputs = np.random.default_rng(3).normal(size=(ROWS, CARDS)).astype("f4")
    trainer = core.Trainer([CARDS, 256, TARGETS], 1)
    expected = trainer.predict(inputs)
    assert changed_meanwhile(lambda: trainer.predict(inputs), inputs).tobytes() == expected.tobytes()


def test_predictions_that_change_start_a_map_as_they_were() -> None:
    model, starts = a_model(wide=8), decks(ROWS)
    known = np.random.default_rng(4).normal(size=(ROWS, TARGETS)).astype("f4")
    copies, boundaries = np.full(CARDS, 30, np.int64), [np.linspace(-3, 3, 200)] * 2  # NumPy may let others run

    def elites() -> Any:
        columns, _ = core.inner_map(
            model,
            copies,
            30,
            objective=0,
            measures=[1, 2],
            boundaries=boundaries,
            side="right",
            predictions=2000,
            initial=0,
            batch=10,
            seed=1,
            starts=starts,
            start_predictions=known,
        )
        return columns["objectives"]

    expected = elites()
    assert changed_meanwhile(elites, known, starts).tobytes() == expected.tobytes()
