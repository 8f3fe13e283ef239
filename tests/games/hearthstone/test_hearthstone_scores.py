"""How the papers' planner of Hearthstone rates positions: published scores, features, weights and networks, by hand."""

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.agents import read_network_rating, read_weights
from deckatlas.games.hearthstone.state import Rng, State
from deckatlas.play.networks import write_network
from helpers.hearthstone_play import random_states

YETI, FOOTMAN, SENJIN, WISP = "CS2_182", "CS1_042", "CS2_179", "CS2_231"  # 4/5, 1/2, 3/5, 1/1
FIREBALL, FIERY_WAR_AXE = "CS2_029", "CS2_106"
WON, LOST = 2**31 - 1, -(2**31)


def position(me: dict[str, Any], op: dict[str, Any]) -> State:
    return hearthstone.scenario({"me": {"class": "WARRIOR", **me}, "op": {"class": "WARRIOR", **op}})


# ---- scores ----------------------------------------------------------------------------------------------------------

MIDDLE = (
    {"health": 25, "armor": 9, "board": [YETI, FOOTMAN], "hand": [FIREBALL, WISP], "deck": [WISP] * 3},
    {"health": 18, "board": [{"id": SENJIN, "damage": 1}], "hand": [WISP] * 4, "deck": [WISP] * 5},
)


# Own minions: attack 5, health 7, of taunts 2. The enemy's: attack 3, health 4, of taunts 4. Health 25 to 18.
@pytest.mark.parametrize(
    ("score", "value"),
    [
        ("aggro", -1000 * 4 + 5 + 1000 * 7),
        ("control", 50 * (2 - 1) + 25 * (2 - 4) + 5 + 10 * 7),
        ("fatigue", 50 * (3 - 5) + 10 * (2 - 1) + 10 * (2 - 4) + 5 + 5 * 7),
        ("midrange", 5 * (2 - 1) - 1000 * 4 + 5 + 10 * 7 + 10 * (7 - 4) + 10 * (5 - 3)),
        ("ramp", 50 * (2 - 1) - 500 * 2 + 5 + 10 * 7 + 10 * (7 - 4) + 20 * (5 - 3)),
    ],
)
def test_a_score_is_the_published_formula(score: str, value: int) -> None:
    assert core.Rating(core.Score[score]).rate(position(*MIDDLE), 0) == value


@pytest.mark.parametrize(("score", "value"), [("aggro", 1004), ("control", 1054), ("midrange", 5000 + 5 + 4 + 50 + 40)])
def test_an_empty_enemy_board_counts_only_with_an_own_minion(score: str, value: int) -> None:
    rating = core.Rating(core.Score[score])
    assert rating.rate(position({"board": [YETI]}, {}), 0) == value
    assert rating.rate(position({}, {}), 0) == 0


def test_fatigue_counts_a_full_hand_and_an_empty_deck_of_the_enemy() -> None:
    rating = core.Rating(core.Score.fatigue)
    assert rating.rate(position({"deck": []}, {"deck": [], "hand": [WISP] * 9}), 0) == 10_000
    assert rating.rate(position({"deck": []}, {"deck": [], "hand": [WISP] * 10}), 0) == 11_000


def test_ramp_counts_own_taunts_against_oneself_only_when_the_enemy_has_some() -> None:
    rating = core.Rating(core.Score.ramp)
    board = {"board": [FOOTMAN]}
    assert rating.rate(position(board, {"board": [WISP]}), 0) == 1 + 10 * (2 - 1) + 20 * (1 - 1)
    assert rating.rate(position(board, board), 0) == -500 * 2 + 1


@pytest.mark.parametrize("score", hearthstone.SCORES)
def test_who_has_won_and_who_has_lost_get_the_numbers_at_the_ends(score: str) -> None:
    state = position({"board": [YETI], "health": 2}, {"health": 4})
    state.apply(next(a for a in state.legal_actions() if a.kind == core.ActionKind.attack), Rng(1, 0))
    assert state.winner == 0
    rating = core.Rating(core.Score[score])
    assert [rating.rate(state, player) for player in (0, 1)] == [WON, LOST]


# ---- features --------------------------------------------------------------------------------------------------------


def test_features_are_raw_numbers_in_the_published_order() -> None:
    state = position({**MIDDLE[0], "weapon": FIERY_WAR_AXE}, {**MIDDLE[1], "weapon": FIERY_WAR_AXE})
    assert core.features(state, 0) == [25, 18, 3, 0, 4 + 0, 2, 4, 3, 5, 5, 3, 7, 4, 2, 4]
    assert core.features(state, 1) == [18, 25, 0, 3, 0, 4, 2, 5, 3, 3, 5, 4, 7, 4, 2]  # a weapon is raised on its turn


def test_weights_are_summed_in_thousandths_and_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({"HeroHp": 0.5, "OpHeroHp": -1, "MinionTotAtk": 0.0011}))
    assert read_weights(file).rate(position(*MIDDLE), 0) == int(1000 * (0.5 * 25 - 18 + 0.0011 * 5)) == -5494


def plain_network(layers: list[int], numbers: list[float], inputs: list[float]) -> float:
    """All weights layer by layer, those of an input side by side, then all biases; tanh after every layer."""
    biases = len(numbers) - sum(layers[1:])
    place, values = 0, inputs
    for inside, outside in pairwise(layers):
        sums = [sum(values[i] * numbers[place + i * outside + k] for i in range(inside)) for k in range(outside)]
        values = [math.tanh(sums[k] + numbers[biases + k]) for k in range(outside)]
        place, biases = place + inside * outside, biases + outside
    return values[0]


@pytest.mark.parametrize("layers", [[15, 5, 4, 1], [15, 32, 32, 1], [15, 1]])
def test_a_network_is_what_plain_python_works_out(layers: list[int], tmp_path: Path) -> None:
    rng = np.random.default_rng(len(layers))
    numbers = (0.1 * rng.standard_normal(sum((a + 1) * b for a, b in pairwise(layers)))).tolist()
    file = tmp_path / "network.json"
    file.write_text(json.dumps({"strategy": "NeuralNet", "layers": layers, "weights_then_biases": numbers}))
    rating = read_network_rating(file)
    rated = set()
    for state in random_states(5):
        if not state.is_over:
            rated.add(rating.rate(state, 0))
            assert rating.rate(state, 0) == int(1e6 * plain_network(layers, numbers, core.features(state, 0)))
    assert len(rated) > 20


def test_a_network_is_the_same_in_either_form_of_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    layers = [(rng.normal(0, 0.1, (a, b)), rng.normal(0, 0.1, b)) for a, b in pairwise([15, 5, 4, 1])]
    files = [tmp_path / "ours.json", tmp_path / "published.json"]
    write_network(files[0], layers, "tanh", last="tanh")
    ours = json.loads(files[0].read_text())
    numbers = [number for part in (ours["weights"], ours["biases"]) for of_layer in part for number in of_layer]
    files[1].write_text(json.dumps({"layers": ours["layers"], "weights_then_biases": numbers}))
    one, other = (read_network_rating(file) for file in files)
    for state in random_states(6):
        assert one.rate(state, 0) == other.rate(state, 0)
