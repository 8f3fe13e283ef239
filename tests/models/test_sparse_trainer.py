"""The trainer of sparse models: gradients, the same bytes on every path, what it learns, and what it refuses."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from deckatlas._core import learning as core
from deckatlas._core import surrogate
from deckatlas.errors import ModelError

FEATURES, VARIANTS, ATTRIBUTES, HIDDEN, STACKS = 40, 5, 6, 16, 2
LAYERS = [8, 5]
SHAPE: dict[str, Any] = {
    "features": FEATURES,
    "attribute_count": ATTRIBUTES,
    "hidden": HIDDEN,
    "layers": LAYERS,
    "stacks": STACKS,
}
LIMITS: dict[str, Any] = {"row_limit": 4.0, "dense_limit": 4.0}
FIT: dict[str, Any] = {"batch_size": 50, "rate": 0.01, "final_rate": 0.002, "weight_decay": 0.1, "seed": 5}


def attributes() -> tuple[Any, Any, Any, Any]:
    """Of features and variants; the last array has the features that variants share their own rows with."""
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 4, FEATURES + VARIANTS)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    numbers = rng.integers(0, ATTRIBUTES, starts[-1]).astype(np.uint16)
    bases = np.array([3, 7, 7, 20, 0], np.uint16)
    return starts, numbers, rng.normal(size=starts[-1]).astype(np.float32), bases


def whole(own: Any, shared: Any) -> Any:
    """The rows of all features and variants."""
    starts, names, values, bases = attributes()
    table = np.zeros((FEATURES + VARIANTS, ATTRIBUTES))
    for row, (start, end) in enumerate(pairwise(starts)):
        np.add.at(table[row], names[start:end], values[start:end])
    return np.concatenate([own, own[bases]]) + table @ shared


def samples(count: int, *, seed: int = 2) -> list[Any]:
    """Offsets, features (some twice), stacks, targets and weights."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 12, count)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    features = rng.integers(0, FEATURES + VARIANTS, offsets[-1]).astype(np.uint16)
    stacks = rng.integers(0, STACKS, count).astype(np.uint8)
    return [offsets, features, stacks, rng.random(count).astype("f4"), rng.uniform(0.2, 2, count).astype("f4")]


def new_trainer(**options: Any) -> core.SparseTrainer:
    return core.SparseTrainer(attributes(), **{**SHAPE, **LIMITS, "seed": 3, **options})


def restored(state: Any, **options: Any) -> core.SparseTrainer:
    steps, parameters, first, second = state
    numbers: dict[str, Any] = {"steps": steps, "parameters": parameters, "first": first, "second": second}
    return core.SparseTrainer.restored(attributes(), **{**SHAPE, **LIMITS, **numbers, **options})


def trainer_somewhere() -> core.SparseTrainer:
    """A trainer none of whose numbers is zero."""
    state = new_trainer().state()
    noise = np.random.default_rng(4).normal(0, 0.1, len(state[1]))
    return restored((0, (state[1] + noise).astype("f4"), state[2], state[3]))


def logits(parameters: Any, data: list[Any], *, row_limit: float = np.inf) -> Any:
    """The model in double precision, straight from its definition; rows of features are within a limit."""
    numbers = iter(np.split(parameters, np.cumsum(sizes())[:-1]))
    own, shared = next(numbers).reshape(FEATURES, HIDDEN), next(numbers).reshape(ATTRIBUTES, HIDDEN)
    bias, own_weights, shared_weights = next(numbers), next(numbers), next(numbers)
    stacks = [[(next(numbers).reshape(shape), next(numbers)) for shape in dense_shapes()] for _ in range(STACKS)]
    rows, weights = whole(own, shared), whole(own_weights, shared_weights)
    rows[:FEATURES] = np.clip(rows[:FEATURES], -row_limit, row_limit)
    offsets, features, which = data[:3]
    results = []
    for sample, stack in enumerate(which):
        active = features[offsets[sample] : offsets[sample + 1]]
        hidden = np.clip(bias + rows[active].sum(axis=0), 0, 1)
        for layer, (dense, biases) in enumerate(stacks[stack]):
            hidden = hidden @ dense + biases
            hidden = hidden if layer == len(LAYERS) else np.clip(hidden, 0, 1)
        results.append(hidden[0] + weights[active].sum())
    return np.array(results)


def dense_shapes() -> list[tuple[int, int]]:
    outputs = [*LAYERS, 1]
    return list(zip([HIDDEN, *LAYERS], outputs, strict=True))


def sizes() -> list[int]:
    dense = [size for inputs, outputs in dense_shapes() for size in (inputs * outputs, outputs)]
    return [FEATURES * HIDDEN, ATTRIBUTES * HIDDEN, HIDDEN, FEATURES, ATTRIBUTES, *(dense * STACKS)]


