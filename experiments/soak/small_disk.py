"""A file system that is soon full, for the soak: only commands with its prefix see it."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class SmallDisk:
    """A file system of a few kilobytes that only commands with this prefix see."""

    prefix: tuple[str, ...]
    place: Path

    def grow(self) -> None:
        """Makes room."""
        subprocess.run([*self.prefix, "mount", "-o", "remount,size=64m", str(self.place)], check=True)


@contextmanager
def small_disk(place: Path, room: int) -> Iterator[SmallDisk | None]:
    """Mounts a small file system where the system lets users do so; otherwise gives None."""
    script = f'mount -t tmpfs -o size={room} none "$0" && echo ready && exec cat'
    if shutil.which("unshare") is None or shutil.which("nsenter") is None:
        yield None
        return
    words = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, str(place)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        try:
            if holder.stdout.readline() != b"ready\n":
                yield None
                return
            enter = ("nsenter", "--target", str(holder.pid), "--user", "--mount", "--preserve-credentials")
            yield SmallDisk(enter, place)
        finally:
            holder.stdin.close()
