"""Games are known by name: those that come with Deckatlas, and others by a call, a file, a module or an entry point."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deckatlas import games
from deckatlas.errors import GameError
from deckatlas.games import Game
from helpers.high_card import HighCard

REGISTERS = """
from deckatlas.games import Game, register

class Mine(Game):
    name = "{name}"
    title = "Mine"

GAME = register(Mine())
"""


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test registers, no other test knows."""
    monkeypatch.setattr(games, "_registered", {})
    monkeypatch.setattr(games, "_imported", set())
    monkeypatch.delenv(games.MODULES, raising=False)
    games._entry_points.cache_clear()
    before = set(sys.modules)
    yield
    games._entry_points.cache_clear()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def names() -> list[str]:
    return [game.name for game in games.all_games()]


def test_the_games_of_deckatlas_come_first_and_under_their_names() -> None:
    games.register(HighCard())
    assert names() == ["locm", "hearthstone", "high-card"]
    assert [game.name for game in games.built_in_games()] == ["locm", "hearthstone"]
    for name in names():
        assert games.find(name).name == name
        assert games.is_known(name)
    assert not games.is_known("chess")


def test_a_game_registered_again_replaces_the_one_before() -> None:
    first, second = HighCard(), HighCard()
    assert games.register(first) is first
    games.register(second)
    assert games.find("high-card") is second


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("locm", "there already is a game 'locm' in Deckatlas"),
        ("My Game", "a lower-case word"),
        (None, "a lower-case word"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: object, message: str) -> None:
    mine = type("Mine", (Game,), {"name": name})
    with pytest.raises(GameError, match=message):
        games.register(mine())


def test_what_is_not_a_game_is_refused() -> None:
    with pytest.raises(GameError, match="a game is an object of a class derived from"):
        games.register("high-card")  # type: ignore[arg-type]


def test_an_unknown_game_is_told_with_the_nearest_one() -> None:
    games.register(HighCard())
    with pytest.raises(GameError, match=r"unknown game 'highcard': did you mean 'high-card'\?"):
        games.find("highcard")


@pytest.mark.parametrize("place", ["mine.py", "mine"])
def test_a_file_or_a_module_of_the_environment_registers_games(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(REGISTERS.format(name="mine"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(games.MODULES, f" {place} ,")
    assert games.is_known("mine")
    assert games.find("mine").title == "Mine"
    assert names() == ["locm", "hearthstone", "mine"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x = 1", "mine.py registers no game"),
        ("1 / 0", "mine.py cannot be imported: division by zero"),
        (None, "mine.py cannot be imported: .*No such file"),
    ],
)
def test_a_file_that_brings_no_game_is_an_error_that_says_why(
    content: str | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is not None:
        (tmp_path / "mine.py").write_text(content, encoding="utf-8")
    monkeypatch.setenv(games.MODULES, str(tmp_path / "mine.py"))
    with pytest.raises(GameError, match=message):
        games.find("mine")
    assert games.find("locm").name == "locm"  # which needs no file


def install(folder: Path, name: str, content: str, value: str) -> None:
    """Makes a folder look like one that a package with an entry point is installed in."""
    (folder / f"{name}.py").write_text(content, encoding="utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{games.ENTRY_POINTS}]\n{name} = {value}\n", encoding="utf-8")


@pytest.mark.parametrize("value", ["mine:GAME", "mine:Mine"])
def test_an_installed_package_brings_a_game(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "mine", REGISTERS.format(name="mine"), value)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert games.is_known("mine")
    assert games.find("mine").title == "Mine"
    assert names() == ["locm", "hearthstone", "mine"]


def test_a_package_whose_game_cannot_be_loaded_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "broken", "1 / 0", "broken:GAME")
    install(tmp_path, "mine", REGISTERS.format(name="mine"), "mine:GAME")
    install(tmp_path, "other", REGISTERS.format(name="another"), "other:GAME")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(GameError, match=r"the game 'broken'.* cannot be loaded: division by zero"):
        games.find("broken")
    with pytest.raises(GameError, match=r"the entry point 'other' .* loads a game with another name"):
        games.find("other")
    with pytest.warns(UserWarning, match="'broken'"), pytest.warns(UserWarning, match="'other'"):
        assert set(names()) >= {"locm", "hearthstone", "mine"}


@pytest.mark.parametrize(("game", "other"), [("locm", "hearthstone"), ("hearthstone", "locm")])
def test_finding_a_game_imports_no_other(game: str, other: str) -> None:
    code = f"import sys; from deckatlas import games; games.find({game!r}).agents(); print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    loaded = found.stdout.split()
    assert f"deckatlas.games.{game}.agents" in loaded
    assert not [name for name in loaded if name.startswith(f"deckatlas.games.{other}")]
    assert "importlib.metadata" not in loaded
