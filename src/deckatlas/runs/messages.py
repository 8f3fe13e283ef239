"""Messages between processes: a table of plain values and some arrays, as compressed bytes.

A message has no Python objects in it, so that processes with another version can at least say that they have another
version. Bytes are all that the transport of a cluster sees.
"""

import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.files.plain_data import json_values
from deckatlas.search.batches import Batch, Course, Stream
from deckatlas.search.evaluation import Outcomes

Array = npt.NDArray[Any]
_FASTEST = 1
_SIZE = 8  # bytes of the number before the table
_OF_OUTCOMES = ("games", "total", "weight", "error", "outcome", "margin")
_PER_EVALUATION = 4  # of these have a row per evaluation; the others, one per game


def pack(table: dict[str, Any], arrays: Sequence[Array] = ()) -> bytes:
    """A table of plain values, and arrays, as bytes."""
    forms = [[each.dtype.newbyteorder("<").str, *each.shape] for each in arrays]
    head = json.dumps({**table, "arrays": forms}).encode()
    bodies = (each.astype(each.dtype.newbyteorder("<"), copy=False).tobytes() for each in arrays)
    return zlib.compress(b"".join([len(head).to_bytes(_SIZE, "little"), head, *bodies]), _FASTEST)


def unpack(message: bytes) -> tuple[dict[str, Any], list[Array]]:
    """The inverse of `pack`."""
    content = zlib.decompress(message)
    at = _SIZE + int.from_bytes(content[:_SIZE], "little")
    table: dict[str, Any] = json_values(content[_SIZE:at])
    arrays = []
    for kind, *shape in table.pop("arrays"):
        dtype, count = np.dtype(kind), int(np.prod(shape, dtype=np.int64))
        arrays.append(np.frombuffer(content, dtype, count, at).reshape(shape).copy())
        at += count * dtype.itemsize
    return table, arrays


def pack_batches(table: dict[str, Any], batches: Sequence[Batch]) -> bytes:
    """A table and batches, of which only what an evaluation depends on is kept."""
    arrays: list[Array] = []
    courses: list[list[list[int]]] = []  # of each batch; one that is given by seeds is empty here
    for batch in batches:
        arrays += [batch.genes, batch.participants, batch.course]
        courses.append([])
        for course in batch.courses:
            if isinstance(course, Stream):
                courses[-1].append([course.seed, course.first, course.games])
            else:
                courses[-1].append([])
                arrays += [course.draft_seeds, course.game_seeds]
    return pack({**table, "courses": courses, "questions": [batch.question for batch in batches]}, arrays)


def unpack_batches(message: bytes) -> tuple[dict[str, Any], list[Batch]]:
    """The inverse of `pack_batches`."""
    table, arrays = unpack(message)
    left = iter(arrays)
    batches = []
    for courses, question in zip(table.pop("courses"), table.pop("questions"), strict=True):
        genes, participants, course = next(left), next(left), next(left)
        made = tuple(Stream(*each) if each else Course(next(left), next(left)) for each in courses)
        batches.append(Batch(genes, participants, made, course, question=question))
    return table, batches


def pack_outcomes_of(table: dict[str, Any], parts: Sequence[Outcomes]) -> bytes:
    """A table and the outcomes of several batches: all in the same arrays, since many batches have one evaluation."""
    every = Outcomes.joined(parts)
    sizes = [[len(part), len(part.outcome)] for part in parts]
    arrays = [getattr(every, name) for name in _OF_OUTCOMES]
    return pack({**table, "sizes": sizes, "cards": [part.cards for part in parts]}, arrays)


def unpack_outcomes_of(message: bytes) -> tuple[dict[str, Any], list[Outcomes]]:
    """The inverse of `pack_outcomes_of`."""
    table, arrays = unpack(message)
    parts = []
    row = game = 0
    for (rows, games), cards in zip(table.pop("sizes", []), table.pop("cards", []), strict=True):
        of_rows = [each[row : row + rows] for each in arrays[:_PER_EVALUATION]]
        of_games = [each[game : game + games] for each in arrays[_PER_EVALUATION:]]
        named: dict[str, Any] = dict(zip(_OF_OUTCOMES, [*of_rows, *of_games], strict=True))
        parts.append(Outcomes(**named, cards=tuple(cards)))
        row, game = row + rows, game + games
    return table, parts
