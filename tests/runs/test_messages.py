"""Messages between processes: what comes out is what went in, and nothing travels that no evaluation needs."""

from dataclasses import replace

import numpy as np
import pytest

from deckatlas.runs.messages import pack, pack_batches, pack_outcomes_of, unpack, unpack_batches, unpack_outcomes_of
from deckatlas.runs.tasks import Task
from deckatlas.search.batches import Batch, Course, Stream, chained_hash
from deckatlas.search.evaluation import Outcomes

SEEDS = Course(np.array([1, 2**64 - 1], np.uint64), np.array([3, 4], np.uint64))
BATCH = Batch(
    genes=np.arange(12, dtype=np.uint8).reshape(4, 3),
    participants=np.array([[3, -1], [1, 3]], np.int32),
    courses=(Stream(2**62, 3, 4), SEEDS, Stream(1, 1, 1)),
    course=np.array([1, 0], np.int32),
)


@pytest.mark.parametrize("kind", ["u1", "<i4", ">i4", "<u8", "<f8", "bool"])
def test_arrays_of_any_type_and_shape_arrive_as_they_were(kind: str) -> None:
    arrays = [np.ones((2, 3), kind), np.zeros((0, 5), kind), np.zeros(7, kind)]
    table, found = unpack(pack({"a": [1, "b", None]}, arrays))
    assert table == {"a": [1, "b", None]}
    for one, other in zip(arrays, found, strict=True):
        assert np.array_equal(one, other)
        assert one.shape == other.shape
        assert other.flags.writeable


def test_batches_arrive_as_they_were() -> None:
    table, (found, again) = unpack_batches(pack_batches({"x": 1}, [BATCH, BATCH.compact()]))
    assert table == {"x": 1}
    assert chained_hash(b"", found) == chained_hash(b"", BATCH)
    assert chained_hash(b"", again) == chained_hash(b"", BATCH.compact())


def test_a_question_about_cards_travels_with_its_batch() -> None:
    asked = replace(BATCH, question="swap-outs")
    _, found = unpack_batches(pack_batches({}, [BATCH, asked.compact(), Task("hash", asked).alone().batch]))
    assert [each.question for each in found] == [None, "swap-outs", "swap-outs"]


def test_a_compact_batch_has_the_same_evaluations_and_only_what_they_need() -> None:
    found = BATCH.compact()
    assert np.array_equal(found.genes, BATCH.genes[[1, 3]])
    assert found.participants.tolist() == [[1, -1], [0, 1]]
    assert [found.courses[number] for number in found.course] == [SEEDS, Stream(2**62, 3, 4)]
    assert np.array_equal(found.lengths, BATCH.lengths)


def test_outcomes_of_several_batches_arrive_as_they_were() -> None:
    one = Outcomes(
        np.array([2]),
        np.array([[np.nan, 3.0]]),
        np.ones((1, 2)),
        np.zeros((1, 2)),
        np.array([0, 3], np.uint8),
        np.array([-127, 5], np.int8),
        cards=('{"rows":[["Ä"]]}',),
    )
    other = Outcomes(np.array([3, 1]), np.ones((2, 2)), np.ones((2, 2)), np.zeros((2, 2)))
    _, found = unpack_outcomes_of(pack_outcomes_of({}, [one, other, one]))
    for sent, arrived in zip([one, other, one], found, strict=True):
        for name in ("games", "total", "weight", "error", "outcome", "margin"):
            np.testing.assert_array_equal(getattr(arrived, name), getattr(sent, name))
        assert arrived.cards == sent.cards
