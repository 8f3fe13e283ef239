"""Importing the package brings in what a library needs, and a bot under a clock what its own game needs."""

import subprocess
import sys
from types import ModuleType

import pytest

from deckatlas import hearthstone, locm

COMMAND_LINE_ONLY = {"typer", "rich", "deckatlas.cli", "deckatlas.play.bench"}


@pytest.mark.parametrize("statement", ["import deckatlas", "from deckatlas import locm"])
def test_an_import_leaves_out_what_only_the_command_line_needs(statement: str) -> None:
    code = f"import sys, numpy; before = set(sys.modules); {statement}; print(*set(sys.modules) - before)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    imported = set(found.stdout.split())
    assert "deckatlas" in imported
    assert not imported & COMMAND_LINE_ONLY
    outside = {name.partition(".")[0] for name in imported} - set(sys.stdlib_module_names)
    assert outside <= {"deckatlas", "numpy"}


@pytest.mark.parametrize(
    ("game", "agent", "other"), [("locm", "icebox/greedy", "hearthstone"), ("hearthstone", "random", "locm")]
)
def test_a_bot_imports_nothing_of_another_game(game: str, agent: str, other: str) -> None:
    code = f"""
import atexit, sys
sys.argv = ["deckatlas", "bot", {game!r}, {agent!r}]
atexit.register(lambda: print(*sys.modules))
from deckatlas.cli.main import run
run()
"""
    found = subprocess.run([sys.executable, "-c", code], input="", capture_output=True, text=True, timeout=60)
    loaded = found.stdout.split()
    assert (found.returncode, found.stderr) == (0, "")
    assert f"deckatlas.games.{game}.protocol" in loaded
    assert not [name for name in loaded if name.startswith((f"deckatlas.games.{other}", "deckatlas.runs"))]


@pytest.mark.parametrize("facade", [hearthstone, locm], ids=lambda facade: facade.__name__)
def test_dir_of_a_facade_is_what_it_offers(facade: ModuleType) -> None:
    shown = [name for name in dir(facade) if not name.startswith("__")]
    assert shown == sorted(facade.__all__)
    assert {"map_elites", "plot_map"} <= set(shown)
    assert all(hasattr(facade, name) for name in shown)
