"""Bundles: every evaluation travels once, in order, in bundles of about the size that is asked for."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.runs.cluster_jobs import Bundle, Job, JobQueue
from deckatlas.runs.pending import Pending
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.evaluation import Outcomes


def batch_of(lengths: list[int]) -> Batch:
    """A batch of evaluations of these lengths; the seed of each is its number."""
    courses = tuple(Stream(number, 0, games) for number, games in enumerate(lengths))
    places = np.arange(len(lengths), dtype=np.int32)
    return Batch(places[:, np.newaxis].astype(np.uint8), places[:, np.newaxis], courses, places)


def outcomes_of(batch: Batch) -> Outcomes:
    """Outcomes that tell which evaluations they belong to."""
    seeds = [batch.courses[number].seed for number in batch.course]
    total = np.array(seeds, np.float64)[:, np.newaxis]
    return Outcomes(batch.lengths, total, np.ones_like(total), np.zeros_like(total))


@given(
    st.lists(st.lists(st.integers(1, 30), min_size=1, max_size=12), min_size=1, max_size=8),
    st.lists(st.floats(0.5, 60), min_size=1),
    st.randoms(use_true_random=False),
)
def test_every_evaluation_travels_once_and_outcomes_come_back_in_order(
    batches: list[list[int]], sizes: list[float], rng: random.Random
) -> None:
    queue = JobQueue()
    jobs = [Job(batch_of(lengths), Pending()) for lengths in batches]
    for job in jobs:
        queue.add(job)
    assert queue.games == sum(map(sum, batches))
    bundles: list[Bundle] = []
    while len(queue):
        most = sizes[len(bundles) % len(sizes)]
        bundle = queue.take(most)
        assert bundle.games == sum(part.batch.games for part in bundle.parts) > 0
        assert bundle.games <= most or [len(part.batch) for part in bundle.parts] == [1]
        bundles.append(bundle)
    assert queue.games == 0
    rng.shuffle(bundles)
    for bundle in bundles:
        for part in bundle.parts:
            part.job.add(part.start, outcomes_of(part.batch))
    for job, lengths in zip(jobs, batches, strict=True):
        found = job.pending.result()
        assert found.total[:, 0].tolist() == list(range(len(lengths)))
        assert found.games.tolist() == lengths
