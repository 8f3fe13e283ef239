"""Adaptations to a patch: what they train with, what they give, that they resume, and what they refuse."""

import json
import os
from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.errors import CardError, DeckatlasError, RunError
from deckatlas.games.hearthstone.cards.editions import Patch, edition
from deckatlas.games.hearthstone.training.adaptation import (
    GAMES,
    Adaptation,
    adapt,
    adaptation_config,
    changed_cards,
)
from helpers.command_line import CommandLine

PATCH = Patch(
    "strong yeti",
    cards={"Chillwind Yeti": {"attack": 9}, "CS2_101t": {"attack": 2}},
    new={
        "XXX_001": {
            "name": "Newcomer",
            "class": "mage",
            "type": "minion",
            "set": "classic",
            "rarity": "common",
            "cost": 2,
            "attack": 4,
            "health": 4,
        }
    },
)
FEW = 60


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("patch") / "yeti.toml"
    path.write_text(PATCH.to_toml())
    return path


@pytest.fixture(scope="module")
def adapted(file: Path) -> Adaptation:
    return adapt(file, games=FEW, folder=file.parent / "whole", threads=1)


def test_changed_and_new_cards_of_decks_are_featured_and_both_editions_take_turns() -> None:
    before = edition("2018-12")
    after = before.patched(PATCH)
    assert changed_cards(before, after) == ["CS2_182", "XXX_001"]  # not the token
    config = adaptation_config(before, after, games=GAMES, seed=3)
    assert config.decks.featured == ("CS2_182", "XXX_001")
    assert config.editions[1] == "2018-12"
    assert Patch.from_toml(config.editions[0]).name == "strong yeti"
    assert (config.seed, config.rounds, config.model.start) == (3, 1, "default")


def test_an_adaptation_gives_weights_that_play_and_says_what_it_brought(adapted: Adaptation, file: Path) -> None:
    assert adapted.games == FEW
    assert adapted.edition == "strong yeti"
    assert adapted.positions > 0
    assert 0 < adapted.loss_after != adapted.loss_before > 0
    assert adapted.won.low < adapted.won.value < adapted.won.high
    result = hearthstone.play(
        f"{adapted.pilot},width=1,finalists=1", "random", decks=("Zoo", "Zoo"), edition=file, games=4
    )
    assert result.games == 4


def test_an_adaptation_that_was_stopped_continues_to_the_same_weights(
    adapted: Adaptation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def killed(partial: Path, target: Path) -> None:
        if target.name == "part-0001.npz":
            raise KeyboardInterrupt
        replace(partial, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            adapt(PATCH, games=FEW, folder=tmp_path / "stopped", threads=2)
    again = adapt(PATCH, games=FEW, folder=tmp_path / "stopped", threads=2)
    assert again.weights.read_bytes() == adapted.weights.read_bytes()
    assert again.won == adapted.won


def test_a_patch_can_change_another_edition(tmp_path: Path) -> None:
    result = adapt(PATCH, base="classic-2014", games=20, folder=tmp_path / "old")
    stored = json.loads((tmp_path / "old/config.json").read_text())["editions"]
    assert [Patch.from_toml(stored[0]).base, stored[1]] == ["classic-2014", "classic-2014"]
    assert result.edition == "strong yeti"


def test_the_default_folder_has_the_name_of_the_patch(
    adapted: Adaptation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trainings").mkdir()
    adapted.weights.parents[1].rename(tmp_path / "trainings/adapt-strong yeti")
    try:
        assert adapt(PATCH, games=FEW).weights == Path("trainings/adapt-strong yeti/round-00/weights.npz")
    finally:
        (tmp_path / "trainings/adapt-strong yeti").rename(adapted.weights.parents[1])


@pytest.mark.parametrize(
    ("patch", "options", "error", "complaint"),
    [
        ("2018-12", {}, CardError, "is not made by a patch"),
        ("absent.toml", {}, CardError, "cannot read absent.toml"),
        (PATCH, {"base": "2031-01"}, CardError, "unknown edition"),
        (PATCH, {"games": 10}, RunError, "games.games"),
        (PATCH, {"seed": -1}, RunError, "seed"),
        (PATCH, {"folder": "a,b"}, RunError, "no comma"),
    ],
)
def test_impossible_adaptations_are_refused(
    patch: object, options: dict[str, object], error: type[DeckatlasError], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=complaint):
        adapt(patch, **{"folder": tmp_path / "refused", **options})  # type: ignore[arg-type]
    assert not (tmp_path / "refused").exists()


def test_the_command_prints_what_was_measured_and_the_pilot(
    adapted: Adaptation, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deckatlas = CommandLine(monkeypatch, capsys)
    folder = adapted.weights.parents[1]
    code, out, errors = deckatlas("adapt", str(file), "--games", str(FEW), "--folder", str(folder))
    assert (code, errors) == (0, "")
    lines = out.splitlines()
    assert lines[-1] == adapted.pilot == f"expert:net={folder}/round-00/weights.npz"
    assert f"{adapted.loss_before} before, {adapted.loss_after} after" in out
    assert f"won {adapted.won.value:.1%}" in out
    code, out, errors = deckatlas("adapt", "absent.toml")
    assert (code, out, errors) == (2, "", "deckatlas: cannot read absent.toml: No such file or directory\n")
    assert f"(default: {GAMES:,})" in " ".join(deckatlas("adapt", "--help")[1].replace("│", " ").split())
