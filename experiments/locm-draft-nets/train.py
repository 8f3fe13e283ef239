"""Trains the two networks of the draft policy `rg`, one for each seat, with numpy alone.

What a card is worth is learned from games: decks are drafted, half at random and half by what is known so far, and
played against each other by the battle agent; a regression of who won on the cards of both decks gives each card a
value for each seat. The networks then learn to pick from any three cards as these values do.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from deckatlas import locm
from deckatlas.games.locm.cards import KEYWORDS, TYPES
from deckatlas.play.networks import write_network

Array = npt.NDArray[np.float64]
Layers = list[tuple[Array, Array]]

POOL, PICKS, OFFERED, CARDS = 60, 30, 3, 160
SHAPES = {"first": (169, "elu"), "second": (154, "tanh")}
FEATURE_RIDGE, CARD_RIDGE = 10.0, 500.0  # a card differs from what its features say by about 2 % of a game
SHARPNESS = 3.0  # how surely the networks should take a card that wins 1 % more: the difference in their outputs


def card_features() -> Array:
    """The sixteen inputs of each card."""
    rows = []
    for card in locm.cards():
        numbers = [card.cost, card.attack, max(-12, card.defense), card.player_health, card.enemy_health]
        keywords = [float(letter in card.keywords) for letter in KEYWORDS]
        kind = [float(card.type == name) for name in TYPES]
        rows.append([*kind, *(n / 12 for n in numbers), card.draw / 2, *keywords])
    return np.array(rows)


def draft(rng: np.random.Generator, values: Array) -> list[list[int]]:
    """Both seats' decks from one draft; a seat picks by its values or, as often, at random."""
    pool = rng.permutation(CARDS)[:POOL]
    offers = pool[np.argsort(rng.random((PICKS, POOL)), axis=1)[:, :OFFERED]]
    decks = []
    for seat_values in values:
        by_value = rng.random() < 0.5
        picks = seat_values[offers].argmax(axis=1) if by_value else rng.integers(OFFERED, size=PICKS)
        decks.append([int(card) + 1 for card in offers[np.arange(PICKS), picks]])
    return decks


def play(rng: np.random.Generator, battle: str, values: Array, games: int) -> tuple[Array, Array]:
    """Plays games; returns how often each card is in each deck (the second's negative), and whether the first won."""
    counts, won = np.zeros((games, 2 * CARDS)), np.zeros(games)
    for game in range(games):
        decks = draft(rng, values)
        seed = int(rng.integers(2**63))
        result = locm.play(battle, battle, decks=(decks[0], decks[1]), games=1, seed=seed, swap_seats=False, threads=1)
        won[game] = result.wins
        np.add.at(counts[game], np.array(decks[0]) - 1, 1.0)
        np.add.at(counts[game], np.array(decks[1]) - 1 + CARDS, -1.0)
    return counts, won


def card_values(counts: Array, won: Array) -> Array:
    """By how much a copy of each card raises the chance to win, for each seat: ridge regression."""
    features = np.kron(np.eye(2), card_features())
    design = np.hstack([np.ones((len(won), 1)), counts @ features, counts])
    ridge = np.array([0.0, *[FEATURE_RIDGE] * features.shape[1], *[CARD_RIDGE] * (2 * CARDS)])
    solution = np.linalg.solve(design.T @ design + np.diag(ridge + 1e-9), design.T @ won)
    by_feature, by_card = solution[1 : 1 + features.shape[1]], solution[1 + features.shape[1] :]
    return np.asarray((features @ by_feature + by_card).reshape(2, CARDS))


def activate(x: Array, activation: str) -> tuple[Array, Array]:
    """The activation and its derivative."""
    if activation == "tanh":
        y = np.tanh(x)
        return y, 1 - y * y
    y = np.where(x < 0, np.expm1(np.minimum(x, 0)), x)
    return y, np.where(x < 0, y + 1, 1.0)


def softmax(x: Array) -> Array:
    """Softmax over the last axis."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def train_network(rng: np.random.Generator, values: Array, hidden: int, activation: str, steps: int) -> Layers:
    """A network that picks as the values do, by cross entropy and Adam on random offers."""
    features, inputs, batch = card_features(), OFFERED * 16, 512
    weights = [
        rng.normal(0, inputs**-0.5, (inputs, hidden)),
        np.zeros(hidden),
        rng.normal(0, hidden**-0.5, (hidden, OFFERED)),
        np.zeros(OFFERED),
    ]
    means, squares = ([np.zeros_like(w) for w in weights] for _ in range(2))
    for step in range(1, steps + 1):
        offers = np.argsort(rng.random((batch, CARDS)), axis=1)[:, :OFFERED]
        x = features[offers].reshape(batch, inputs)
        h, slope = activate(x @ weights[0] + weights[1], activation)
        error = (softmax(h @ weights[2] + weights[3]) - softmax(SHARPNESS * 100 * values[offers])) / batch
        back = (error @ weights[2].T) * slope
        gradients = [x.T @ back, back.sum(axis=0), h.T @ error, error.sum(axis=0)]
        rate = 3e-3 * (1 - step / (steps + 1))
        for w, g, m, s in zip(weights, gradients, means, squares, strict=True):
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            w -= rate * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)
    return [(weights[0], weights[1]), (weights[2], weights[3])]


def agreement(rng: np.random.Generator, values: Array, layers: Layers, activation: str) -> float:
    """How often a network takes the most valuable of three cards."""
    offers = np.argsort(rng.random((20_000, CARDS)), axis=1)[:, :OFFERED]
    (w0, b0), (w1, b1) = layers
    h, _ = activate(card_features()[offers].reshape(len(offers), -1) @ w0 + b0, activation)
    return float(np.mean((h @ w1 + b1).argmax(axis=1) == values[offers].argmax(axis=1)))


def main() -> None:
    """Trains both networks and writes them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--battle", default="rg", help="who plays the games")
    parser.add_argument("--rounds", type=int, default=3, help="how often to play and learn")
    parser.add_argument("--games", type=int, default=12_000, help="games a round")
    parser.add_argument("--steps", type=int, default=6000, help="steps of Adam for each network")
    parser.add_argument("--out", type=Path, default=Path("src/deckatlas/games/locm"), help="folder for the two files")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    start = time.process_time()
    values = np.zeros((2, CARDS))
    rounds = []
    for number in range(options.rounds):
        rounds.append(play(rng, options.battle, values, options.games))
        values = card_values(*(np.concatenate(parts) for parts in zip(*rounds, strict=True)))
        print(f"round {number + 1}: {time.process_time() - start:.0f} CPU s", flush=True)
    for seat, (hidden, activation) in enumerate(SHAPES.values()):
        name = list(SHAPES)[seat]
        layers = train_network(rng, values[seat], hidden, activation, options.steps)
        write_network(options.out / f"rg_{name}.json", layers, activation)
        share = agreement(rng, values[seat], layers, activation)
        print(f"{name}: agrees with the values on {share:.1%} of offers, {time.process_time() - start:.0f} CPU s")


if __name__ == "__main__":
    main()
