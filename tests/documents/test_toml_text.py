"""Plain data as TOML reads back as the same data."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from deckatlas.documents.toml_text import toml_text

KEYS = st.text("abcdefghijklmnop_-0123456789", min_size=1, max_size=5) | st.text(max_size=5)
LEAVES = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_what_is_written_reads_back_as_it_was(values: dict[str, object]) -> None:
    assert tomllib.loads(toml_text(values)) == values


def test_tables_stand_after_what_is_outside_of_them_and_none_is_left_out() -> None:
    values = {"search": {"games": 3, "most": None, "of": {"kind": "a"}}, "seed": 1, "none": None}
    assert toml_text(values) == 'seed = 1\n\n[search]\ngames = 3\n\n[search.of]\nkind = "a"\n'
