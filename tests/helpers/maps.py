"""Maps in tests: a space and an evaluator that cost nothing, and a small map of Hearthstone."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.runs.map_config import MapConfig
from deckatlas.runs.read_config import read_config
from deckatlas.search.archive_options import SlidingOptions
from deckatlas.search.emitters import Emitter, MapElitesEmitter
from deckatlas.search.evaluation import Floats, Outcome, Solution
from deckatlas.search.log import Entries
from deckatlas.search.map_search import MapPlan, MapSearch

GAMES = 4

# Tiny, and stored several times a second.
HUNTERS = """\
seed = 3

[solution]
kind = "hearthstone-deck"
class = "hunter"

[evaluation]
pilot = "random"
games = 12

[archive]
kind = "sliding"
measures = ["num_turns", "deck_mana_sum"]
resolution = [6, 6]
grow_from = [2, 2]
remap = 20

[search]
algorithm = "map-elites"
evaluations = 300
initial = 30
window = 8
"""


def hunters(folder: Path, *settings: str) -> MapConfig:
    """That map, read from a file in the folder, with some values replaced."""
    file = folder / "hunters.toml"
    file.write_text(HUNTERS)
    config = read_config(file, settings=settings)
    assert isinstance(config, MapConfig)
    return config


@dataclass(frozen=True)
class Digits:
    """Solutions of three digits; their sum is known without a game."""

    dtype = np.dtype(np.int16)
    length = 3
    columns = ("sum",)

    def random(self, rng: np.random.Generator) -> Solution:
        return rng.integers(0, 10, 3, dtype=np.int16)

    def mutate(self, solution: Solution, rng: np.random.Generator) -> Solution:
        child = solution.copy()
        child[rng.integers(3)] = rng.integers(10)
        return child

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        sums: Floats = np.sum(solutions, axis=1, keepdims=True, dtype=np.float64)
        return sums


def outcome_of(solution: Solution, first_game: int = 0) -> Outcome:
    """What a fake evaluation gives: noise that depends on the games alone."""
    noise = np.random.default_rng([*solution.tolist(), first_game]).normal(size=2)
    value = np.array([solution @ [1.0, -1.0, 0.5], float(solution[0])]) + noise
    return Outcome(GAMES, value, np.ones(2), np.array([GAMES, 3.0 * GAMES]))


def digits_plan(emitter: Emitter | None = None, *, evaluations: int = 200) -> MapPlan:
    """A map of digits."""
    return MapPlan(
        space=Digits(),
        columns=("score", "first"),
        objective="score",
        archive=SlidingOptions(measures=("sum", "first"), resolution=(5, 5), grow_from=(2, 2), remap=10),
        emitter=emitter or MapElitesEmitter(seed=1, initial=20, window=7, objective="score", games=GAMES),
        evaluations=evaluations,
    )


def carry_out(search: MapSearch) -> Entries:
    """Evaluates all that is left of a search; returns what was told now."""
    told = []
    while not search.is_over:
        while search.ask() is not None:
            pass
        task = search.waiting()[0]
        told.append(search.tell(outcome_of(task.genes, task.first_game)))
    return entries_of(told)


def entries_of(told: list[Any]) -> Entries:
    """Evaluations as arrays; the first solution among them must be number 0."""
    new = [entry for entry in told if entry.genes is not None]
    return Entries(
        solution=np.array([entry.solution for entry in told], dtype=np.int64),
        games=np.array([entry.outcome.games for entry in told], dtype=np.int64),
        outcome=np.array([[entry.outcome.value, entry.outcome.error, entry.outcome.weight] for entry in told]),
        parent=np.array([entry.parent for entry in new], dtype=np.int64),
        genes=np.array([entry.genes for entry in new], dtype=np.int16).reshape(-1, 3),
    )
