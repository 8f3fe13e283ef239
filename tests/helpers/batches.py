"""Batches in tests: made in a line, and played."""

import numpy as np

from deckatlas.play.runner import Progress
from deckatlas.search.batches import Batch, Numbers, Stream
from deckatlas.search.evaluation import Evaluator, Outcomes, Solution
from helpers.searches import Arena


def alone(solution: Solution, *, seed: int, first_game: int = 0, games: int) -> Batch:
    """One evaluation of one solution."""
    stream = Stream(seed, first_game, games)
    return Batch(solution[np.newaxis], np.zeros((1, 1), np.int32), (stream,), np.zeros(1, np.int32))


def wins_of(evaluator: Evaluator, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Numbers:
    """The games that the first participant of each matchup wins."""
    outcomes = evaluator.evaluate(batch, threads=threads, progress=progress)
    assert np.array_equal(outcomes.games, batch.lengths)
    return outcomes.total[:, 0].astype(np.int32)


def arena_of(evaluator: Evaluator, *, threads: int = 1) -> Arena:
    """What plays the matchups of a search."""
    return lambda batch: wins_of(evaluator, batch, threads=threads)


def same_outcomes(one: Outcomes, other: Outcomes) -> bool:
    """Whether two evaluations gave the same, game by game."""
    parts = ("games", "total", "weight", "error", "outcome", "margin")
    return all(np.array_equal(getattr(one, part), getattr(other, part), equal_nan=True) for part in parts)
