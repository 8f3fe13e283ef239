"""Portions of a log: the results since the last commit, as rows of the store, with their hash."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.runs.description import Description
from deckatlas.runs.encoding import NumberLayout, pack_margins, pack_outcomes
from deckatlas.search.batches import NONE, Batch, Stream
from deckatlas.search.evaluation import Floats, Ints, Outcomes
from deckatlas.search.protocol import Generation
from deckatlas.search.scripts import generation_hash

NO_SECOND = np.iinfo(np.int64).min  # in arrays of facts, if an evaluation has one participant
MeasuresOf = Callable[[npt.NDArray[Any]], Floats]


@dataclass(frozen=True)
class Told:
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
        return sum(int(outcomes.games.sum()) for _, outcomes in self.batches)

    def reached(self) -> Iterator[tuple[Generation, int, int]]:
        """Each generation, with the evaluations and games of the portion until it was complete."""
        evaluations = games = 0
        for step in self.steps:
            if step.outcomes is not None:
                evaluations += len(step.outcomes)
                games += int(step.outcomes.games.sum())
            if step.generation is not None:
                yield step.generation, evaluations, games

    def facts(self) -> Ints:
        """One row per evaluation: batch, first and second participant, first game and games.

        A batch of one evaluation has no number; it is written as -1 minus the number of the evaluation.
        """
        parts = [np.empty((0, 5), np.int64)]
        before = self.first
        for number, (batch, outcomes) in enumerate(self.batches, start=self.first_batch):
            rows = np.full((len(batch), 5), NO_SECOND)
            rows[:, 0] = number if len(batch) > 1 else -1 - before
            before += len(batch)
            rows[:, 1 : 1 + batch.participants.shape[1]] = _numbered(batch)
            starts = [course.first if isinstance(course, Stream) else 0 for course in batch.courses]
            rows[:, 3] = np.array(starts)[batch.course]
            rows[:, 4] = outcomes.games
            parts.append(rows)
        return np.concatenate(parts)

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
        new: dict[int, tuple[npt.NDArray[Any], int]] = {}
        for genes, numbers, parents in self._taking_part():
            for row in np.flatnonzero(numbers >= known).tolist():
                new.setdefault(int(numbers[row]), (genes[row], int(parents[row])))
        new = dict(sorted(new.items()))
        if list(new) != list(range(known, known + len(new))):
            raise RuntimeError(f"a search skipped a number of a new solution after {known}")
        return np.array([genes for genes, _ in new.values()]), np.array([at for _, at in new.values()], dtype=np.int64)

    def _taking_part(self) -> Iterator[tuple[npt.NDArray[Any], Ints, Ints]]:
        for batch, _ in self.batches:
            assert batch.solutions is not None
            assert batch.parents is not None
            yield batch.genes, batch.solutions, batch.parents
        for generation in self.generations:
            assert generation.solutions is not None
            yield generation.genomes, generation.solutions, np.full(len(generation.genomes), NONE)


def _numbered(batch: Batch) -> Ints:
    """The participants of each evaluation by their numbers in the log; opponents keep their negative numbers."""
    assert batch.solutions is not None
    rows = batch.participants.astype(np.int64)
    if not len(batch.solutions):
        return rows
    return np.where(rows >= 0, batch.solutions[np.maximum(rows, 0)], rows)


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
    numbers = [row.tobytes() for row in layout.encode(every)]
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
