"""The core's MAP-Elites on predictions: legal decks, right cells, the elites of a plain version, the same bytes."""

import hashlib
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas._core import surrogate as core
from deckatlas.errors import ModelError
from deckatlas.search.cells import Cells
from deckatlas.search.deck_space import DeckColumn, DeckSpace
from helpers.slow_map import SlowMap


def network(seed: int, *sizes: int) -> Any:
    rng = np.random.default_rng([seed, *sizes])
    return [
        (rng.normal(size=(i, o)).astype("f4") / np.float32(np.sqrt(i)), rng.normal(size=o).astype("f4"))
        for i, o in itertools.pairwise(sizes)
    ]


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    cards = draw(st.integers(1, 24))
    most = draw(st.lists(st.integers(0, 5), min_size=cards, max_size=cards).filter(any))
    size = draw(st.integers(1, min(20, sum(most))))
    most = [min(each, size) for each in most]
    size = min(size, sum(most))
    targets = draw(st.integers(1, 4))
    hidden = draw(st.lists(st.integers(1, 40), max_size=3))
    members = [network(draw(st.integers(0, 9)), cards, *hidden, targets) for _ in range(draw(st.integers(1, 3)))]
    numbers = st.lists(st.integers(-9, 9), min_size=cards, max_size=cards).map(lambda each: np.array(each, np.int64))
    columns = st.tuples(numbers, st.sampled_from(["sum", "mean", "variance"]))
    sources = st.one_of(st.integers(0, targets - 1), columns)
    measures = draw(st.lists(sources, min_size=1, max_size=3))
    inner = st.lists(st.floats(-3, 3) | st.integers(-9, 9).map(float), min_size=2, max_size=9)
    initial = draw(st.integers(1, 12))
    return {
        "members": members,
        "most": most,
        "size": size,
        "options": {
            "objective": draw(sources),
            "measures": measures,
            "boundaries": [np.array(sorted(draw(inner))) for _ in measures],
            "side": draw(st.sampled_from(["right", "left"])),
            "initial": initial,
            "predictions": initial + draw(st.integers(0, 60)),
            "batch": draw(st.integers(1, 12)),
            "seed": draw(st.integers(0, 2**64 - 1)),
        },
    }


def run(case: dict[str, Any], **more: Any) -> tuple[Any, int]:
    model = core.Model(case["members"], most_cards=case["size"])
    found, predicted = core.inner_map(model, np.array(case["most"], np.int64), case["size"], **case["options"], **more)
    return found, predicted


@settings(max_examples=150, deadline=None)
@given(cases(), st.booleans())
def test_elites_are_those_of_a_plain_version(case: dict[str, Any], portable: bool) -> None:
    model = core.Model(case["members"], most_cards=case["size"])
    slow = SlowMap(model.predict, case["most"], case["size"], **case["options"])
    expected = slow.run()
    found, predicted = run(case, portable=portable)
    assert predicted == slow.predicted == case["options"]["predictions"]
    assert found["cells"].tolist() == list(expected)
    for row, (deck, prediction, objective, measures) in enumerate(expected.values()):
        assert found["counts"][row].tolist() == slow.counts(deck).tolist()
        assert found["predictions"][row].tobytes() == prediction.tobytes()
        assert found["objectives"][row] == objective
        assert found["measures"][row].tolist() == measures


@settings(max_examples=100, deadline=None)
@given(cases())
def test_decks_are_legal_and_in_the_cells_their_predictions_name(case: dict[str, Any]) -> None:
    model = core.Model(case["members"], most_cards=case["size"])
    found, _ = run(case)
    counts = found["counts"]
    assert (counts <= np.array(case["most"])).all()
    assert (counts.sum(axis=1, dtype=int) == case["size"]).all()
    assert model.predict(counts).tobytes() == found["predictions"].tobytes()
    columns = {
        str(place): DeckColumn(*source)
        for place, source in enumerate([case["options"]["objective"], *case["options"]["measures"]])
        if not isinstance(source, int)
    }
    space = DeckSpace(range(len(case["most"])), case["most"], size=case["size"], columns=columns)
    known = space.measures(counts)
    values = np.stack(
        [
            found["predictions"][:, source].astype(np.float64)
            if isinstance(source, int)
            else known[:, space.columns.index(str(place))]
            for place, source in enumerate([case["options"]["objective"], *case["options"]["measures"]])
        ],
        axis=1,
    )
    assert found["objectives"].tobytes() == values[:, 0].tobytes()
    assert found["measures"].tobytes() == np.ascontiguousarray(values[:, 1:]).tobytes()
    cells = Cells(tuple(case["options"]["boundaries"]), case["options"]["side"])
    assert found["cells"].tolist() == cells.numbers(values[:, 1:]).tolist()
    assert (np.diff(found["cells"]) > 0).all()


