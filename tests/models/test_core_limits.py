"""Limits of the core's trainers and maps: what would overflow, diverge or race is refused in one line."""

import threading
from typing import Any

import numpy as np
import pytest

from deckatlas._core import surrogate as core
from deckatlas.errors import ModelError

ROWS = np.ones((200, 4), np.float32)
TARGETS = np.ones((200, 1), np.float32)
WEIGHTS = np.ones(200, np.float32)
TRAINING: dict[str, Any] = {"epochs": 1, "batch_size": 10, "rate": 0.001, "final_rate": 0.0, "seed": 1}


def test_the_final_rate_counts_for_the_limit_of_weight_decay() -> None:
    options = {**TRAINING, "final_rate": 10.0, "weight_decay": 900.0}
    with pytest.raises(ModelError, match="weight decay"):
        core.Trainer([4, 1], 1).fit(ROWS, TARGETS, WEIGHTS, **options)


def test_a_trainer_serves_one_thread_at_a_time() -> None:
    trainer = core.Trainer([4, 8, 1], 1)
    refused: list[ModelError] = []

    def use_it_too(_: int) -> None:
        with pytest.raises(ModelError, match="another thread is using this trainer") as error:
            trainer.predict(ROWS)
        refused.append(error.value)
        raise InterruptedError

    with pytest.raises(InterruptedError):
        trainer.fit(ROWS, TARGETS, WEIGHTS, **{**TRAINING, "epochs": 1_000_000}, progress=use_it_too)
    assert len(refused) == 1
    assert trainer.predict(ROWS).shape == (200, 1)  # it is free again


def test_a_long_batch_hears_ctrl_c_at_once() -> None:
    heard = threading.Event()

    def stop(_: int) -> None:
        heard.set()
        raise KeyboardInterrupt

    rows, targets = np.ones((4000, 64), np.float32), np.ones((4000, 1), np.float32)
    options = {**TRAINING, "epochs": 1_000_000, "batch_size": 4000}
    with pytest.raises(KeyboardInterrupt):
        core.Trainer([64, 256, 64, 1], 1).fit(rows, targets, np.ones(4000, np.float32), **options, progress=stop)
    assert heard.is_set()


def test_numbers_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ModelError, match="inputs"):
        core.Trainer([4, 1], 1).predict(np.full((1, 4), np.nan, np.float32))
    model = core.Model([[(np.ones((4, 1), np.float32), np.zeros(1, np.float32))]], most_cards=1)
    with pytest.raises(ModelError, match="single precision"):
        model.predict_vectors(np.full((1, 4), 1e300))


def test_more_random_decks_than_predictions_are_refused_even_beside_given_ones() -> None:
    model = core.Model([[(np.ones((4, 2), np.float32), np.zeros(2, np.float32))]], most_cards=2)
    with pytest.raises(ModelError, match="5 predictions are fewer than the 9223372036854775807 decks"):
        core.inner_map(
            model,
            np.full(4, 2),
            2,
            objective=0,
            measures=[1],
            boundaries=[np.array([0.0, 1.0, 2.0])],
            side="right",
            predictions=5,
            initial=2**63 - 1,
            batch=1,
            seed=1,
            starts=np.array([[1, 1, 0, 0]], np.uint8),
        )
