"""Batches: what a search asks for. Plain data that any process can evaluate.

A batch has solutions and *evaluations*. An evaluation has one participant, which meets the evaluator's opponents, or
several that meet each other; it is played over a *course*, which says which games these are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Seeds = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]

NONE = -1


@dataclass(frozen=True)
class Course:
    """Games by their own seeds.

    Attributes:
        draft_seeds: For each game, the seed its draft is drawn from.
        game_seeds: For each game, the seed of its shuffles and of the players' own draws. Where both seeds are the
            same, the game is the official referee's of that seed.
    """

    draft_seeds: Seeds
    game_seeds: Seeds

    def __len__(self) -> int:
        return len(self.game_seeds)


@dataclass(frozen=True)
class Stream:
    """Games `first` and on of a seed; the evaluator draws what they need from it.

    Attributes:
        seed: The seed.
        first: The number of the first game.
        games: How many games.
    """

    seed: int
    first: int
    games: int

    def __len__(self) -> int:
        return self.games


@dataclass(frozen=True)
class Batch:
    """Evaluations that a search asks for.

    Attributes:
        genes: The solutions that take part, one per row.
        participants: For each evaluation, who takes part: rows of `genes`, or -1 - k for opponent k of the run.
        courses: The games.
        course: For each evaluation, the number of its course.
        solutions: For each row of `genes`, the solution's number in the log. It is known to the search alone.
        parents: For each row of `genes`, the number of the solution it was varied from, or -1.
    """

    genes: npt.NDArray[Any]
    participants: Numbers
    courses: tuple[Course | Stream, ...]
    course: Numbers
    solutions: Ints | None = None
    parents: Ints | None = None

    def __len__(self) -> int:
        return len(self.participants)

    @property
    def first(self) -> Numbers:
        """For each evaluation, the participant that moves first."""
        return self.participants[:, 0]

    @property
    def second(self) -> Numbers:
        """For each matchup, the participant that moves second."""
        return self.participants[:, 1]

    @property
    def lengths(self) -> Ints:
        """The games of each evaluation."""
        lengths = np.array([len(course) for course in self.courses], dtype=np.int64)
        return lengths[self.course]

    @property
    def games(self) -> int:
        """How many games this costs."""
        return int(self.lengths.sum())

    def rows(self, chosen: slice | npt.NDArray[Any]) -> "Batch":
        """Some of the evaluations."""
        return replace(self, participants=self.participants[chosen], course=self.course[chosen])

    def parts(self, count: int) -> Iterator["Batch"]:
        """The evaluations in at most so many parts of about the same number of games; none is divided."""
        if count <= 1 or len(self) <= 1:
            yield self
            return
        ends = np.cumsum(self.lengths)
        marks = ends[-1] * np.arange(1, count) / count
        cuts = np.unique([0, *np.searchsorted(ends, marks), len(self)])
        for begin, end in pairwise(cuts.tolist()):
            yield self.rows(slice(begin, end))


def matchups(
    genomes: npt.NDArray[Any], courses: Sequence[Course], first: Numbers, second: Numbers, course: Numbers
) -> Batch:
    """Evaluations of two participants each, one of which always moves first.

    Args:
        genomes: The candidates, one per row.
        courses: The games.
        first: For each matchup, who moves first: the row of a genome, or -1 - k for opponent k of the run.
        second: For each matchup, who moves second.
        course: For each matchup, the number of its course.
    """
    participants = np.stack([first, second], axis=1).astype(np.int32)
    return Batch(genomes, participants, tuple(courses), np.asarray(course, dtype=np.int32))


def chained_hash(before: bytes, batch: Batch) -> bytes:
    """A hash of everything that a batch asks for, and of all batches before it."""
    digest = sha256(before)
    genes = batch.genes
    _add(digest, genes, genes.dtype.newbyteorder("<"))
    _add(digest, batch.participants, "<i8")
    _add(digest, batch.course, "<i8")
    for course in batch.courses:
        if isinstance(course, Stream):
            digest.update(f"{course.seed} {course.first} {course.games}\n".encode())
        else:
            _add(digest, course.draft_seeds, "<u8")
            _add(digest, course.game_seeds, "<u8")
    return digest.digest()


def _add(digest: Any, array: npt.NDArray[Any], kind: Any) -> None:
    """Adds an array, led by its shape, so that what belongs to one array cannot pass for part of the next."""
    digest.update(f"{array.shape}".encode())
    digest.update(np.ascontiguousarray(array.astype(kind)).data)
