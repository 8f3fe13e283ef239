"""Draft policies that run a small network: the arithmetic against numpy, what is picked, and files that are refused."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas import _core, locm
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import draft_policy
from deckatlas.games.locm.state import Rng
from deckatlas.play.networks import read_network, write_network

Array = npt.NDArray[np.float64]
Layers = list[tuple[Array, Array]]


def random_layers(seed: int, sizes: list[int], scale: float = 1.0) -> Layers:
    rng = np.random.default_rng(seed)
    return [(rng.normal(0, scale, (n, m)), rng.normal(0, scale, m)) for n, m in pairwise(sizes)]


def by_numpy(layers: Layers, activation: str, x: Array) -> Array:
    for i, (weights, biases) in enumerate(layers):
        if i > 0:
            x = np.tanh(x) if activation == "tanh" else np.where(x < 0, np.expm1(np.minimum(x, 0)), x)
        x = x @ weights + biases
    return x


def features(card: locm.Card) -> list[float]:
    kind = [float(card.type == name) for name in ("creature", "green", "red", "blue")]
    numbers = [card.cost, card.attack, max(-12, card.defense), card.player_health, card.enemy_health]
    return [*kind, *(n / 12 for n in numbers), card.draw / 2, *(float(letter in card.keywords) for letter in "BCDGLW")]


@pytest.mark.parametrize("activation", ["elu", "tanh"])
@pytest.mark.parametrize("sizes", [[48, 169, 3], [5, 1], [3, 4, 5, 2]])
def test_a_network_gives_what_numpy_gives(sizes: list[int], activation: str) -> None:
    layers = random_layers(1, sizes, 0.3)
    network = _core.network(layers, activation)
    for x in np.random.default_rng(2).normal(0, 1, (20, sizes[0])):
        expected = by_numpy(layers, activation, x)
        assert np.max(np.abs(np.array(network.evaluate(list(x))) - expected)) < 1e-12


@pytest.mark.parametrize(("activation", "function"), [("tanh", np.tanh), ("elu", np.expm1)])
def test_activations_are_accurate_everywhere(activation: str, function: np.ufunc) -> None:
    unit = np.ones((1, 1)), np.zeros(1)
    network = _core.network([unit, unit], activation)
    edges = [0.0, 1e-300, 1e-9, 0.34657, 0.34658, 18.7, 354.0, 700.0, 708.5, 1e4, 1e300]
    points = -np.array([*edges, *np.random.default_rng(3).uniform(0, 30, 2000)])
    for x in [*points, *(-points if activation == "tanh" else [])]:
        assert abs(network.evaluate([x])[0] - function(x)) < 1e-14


@pytest.mark.parametrize("activation", ["tanh", "elu", "none"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_is_no_number_stays_none(activation: str, sign: float) -> None:
    unit = np.ones((1, 1)), np.zeros(1)
    network = _core.network([unit, unit], activation, last=activation)
    assert np.isnan(network.evaluate([float(np.copysign(np.nan, sign))])[0])


def test_a_net_picks_by_its_seats_network_from_the_48_inputs(tmp_path: Path) -> None:
    nets = [random_layers(seat, [48, 10, 3]) for seat in (0, 1)]
    files = [tmp_path / f"{seat}.json" for seat in (0, 1)]
    for layers, file, activation in zip(nets, files, ("elu", "tanh"), strict=True):
        write_network(file, layers, activation)
    policy = draft_policy(f"net:first={files[0]},second={files[1]}")
    state = locm.new_game(seed=3)
    while not state.in_battle:
        seat = state.player_to_move
        offer = state.offers[len(state.chosen(seat))]
        x = np.array([number for card in offer for number in features(locm.cards()[card - 1])])
        outputs = by_numpy(nets[seat], ("elu", "tanh")[seat], x)
        pick = policy.choose(state, Rng(1, 0))
        assert str(pick) == f"PICK {outputs.argmax()}"
        state.apply(pick)


def test_one_file_serves_both_seats_and_equal_outputs_take_the_first(tmp_path: Path) -> None:
    zeros = [(np.zeros((48, 2)), np.zeros(2)), (np.zeros((2, 3)), np.zeros(3))]
    write_network(tmp_path / "zeros.json", zeros, "tanh")
    policy, state = draft_policy(f"net:file={tmp_path / 'zeros.json'}"), locm.new_game(seed=3)
    for _ in range(2):
        pick = policy.choose(state, Rng(1, 0))
        assert str(pick) == "PICK 0"
        state.apply(pick)


def test_rg_alone_is_the_whole_agent_and_its_draft_beats_the_random_one() -> None:
    alone, written = locm.play("rg", "random/rg", games=200, seed=5), locm.play("rg/rg", "random/rg", games=200, seed=5)
    assert (alone["final_hash"] == written["final_hash"]).all()
    assert alone.rate.low > 0.55


GOOD: dict[str, Any] = {
    "layers": [48, 1, 3],
    "activation": "elu",
    "weights": [[0.5] * 48, [1, 2, 3]],
    "biases": [[0], [0, 0, 0]],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers": [48]}, "'layers' must be two or more sizes between 1 and 4096"),
        ({"layers": [48, 0, 3]}, "'layers' must be"),
        ({"layers": [48, True, 3]}, "'layers' must be"),
        ({"layers": [48, 10**9, 3]}, "'layers' must be"),
        ({"layers": "48"}, "'layers' must be"),
        ({"activation": "relu"}, "activation must be 'none', 'elu' or 'tanh', not 'relu'"),
        ({"activation": 3}, "'activation' must be a text"),
        ({"last": "relu"}, "activation must be 'none', 'elu' or 'tanh', not 'relu'"),
        ({"last": 3}, "'last' must be a text"),
        ({"weights": [[0.5] * 48]}, "'weights' must be 2 lists"),
        ({"weights": 7}, "'weights' must be 2 lists"),
        ({"weights": [[0.5] * 47, [1, 2, 3]]}, "'weights' of layer 1 must be 48 numbers"),
        ({"weights": [[0.5] * 48, [1, 2, "3"]]}, "'weights' of layer 2 holds something that is not a number"),
        ({"weights": [[0.5] * 48, [1, 2, None]]}, "is not a number"),
        ({"weights": [[0.5] * 48, [1, 2, float("nan")]]}, "must be finite"),
        ({"biases": [[float("inf")], [0, 0, 0]]}, "must be finite"),
        ({"biases": [[10**400], [0, 0, 0]]}, "'biases' of layer 1 holds a number that is too large"),
        ({"biases": [[0], [0, 0]]}, "'biases' of layer 2 must be 3 numbers"),
        ({"more": 1}, "must have exactly the keys activation, biases, layers, weights"),
        ({"layers": [1, 3], "weights": [[1, 2, 3]], "biases": [[0, 0, 0]]}, "48 inputs and 3 outputs, not 1 and 3"),
    ],
)
def test_a_file_that_is_no_draft_network_is_refused_in_one_line(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = tmp_path / "net.json"
    path.write_text(json.dumps({**GOOD, **change}))
    with pytest.raises(AgentError, match=re.escape(message)) as error:
        draft_policy(f"net:file={path}")
    assert "\n" not in str(error.value)


def test_a_good_file_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "net.json").write_text(json.dumps(GOOD))
    assert read_network(tmp_path / "net.json").evaluate([1.0] * 48) == [24.0, 48.0, 72.0]


@pytest.mark.parametrize("text", ["", "[1, 2", "[" * 100_000, "\x00", "null", "[]"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "net.json"
    path.write_text(text)
    with pytest.raises(AgentError, match=r"it is not JSON|it is not a JSON object"):
        read_network(path)


@pytest.mark.parametrize("options", ["", ":first=a.json", ":file=a.json,first=b.json", ":file="])
def test_a_net_without_its_files_is_refused(options: str) -> None:
    with pytest.raises(AgentError, match="'net' needs a network"):
        draft_policy(f"net{options}")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(AgentError, match=r"cannot read the network nowhere\.json: No such file"):
        draft_policy("net:file=nowhere.json")
