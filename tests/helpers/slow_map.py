"""MAP-Elites on predictions, written plainly: what the core's inner loop is held against."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

MASK = (1 << 64) - 1

Predict = Callable[[Any], Any]


class SplitMix:
    """The core's generator."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        x = self.state
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
        return x ^ (x >> 31)

    def below(self, bound: int) -> int:
        threshold = 2**32 % bound
        while True:
            product = (self.next() >> 32) * bound
            if product % 2**32 >= threshold:
                return product >> 32


def random_deck(rng: SplitMix, most: Sequence[int], size: int) -> list[int]:
    copies = [card for card, count in enumerate(most) for _ in range(count)]
    for i in range(size):
        j = i + rng.below(len(copies) - i)
        copies[i], copies[j] = copies[j], copies[i]
    return copies[:size]


def mutant(rng: SplitMix, parent: list[int], most: Sequence[int]) -> list[int]:
    deck, word = list(parent), rng.next()
    zeros = 64 if word == 0 else (word & -word).bit_length() - 1
    replaced = min(zeros + 1, len(deck))
    for last in range(len(deck) - 1, len(deck) - 1 - replaced, -1):
        place = rng.below(last + 1)
        deck[place], deck[last] = deck[last], deck[place]
    del deck[len(deck) - replaced :]
    for _ in range(replaced):
        card = rng.below(len(most))
        while deck.count(card) >= most[card]:
            card = rng.below(len(most))
        deck.append(card)
    return deck


def value(source: Any, prediction: Any, deck: list[int]) -> float:
    if isinstance(source, int):
        return float(prediction[source])
    numbers = [int(source[0][card]) for card in deck]
    total, size = sum(numbers), len(deck)
    if source[1] == "sum":
        return float(total)
    if source[1] == "mean":
        return total / size
    return (size * sum(n * n for n in numbers) - total * total) / (size * size)


class SlowMap:
    """The same search, deck by deck."""

    def __init__(self, predict: Predict, most: Sequence[int], size: int, **options: Any) -> None:
        self.predict, self.most, self.size, self.options = predict, most, size, options
        self.rng = SplitMix(options["seed"])
        self.elites: dict[int, tuple[list[int], Any, float, list[float]]] = {}  # in the order of first filling
        self.predicted = 0

    def counts(self, deck: list[int]) -> Any:
        return np.bincount(deck, minlength=len(self.most)).astype(np.uint8)

    def insert(self, decks: list[list[int]], predictions: Any = None) -> None:
        if predictions is None:
            predictions = self.predict(np.array([self.counts(deck) for deck in decks]))
            self.predicted += len(decks)
        for deck, prediction in zip(decks, predictions, strict=True):
            if not np.isfinite(prediction).all():
                continue
            objective = value(self.options["objective"], prediction, deck)
            measures = [value(source, prediction, deck) for source in self.options["measures"]]
            bisect = bisect_right if self.options["side"] == "right" else bisect_left
            cell = 0
            for boundaries, measure in zip(self.options["boundaries"], measures, strict=True):
                cell = cell * (len(boundaries) - 1) + bisect(list(boundaries[1:-1]), measure)
            if cell not in self.elites or objective > self.elites[cell][2]:
                self.elites[cell] = (deck, prediction, objective, measures)

    def run(self) -> dict[int, tuple[list[int], Any, float, list[float]]]:
        starts, batch = self.options.get("starts"), self.options["batch"]
        if starts is not None:
            decks = [[card for card, count in enumerate(row) for _ in range(count)] for row in starts.tolist()]
            self.insert(decks, self.options.get("start_predictions"))
        self.insert([random_deck(self.rng, self.most, self.size) for _ in range(self.options["initial"])])
        while self.predicted < self.options["predictions"] and self.elites:
            filled = list(self.elites.values())
            children = min(batch, self.options["predictions"] - self.predicted)
            parents = [filled[self.rng.below(len(filled))] for _ in range(children)]
            self.insert([mutant(self.rng, parent[0], self.most) for parent in parents])
        return dict(sorted(self.elites.items()))
