"""The measurements of surrogates for `deckatlas bench`, at the sizes of the paper on them."""

from collections.abc import Callable

import numpy as np

from deckatlas._core import surrogate as core
from deckatlas.models.surrogate import unflattened
from deckatlas.play.measurement import Measurement, best_cpu, best_cpu_of_each

_CARDS, _DECK, _COPIES = 180, 30, 2
_SIZES = [_CARDS, 128, 32, 16, 3]
PREDICTIONS, ROWS, EPOCHS = 1_000_000, 10_000, 20
_INITIAL, _BATCH, _CELLS = 100, 10, 40


def measurements(report: Callable[[str], object]) -> list[Measurement]:
    """Measures the inner loop on both paths, and a training with input noise; `report` hears what is next."""
    report("a million predictions")
    trainer = core.Trainer(_SIZES, 1)
    inner = [_inner_loop(trainer, portable=portable) for portable in (False, True)]
    fast, portable = best_cpu_of_each(*inner)
    report("the training of a surrogate")
    training = best_cpu(_training())
    return [
        Measurement("surrogate.million_predictions_cpu_seconds", "s for 10^6 predicted decks in a map", fast, 3),
        Measurement(
            "surrogate.million_predictions_portable_cpu_seconds", "  the same without AVX2 instructions", portable, 3
        ),
        Measurement("surrogate.training_cpu_seconds", "s to train a surrogate, 20 times 10,000 decks", training, 3),
    ]


def _inner_loop(trainer: core.Trainer, *, portable: bool) -> Callable[[], object]:
    """A map of predictions by an untrained network, over cells that a search fills in part."""
    layers = unflattened(_SIZES, trainer.state()[1])
    model = core.Model([layers], most_cards=_DECK)
    seen = model.predict(_decks(_INITIAL))
    middle, deviation = seen.mean(axis=0), seen.std(axis=0)
    boundaries = [
        np.linspace(middle[k] - 10 * deviation[k], middle[k] + 10 * deviation[k], _CELLS + 1, dtype=np.float64)
        for k in (1, 2)
    ]
    return lambda: core.inner_map(
        model,
        np.full(_CARDS, _COPIES, np.int64),
        _DECK,
        objective=0,
        measures=[1, 2],
        boundaries=boundaries,
        side="right",
        predictions=PREDICTIONS,
        initial=_INITIAL,
        batch=_BATCH,
        seed=1,
        portable=portable,
    )


def _training() -> Callable[[], object]:
    rng = np.random.default_rng(1)
    inputs = (_decks(ROWS) + 1e-4 * rng.standard_normal((ROWS, _CARDS))).astype(np.float32)
    targets = rng.standard_normal((ROWS, _SIZES[-1])).astype(np.float32)
    weights = np.ones(ROWS, np.float32)
    return lambda: core.Trainer(_SIZES, 1).fit(
        inputs, targets, weights, epochs=EPOCHS, batch_size=64, rate=0.01, final_rate=0.01, seed=1
    )


def _decks(count: int) -> "np.ndarray[tuple[int, int], np.dtype[np.uint8]]":
    rng = np.random.default_rng(2)
    copies = np.repeat(np.arange(_CARDS), _COPIES)
    return np.stack([np.bincount(rng.permutation(copies)[:_DECK], minlength=_CARDS) for _ in range(count)]).astype("u1")
