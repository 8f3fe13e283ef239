"""`exec:` in a file: nothing is started unless the user allows it, and the command is shown."""

import shlex
import sys
from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.errors import RunError
from deckatlas.files.programs import programs_allowed
from deckatlas.runs.read_config import read_config
from helpers.command_line import CommandLine

SUITE = '[[opponent]]\ndeck = "Starter Mage"\npilot = "random"\n\n[[opponent]]\ndeck = "Starter Mage"\npilot = "{}"\n'
RUN = """\
seed = 1
space.kind = "locm-draft"
space.genome.kind = "attributes"
search = {{ algorithm = "dbga", population = 4, generations = 2, games = 6, seat = "both" }}
evaluation.opponents = ["{}"]
"""
TRAINING = 'game = "hearthstone"\nstrength.opponent = "{}"\n'


@pytest.fixture
def program(tmp_path: Path) -> str:
    """A program that leaves a trace."""
    (tmp_path / "program.py").write_text("open('started', 'w').close()\n")
    return f"{shlex.quote(sys.executable)} program.py"


def commands(name: str) -> list[list[str]]:
    return {
        "suite.toml": [
            ["evaluate", "Starter Mage", "--pilot", "random", "--games", "2", "--suite", name],
            ["gauntlet", "hearthstone", "Starter Mage/random", "--games", "2", "--suite", name],
        ],
        "run.toml": [["run", name]],
        "training.toml": [["train", name]],
    }[name]


@pytest.mark.parametrize(
    ("name", "text", "line"), [("suite.toml", SUITE, 7), ("run.toml", RUN, 5), ("training.toml", TRAINING, 2)]
)
def test_a_file_that_names_a_program_is_refused_with_the_command(
    name: str, text: str, line: int, program: str, deckatlas: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text.format(f"exec:{program}"))
    for words in commands(name):
        code, _, errors = deckatlas(*words)
        assert code == 2
        assert errors.startswith(f"deckatlas: {name}, line {line}: this file would start the program ")
        assert "program.py" in errors
        assert "--allow-exec" in errors
        assert errors.count("\n") == 1
    assert not (tmp_path / "started").exists()


def test_allowed_programs_are_shown_and_started(program: str, deckatlas: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE.format(f"exec:{program}"))
    code, _, errors = deckatlas(*commands("suite.toml")[0], "--allow-exec")
    assert (code, errors) == (0, f"suite.toml, line 7: starts the program {program}\n")
    assert (tmp_path / "started").exists()


def test_a_program_of_the_command_line_needs_no_permission(
    program: str, deckatlas: CommandLine, tmp_path: Path
) -> None:
    code, _, errors = deckatlas("evaluate", "Starter Mage", "--pilot", f"exec:{program}", "--games", "2")
    assert (code, errors, (tmp_path / "started").exists()) == (0, "", True)
    (tmp_path / "run.toml").write_text(RUN.format("random"))
    code, _, errors = deckatlas("run", "run.toml", "--set", f'evaluation.opponents=["exec:{program}"]')
    assert "--allow-exec" not in errors


def test_python_asks_with_an_argument(program: str, tmp_path: Path) -> None:
    suite, run = tmp_path / "suite.toml", tmp_path / "run.toml"
    suite.write_text(SUITE.format(f"exec:{program}"))
    run.write_text(RUN.format(f"exec:{program}"))
    for refused in (lambda: hearthstone.suite_of(suite), lambda: read_config(run)):
        with pytest.raises(RunError, match="allow_exec=True"):
            refused()
    assert hearthstone.suite_of(suite, allow_exec=True).opponents[1].pilot == f"exec:{program}"
    assert read_config(run, allow_exec=True).name == "run"
    with pytest.raises(RunError, match="allow_exec=True"):  # a permission ends with its call
        hearthstone.suite_of(suite)


@pytest.mark.parametrize("agent", ["exec:cat", " exec:cat", "Starter Mage/exec:cat", "a/ exec:cat"])
def test_every_way_to_write_a_program_is_known(agent: str, tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE.format(agent))
    with pytest.raises(RunError, match="would start the program 'cat'"):
        hearthstone.suite_of(tmp_path / "suite.toml")


def test_a_permission_around_another_stays() -> None:
    reported = []
    with programs_allowed(True, lambda place, command: reported.append((place, command))), programs_allowed(False):
        from deckatlas.files.programs import check_program

        check_program("exec:cat", "here")
    assert reported == [("here", "cat")]
