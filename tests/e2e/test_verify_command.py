"""`deckatlas verify locm`: exit code 0 on good files, 1 on a difference, 2 and one line on files that cannot be read.

The files are made here, from games of the core itself: what is tested is the command, not the rules.
"""

import copy
import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deckatlas.errors import TraceError
from deckatlas.games.locm.verify import verify
from deckatlas.games.reference_files import read_reference_file
from helpers.locm_reference import Line, a_scenario, a_trace

PROGRAM = Path(sys.executable).parent / "deckatlas"

TRACE = a_trace(11)
SCENARIO = a_scenario()


def as_bytes(*lines: Line) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def run(*files: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, "verify", "locm", *files], capture_output=True, text=True, timeout=60, check=False)


def test_good_files_plain_and_gzip_exit_0_with_a_summary(tmp_path: Path) -> None:
    plain, packed = tmp_path / "games.jsonl", tmp_path / "both.jsonl.gz"
    plain.write_bytes(as_bytes(TRACE, a_trace(12)))
    packed.write_bytes(gzip.compress(as_bytes(SCENARIO, a_trace(13), SCENARIO)))
    done = run(plain, packed)
    assert (done.returncode, done.stderr) == (0, "")
    summary = dict(line.split() for line in done.stdout.splitlines())
    assert {key: summary[key] for key in ("games", "scenarios", "mismatches")} == {
        "games": "3",
        "scenarios": "2",
        "mismatches": "0",
    }
    assert int(summary["turns"]) > 10
    assert int(summary["actions"].replace(",", "")) > 100


def test_a_tampered_file_exits_1_and_shows_the_difference(tmp_path: Path) -> None:
    tampered = copy.deepcopy(TRACE)
    tampered["turns"][2]["after"]["players"][1]["mana"] = 9
    file = tmp_path / "games.jsonl"
    file.write_bytes(as_bytes(SCENARIO, tampered))
    done = run(file)
    assert (done.returncode, done.stderr) == (1, "")
    assert "mismatches 1" in " ".join(done.stdout.split())
    found = TRACE["turns"][2]["after"]["players"][1]["mana"]
    where = f"{file}, line 2, game of seed 11, turn 2: after.players[1].mana"
    assert f"{where}: expected 9, found {found}" in done.stdout


def with_value(line: Line, value: Any, *path: str | int) -> bytes:
    result = copy.deepcopy(line)
    holder: Any = result
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return as_bytes(result)


BAD_FILES: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "line 1: the file is empty"),
    "blank lines only": (lambda: b"\n \n", "line 1: the file is empty"),
    "not JSON": (lambda: as_bytes(SCENARIO) + b"hello\n", "line 2: not JSON"),
    "line cut off": (lambda: as_bytes(SCENARIO, TRACE)[:-500], "line 2: not JSON, or cut off"),
    "truncated gzip": (lambda: gzip.compress(as_bytes(SCENARIO, TRACE))[:-2000], "broken gzip"),
    "gzip with junk behind": (lambda: gzip.compress(as_bytes(SCENARIO)) + b"junk", "line 2: broken gzip"),
    "gzip with another checksum": (lambda: gzip.compress(as_bytes(SCENARIO))[:-8] + bytes(8), "broken gzip"),
    "binary junk": (lambda: bytes(range(128, 256)) * 50, "line 1: not JSON"),
    "NUL bytes": (lambda: bytes(1000), "line 1: not JSON"),
    "nested too deep": (lambda: b"[" * 100_000 + b"\n", "line 1: not JSON"),
    "a number": (lambda: b"7\n", "line 1: neither a trace (with 'turns') nor a scenario"),
    "a list": (lambda: b"[{}]\n", "line 1: neither a trace (with 'turns') nor a scenario"),
    "another object": (lambda: b'{"hello": 1}\n', "line 1: neither a trace (with 'turns') nor a scenario"),
    "a missing key": (lambda: b'{"turns": []}\n', "line 1: seed: missing"),
    "an unknown key": (lambda: with_value(SCENARIO, 1, "after", "players", 0, "luck"), "unknown key 'luck'"),
    "NaN": (
        lambda: with_value(SCENARIO, float("nan"), "after", "players", 0, "hp"),
        "line 1: not JSON: a number must be finite, not NaN",
    ),
    "text for a number": (
        lambda: with_value(TRACE, "3", "turns", 1, "start", "hp"),
        "line 1: turns[1].start.hp: expected a whole number, not '3'",
    ),
    "true for a number": (lambda: with_value(TRACE, True, "winner"), "winner: expected a whole number, not True"),
    "an unknown card": (
        lambda: with_value(TRACE, 161, "turns", 0, "after", "players", 1, "hand", 2, "id"),
        "line 1: turns[0].after.players[1].hand[2].id: unknown card 161",
    ),
    "an unknown card in the draft": (lambda: with_value(TRACE, 0, "draft", 3, 1), "draft[3][1]: unknown card 0"),
    "a fourth choice": (lambda: with_value(TRACE, 3, "picks", 0, 5), "picks[0][5]: 3 is not between 0 and 2"),
    "a deck of 29": (lambda: with_value(TRACE, [1] * 29, "decks", 0), "decks[0]: expected 30 entries, not 29"),
    "a malformed action": (lambda: with_value(SCENARIO, "FLY 1", "action"), "action: malformed action 'FLY 1'"),
    "an action of odd letters": (lambda: with_value(SCENARIO, "PASS \ud800", "action"), "action: malformed action"),
    "a pick in a battle": (lambda: with_value(SCENARIO, "PICK 1", "action"), "is not an action of a battle"),
    "verdicts missing": (lambda: with_value(TRACE, [], "turns", 6, "legal"), "turns[6].legal: 0 entries for"),
    "a seed of 65 bits": (lambda: with_value(TRACE, 2**64, "seed"), "seed: 18446744073709551616 is not between"),
    "an impossible position": (
        lambda: with_value(SCENARIO, 2, "before", "players", 0, "hand", 0, "instance"),
        "line 1: before: players[0].hand[0].instance: 2 is not among",
    ),
}


# Starting the program takes half a second, so it is started for one of each family and all are read in this process.
FROM_THE_SHELL = (
    "empty",
    "not JSON",
    "line cut off",
    "truncated gzip",
    "binary junk",
    "nested too deep",
    "another object",
    "an unknown card",
    "an action of odd letters",
    "an impossible position",
)


@pytest.mark.parametrize("kind", BAD_FILES)
def test_bad_files_raise_one_line_that_names_file_and_place(kind: str, tmp_path: Path) -> None:
    content, message = BAD_FILES[kind]
    file = tmp_path / "reference.jsonl"
    file.write_bytes(content())
    with pytest.raises(TraceError) as error:
        verify([read_reference_file(file)])
    assert str(error.value).startswith(f"{file}, line ")
    assert message in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("kind", FROM_THE_SHELL)
def test_bad_files_exit_2_with_one_line(kind: str, tmp_path: Path) -> None:
    content, message = BAD_FILES[kind]
    file = tmp_path / "reference.jsonl"
    file.write_bytes(content())
    done = run(file)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"deckatlas: {file}, line ")
    assert message in done.stderr


def test_a_missing_file_and_a_folder_exit_2_with_one_line(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "nothing.gz", "No such file or directory"), (tmp_path, "Is a directory")):
        done = run(path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"deckatlas: cannot read {path}: {reason}\n"


def test_no_file_at_all_exits_2() -> None:
    assert run().returncode == 2
