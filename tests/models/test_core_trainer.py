"""The trainer of the core: gradients, steps, the same bytes on every path, and what it refuses."""

import hashlib
from typing import Any

import numpy as np
import pytest

from deckatlas._core import surrogate as core
from deckatlas.errors import ModelError
from deckatlas.models.surrogate import unflattened

SIZES = [[7, 3], [7, 5, 3], [20, 18, 33, 2], [40, 35, 17, 16, 12]]


def samples(sizes: list[int], rows: int, *, dense: bool) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng([rows, *sizes])
    inputs = rng.integers(0, 3, (rows, sizes[0])) * (rng.random((rows, sizes[0])) < 0.3)
    noise = rng.normal(size=inputs.shape) if dense else 0
    targets = rng.normal(size=(rows, sizes[-1]))
    return (inputs + noise).astype("f4"), targets.astype("f4"), rng.uniform(0.2, 2, rows).astype("f4")


def elu(x: Any) -> Any:
    return np.where(x < 0, np.expm1(np.minimum(x, 0)), x)


def outputs(sizes: list[int], parameters: Any, inputs: Any) -> Any:
    """The network in double precision."""
    layers = unflattened(sizes, parameters.astype(np.float64))
    values = inputs.astype(np.float64)
    for weights, biases in layers[:-1]:
        values = elu(values @ weights + biases)
    return values @ layers[-1][0] + layers[-1][1]


def loss(sizes: list[int], parameters: Any, data: tuple[Any, Any, Any]) -> float:
    inputs, targets, weights = data
    errors = ((outputs(sizes, parameters, inputs) - targets) ** 2).sum(axis=1) * weights
    return float(errors.mean())


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("dense", [False, True])
def test_gradients_are_slopes_of_the_loss(sizes: list[int], dense: bool) -> None:
    data = samples(sizes, 13, dense=dense)
    trainer = core.Trainer(sizes, 3)
    parameters = trainer.state()[1].astype(np.float64)
    found, gradients = trainer.loss_and_gradients(*data)
    assert found == pytest.approx(loss(sizes, parameters, data), rel=1e-5)
    rng = np.random.default_rng(1)
    for place in rng.choice(len(parameters), size=min(60, len(parameters)), replace=False):
        step = np.zeros_like(parameters)
        step[place] = 1e-6
        slope = (loss(sizes, parameters + step, data) - loss(sizes, parameters - step, data)) / 2e-6
        assert gradients[place] == pytest.approx(slope, rel=2e-4, abs=2e-5)


@pytest.mark.parametrize("sizes", SIZES)
def test_predictions_are_those_of_the_network_in_double_precision(sizes: list[int]) -> None:
    inputs = samples(sizes, 150, dense=True)[0]
    trainer = core.Trainer(sizes, 3)
    expected = outputs(sizes, trainer.state()[1], inputs)
    np.testing.assert_allclose(trainer.predict(inputs), expected, rtol=1e-4, atol=1e-5)


def trained(sizes: list[int], data: tuple[Any, Any, Any], **options: Any) -> Any:
    trainer = core.Trainer(sizes, 3, portable=options.pop("portable", False))
    values = {"epochs": 4, "batch_size": 8, "rate": 0.01, "final_rate": 0.001, "weight_decay": 0.1, "seed": 5}
    losses = trainer.fit(*data, **{**values, **options})
    return losses, trainer.state()


def assert_same_bytes(one: Any, other: Any) -> None:
    assert one[0] == other[0]
    assert one[1][0] == other[1][0]
    for left, right in zip(one[1][1:], other[1][1:], strict=True):
        assert left.tobytes() == right.tobytes()


@pytest.mark.skipif(not core.has_vector_path(), reason="this machine has only the portable path")
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("dense", [False, True])
def test_both_paths_train_to_the_same_bytes(sizes: list[int], dense: bool) -> None:
    data = samples(sizes, 61, dense=dense)
    assert_same_bytes(trained(sizes, data), trained(sizes, data, portable=True))


@pytest.mark.parametrize("portable", [False, True])
def test_a_training_has_these_bits_on_every_machine_and_path(portable: bool) -> None:
    """The data are small fractions, which every machine has exactly; initial weights and order are the core's own.

    The digest was printed by this test: nothing else can tell the last bits. Where training is meant to change, a
    failure prints the new one, and the commit says why models are no longer the same.
    """
    numbers = np.arange(50 * 23, dtype=np.int64).reshape(50, 23) * 7919 % 1009
    inputs, targets = (numbers[:, :20] % 3).astype("f4"), ((numbers[:, 20:22] - 504) / 512).astype("f4")
    weights = (1 + numbers[:, 22] % 4 / 4).astype("f4")
    losses, state = trained([20, 18, 33, 2], (inputs, targets, weights), portable=portable)
    bits = np.array(losses).tobytes() + b"".join(each.tobytes() for each in state[1:])
    assert hashlib.sha256(bits).hexdigest()[:16] == "a0e58de00609bf24"


