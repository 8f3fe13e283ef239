"""Writing files: a file is replaced as a whole, or stays as it was, whatever happens meanwhile.

The new content goes to a file beside the old one, then to the disk, and only then takes its name. That file is hidden
and ends in `.partial`; where the system has files without a name, it gets one only in the moment before. A process that
is killed while it has a name leaves it behind, and whoever writes the same file next removes it: writers lock theirs
while they live. A link is followed, so that the file that it names is replaced. Standard output, devices and pipes
cannot be replaced: they are written to.
"""

import errno
import fcntl
import glob
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deckatlas.errors import DeckatlasError
from deckatlas.files.reading import shown_path

STANDARD_OUTPUT = "-"
_MODE = 0o666  # less what the user's umask takes away
_PART_OF_NAME = 40  # characters of the file's name in a hidden one: file systems allow 255 bytes
_RANDOM = "[0-9a-f]" * 8  # a pattern
_OPEN_FILES = "/proc/self/fd"
_NO_NAMELESS = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT)  # how systems refuse files without a name


def write_text(path: Path | str, text: str, *, error: type[DeckatlasError] = DeckatlasError, what: str = "") -> None:
    """Replaces a file by a text; `-` is standard output.

    Args:
        path: The file.
        text: Its new content.
        error: The class of what is raised.
        what: What the file is, for messages: "the network ".

    Raises:
        DeckatlasError: If it cannot be written; it is then as it was.
    """
    if _is_standard_output(path):
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_bytes(path, text.encode(), error=error, what=what)


def write_bytes(
    path: Path | str, content: bytes, *, error: type[DeckatlasError] = DeckatlasError, what: str = ""
) -> None:
    """Replaces a file; `-` is standard output. See `write_text`.

    Raises:
        DeckatlasError: If it cannot be written; it is then as it was.
    """
    if _is_standard_output(path):
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
        return
    with _reported(path, error, what):
        if _is_stream(path):
            with open(path, "wb", buffering=0) as stream:
                stream.write(content)
        else:
            _replace(Path(os.path.realpath(path)), content)


def check_writable(*paths: Path | None, error: type[DeckatlasError] = DeckatlasError) -> None:
    """Checks, before long work, that its results can be written; nothing is changed.

    Raises:
        DeckatlasError: If a file cannot be written.
    """
    for path in paths:
        if path is None or _is_standard_output(path):
            continue
        with _reported(path, error):
            if not _is_stream(path):
                _abandon(*_begin(Path(os.path.realpath(path))))


def make_folder(path: Path, *, error: type[DeckatlasError] = DeckatlasError) -> None:
    """Makes a folder, and those around it, unless it exists.

    Raises:
        DeckatlasError: If that is not possible.
    """
    with _reported(path, error):
        path.mkdir(parents=True, exist_ok=True)


def remove_file(path: Path) -> None:
    """Removes a file, if it is there."""
    path.unlink(missing_ok=True)


def append_line(path: Path, line: str, *, error: type[DeckatlasError] = DeckatlasError) -> None:
    """Adds a line to a log; a partial line, left by a process that was killed, is ended first.

    Raises:
        DeckatlasError: If it cannot be written.
    """
    make_folder(path.parent, error=error)
    with _reported(path, error), open(path, "a+b") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            if file.read() != b"\n":
                line = f"\n{line}"
        file.write(f"{line}\n".encode())


def _is_standard_output(path: Path | str) -> bool:
    """Whether a path means standard output: `-`, or a name such as /dev/stdout."""
    if str(path) == STANDARD_OUTPUT:
        return True
    try:
        return str(path).startswith("/dev/") and os.path.samestat(os.stat(path), os.fstat(1))
    except (OSError, ValueError):
        return False


def _is_stream(path: Path | str) -> bool:
    """Whether there is something that cannot be replaced: a device, a pipe, an open file of a process."""
    if str(path).startswith(("/dev/fd/", "/proc/")):
        return True
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _replace(path: Path, content: bytes) -> None:
    _remove_abandoned(path)
    descriptor, partial = _begin(path)
    try:
        left = memoryview(content)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
        if partial is None:
            partial = _hidden_name(path)
            os.link(f"{_OPEN_FILES}/{descriptor}", partial, src_dir_fd=descriptor)  # so that the link is followed
        os.replace(partial, path)
        partial = None
    finally:
        _abandon(descriptor, partial)
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _begin(path: Path) -> tuple[int, Path | None]:
    """A new file beside `path`, with the permissions of the file there, and its name; None if it has none."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    descriptor, partial = _new_file(path)
    if path.exists():
        os.fchmod(descriptor, stat.S_IMODE(path.stat().st_mode))
    return descriptor, partial


def _new_file(path: Path) -> tuple[int, Path | None]:
    if hasattr(os, "O_TMPFILE") and os.path.isdir(_OPEN_FILES):
        try:
            descriptor = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, _MODE)
            _lock(descriptor, fcntl.LOCK_EX)
            return descriptor, None
        except OSError as refusal:
            if refusal.errno not in _NO_NAMELESS:
                raise
    while True:
        partial = _hidden_name(path)
        descriptor = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, _MODE)
        _lock(descriptor, fcntl.LOCK_EX)
        if partial.exists():  # otherwise another writer thought it abandoned, before it was locked
            return descriptor, partial
        os.close(descriptor)


def _lock(descriptor: int, kind: int) -> bool:
    """Locks a file; false if another process has it, or the file system has no locks."""
    try:
        fcntl.flock(descriptor, kind)
    except OSError:
        return False
    return True


def _remove_abandoned(path: Path) -> None:
    """Removes what writers of this file have left that were killed."""
    for found in path.parent.glob(f".{glob.escape(path.name[:_PART_OF_NAME])}.{_RANDOM}.partial"):
        with suppress(OSError):  # somebody else was quicker, or it is not ours to remove
            descriptor = os.open(found, os.O_RDONLY | os.O_CLOEXEC)
            try:
                if _lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    os.unlink(found)
            finally:
                os.close(descriptor)


def _abandon(descriptor: int, partial: Path | None) -> None:
    os.close(descriptor)
    if partial is not None:
        with suppress(FileNotFoundError):
            os.unlink(partial)


def _hidden_name(path: Path) -> Path:
    return path.with_name(f".{path.name[:_PART_OF_NAME]}.{os.urandom(4).hex()}.partial")


@contextmanager
def _reported(path: Path | str, error: type[DeckatlasError], what: str = "") -> Iterator[None]:
    try:
        yield
    except OSError as wrong:
        raise error(f"cannot write {what}{shown_path(path)}: {wrong.strerror}") from None
    except ValueError:  # a null in the path
        raise error(f"cannot write {what}{shown_path(path)}: no file can have such a name") from None
