"""The reader: regular files only, with limits, and every failure is one line of the caller's class."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import DeckError, ModelError, RunError
from deckatlas.files import arrays, limits, reading
from deckatlas.files.arrays import read_arrays, write_arrays
from deckatlas.files.plain_data import NotPlainData, json_values, read_json, toml_values
from deckatlas.files.reading import read_bytes, read_lines, read_text

DEPTH = limits.MOST_DEPTH


def test_a_file_is_read_up_to_its_limit_and_not_beyond(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345678")
    assert read_bytes(file, most=8, error=RunError) == b"12345678"
    with pytest.raises(RunError, match=r"file: the file is larger than 7 bytes"):
        read_bytes(file, most=7, error=RunError)


@pytest.mark.parametrize(
    "content", [b"one\ntwo\n\nfour", gzip.compress(b"one\ntwo\n\nfour"), b""], ids=["plain", "gzip", "empty"]
)
def test_lines_come_one_by_one_plain_or_gzip(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    assert list(read_lines(tmp_path / "file", error=RunError)) == (
        [b"one\n", b"two\n", b"\n", b"four"] if content else []
    )


def test_a_long_line_and_a_long_file_are_refused_with_their_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_LINE_BYTES", 1 << 20)
    monkeypatch.setattr(reading, "MOST_STREAM_BYTES", 3 << 20)
    (tmp_path / "line").write_bytes(gzip.compress(b"a\n" + b"b" * (1 << 21)))
    with pytest.raises(DeckError, match=r"line, line 2: the line is longer than 1 MiB"):
        list(read_lines(tmp_path / "line", error=DeckError))
    (tmp_path / "file").write_bytes(gzip.compress((b"b" * 1023 + b"\n") * 4096))
    with pytest.raises(DeckError, match=r"file, line 3073: the file has more than 3 MiB, unpacked"):
        list(read_lines(tmp_path / "file", error=DeckError))


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for name, why in [
        ("pipe", "it is not a regular file"),
        ("link", "it is not a regular file"),
        (".", "Is a directory"),
        ("none", "No such file or directory"),
        ("a\0b", "no file has such a name"),
    ]:
        with pytest.raises(RunError, match=rf"^cannot read the page .*: {why}$"):
            read_text(f"{tmp_path}/{name}", most=10, error=RunError, what="the page ")


def test_what_is_not_utf_8_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"good\nb\xffd")
    with pytest.raises(RunError, match=r"file, line 2: not UTF-8 text$"):
        read_text(tmp_path / "file", most=100, error=RunError)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x =", r"not TOML: "),
        (f"{'.'.join('a' * (DEPTH + 2))} = 1", "nested too deeply"),
        (f"x = {{ {'.'.join('a' * (DEPTH + 2))} = 1 }}", "nested too deeply"),
        ("[" + '"a" . ' * (DEPTH + 1) + "a]", "nested too deeply"),
        (f"x = {'[' * (DEPTH + 2)}{']' * (DEPTH + 2)}", "nested too deeply"),
        (f"x = {'[' * 50_000}", "nested too deeply"),
        (f"x = {2**63}", "'x': a whole number has more than 64 bits"),
        (f"x = -{2**64}", "'x': a whole number has more than 64 bits"),
        (f"x = [0x{'F' * 4000}]", "a whole number has more than 64 bits"),
        (f"x = {'9' * 5000}", "a number has thousands of digits"),
    ],
)
def test_toml_beyond_a_limit_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotPlainData) as refused:
        toml_values(text)
    assert why in refused.value.why


def test_toml_within_the_limits_is_read() -> None:
    deepest = f"{'.'.join('a' * (DEPTH - 1))} = {2**63 - 1}\nb = {-(2**63 - 1)}\nc = 'a.{'.'.join('b' * 60)}'"
    assert toml_values(deepest)["b"] == -(2**63 - 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1,", "it is not JSON, or cut off: "),
        ("[NaN]", "a number must be finite, not NaN"),
        ("-Infinity", "a number must be finite, not -Infinity"),
        ('{"a": 1e999}', "'a': a number must be finite"),
        ("9" * 5000, "a number has thousands of digits"),
        ("9" * (limits.MOST_DIGITS + 2), f"a whole number has more than {limits.MOST_DIGITS} digits"),
        ("[" * 50_000, "nested too deeply"),
        ("[" * (DEPTH + 2) + "]" * (DEPTH + 2), "nested too deeply"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_json_beyond_a_limit_is_refused(text: str | bytes, why: str) -> None:
    with pytest.raises(NotPlainData) as refused:
        json_values(text)
    assert why in refused.value.why


def test_a_json_file_that_is_none_is_one_line_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "net.json").write_text("[1,\n2")
    with pytest.raises(ModelError, match=r"^the model .*net\.json: it is not JSON, or cut off: "):
        read_json(tmp_path / "net.json", error=ModelError, what="the model ")


def test_arrays_are_read_back_and_equal_ones_are_equal_files(tmp_path: Path) -> None:
    given = {"a": np.arange(6).reshape(2, 3), "b": np.array("text"), "c": np.empty((0, 4), np.float32)}
    for name, packed in (("one", False), ("two", False), ("three", True)):
        write_arrays(tmp_path / name, given, error=RunError, packed=packed)
        found = read_arrays(tmp_path / name, error=RunError)
        assert all(
            np.array_equal(found[key], array) and found[key].dtype == array.dtype for key, array in given.items()
        )
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("shape", ["(10**9, 10**9)", "(-1,)", "(3,)", "((1,),)", "()", "1"])
def test_an_array_that_claims_another_size_takes_no_memory(shape: str, tmp_path: Path) -> None:
    write_arrays(tmp_path / "file.npz", {"a": np.arange(2)}, error=RunError)
    content = (tmp_path / "file.npz").read_bytes()
    (tmp_path / "file.npz").write_bytes(content.replace(b"'shape': (2,)", f"'shape': {shape}".encode().ljust(13)[:40]))
    with pytest.raises(RunError, match=r"file\.npz: it is not an npz file of arrays"):
        read_arrays(tmp_path / "file.npz", error=RunError)


def test_arrays_that_unpack_to_more_than_the_limit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_arrays(tmp_path / "file.npz", {"a": np.zeros(1 << 20, np.uint8)}, error=RunError, packed=True)
    monkeypatch.setattr(arrays, "MOST_ARRAY_BYTES", 1 << 20)
    with pytest.raises(RunError, match=r"larger than 1 MiB, unpacked"):
        read_arrays(tmp_path / "file.npz", error=RunError)
