"""Portions of a log: the results since the last commit, as rows of the store, with their hash."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from deckatlas.runs.description import Description
from deckatlas.runs.encoding import NumberLayout, each_row, pack_margins, pack_outcomes
from deckatlas.search.batches import NONE, Batch, Stream
from deckatlas.search.evaluation import Floats, Ints, Outcomes
from deckatlas.search.protocol import Generation
from deckatlas.search.scripts import generation_hash

NO_SECOND = np.iinfo(np.int64).min  # in arrays of facts, if an evaluation has one participant
MeasuresOf = Callable[[npt.NDArray[Any]], Floats]


class Told(NamedTuple):
    """One step of a search: a batch, its outcomes, and the generation that it completed.

    Attributes:
        batch: What was evaluated; None for the generation before the first game.
        outcomes: Its outcomes.
        asked: The chained hash of this batch and all before it.
        generation: The generation that is now complete, if one is.
        best: The best value so far.
    """

    batch: Batch | None
    outcomes: Outcomes | None
    asked: bytes
    generation: Generation | None
    best: float | None


@dataclass
class Portion:
    """The results since the last commit.

    Attributes:
        first: The number of its first evaluation.
        first_batch: The number of its first batch.
        steps: The steps. Each is added as a whole, so that a portion can be stored after an interrupt.
    """

    first: int
    first_batch: int
    steps: list[Told] = field(default_factory=list)

    @property
    def batches(self) -> list[tuple[Batch, Outcomes]]:
        """The batches and their outcomes."""
        return [
            (step.batch, step.outcomes) for step in self.steps if step.batch is not None and step.outcomes is not None
        ]

    @property
    def generations(self) -> list[Generation]:
        """The completed generations."""
        return [step.generation for step in self.steps if step.generation is not None]

    @property
    def evaluations(self) -> int:
        """The number of evaluations."""
        return sum(len(batch) for batch, _ in self.batches)

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(outcomes.all_games for _, outcomes in self.batches)

    def reached(self) -> Iterator[tuple[Generation, int, int]]:
        """Each generation, with the evaluations and games of the portion until it was complete."""
        evaluations = games = 0
        for step in self.steps:
            if step.outcomes is not None:
                evaluations += len(step.outcomes)
                games += step.outcomes.all_games
            if step.generation is not None:
                yield step.generation, evaluations, games

    def facts(self) -> Ints:
        """One row per evaluation: batch, first and second participant, first game and games.

        A batch of one evaluation has no number; it is written as -1 minus the number of the evaluation.
        """
        batches = [batch for batch, _ in self.batches]
        if not batches:
            return np.empty((0, 5), np.int64)
        # All batches at once: most have only one evaluation.
        sizes = np.array([len(batch) for batch in batches])
        batch_of = np.repeat(np.arange(len(batches)), sizes)
        numbers = self.first + np.arange(len(batch_of))
        participants = _numbered(batches, batch_of)
        starts = [course.first if isinstance(course, Stream) else 0 for batch in batches for course in batch.courses]
        before = _before([len(batch.courses) for batch in batches])
        rows = np.full((len(batch_of), 5), NO_SECOND)
        rows[:, 0] = np.where(sizes[batch_of] > 1, self.first_batch + batch_of, -1 - numbers)
        rows[:, 1 : 1 + participants.shape[1]] = participants
        rows[:, 3] = np.array(starts)[before[batch_of] + np.concatenate([batch.course for batch in batches])]
        rows[:, 4] = np.concatenate([outcomes.games for _, outcomes in self.batches])
        return rows

    def notes(self) -> list[tuple[int, str]]:
        """The notes of evaluations, each with the number of its evaluation."""
        found = []
        before = self.first
        for batch, _ in self.batches:
            found += [(before + row, note) for row, note in enumerate(batch.notes) if note]
            before += len(batch)
        return found

    def solutions(self, known: int) -> tuple[npt.NDArray[Any], Ints]:
        """Genes and parents of the new solutions, those after the first `known`, in the order of their numbers."""
        genes, numbers, parents = (np.concatenate(each) for each in zip(*self._taking_part(), strict=True))
        found, first = np.unique(numbers, return_index=True)
        first = first[found >= known]
        if not np.array_equal(numbers[first], known + np.arange(len(first))):
            raise RuntimeError(f"a search skipped a number of a new solution after {known}")
        return genes[first], parents[first].astype(np.int64)

    def _taking_part(self) -> Iterator[tuple[npt.NDArray[Any], Ints, Ints]]:
        for batch, _ in self.batches:
            assert batch.solutions is not None
            assert batch.parents is not None
            yield batch.genes, batch.solutions, batch.parents
        for generation in self.generations:
            assert generation.solutions is not None
            yield generation.genomes, generation.solutions, np.full(len(generation.genomes), NONE)


def _numbered(batches: Sequence[Batch], batch_of: Ints) -> Ints:
    """The participants of each evaluation by their numbers in the log; opponents keep their negative numbers."""
    rows: Ints = np.concatenate([batch.participants for batch in batches]).astype(np.int64)
    solutions = [batch.solutions for batch in batches if batch.solutions is not None]
    assert len(solutions) == len(batches)
    numbers = np.concatenate(solutions)
    if not len(numbers):
        return rows
    at = _before([len(each) for each in solutions])[batch_of, np.newaxis] + np.maximum(rows, 0)
    return np.where(rows >= 0, numbers[np.minimum(at, len(numbers) - 1)], rows)


def _before(counts: Sequence[int]) -> Ints:
    """For each count, the sum of those before it."""
    return np.cumsum([0, *counts], dtype=np.int64)[:-1]


@dataclass(frozen=True)
class PortionRows:
    """A portion as rows of the store.

    Attributes:
        evaluations: Rows of the table `evaluations`.
        solutions: Rows of the table `solutions`.
        notes: Rows of the table `notes`.
        hash: A hash of everything in the portion.
    """

    evaluations: list[tuple[Any, ...]]
    solutions: list[tuple[Any, ...]]
    notes: list[tuple[int, str]]
    hash: bytes


def rows_of(
    portion: Portion,
    *,
    known: int,
    description: Description,
    numbers: NumberLayout,
    measures_of: MeasuresOf,
    keep_games: bool,
) -> PortionRows:
    """Makes the rows of a portion.

    Args:
        portion: The portion.
        known: The number of solutions that are stored already.
        description: How solutions are stored.
        numbers: How the numbers of evaluations are stored.
        measures_of: Computes the measures of solutions that are known without playing.
        keep_games: Whether the outcome and margin of each game are kept.
    """
    facts = portion.facts()
    of_numbers, outcomes, margins = _evaluation_blobs(numbers, portion, keep_games)
    genes, parents = portion.solutions(known)
    of_genes = description.layout.encode(genes) if len(genes) else []
    measures = description.measure_layout.encode(measures_of(genes)) if len(genes) else []
    content = portion_hash(
        *(facts, b"".join(of_numbers), b"".join(filter(None, outcomes)), b"".join(filter(None, margins))),
        *(parents, b"".join(of_genes), b"".join(measures)),
        [generation_hash(generation) for generation in portion.generations],
        notes := portion.notes(),
    )
    listed = facts.tolist()
    return PortionRows(
        evaluations=[
            (
                number,
                None if batch < 0 else batch,
                first,
                None if second == NO_SECOND else second,
                start,
                games,
                *of_games,
            )
            for number, (batch, first, second, start, games), *of_games in zip(
                range(portion.first, portion.first + len(listed)), listed, of_numbers, outcomes, margins, strict=True
            )
        ],
        solutions=[
            (number, None if parent == NONE else parent, *contents)
            for number, (parent, *contents) in enumerate(
                zip(parents.tolist(), of_genes, measures, strict=True), start=known
            )
        ],
        notes=notes,
        hash=content,
    )


def _evaluation_blobs(
    layout: NumberLayout, portion: Portion, keep_games: bool
) -> tuple[list[bytes], list[bytes | None], list[bytes | None]]:
    """Numbers, outcomes and margins of each evaluation; all at once, since many batches have only one."""
    if not portion.batches:
        return [], [], []
    every = Outcomes.joined([outcomes for _, outcomes in portion.batches])
    numbers = each_row(layout.encode(every))
    if not keep_games or len(every.outcome) < int(every.games.sum()):
        nothing: list[bytes | None] = [None] * len(every)
        return numbers, nothing, nothing
    return numbers, [*pack_outcomes(every.outcome, every.games)], [*pack_margins(every.margin, every.games)]


def portion_hash(
    facts: Ints,
    numbers: bytes | bytearray,
    outcomes: bytes,
    margins: bytes,
    parents: Ints,
    genes: bytes | bytearray,
    measures: bytes | bytearray,
    generations: list[bytes],
    notes: list[tuple[int, str]],
) -> bytes:
    """A hash of everything in a portion, from stored values."""
    parts = [
        *(facts.astype("<i8").tobytes(), numbers, outcomes, margins),
        *(parents.astype("<i8").tobytes(), genes, measures, b"".join(generations)),
    ]
    if notes:  # a run without notes has the hash that it had before there were notes
        parts.append("".join(f"{number} {note}\n" for number, note in notes).encode())
    digest = sha256()
    for part in parts:
        digest.update(f"{memoryview(part).nbytes}\n".encode())
        digest.update(part)
    return digest.digest()