def loss(parameters: Any, data: list[Any]) -> float:
    logit, target, weight = logits(parameters, data), data[3].astype(float), data[4].astype(float)
    return float(np.mean((np.logaddexp(0, logit) - target * logit) * weight))


def test_predictions_are_those_of_the_model_in_double_precision() -> None:
    data, trainer = samples(300), trainer_somewhere()
    expected = logits(trainer.state()[1].astype(float), data)
    assert np.ptp(expected) > 0.5
    assert trainer.predict(*data[:3]) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_gradients_are_slopes_of_the_loss() -> None:
    data, trainer = samples(150), trainer_somewhere()
    parameters = trainer.state()[1].astype(float)
    assert trainer.parameters == len(parameters) == sum(sizes())
    found, gradients = trainer.loss_and_gradients(*data)
    assert found == pytest.approx(loss(parameters, data), rel=1e-5)
    rng, checked = np.random.default_rng(1), 0
    starts = np.cumsum([0, *sizes()])
    for start, end in pairwise(starts):
        for place in rng.choice(np.arange(start, end), size=min(12, end - start), replace=False):
            step = np.zeros_like(parameters)
            step[place] = 1e-6
            slope = (loss(parameters + step, data) - loss(parameters - step, data)) / 2e-6
            assert gradients[place] == pytest.approx(slope, rel=1e-3, abs=2e-6)
            checked += abs(slope) > 1e-4
    assert checked > 60  # the comparison is not among zeros