def large_case(**options: Any) -> dict[str, Any]:
    grid = np.linspace(-1, 1, 41)
    values = {
        "objective": 0,
        "measures": [1, 2],
        "boundaries": [grid, grid],
        "side": "right",
        "initial": 100,
        "predictions": 20_000,
        "batch": 10,
        "seed": 7,
    }
    members = [network(1, 180, 128, 32, 16, 3), network(2, 180, 50, 3)]
    return {"members": members, "most": [2] * 150 + [1] * 30, "size": 30, "options": {**values, **options}}


@pytest.mark.skipif(not core.has_vector_path(), reason="this machine has only the portable path")
@pytest.mark.parametrize("batch", [1, 7, 10, 64])
def test_both_paths_find_the_same_bytes(batch: int) -> None:
    case = large_case(batch=batch)
    fast, portable = run(case)[0], run(case, portable=True)[0]
    assert len(fast["cells"]) > 50
    assert {name: column.tobytes() for name, column in fast.items()} == {
        name: column.tobytes() for name, column in portable.items()
    }


@pytest.mark.parametrize("portable", [False, True])
def test_a_map_of_predictions_has_these_bits_on_every_machine_and_path(portable: bool) -> None:
    """The weights and boundaries are small fractions, which every machine has exactly; the core draws the decks.

    The digest was printed by this test: nothing else can tell the last bits. Where the search on predictions is meant
    to change, a failure prints the new one, and the commit says why candidates are no longer the same.
    """

    def fractions(rows: int, columns: int) -> Any:
        return ((np.arange(rows * columns).reshape(rows, columns) * 7919 % 1009 - 504) / 2048).astype("f4")

    layers = [(fractions(i, o), fractions(1, o)[0]) for i, o in itertools.pairwise((40, 18, 7, 3))]
    grid = np.arange(-8, 9) / 8
    options = {"measures": [1, (np.arange(40, dtype=np.int64) % 7, "variance")], "boundaries": [grid, grid + 4]}
    case = large_case(predictions=2_000, initial=20, **options)
    found, _ = run({**case, "members": [layers], "most": [2] * 40, "size": 15}, portable=portable)
    bits = b"".join(found[name].tobytes() for name in ("cells", "counts", "predictions", "objectives", "measures"))
    assert len(found["cells"]) > 50
    assert hashlib.sha256(bits).hexdigest()[:16] == "4e625f406f236bab"


def test_more_predictions_find_more_and_better_elites() -> None:
    few, many = (run(large_case(predictions=number))[0] for number in (1_000, 30_000))
    assert len(many["cells"]) > 1.5 * len(few["cells"])
    best = dict(zip(many["cells"].tolist(), many["objectives"].tolist(), strict=True))
    assert all(best[cell] >= value for cell, value in zip(few["cells"].tolist(), few["objectives"], strict=True))


