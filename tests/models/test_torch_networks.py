"""Networks of PyTorch become models that predict the same."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import ModelError
from deckatlas.models.torch_networks import from_torch

torch = pytest.importorskip("torch")


def network(*sizes: int) -> Any:
    """Linear layers of these sizes with ELU between them."""
    torch.manual_seed(1)
    parts = [torch.nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes)]
    return torch.nn.Sequential(*[each for part in parts for each in (part, torch.nn.ELU())][:-1])


def test_a_network_predicts_decks_as_torch_does() -> None:
    module = network(20, 16, 8, 2)
    decks = np.random.default_rng(1).multinomial(10, np.full(20, 0.05), size=50).astype(np.uint8)
    model = from_torch(module, targets=("a", "b"), deck_size=10)
    with torch.no_grad():
        expected = module(torch.tensor(decks, dtype=torch.float32)).numpy()
    assert np.allclose(model.predict(decks), expected, atol=1e-5)


def test_a_single_layer_is_a_linear_model() -> None:
    module = torch.nn.Linear(4, 1, bias=False)
    vectors = np.random.default_rng(2).normal(size=(10, 4))
    with torch.no_grad():
        expected = module(torch.tensor(vectors, dtype=torch.float32)).numpy()
    assert np.allclose(from_torch(module, targets=("a",)).predict(vectors), expected, atol=1e-5)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (["Linear", "Tanh", "Linear"], "not Linear, Tanh, Linear"),
        (["Linear", "ELU"], "not Linear, ELU"),
        (["half ELU"], "alpha of 1"),
    ],
)
def test_other_networks_are_refused(parts: list[str], message: str) -> None:
    nn = torch.nn
    made = {"Linear": lambda: nn.Linear(3, 3), "Tanh": nn.Tanh, "ELU": nn.ELU}
    if parts == ["half ELU"]:
        module = nn.Sequential(nn.Linear(3, 3), nn.ELU(0.5), nn.Linear(3, 1))
    else:
        module = nn.Sequential(*(made[part]() for part in parts))
    with pytest.raises(ModelError, match=message):
        from_torch(module, targets=("a",))
