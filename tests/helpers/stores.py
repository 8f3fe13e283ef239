"""Stores written step by step, without the loop: what a run would have told its store, or anything else."""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from deckatlas.runs.portion import Portion, Told, rows_of
from deckatlas.runs.run import Run
from deckatlas.runs.writer import Writer, open_to_write
from deckatlas.search.batches import Batch, chained_hash


def steps_of(run: Run) -> list[Told]:
    """Everything that a run tells, evaluated here one after the other."""
    search = run.make_search()
    waiting: deque[Batch] = deque()
    chain = b""
    steps = [] if search.initial is None else [Told(None, None, b"", search.initial, None)]
    while not search.is_over:
        while (asked := search.ask()) is not None:
            waiting.append(asked)
        batch = waiting.popleft()
        outcomes = run.evaluator.evaluate(batch)
        generation = search.tell(outcomes)
        chain = chained_hash(chain, batch)
        steps.append(Told(batch, outcomes, chain, generation, None))
    return steps


def add_steps(store: Writer, run: Run, steps: Sequence[Told]) -> None:
    """Adds what was told as one portion."""
    ((batches,),) = store.rows("SELECT coalesce(max(batch) + 1, 0) FROM evaluations")
    portion = Portion(store.progress().evaluations, batches, list(steps))
    rows = rows_of(
        portion,
        known=store.solutions(),
        description=run.description,
        numbers=store.numbers,
        measures_of=run.measures_of,
        keep_games=True,
    )
    ranges = {(int(row[3]), int(row[4])) for row in portion.facts()}
    samples = {(first, games): run.evaluator.sample(first_game=first, games=games) for first, games in ranges}
    store.add(portion, rows, samples=samples)


def write_store(path: Path, run: Run, steps: Sequence[Told], *, cuts: Iterable[int] = ()) -> Path:
    """A finished store of these steps, added in portions that end at the cuts."""
    with open_to_write(path) as store:
        store.begin(run.config, cards=run.cards, description=run.description, columns=run.evaluator.columns)
        for begin, end in pairwise([0, *cuts, len(steps)] if steps else []):
            add_steps(store, run, steps[begin:end])
        store.finish()
    return path
