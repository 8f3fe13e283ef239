"""Programs that misbehave as players of Legends of Code and Magic: what the soak lets play."""

import shlex
import sys
from pathlib import Path

# Each reads its input line by line where it does; a game ends at the first decision that it does not answer rightly.
PROGRAMS = {
    "never answers": "sys.stdin.readline(); time.sleep(600)",
    "never reads": "time.sleep(600)",
    "ignores the end": "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
    "ends at once": "sys.exit(3)",
    "kills itself": "os.kill(os.getpid(), signal.SIGSEGV)",
    "closes its pipes": "os.close(0); os.close(1); os.close(2); time.sleep(600)",
    "writes without end": "\nwhile True: os.write(1, b'x' * 65536)",
    "complains without end": "\nwhile True: os.write(2, b'x' * 65536)",
    "answers garbage": "\nwhile True: sys.stdin.readline(); os.write(1, os.urandom(40) + b'\\n')",
    "answers half a line": "sys.stdin.readline(); os.write(1, b'PICK'); time.sleep(600)",
    "answers too early": "os.write(1, b'PICK 0\\n' * 1000); time.sleep(600)",
    "takes all memory": "\nheld = []\nwhile True: held.append(bytearray(50_000_000))",
    "opens all files": "\nfiles = []\nwhile True: files.append(open(os.devnull))",
    "writes a large file": "file = open('large', 'wb')\nwhile True: file.write(bytes(10_000_000))",
    "forks": "\nfor _ in range(20):\n    if os.fork() == 0: time.sleep(600)\ntime.sleep(600)",
    "forks and leaves": (
        "\nif os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork(): os._exit(0)\n"
        "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "    os.closerange(0, 3)\n"
        "    time.sleep(600)\n"
        "sys.stdin.readline(); time.sleep(600)"
    ),
}
_BEGIN = "import os, signal, sys, time\n"


def command_of(name: str, folder: Path, token: str) -> str:
    """Writes a program to a folder; returns the command that starts it.

    Args:
        name: Which program.
        folder: Where it is written.
        token: A word of its command line, by which the program and all that it forks are found.
    """
    path = folder / f"{token}.py"
    path.write_text(_BEGIN + PROGRAMS[name] + "\n", encoding="utf-8")
    return shlex.join([sys.executable, "-I", "-S", str(path), token])


def left_of(token: str) -> list[int]:
    """The processes that have the token in their command line: the program, what it forked, and its guardian."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if token.encode() in words:
            found.append(int(folder.name))
    return found
