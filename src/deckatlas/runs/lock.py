"""The lock of a store: a file beside it that exists while a process writes the store, and is locked by that process.

The store itself cannot be locked: when SQLite ends a transaction, it releases all POSIX locks of its process on the
file, and on BSD systems the other kind of lock would block SQLite itself. A killed process leaves an empty, unlocked
file; the next writer takes it over and removes it at the end.
"""

import fcntl
import os
import time
from pathlib import Path

_TRIES = 10  # a process that only checks whether a run is active holds the lock for a moment
_PAUSE = 0.02


def acquire(path: Path) -> int | None:
    """Locks a store; returns the open lock, or None if another process has it."""
    name = _beside(path)
    for _ in range(_TRIES):
        lock = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
        if _try_lock(lock, fcntl.LOCK_EX) and _is_still(name, lock):
            return lock
        os.close(lock)
        time.sleep(_PAUSE)
    return None


def release(path: Path, lock: int) -> None:
    """Releases the lock of a store."""
    try:
        if _is_still(_beside(path), lock):  # it may have been removed, and created again by another process
            os.unlink(_beside(path))  # while it is locked: a process that opened it before notices the removal
    finally:
        os.close(lock)


def is_held(path: Path) -> bool:
    """Whether some process is writing this store."""
    try:
        lock = os.open(_beside(path), os.O_RDONLY | os.O_NONBLOCK)  # it may be a pipe, which waits for a writer
    except OSError:  # there is none, or it is another user's
        return False
    try:
        return not _try_lock(lock, fcntl.LOCK_SH)
    finally:
        os.close(lock)


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}-lock")


def _try_lock(lock: int, kind: int) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(name: Path, lock: int) -> bool:
    """Whether this name still refers to the open file: its last holder may have removed it."""
    try:
        return os.path.samestat(os.stat(name), os.fstat(lock))
    except FileNotFoundError:
        return False