@pytest.mark.parametrize("portable", [False, True])
def test_leaving_out_zeros_changes_no_byte(portable: bool) -> None:
    # Columns of zeros make the same data sparse, and take no part in anything.
    inputs, targets, weights = samples([20, 18, 33, 2], 50, dense=True)
    wide = np.concatenate([inputs, np.zeros((50, 60), np.float32)], axis=1)
    narrow_trainer, wide_trainer = (core.Trainer([n, 18, 2], 3, portable=portable) for n in (20, 80))
    steps, parameters, first, second = wide_trainer.state()
    kept = np.concatenate([np.arange(20 * 18), np.arange(80 * 18, len(parameters))])
    narrow_trainer = core.Trainer.restored(
        [20, 18, 2], steps, parameters[kept], first[kept], second[kept], portable=portable
    )
    options: dict[str, Any] = {"epochs": 3, "batch_size": 7, "rate": 0.01, "final_rate": 0.0, "seed": 1}
    assert narrow_trainer.fit(inputs, targets, weights, **options) == wide_trainer.fit(
        wide, targets, weights, **options
    )
    for narrow, whole in zip(narrow_trainer.state()[1:], wide_trainer.state()[1:], strict=True):
        assert narrow.tobytes() == whole[kept].tobytes()


def test_new_networks_are_uniform_within_the_root_of_three_over_inputs() -> None:
    layers = unflattened([300, 48, 2], core.Trainer([300, 48, 2], 11).state()[1])
    for (weights, biases), inputs in zip(layers, (300, 48), strict=True):
        limit = np.sqrt(3 / inputs)
        both = np.concatenate([weights.ravel(), biases])
        assert np.abs(both).max() <= limit
        assert np.abs(weights).max() > 0.9 * limit
        assert weights.std() == pytest.approx(limit / np.sqrt(3), rel=0.15)
        assert biases.any()


