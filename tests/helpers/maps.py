"""Maps in tests: a space and an evaluator that cost nothing, and a small map of Hearthstone."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.runs.read_config import read_config
from deckatlas.search.archive_options import SlidingOptions
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.emitters import Emitter, MapElitesEmitter
from deckatlas.search.evaluation import Column, Floats, Outcomes, Solution
from deckatlas.search.history import History
from deckatlas.search.map_search import MapPlan, MapSearch

GAMES = 4

# Tiny, and stored several times a second.
HUNTERS = """\
seed = 3

[space]
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

# Draft policies, as real vectors; cheap.
DRAFTS = """\
seed = 2

[space]
kind = "locm-draft"
drafts = 4

[evaluation]
pilot = "random"
games = 4

[archive]
kind = "grid"
measures = ["deck_mana_mean", "num_item_cards"]
resolution = [6, 6]
ranges = [[2, 6], [0, 20]]

[search]
algorithm = "cma-me"
objective = "win_rate"
evaluations = 150
emitters = 3
population = 6
sigma = 0.1
window = 8
"""


def hunters(folder: Path, *settings: str) -> HearthstoneDeckRun:
    """That map, read from a file in the folder, with some values replaced."""
    file = folder / "hunters.toml"
    file.write_text(HUNTERS)
    config = read_config(file, settings=settings)
    assert isinstance(config, HearthstoneDeckRun)
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


COLUMNS = (Column("score", storage="f8"), Column("first", storage="f8", over="turns"))


def outcome_of(batch: Batch) -> Outcomes:
    """What a fake evaluation gives: noise that depends on the games alone."""
    (solution,) = batch.genes
    noise = np.random.default_rng([*solution.tolist(), first_game_of(batch)]).normal(size=2)
    value = np.array([solution @ [1.0, -1.0, 0.5], float(solution[0])]) + noise
    weight = np.array([GAMES, 3.0 * GAMES])
    return Outcomes(np.array([GAMES]), (value * weight)[np.newaxis], weight[np.newaxis], np.ones((1, 2)))


def digits_plan(emitter: Emitter | None = None, *, evaluations: int = 200) -> MapPlan:
    """A map of digits."""
    return MapPlan(
        space=Digits(),
        columns=COLUMNS,
        objective="score",
        archive=SlidingOptions(measures=("sum", "first"), resolution=(5, 5), grow_from=(2, 2), remap=10),
        emitter=emitter or MapElitesEmitter(seed=1, initial=20, window=7, objective="score", games=GAMES),
        evaluations=evaluations,
        games=GAMES,
        seed=1,
        fresh=False,
    )


def carry_out(search: MapSearch, evaluate: Callable[[Batch], Outcomes] = outcome_of) -> History:
    """Evaluates all that is left of a search; returns what was told now."""
    waiting: deque[Batch] = deque()
    told = []
    while not search.is_over:
        while (asked := search.ask()) is not None:
            waiting.append(asked)
        batch = waiting.popleft()
        outcomes = evaluate(batch)
        search.tell(outcomes)
        told.append((batch, outcomes))
    return history_of(told)


def history_of(told: Sequence[tuple[Batch, Outcomes]]) -> History:
    """Evaluations as arrays; the first solution among them must be number 0."""
    batches = [batch for batch, _ in told]
    joined = Outcomes.joined([outcomes for _, outcomes in told])
    solution = np.array([number for batch in batches for number in numbers_of(batch)], dtype=np.int64)
    _, first = np.unique(solution, return_index=True)
    new = [batches[number] for number in first]
    return History(
        genes=np.concatenate([batch.genes for batch in new]),
        parents=np.array([parent_of(batch) for batch in new]),
        participants=solution[:, np.newaxis],
        first_game=np.array([first_game_of(batch) for batch in batches]),
        games=joined.games,
        batch=np.arange(len(batches)),
        total=joined.total,
        weight=joined.weight,
        error=joined.error,
        notes={number: batch.notes[0] for number, batch in enumerate(batches) if batch.notes},
    )


def numbers_of(batch: Batch) -> list[int]:
    """The numbers of a batch's solutions in the log."""
    assert batch.solutions is not None
    return [int(number) for number in batch.solutions]


def parent_of(batch: Batch) -> int:
    """The number of the solution that the only one of a batch was varied from, or -1."""
    assert batch.parents is not None
    (parent,) = batch.parents
    return int(parent)


def first_game_of(batch: Batch) -> int:
    """How many games the only solution of a batch has played before."""
    (stream,) = batch.courses
    assert isinstance(stream, Stream)
    return stream.first