def test_mutations_replace_k_cards_with_probability_two_to_the_minus_k() -> None:
    # The measure is how many cards are not of the first deck, so a child that has some enters a cell of its own.
    cards, size = 60, 10
    start = np.zeros((1, cards), np.uint8)
    start[0, :size] = 1
    case = {"members": [[(np.eye(cards, dtype="f4")[:, :1], np.zeros(1, "f4"))]], "most": [1] * cards, "size": size}
    columns = [((np.arange(cards) >= size).astype(np.int64), "sum")]
    replaced = []
    for seed in range(400):
        case["options"] = {
            "objective": 0,
            "measures": columns,
            "boundaries": [np.arange(-0.5, size + 1.5)],
            "side": "right",
            "initial": 0,
            "predictions": 2,
            "batch": 1,
            "seed": seed,
            "starts": start,
        }
        replaced.append(int(run(case)[0]["measures"].max()))
    # A removed card comes back with a probability of about 1 in 50.
    shares = [np.mean(np.array(replaced) == k) for k in (1, 2, 3)]
    assert shares == pytest.approx([0.5, 0.25, 0.125], abs=0.08)


def test_decks_to_start_with_enter_first_and_keep_given_predictions() -> None:
    case = large_case(predictions=500, initial=0)
    first = run(large_case(predictions=300))[0]
    counts = np.ascontiguousarray(first["counts"][:5])
    stale = np.ascontiguousarray(first["predictions"][:5] + np.float32(1000))
    found, predicted = run(case, starts=counts, start_predictions=stale)
    assert predicted == 500
    last = found["predictions"][found["cells"] == 40 * 40 - 1]  # beyond all boundaries
    assert last.tobytes() == stale[np.argmax(stale[:, 0])].tobytes()
    renewed, _ = run({**case, "options": {**case["options"], "predictions": 5}}, starts=counts)
    assert renewed["cells"].tolist() == first["cells"][:5].tolist()
    assert renewed["predictions"].tobytes() == first["predictions"][:5].tobytes()


def test_predictions_that_are_not_finite_enter_no_cell() -> None:
    huge = [(np.full((180, 2), 3e38, "f4"), np.zeros(2, "f4")), (np.full((2, 3), 3e38, "f4"), np.zeros(3, "f4"))]
    found, predicted = run({**large_case(predictions=200), "members": [huge]})
    assert predicted == 100  # no elite, and so no parent
    assert not len(found["cells"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"objective": 3}, "no target 3"),
        ({"measures": []}, "boundaries for each"),
        ({"measures": [1]}, "boundaries for each"),
        ({"measures": [1, (np.zeros(3, np.int64), "sum")]}, "has 180 cards, not 3"),
        ({"measures": [1, (np.zeros(180, np.int64), "median")]}, "'sum', 'mean' or 'variance'"),
        ({"measures": [1, (np.full(180, 10**6), "sum")]}, "at most 100000"),
        ({"boundaries": [np.array([0.0, np.nan, 1.0])] * 2}, "ascending"),
        ({"boundaries": [np.array([0.0, 2.0, 1.0])] * 2}, "ascending"),
        ({"boundaries": [np.array([0.0])] * 2}, "two boundaries"),
        ({"boundaries": [np.linspace(0, 1, 10_000)] * 2}, "cells"),
        ({"side": "top"}, "'right' or 'left'"),
        ({"batch": 0}, "children"),
        ({"initial": -1}, "negative"),
        ({"predictions": 99}, "99 predictions are fewer than the 100 decks"),
        ({"starts": np.ones((1, 180), np.uint8)}, "has 180 cards, not 30"),
        ({"starts": np.full((1, 180), 9, np.uint8)}, "too many copies"),
        ({"starts": np.ones((1, 9), np.uint8)}, "has 180 cards, not 9"),
        ({"start_predictions": np.zeros((2, 3), "f4")}, "as many rows"),
    ],
)
def test_bad_options_are_refused_in_one_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        run(large_case(**change))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("most", "size", "message"),
    [([2] * 180, 31, "1 to 30 cards"), ([0] * 180, 5, "only 0 copies"), ([-1] * 180, 5, "negative"), ([2], 2, "cards")],
)
def test_impossible_decks_are_refused(most: list[int], size: int, message: str) -> None:
    case = large_case()
    model = core.Model(case["members"], most_cards=30)
    with pytest.raises(ModelError, match=message):
        core.inner_map(model, np.array(most, np.int64), size, **case["options"])


def test_an_exception_of_progress_ends_the_search() -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(large_case(predictions=10**11), progress=stop)