def test_steps_are_those_of_adam_with_decoupled_decay() -> None:
    sizes, rows = [7, 5, 3], 12
    data = samples(sizes, rows, dense=True)
    trainer = core.Trainer(sizes, 3)
    parameters = trainer.state()[1].astype(np.float64)
    first, second = np.zeros_like(parameters), np.zeros_like(parameters)
    for step in range(1, 6):
        _, gradients = trainer.loss_and_gradients(*data)
        rate = 0.01  # the whole fit is one step, and the rate starts at its first value
        first = 0.9 * first + 0.1 * gradients.astype(np.float64)
        second = 0.999 * second + 0.001 * gradients.astype(np.float64) ** 2
        update = (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        parameters = parameters * (1 - rate * 0.5) - rate * update
        trainer.fit(*data, epochs=1, batch_size=rows, rate=rate, final_rate=0.0, weight_decay=0.5, seed=step)
        np.testing.assert_allclose(trainer.state()[1], parameters, rtol=2e-4, atol=2e-6)
        parameters = trainer.state()[1].astype(np.float64)


def test_training_continues_from_a_state() -> None:
    sizes = [20, 18, 2]
    data = samples(sizes, 40, dense=False)
    whole, before = core.Trainer(sizes, 3), core.Trainer(sizes, 3)
    options: dict[str, Any] = {"batch_size": 8, "rate": 0.01, "final_rate": 0.01}
    before.fit(*data, epochs=2, seed=1, **options)
    after = core.Trainer.restored(sizes, *before.state())
    after.fit(*data, epochs=2, seed=2, **options)
    whole.fit(*data, epochs=2, seed=1, **options)
    whole.fit(*data, epochs=2, seed=2, **options)
    assert_same_bytes(([], after.state()), ([], whole.state()))
    assert after.state()[0] == 20  # steps: five batches in each of four epochs


def test_the_rate_falls_on_a_straight_line() -> None:
    sizes = [7, 3]
    data = samples(sizes, 10, dense=True)
    falling, by_hand = core.Trainer(sizes, 3), core.Trainer(sizes, 3)
    falling.fit(*data, epochs=4, batch_size=10, rate=0.04, final_rate=0.0, seed=1)
    for rate in (0.04, 0.03, 0.02, 0.01):
        by_hand.fit(*data, epochs=1, batch_size=10, rate=rate, final_rate=rate, seed=1)
    np.testing.assert_allclose(falling.state()[1], by_hand.state()[1], rtol=1e-4, atol=1e-6)


def test_a_network_learns_what_a_linear_model_cannot() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.integers(0, 3, (2000, 10)).astype("f4")
    targets = ((inputs[:, :1] - 1) * (inputs[:, 1:2] - 1)).astype("f4")
    options: dict[str, Any] = {"epochs": 40, "batch_size": 64, "rate": 0.01, "final_rate": 0.0, "seed": 1}
    linear, network = (core.Trainer(sizes, 1) for sizes in ([10, 1], [10, 32, 16, 1]))
    loss_of_linear = linear.fit(inputs, targets, np.ones(2000, "f4"), **options)[-1]
    loss_of_network = network.fit(inputs, targets, np.ones(2000, "f4"), **options)[-1]
    assert loss_of_network < 0.02 < 0.3 < loss_of_linear


def test_rows_of_weight_zero_teach_nothing() -> None:
    inputs, targets, weights = samples([7, 5, 3], 24, dense=True)
    weights[::2] = 0
    changed = targets.copy()
    changed[::2] += 100
    assert_same_bytes(trained([7, 5, 3], (inputs, targets, weights)), trained([7, 5, 3], (inputs, changed, weights)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": np.full((4, 7), np.nan, "f4")}, "inputs must be finite"),
        ({"targets": np.full((4, 3), np.inf, "f4")}, "targets must be finite"),
        ({"weights": np.full(4, -1, "f4")}, "weights of rows must not be negative"),
        ({"inputs": np.zeros((4, 6), "f4")}, "has 7 inputs, not 6"),
        ({"targets": np.zeros((4, 2), "f4")}, "has 3 targets, not 2"),
        ({"weights": np.ones(3, "f4")}, "as many rows"),
        ({"inputs": np.zeros((0, 7), "f4"), "targets": np.zeros((0, 3), "f4"), "weights": np.ones(0, "f4")}, "no rows"),
        ({"batch_size": 0}, "a batch has"),
        ({"rate": 0.0}, "learning rate"),
        ({"rate": float("nan")}, "learning rate"),
        ({"weight_decay": -1.0}, "weight decay"),
    ],
)
def test_bad_data_and_options_are_refused_in_one_line(change: dict[str, Any], message: str) -> None:
    values: dict[str, Any] = {
        "inputs": np.zeros((4, 7), "f4"),
        "targets": np.zeros((4, 3), "f4"),
        "weights": np.ones(4, "f4"),
        "epochs": 1,
        "batch_size": 4,
        "rate": 0.1,
        "final_rate": 0.1,
        "seed": 1,
    }
    with pytest.raises(ModelError, match=message) as caught:
        core.Trainer([7, 5, 3], 1).fit(**{**values, **change})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("sizes", [[], [3], [3, 0], [5000, 1], [2] * 30])
def test_bad_layers_are_refused(sizes: list[int]) -> None:
    with pytest.raises(ModelError):
        core.Trainer(sizes, 1)


def test_states_of_other_layers_are_refused() -> None:
    steps, parameters, first, second = core.Trainer([7, 3], 1).state()
    with pytest.raises(ModelError, match="such a network has 15 parameters, not 24"):
        core.Trainer.restored([4, 3], steps, parameters, first, second)
    with pytest.raises(ModelError, match="finite"):
        core.Trainer.restored([7, 3], steps, parameters * np.float32(np.nan), first, second)


def test_diverged_training_is_an_error() -> None:
    inputs, targets, weights = samples([7, 5, 3], 24, dense=True)
    with pytest.raises(ModelError, match="diverged"):
        core.Trainer([7, 5, 3], 1).fit(
            inputs, np.full_like(targets, 3e38), weights, epochs=3, batch_size=8, rate=0.1, final_rate=0.1, seed=1
        )


def test_an_exception_of_progress_ends_training() -> None:
    data = samples([40, 128, 32, 16, 12], 4000, dense=True)

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        core.Trainer([40, 128, 32, 16, 12], 1).fit(
            *data, epochs=100_000, batch_size=64, rate=0.01, final_rate=0.01, seed=1, progress=stop
        )


@pytest.mark.parametrize("sizes", [[7, 3], [30, 40, 18, 4]])
def test_training_is_that_of_torch(sizes: list[int]) -> None:
    torch = pytest.importorskip("torch")
    rows = 32
    data = samples(sizes, rows, dense=True)
    trainer = core.Trainer(sizes, 3)
    layers: list[Any] = []
    for weights, biases in unflattened(sizes, trainer.state()[1]):
        layer = torch.nn.Linear(*weights.shape)
        layer.weight.data, layer.bias.data = torch.tensor(weights.T.copy()), torch.tensor(biases.copy())
        layers += [layer, torch.nn.ELU()]
    network = torch.nn.Sequential(*layers[:-1])
    optimiser = torch.optim.AdamW(network.parameters(), lr=0.01, weight_decay=0.3)
    inputs, targets, row_weights = (torch.tensor(each) for each in data)
    for step in range(20):
        found, gradients = trainer.loss_and_gradients(*data)
        optimiser.zero_grad()
        expected = (((network(inputs) - targets) ** 2).sum(dim=1) * row_weights).mean()
        expected.backward()
        assert found == pytest.approx(expected.item(), rel=1e-4)
        for (weights, biases), layer in zip(unflattened(sizes, gradients), layers[::2], strict=True):
            np.testing.assert_allclose(weights, layer.weight.grad.numpy().T, rtol=1e-3, atol=1e-5)
            np.testing.assert_allclose(biases, layer.bias.grad.numpy(), rtol=1e-3, atol=1e-5)
        optimiser.step()
        trainer.fit(*data, epochs=1, batch_size=rows, rate=0.01, final_rate=0.01, weight_decay=0.3, seed=step)
