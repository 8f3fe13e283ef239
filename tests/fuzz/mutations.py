"""Mutations of files: bytes, words and lines are changed, removed, repeated and joined, in the same way for a seed."""

import random
import re

# What has broken parsers before: numbers, openings without an end, characters of terminals, names of programs.
WORDS = [
    *(b"inf", b"nan", b"NaN", b"Infinity", b"-1", b"0", b"1e999", b"-0.0", b"9" * 25, b"9" * 5000, b"0x" + b"F" * 40),
    *(b"9223372036854775808", b"true", b"null", b"[]", b"{}", b'""', b"''", b"[[", b"{", b'"', b"'", b'"""', b"'''"),
    *(b"\x00", b"\x1b[31m", b"\xff", b"\xe2\x80\xae", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b"#", b"=", b".", b","),
    *(b"a" * 300, b"a." * 80 + b"a", b"[" * 80, b"exec:cat", b"/dev/zero", b"..", b"1979-05-27", b"12:00:00"),
]
_TOKEN = re.compile(rb"-?\d+(?:\.\d+)?|\"[^\"\n]*\"|'[^'\n]*'|[A-Za-z_-]+")
_MOST_BYTES = 200_000


def mutated(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """A file with some changes.

    Args:
        content: The file.
        others: Files of the same kind, which parts can come from.
        rng: Decides on everything.
    """
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        content = rng.choice(_CHANGES)(content, others, rng)
    return content[:_MOST_BYTES]


def _place(content: bytes, rng: random.Random) -> int:
    return rng.randrange(len(content) + 1)


def _flip(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    if not content:
        return content
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def _cut(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    return content[: _place(content, rng)]


def _remove(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    at = _place(content, rng)
    return content[:at] + content[at + rng.choice((1, 2, 8, 40)) :]


def _insert(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    at = _place(content, rng)
    return content[:at] + rng.choice(WORDS) + content[at:]


def _repeat(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    at = _place(content, rng)
    part = content[at : at + rng.choice((1, 8, 60, 400))]
    return content[:at] + part * rng.choice((2, 3, 20)) + content[at:]


def _replace_token(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    tokens = list(_TOKEN.finditer(content))
    if not tokens:
        return _insert(content, others, rng)
    token = rng.choice(tokens)
    new = rng.choice(WORDS) if rng.random() < 0.5 else rng.choice(tokens)[0]
    return content[: token.start()] + new + content[token.end() :]


def _swap_lines(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _remove_line(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    lines = content.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def _join(content: bytes, others: list[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    return content[: _place(content, rng)] + other[_place(other, rng) :]


_CHANGES = (_flip, _cut, _remove, _insert, _repeat, _replace_token, _replace_token, _swap_lines, _remove_line, _join)
