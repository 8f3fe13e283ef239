"""Options of archives: what cannot be is refused, saying what would be right."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import AnyArchive, GridOptions, SlidingOptions

ANY: TypeAdapter[GridOptions | SlidingOptions] = TypeAdapter(AnyArchive)
GRID: dict[str, Any] = {
    "kind": "grid",
    "measures": ["turns", "hand"],
    "ranges": [[5, 15], [1, 7]],
    "resolution": [40, 40],
}
SLIDING: dict[str, Any] = {"kind": "sliding", "measures": ["mana", "spread"], "resolution": [20, 20]}


def test_the_kind_tells_archives_apart() -> None:
    assert isinstance(ANY.validate_python(GRID), GridOptions)
    assert isinstance(ANY.validate_python(SLIDING), SlidingOptions)


def test_options_survive_as_plain_data() -> None:
    for values in (GRID, SLIDING, {**SLIDING, "grow_from": [2, 3], "history": 7, "binning": "published"}):
        chosen = ANY.validate_python(values)
        assert ANY.validate_python(chosen.model_dump(mode="json")) == chosen


def test_without_growth_the_number_of_cells_never_changes() -> None:
    archive = Archive(ANY.validate_python(GRID), planned=100)
    assert archive.cells.shape == (40, 40)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"measures": ["turns", "turns"]}, "measures has 'turns' more than once: name each measure once"),
        ({"measures": ["turns"]}, "resolution must have as many entries as measures, 1, not 2"),
        ({"measures": []}, "at least 1"),
        ({"resolution": [40]}, "resolution must have as many entries as measures, 2, not 1"),
        ({"resolution": [40, 0]}, "greater than or equal to 1"),
        ({"resolution": [10_000, 10_001]}, "less than or equal to 10000"),
        ({"grow_from": [2]}, "grow_from must have as many entries as measures, 2, not 1"),
        (
            {"grow_from": [2, 41]},
            "grow_from for hand must be at most its resolution, which is 40, not 41: .* grow, but not shrink",
        ),
        ({"ranges": [[5, 15]]}, "ranges must have as many entries as measures, 2, not 1"),
        ({"ranges": [[5, 15], [7, 7]]}, r"range of hand must be \[low, high\] with low below high, not \[7.0, 7.0\]"),
        ({"ranges": [[5, 15], [7]]}, r"range of hand must be \[low, high\] with low below high, not \[7.0\]"),
        ({"ranges": [[5, 15], [1, float("inf")]]}, "finite"),
        ({"binning": "quantiles"}, "'even' or 'published'"),
        ({"remap": 100}, "Extra inputs are not permitted"),
    ],
)
def test_impossible_grids_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        ANY.validate_python({**GRID, **change})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"remap": 0}, "greater than or equal to 1"),
        ({"history": 0}, "greater than or equal to 1"),
        ({"ranges": [[0, 1], [0, 1]]}, "Extra inputs are not permitted"),
        (
            {"measures": ["a", "b", "c"], "resolution": [1000, 1000, 1000]},
            "resolution makes 1,000,000,000 cells: there can be 100,000,000 at most",
        ),
    ],
)
def test_impossible_sliding_archives_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        ANY.validate_python({**SLIDING, **change})
