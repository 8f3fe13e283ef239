"""The speed of everything in a map but its games, for `deckatlas bench`: asking, handing over, telling, storing."""

from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from deckatlas.games.hearthstone.map_bench import GAMES, map_config
from deckatlas.play.measurement import Measurement, best_cpu
from deckatlas.play.runner import Progress
from deckatlas.runs.loop import execute
from deckatlas.runs.run import Run
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.evaluation import Column, Evaluator, Outcomes, measured
from deckatlas.stats.averages import Sample

EVALUATIONS = 2000
_MADE = 257


class FreeEvaluator:
    """An evaluator that takes no time: it picks from outcomes that were made before, by the seed of the games."""

    def __init__(self, evaluator: Evaluator) -> None:
        rng = np.random.default_rng(1)
        self._evaluator = evaluator
        columns = measured(evaluator.columns)
        weight = np.array([[GAMES if each.over == "games" else 10 * GAMES for each in columns]], np.float64)
        self._made = [
            Outcomes(
                games=np.array([GAMES]),
                total=rng.integers(-5000, 5000, weight.shape).astype(np.float64),
                weight=weight,
                error=rng.random(weight.shape),
                outcome=rng.integers(0, 2, GAMES, dtype=np.uint8),
                margin=rng.integers(-30, 31, GAMES, dtype=np.int8),
            )
            for _ in range(_MADE)
        ]

    @property
    def columns(self) -> tuple[Column, ...]:
        """See the protocol."""
        return self._evaluator.columns

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """Outcomes that depend on the batch alone; see the protocol."""
        (stream,) = batch.courses
        assert isinstance(stream, Stream)
        return self._made[stream.seed % _MADE]

    def sample(self, *, first_game: int, games: int) -> Sample:
        """See the protocol."""
        return self._evaluator.sample(first_game=first_game, games=games)


@dataclass(frozen=True)
class FreeMap:
    """A map whose games take no time.

    Attributes:
        run: The map, with another evaluator.
    """

    run: Run

    @classmethod
    def of(cls, evaluations: int) -> "FreeMap":
        """A map with this number of evaluations."""
        run = map_config(evaluations).prepare()
        return cls(replace(run, evaluator=FreeEvaluator(run.evaluator)))

    def prepare(self) -> Run:
        """The run; see `Runnable`."""
        return self.run


def measure_loop() -> list[Measurement]:
    """The evaluations that the loop of a run passes through per CPU second, with one thread that makes them."""
    prepared = FreeMap.of(EVALUATIONS)
    with TemporaryDirectory() as folder:
        paths = (Path(folder) / f"{number}.db" for number in count())
        seconds = best_cpu(lambda: execute(prepared, next(paths), threads=1))
    return [
        Measurement(
            "runs.loop.evaluations_per_cpu_second",
            f"map of {EVALUATIONS:,} decks whose games take no time: evaluations per CPU second",
            EVALUATIONS / seconds,
        )
    ]
