"""The lines of keys in a TOML text."""

import tomllib
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

import pytest

from deckatlas.documents.toml_lines import Path, dotted, toml_lines

ROOT = FilePath(__file__).parents[2]

# Line numbers are counted by hand.
TRICKY = '''\
# a comment = 1
title = "a \\" = # no comment"
many = """
inner = 1
"quoted" \\"""
[nor.this]""" # ends here
literal = \'\'\'
x = 2'\'\'\'

a.b . "c.d" = 1
'single' = [ 1, # one ]
  [2, 3], "]",
  { k = 1, v.w = [4] },
]
[table]
key = {}
[table.sub . deeper]
when = 1979-05-27 07:32:00
[[fruit]]
name = 'apple'
[[fruit.kind]]
name = "red"
[[fruit.kind]]
[fruit.size]
big = true
[[fruit]]
[[fruit.kind]]
name = "x"'''

LINES: dict[Path, int] = {
    ("title",): 2,
    ("many",): 3,
    ("literal",): 7,
    ("a",): 10,
    ("a", "b"): 10,
    ("a", "b", "c.d"): 10,
    ("single",): 11,
    ("single", 0): 11,
    ("single", 1): 12,
    ("single", 1, 0): 12,
    ("single", 1, 1): 12,
    ("single", 2): 12,
    ("single", 3): 13,
    ("single", 3, "k"): 13,
    ("single", 3, "v"): 13,
    ("single", 3, "v", "w"): 13,
    ("single", 3, "v", "w", 0): 13,
    ("table",): 15,
    ("table", "key"): 16,
    ("table", "sub"): 17,
    ("table", "sub", "deeper"): 17,
    ("table", "sub", "deeper", "when"): 18,
    ("fruit",): 19,
    ("fruit", 0): 19,
    ("fruit", 0, "name"): 20,
    ("fruit", 0, "kind"): 21,
    ("fruit", 0, "kind", 0): 21,
    ("fruit", 0, "kind", 0, "name"): 22,
    ("fruit", 0, "kind", 1): 23,
    ("fruit", 0, "size"): 24,
    ("fruit", 0, "size", "big"): 25,
    ("fruit", 1): 26,
    ("fruit", 1, "kind"): 27,
    ("fruit", 1, "kind", 0): 27,
    ("fruit", 1, "kind", 0, "name"): 28,
}


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(entry, (*path, key))


def test_every_key_of_a_tricky_text_is_found_on_its_line() -> None:
    assert toml_lines(TRICKY) == LINES
    assert set(paths(tomllib.loads(TRICKY))) == set(LINES)


def test_every_key_of_a_real_file_is_found_on_a_line_that_has_it() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lines = toml_lines(text)
    assert set(lines) == set(paths(tomllib.loads(text)))
    for path, line in lines.items():
        if isinstance(path[-1], str):
            assert path[-1] in text.splitlines()[line - 1]


@pytest.mark.parametrize("text", ["", "\n", "# nothing", "a = 1", "a=[]\n", "[a]", "a = {}\n\n"])
def test_short_texts_are_read_to_their_end(text: str) -> None:
    assert set(toml_lines(text)) == set(paths(tomllib.loads(text)))


def test_a_path_is_written_with_dots_and_brackets() -> None:
    assert dotted(("arena", "opponents", 1, "name")) == "arena.opponents[1].name"
