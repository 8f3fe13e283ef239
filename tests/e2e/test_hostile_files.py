"""Files of strangers: whatever is in them, the program ends soon, with little memory and one line.

Each case here once filled the memory, waited for ever, or ended in a traceback.
"""

import gzip
import os
from pathlib import Path

import pytest

from helpers.bounded import bounded

RUN = """\
seed = 3
budget = 100
space.kind = "locm-draft"

[search]
algorithm = "E_aw"
population = 4
"""
SUITE = '[[opponent]]\ndeck = "Starter Mage"\npilot = "random"\n'
PATCH = 'name = "p"\nbase = "2018-12"\n[cards.CS2_029]\n'
MANY_ZEROS = 3 << 30
DECKS = ("--deck-a", "Starter Mage", "--deck-b", "Starter Mage")


def zeros(path: Path, *, line: bytes = b"\0" * 1024) -> Path:
    """A small gzip file that unpacks to gigabytes."""
    block = line * (2**20 // len(line))
    packed = gzip.compress(block * 16, 9)
    path.write_bytes(packed * (MANY_ZEROS // (16 * len(block))))
    return path


def commands(file: Path) -> dict[str, list[str]]:
    """A command that reads a file of each kind."""
    return {
        "run": ["run", f"{file}", "--store", "runs"],
        "suite": ["evaluate", "Starter Mage", "--pilot", "random", "--games", "2", "--suite", f"{file}"],
        "edition": ["evaluate", "Starter Mage", "--pilot", "random", "--games", "2", "--edition", f"{file}"],
        "decks": ["evaluate", "--pilot", "random", "--games", "2", "--decks", f"{file}"],
        "locm trace": ["verify", "locm", f"{file}"],
        "hearthstone trace": ["verify", "hearthstone", f"{file}"],
        "network": ["game", "hearthstone", f"planner:net={file}", "random", *DECKS],
        "weights": ["game", "hearthstone", f"planner:weights={file}", "random", *DECKS],
        "policy": ["game", "locm", f"genome:file={file}/greedy", "random"],
        "ranking": ["game", "locm", f"ranking:file={file}/greedy", "random"],
        "rating": ["game", "hearthstone", f"expert:net={file}", "random", *DECKS],
        "metagame": ["meta", "show", f"{file}"],
        "training": ["train", f"{file}"],
    }


KINDS = sorted(commands(Path("file")))
WITH_TOML = ("run", "suite", "edition", "metagame", "training")


def named(kind: str, folder: Path) -> Path:
    return folder / ("file.toml" if kind in WITH_TOML else "file.json")


@pytest.mark.parametrize("kind", KINDS)
def test_a_device_is_not_read(kind: str, tmp_path: Path) -> None:
    file = named(kind, tmp_path)
    file.symlink_to("/dev/zero")
    assert "not a regular file" in bounded(*commands(file)[kind], folder=tmp_path).line


@pytest.mark.parametrize("kind", ["run", "suite", "edition", "decks", "locm trace", "network"])
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(kind: str, tmp_path: Path) -> None:
    file = named(kind, tmp_path)
    os.mkfifo(file)
    assert "not a regular file" in bounded(*commands(file)[kind], folder=tmp_path).line


@pytest.mark.parametrize("kind", ["locm trace", "hearthstone trace", "decks"])
def test_a_small_gzip_file_that_unpacks_to_gigabytes_takes_little_memory(kind: str, tmp_path: Path) -> None:
    file = zeros(tmp_path / "file.gz")
    assert file.stat().st_size < 4 << 20
    assert "line 1" in bounded(*commands(file)[kind], folder=tmp_path).line


def test_a_file_that_unpacks_to_gigabytes_of_decks_is_refused(tmp_path: Path) -> None:
    file = zeros(tmp_path / "file.gz", line=b"AAECAR8AAA==\n# a comment and so on")
    assert bounded(*commands(file)["decks"], folder=tmp_path).line


BAD_RUNS = {
    "a seed of 5,000 digits": RUN.replace("seed = 3", f"seed = {'9' * 5000}"),
    "a seed of 4,000 hexadecimal digits": RUN.replace("seed = 3", f"seed = 0x{'F' * 4000}"),
    "a key 3,000 deep": RUN + f"{'.'.join('a' * 3000)} = 1\n",
    "a header 3,000 deep": RUN + f"[{'.'.join('a' * 3000)}]\n",
    "lists 3,000 deep": RUN + f"x = {'[' * 3000}{']' * 3000}\n",
    "a key of a million parts": f"{'.'.join('a' * 500_000)} = 1\n",
    "many lines": RUN + "".join(f"key{number} = 1\n" for number in range(60_000)),
    "many wrong entries": RUN + f"[evaluation]\nopponents = [{'1,' * 100_000}]\n",
    "many entries of a table": RUN + "[smoke]\n" + "".join(f"key{number} = 1\n" for number in range(30_000)),
}


@pytest.mark.parametrize("what", BAD_RUNS)
def test_a_configuration_of_absurd_size_gets_one_line_soon(what: str, tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(BAD_RUNS[what])
    line = bounded("run", file, "--store", "runs", folder=tmp_path).line
    assert line.startswith(str(file))
    assert len(line) < 600


BAD_PATCHES = {
    "a hexadecimal number of 4,000 digits": PATCH + f'effect = "spell(damage(0x{"F" * 4000}))"\n',
    "a decimal number of 5,000 digits": PATCH + f'effect = "spell(damage({"9" * 5000}))"\n',
    "100,000 steps": PATCH + f'effect = "spell({"draw(1), " * 100_000})"\n',
    "a cost of 4,000 digits": PATCH + f"cost = 0x{'F' * 4000}\n",
}


@pytest.mark.parametrize("what", BAD_PATCHES)
def test_a_patch_of_absurd_size_gets_one_line_soon(what: str, tmp_path: Path) -> None:
    file = tmp_path / "patch.toml"
    file.write_text(BAD_PATCHES[what])
    line = bounded(*commands(file)["edition"], folder=tmp_path).line
    assert line.startswith(str(file))
    assert len(line) < 600


@pytest.mark.parametrize(
    "text",
    ["[1, 2", "[" * 100_000, '{"layers": [1, 1], "weights_then_biases": [1e400, NaN]}', "9" * 5000, '{"a": Infinity}'],
)
@pytest.mark.parametrize("kind", ["network", "weights", "policy"])
def test_json_that_is_none_gets_one_line(kind: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    assert str(file) in bounded(*commands(file)[kind], folder=tmp_path).line


@pytest.mark.parametrize("escape", ["\x1b[31m", "\x9b31m", "\u202e", "\r", "\x07"])
def test_no_control_character_of_a_file_reaches_the_terminal(escape: str, tmp_path: Path) -> None:
    file = tmp_path / f"a{escape}b.toml"
    file.write_text(RUN)
    ended = bounded("run", file, "--set", "budget=0", "--store", "runs", folder=tmp_path)
    assert ended.line
    assert escape not in ended.err
