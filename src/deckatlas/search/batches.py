"""Batches: the evaluations that a search asks for, as plain data that any process can evaluate.

A batch has solutions and *evaluations*. An evaluation has one participant, which plays the evaluator's opponents, or
several, which play each other. Its *course* says which games are played.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Seeds = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]

NONE = -1
_IS_LITTLE = sys.byteorder == "little"
_I8, _U8 = np.dtype(np.int64), np.dtype(np.uint64)

# What happens to cards: how often each is drawn, kept and played, and how these games end. Swap-outs: how much the deck
# loses if a card is replaced.
CardQuestion = Literal["events", "swap-outs"]


@dataclass(frozen=True)
class Course:
    """Games that are given by their seeds.

    Attributes:
        draft_seeds: For each game, the seed of its draft.
        game_seeds: For each game, the seed of its shuffles and of the players' random choices. If both seeds are the
            same, the game is the one that the official referee plays with that seed.
    """

    draft_seeds: Seeds
    game_seeds: Seeds

    def __len__(self) -> int:
        return len(self.game_seeds)


@dataclass(frozen=True)
class Stream:
    """Games number `first` and later of a seed; the evaluator derives everything random in them from that seed.

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
        participants: For each evaluation, its participants: rows of `genes`, or -1 - k for opponent k of the run.
        courses: The games.
        course: For each evaluation, the number of its course.
        solutions: For each row of `genes`, the solution's number in the log. Only the search needs it.
        parents: For each row of `genes`, the number of the solution it was varied from, or -1.
        notes: For each evaluation, what the log keeps about it beside its results, as JSON, or an empty text. Empty if
            there are no notes.
        question: What is asked about the cards of the solutions beside the results, if anything.
    """

    genes: npt.NDArray[Any]
    participants: Numbers
    courses: tuple[Course | Stream, ...]
    course: Numbers
    solutions: Ints | None = None
    parents: Ints | None = None
    notes: tuple[str, ...] = ()
    question: CardQuestion | None = None

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

    @cached_property
    def course_lengths(self) -> Ints:
        """The games of each course."""
        return np.array([len(course) for course in self.courses], dtype=np.int64)

    @cached_property
    def lengths(self) -> Ints:
        """The games of each evaluation."""
        return self.course_lengths[self.course]

    @cached_property
    def games(self) -> int:
        """The number of games in all."""
        if len(self.courses) == 1:
            return len(self.participants) * len(self.courses[0])
        return int(self.lengths.sum())

    def rows(self, chosen: slice | npt.NDArray[Any]) -> "Batch":
        """A batch of some of the evaluations, without notes."""
        return replace(self, participants=self.participants[chosen], course=self.course[chosen], notes=())

    def compact(self) -> "Batch":
        """The same evaluations, without solutions and courses that take part in none; for sending them elsewhere."""
        used, course = np.unique(self.course, return_inverse=True)
        taking_part, places = np.unique(self.participants[self.participants >= 0], return_inverse=True)
        participants = self.participants.copy()
        participants[participants >= 0] = places
        courses = tuple(self.courses[number] for number in used.tolist())
        rows = course.astype(np.int32)
        return Batch(self.genes[taking_part], participants, courses, rows, question=self.question)

    def parts(self, count: int) -> Iterator["Batch"]:
        """Divides the evaluations into at most `count` parts with about the same number of games each."""
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
    """Makes a batch of matchups: evaluations of two participants, of which one always moves first.

    Args:
        genomes: The candidates, one per row.
        courses: The games.
        first: For each matchup, the player that moves first: the row of a genome, or -1 - k for opponent k of the run.
        second: For each matchup, the player that moves second.
        course: For each matchup, the number of its course.
    """
    participants = np.stack([first, second], axis=1).astype(np.int32)
    return Batch(genomes, participants, tuple(courses), np.asarray(course, dtype=np.int32))


def chained_hash(before: bytes, batch: Batch) -> bytes:
    """A hash of everything in a batch and in all batches before it."""
    parts = [
        before,
        *_shape_and_content(batch.genes, batch.genes.dtype),
        *_shape_and_content(batch.participants, _I8),
        *_shape_and_content(batch.course, _I8),
    ]
    for course in batch.courses:
        if isinstance(course, Stream):
            parts.append(f"{course.seed} {course.first} {course.games}\n".encode())
        else:
            parts += _shape_and_content(course.draft_seeds, _U8)
            parts += _shape_and_content(course.game_seeds, _U8)
    parts += [f"{len(note)} {note}\n".encode() for note in batch.notes]
    return sha256(b"".join(parts)).digest()


def _shape_and_content(array: npt.NDArray[Any], kind: np.dtype[Any]) -> tuple[bytes, bytes]:
    """An array after its shape, so that the end of one array cannot be mistaken for the start of the next.

    Its numbers become little-endian ones of this kind.
    """
    if not _IS_LITTLE or not kind.isnative:
        kind = kind.newbyteorder("<")
    return _shape_text(array.shape), array.astype(kind, copy=False).tobytes()


@lru_cache(maxsize=1024)
def _shape_text(shape: tuple[int, ...]) -> bytes:
    return f"{shape}".encode()


@lru_cache(maxsize=1024, typed=True)
def seed_of(seed: int, *purposes: object) -> int:
    """A seed for one purpose: independent of the seeds of all other purposes, and the same every time."""
    text = "/".join(map(str, (seed, *purposes)))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 1