def trained(threads: int, *, portable: bool = False) -> tuple[Any, ...]:
    trainer = new_trainer(portable=portable)
    losses = [trainer.fit(*samples(1000), **FIT, threads=threads) for _ in range(3)]
    return (*losses, *trainer.state(), trainer.predict(*samples(500, seed=9)[:3], threads=threads))


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_changes_no_byte(threads: int) -> None:
    for one, other in zip(trained(1), trained(threads), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.skipif(not surrogate.has_vector_path(), reason="this machine has only the portable path")
def test_both_paths_give_the_same_bytes() -> None:
    for one, other in zip(trained(1), trained(1, portable=True), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("row_limit", [0.02, 4.0])
def test_a_restored_trainer_continues_to_the_same_bytes(row_limit: float) -> None:
    data = samples(400)
    trainer = new_trainer(row_limit=row_limit)
    trainer.fit(*data, **FIT)
    copy = restored(trainer.state(), row_limit=row_limit)
    assert trainer.fit(*data, **FIT) == copy.fit(*data, **FIT)
    for one, other in zip(trainer.state()[1:], copy.state()[1:], strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))


def test_weight_decay_concerns_only_the_features_own_numbers() -> None:
    data = samples(100)
    data[4][:] = 0
    trainer = trainer_somewhere()
    before = np.split(trainer.state()[1], np.cumsum(sizes())[:-1])
    trainer.fit(*data, batch_size=100, rate=0.1, final_rate=0.1, weight_decay=5.0, seed=1)
    for number, after in enumerate(np.split(trainer.state()[1], np.cumsum(sizes())[:-1])):
        assert after == pytest.approx(before[number] * (0.5 if number in (0, 3) else 1))


def test_rows_and_dense_weights_stay_within_their_limits() -> None:
    data = samples(400)
    data[3] = np.round(data[3])
    trainer = new_trainer(row_limit=0.05, dense_limit=0.5)
    for _ in range(20):
        trainer.fit(*data, **FIT)
    numbers = np.split(trainer.state()[1], np.cumsum(sizes())[:-1])
    own = numbers[0].reshape(FEATURES, HIDDEN)
    rows = whole(own, numbers[1].reshape(ATTRIBUTES, HIDDEN))[:FEATURES]
    assert np.abs(own).max() == pytest.approx(0.1)  # twice the limit of rows, which are bounded once more
    assert np.abs(rows[np.abs(own) < 0.0999]).max() == pytest.approx(0.05, rel=1e-4)
    expected = logits(trainer.state()[1].astype(float), data, row_limit=0.05)
    assert trainer.predict(*data[:3]) == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert max(np.abs(dense).max() for dense in numbers[5:]) == 0.5


def test_it_learns_a_logistic_function_with_its_calibration() -> None:
    data = samples(20_000)
    data[1] %= FEATURES  # a variant cannot differ from its base in everything
    rng = np.random.default_rng(7)
    weights = rng.normal(0, 0.7, FEATURES)
    sums = np.array([weights[data[1][a:b]].sum() for a, b in pairwise(data[0])])
    true = 1 / (1 + np.exp(-np.where(data[2] == 0, sums, 1 - sums)))  # the stacks disagree
    data[3] = (rng.random(len(true)) < true).astype("f4")
    data[4] = np.ones_like(data[4])
    trainer = new_trainer()
    for epoch in range(8):
        trainer.fit(*data, batch_size=200, rate=0.01 / (epoch + 1), final_rate=0.01 / (epoch + 2), seed=epoch)
    chances = 1 / (1 + np.exp(-trainer.predict(*data[:3])))
    assert np.abs(chances - true).mean() < 0.05
    assert chances.mean() == pytest.approx(true.mean(), abs=0.01)


def test_a_feature_that_never_occurred_is_rated_by_its_attributes() -> None:
    half = FEATURES // 2
    starts = np.arange(FEATURES + 1, dtype=np.int64)
    names = (np.arange(FEATURES) % 2).astype(np.uint16)  # good and bad features in turn
    trainer = core.SparseTrainer(
        (starts, names, np.ones(FEATURES, "f4"), np.zeros(0, np.uint16)), **SHAPE, **LIMITS, seed=1
    )
    features = np.arange(half, dtype=np.uint16).repeat(20)
    count = len(features)
    good = (features % 2 == 0).astype("f4")
    data: list[Any] = [np.arange(count + 1), features, np.zeros(count, np.uint8), good, np.ones(count, "f4")]
    for epoch in range(20):
        trainer.fit(*data, **{**FIT, "seed": epoch})
    unknown = np.arange(half, FEATURES, dtype=np.uint16)
    found = trainer.predict(np.arange(len(unknown) + 1), unknown, np.zeros(len(unknown), np.uint8))
    assert found[unknown % 2 == 0].min() > 0.5
    assert found[unknown % 2 == 1].max() < -0.5


def changed(place: int, change: Any) -> list[Any]:
    data = samples(20)
    data[place] = data[place].copy()
    change(data[place])
    return data


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (changed(1, lambda features: features.__setitem__(3, 45)), "no feature 45"),
        (changed(2, lambda stacks: stacks.__setitem__(3, 2)), "no stack 2"),
        (changed(3, lambda targets: targets.__setitem__(3, np.nan)), "targets must be finite"),
        (changed(3, lambda targets: targets.__setitem__(3, 1.01)), "targets must be from 0 to 1"),
        (changed(3, lambda targets: targets.__setitem__(3, -0.01)), "targets must be from 0 to 1"),
        (changed(4, lambda weights: weights.__setitem__(3, np.inf)), "weights must be finite"),
        (changed(4, lambda weights: weights.__setitem__(3, -1)), "must not be negative"),
        (changed(0, lambda offsets: offsets.__setitem__(3, offsets[4] + 1)), "must rise"),
        (changed(0, lambda offsets: offsets.__setitem__(-1, 1000)), "must rise"),
        (
            [np.zeros(1, np.int64), np.zeros(0, np.uint16), np.zeros(0, np.uint8), *[np.zeros(0, "f4")] * 2],
            "no samples",
        ),
    ],
)
def test_samples_that_do_not_fit_are_refused_before_training(data: list[Any], complaint: str) -> None:
    trainer = new_trainer()
    with pytest.raises(ModelError, match=complaint):
        trainer.fit(*data, **FIT)
    assert trainer.state()[0] == 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"hidden": 20}, "multiple of 16"),
        ({"features": 0}, "number of features"),
        ({"features": 41}, "starts of attributes"),
        ({"attribute_count": 5}, "no attribute 5"),
        ({"layers": [0]}, "size of a layer"),
        ({"stacks": 0}, "number of stacks"),
        ({"row_limit": 0.0}, "limits of weights"),
        ({"dense_limit": float("nan")}, "limits of weights"),
    ],
)
def test_impossible_models_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        new_trainer(**options)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"rate": 0.0}, "learning rate"),
        ({"final_rate": float("nan")}, "learning rate"),
        ({"weight_decay": -1.0}, "weight decay"),
        ({"batch_size": 0}, "batch size"),
    ],
)
def test_impossible_trainings_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        new_trainer().fit(*samples(10), **{**FIT, **options})


def test_states_that_do_not_fit_are_refused() -> None:
    steps, parameters, first, second = new_trainer().state()
    with pytest.raises(ModelError, match="parameters, not"):
        restored((steps, parameters[1:], first, second))
    with pytest.raises(ModelError, match="must be finite"):
        restored((steps, parameters * np.float32("nan"), first, second))
    with pytest.raises(ModelError, match="second moments"):
        restored((steps, parameters, first, second - 1))
    with pytest.raises(ModelError, match="number of steps"):
        restored((-1, parameters, first, second))
