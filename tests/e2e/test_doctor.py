"""`deckatlas doctor`: says that an installation is sound, or what is wrong with it."""

from pathlib import Path

import pytest

from deckatlas.cli import doctor
from deckatlas.games import find
from deckatlas.play import signature
from helpers.command_line import CommandLine


def test_a_sound_installation_is_called_sound_and_nothing_is_left(deckatlas: CommandLine, tmp_path: Path) -> None:
    code, out, errors = deckatlas("doctor")
    assert (code, errors) == (0, "")
    assert "everything is sound" in out
    assert all(
        word in out for word in ("built with", "numpy", "signature", "locm", "hearthstone", "digest", "reports", "free")
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("signature", "the core behaves as"),
        ("game", "from line 3 of its text on"),
        ("disk", "MiB are free"),
        ("folder", "cannot write"),
    ],
)
def test_what_is_wrong_is_named(
    what: str, why: str, deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if what == "signature":
        monkeypatch.setattr(signature, "expected_signature", lambda: "0" * 16)
    else:
        monkeypatch.setattr(signature, "signature", signature.expected_signature)  # which takes seconds
    if what == "game":
        monkeypatch.setattr(type(find("locm")), "golden_game", lambda self: ("a\nb\nc\n", "a\nb\nd\n"))
    if what == "disk":
        monkeypatch.setattr(doctor, "LITTLE_SPACE", 2**80)
    (tmp_path / "runs").mkdir()
    if what == "folder":
        (tmp_path / "runs" / "doctor").mkdir()
    code, out, _ = deckatlas("doctor")
    assert code == 1
    (line,) = [line for line in out.splitlines() if "WRONG" in line and "see the lines" not in line]
    assert why in line
    assert "something is wrong" in out
