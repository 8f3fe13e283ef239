"""Reading files: only regular ones, never more than a limit, and every failure as one line of the caller's error class.

Files that can be long (traces, decks) are read line by line, plain or gzip. Others are read as a whole.
"""

import errno
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import BinaryIO

from deckatlas.errors import DeckatlasError
from deckatlas.files.limits import MOST_LINE_BYTES, MOST_STREAM_BYTES

STANDARD_INPUT = "-"
_GZIP_MAGIC = b"\x1f\x8b"


def shown_path(path: Path | str) -> str:
    """The name of a file in messages."""
    if str(path) == STANDARD_INPUT:
        return "standard input"
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def read_bytes(path: Path | str, *, most: int, error: type[DeckatlasError], what: str = "") -> bytes:
    """The content of a file.

    Args:
        path: The file.
        most: The largest size, one of `deckatlas.files.limits`.
        error: The class of what is raised.
        what: What the file is, for messages: "the network ".

    Raises:
        DeckatlasError: If it cannot be read, is not a regular file, or is too large.
    """
    name = f"{what}{shown_path(path)}"
    with _reported(name, error), _opened(path) as file:
        content = file.read(most + 1)
        if len(content) > most:
            raise error(f"{name}: the file is larger than {_size(most)}")
        return content


def read_text(path: Path | str, *, most: int, error: type[DeckatlasError], what: str = "") -> str:
    """The content of a file as UTF-8 text; see `read_bytes`.

    Raises:
        DeckatlasError: Also if it is not UTF-8 text; the message names the line.
    """
    content = read_bytes(path, most=most, error=error, what=what)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as wrong:
        line = content[: wrong.start].count(b"\n") + 1
        raise error(f"{what}{shown_path(path)}, line {line}: not UTF-8 text") from None


def read_lines(path: Path | str, *, error: type[DeckatlasError]) -> Iterator[bytes]:
    """The lines of a file, plain or gzip, one at a time; `-` is standard input.

    Raises:
        DeckatlasError: If it cannot be read, is not a regular file, or a line or the whole is too large.
    """
    name = shown_path(path)
    number = 0
    with _reported(name, error), _opened(path) as file:
        read = 0
        try:
            unpacked = _unpacked(file)
            while line := unpacked.readline(MOST_LINE_BYTES + 1):
                number, read = number + 1, read + len(line)
                if len(line) > MOST_LINE_BYTES:
                    raise error(f"{name}, line {number}: the line is longer than {_size(MOST_LINE_BYTES)}")
                if read > MOST_STREAM_BYTES:
                    raise error(f"{name}, line {number}: the file has more than {_size(MOST_STREAM_BYTES)}, unpacked")
                yield line
        except (EOFError, gzip.BadGzipFile, zlib.error) as wrong:
            raise error(f"{name}, line {number + 1}: broken gzip: {wrong}") from None


def check_readable(path: Path | str, *, error: type[DeckatlasError]) -> None:
    """Checks, before long work, that a file can be read.

    Raises:
        DeckatlasError: If it cannot, or is not a regular file.
    """
    with _reported(shown_path(path), error), _opened(path):
        pass


def package_text(package: str, *names: str) -> str:
    """A text file that comes with a package."""
    return resources.files(package).joinpath(*names).read_text(encoding="utf-8")


def content_of_file(file: Path | Traversable, *, most: int) -> bytes:
    """The content of a file of a user or of a package.

    Raises:
        OSError: If it cannot be read, is not a regular file, or is too large.
    """
    if not isinstance(file, Path):
        return file.read_bytes()
    with _opened(file) as opened:
        content = opened.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {_size(most)}")
    return content


def first_bytes(path: Path, count: int) -> bytes:
    """The first bytes of a file.

    Raises:
        OSError: If it cannot be read, or is not a regular file.
    """
    with _opened(path) as file:
        return file.read(count)


@contextmanager
def _opened(path: Path | str) -> Iterator[BinaryIO]:
    """Opens a regular file, or standard input; a pipe without a writer is not waited for."""
    if str(path) == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "there is none")
        yield sys.stdin.buffer
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)


def _unpacked(file: BinaryIO) -> BinaryIO:
    buffered = file if isinstance(file, io.BufferedReader) else io.BufferedReader(file)  # type: ignore[type-var]
    if buffered.peek(len(_GZIP_MAGIC))[: len(_GZIP_MAGIC)] != _GZIP_MAGIC:
        return buffered
    return gzip.GzipFile(fileobj=buffered)  # type: ignore[return-value]


@contextmanager
def _reported(name: str, error: type[DeckatlasError]) -> Iterator[None]:
    try:
        yield
    except DeckatlasError:
        raise
    except OSError as wrong:
        raise error(f"cannot read {name}: {wrong.strerror}") from None
    except ValueError:  # a null in the path
        raise error(f"cannot read {name}: no file has such a name") from None


def _size(count: int) -> str:
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20)):
        if count % factor == 0:
            return f"{count // factor} {unit}"
    return f"{count:,} bytes"
