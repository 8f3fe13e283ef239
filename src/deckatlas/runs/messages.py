"""Messages between processes: a table of plain values and some arrays, as compressed bytes.

A message has no Python objects in it, so that processes with another version can at least say that they have another
version. Bytes are all that the transport of a cluster sees.
"""

import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.files.plain_data import json_values
from deckatlas.search.batches import Batch, Course, Stream
from deckatlas.search.evaluation import Outcomes

FORM = 2  # of messages; another number whenever their layout changes, so that workers with another one are refused

Array = npt.NDArray[Any]
_FASTEST = 1
_SIZE = 8  # bytes of the number before the table
_OF_BATCHES = ("genes", "participants", "course")
_OF_OUTCOMES = ("games", "total", "weight", "error", "outcome", "margin")
_COLUMN_OF_SIZES = (0, 0, 0, 0, 1, 1)  # the first four have a row per evaluation, the others one per game
_GIVEN_BY_SEEDS = (0, 0, 0)  # in the place of a stream; a stream has games


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
    """A table and batches of one run, of which only what an evaluation depends on is kept.

    All are in the same arrays, since many batches have one evaluation.
    """
    arrays: list[Array] = [np.concatenate([getattr(batch, name) for batch in batches]) for name in _OF_BATCHES]
    arrays.append(np.array([(len(batch.genes), len(batch), len(batch.courses)) for batch in batches]))
    courses = [course for batch in batches for course in batch.courses]
    streams = [(each.seed, each.first, each.games) if isinstance(each, Stream) else _GIVEN_BY_SEEDS for each in courses]
    arrays.append(np.array(streams, np.uint64).reshape(-1, len(_GIVEN_BY_SEEDS)))
    for each in courses:
        if not isinstance(each, Stream):
            arrays += [each.draft_seeds, each.game_seeds]
    questions = [batch.question for batch in batches]
    return pack({**table, "questions": questions if any(questions) else []}, arrays)


def unpack_batches(message: bytes) -> tuple[dict[str, Any], list[Batch]]:
    """The inverse of `pack_batches`."""
    table, (genes, participants, course, sizes, streams, *seeds) = unpack(message)
    left = iter(seeds)
    courses = [
        Stream(*each) if tuple(each) != _GIVEN_BY_SEEDS else Course(next(left), next(left)) for each in streams.tolist()
    ]
    questions = table.pop("questions") or [None] * len(sizes)
    batches = []
    stops = np.cumsum(sizes, axis=0)
    for start, stop, question in zip((stops - sizes).tolist(), stops.tolist(), questions, strict=True):
        of_genes, rows, of_courses = map(slice, start, stop)
        made = tuple(courses[of_courses])
        batches.append(Batch(genes[of_genes], participants[rows], made, course[rows], question=question))
    return table, batches


def pack_outcomes_of(table: dict[str, Any], parts: Sequence[Outcomes]) -> bytes:
    """A table and the outcomes of several batches: all in the same arrays, since many batches have one evaluation."""
    every = Outcomes.joined(parts)
    sizes = np.array([(len(part), len(part.outcome)) for part in parts])
    cards = [part.cards for part in parts]
    return pack(
        {**table, "cards": cards if any(cards) else []}, [*(getattr(every, name) for name in _OF_OUTCOMES), sizes]
    )


def unpack_outcomes_of(message: bytes) -> tuple[dict[str, Any], list[Outcomes]]:
    """The inverse of `pack_outcomes_of`; a message without outcomes has none."""
    table, arrays = unpack(message)
    if not arrays:
        return table, []
    *arrays, sizes = arrays
    is_even = bool((sizes == sizes[0]).all())
    of_parts: list[Iterable[Any]] = []
    for array, column in zip(arrays, _COLUMN_OF_SIZES, strict=True):
        if is_even:  # most often; numpy then divides an array faster
            of_parts.append(array.reshape(len(sizes), sizes[0, column], *array.shape[1:]))
        else:
            of_parts.append(np.split(array, np.cumsum(sizes[:-1, column])))
    of_parts.append(map(tuple, table.pop("cards") or [()] * len(sizes)))
    return table, [Outcomes(*each) for each in zip(*of_parts, strict=True)]
