"""What the texts of a training stand for: checks before the first game, contents for paths, weights to start with."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas._core import hearthstone as core
from deckatlas.errors import AgentError, CardError, DeckatlasError, ModelError, RunError
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT, agent_files
from deckatlas.games.hearthstone.cards.editions import edition_of
from deckatlas.games.hearthstone.cards.library import named_deck
from deckatlas.games.hearthstone.position_network import NetworkWeights, read_network, write_network
from deckatlas.games.hearthstone.setup import new_game
from deckatlas.games.hearthstone.training.config import TrainingConfig
from deckatlas.games.hearthstone.training.contents import by_content, start_weights
from deckatlas.games.hearthstone.training.features import joint_features
from deckatlas.games.hearthstone.training.model import RatingModel
from deckatlas.games.hearthstone.training.rounds import RoundResult, Training
from deckatlas.play.agent_files import found_file
from helpers.command_line import CommandLine

TINY: dict[str, Any] = {
    "game": "hearthstone",
    "games": {"games": 20, "part": 20, "share": 1.0, "first_pilot": "random"},
    "steps": {"epochs": 1, "batch": 512, "held_out": 4},
}
PATCH = 'name = "cheap"\nbase = "2018-12"\n[cards.CS2_182]\ncost = 3\n'
EDITIONS = ("2018-12", "classic-2014")


@contextmanager
def quiet(description: str, total: int, *, unit: str) -> Iterator[Callable[[int], object]]:
    yield lambda done: None


def config(**changes: Any) -> TrainingConfig:
    return TrainingConfig.model_validate({**TINY, **changes})


def prepare(folder: Path, **changes: Any) -> Training:
    return Training(config(**changes), folder, threads=1, show=quiet)


def train(folder: Path, **changes: Any) -> list[RoundResult]:
    return list(prepare(folder, **changes).rounds())


@pytest.fixture(scope="module")
def shipped() -> NetworkWeights:
    weights = start_weights(config(model={"start": "default"}))
    assert weights is not None
    return weights


# ---- before the first game -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"games": {"pilot": "nobody:net={weights}"}}, r"games\.pilot: unknown agent"),
        ({"games": {"pilot": "expert:net={weights},wide=4"}}, r"games\.pilot: 'expert' has no option 'wide'"),
        ({"games": {"pilot": "expert:net={weights},width=0"}}, r"games\.pilot: .*width"),
        ({"games": {"pilot": "planner:net={weights}"}}, r"games\.pilot: the network .* is not JSON"),
        ({"games": {"pilot": "exec:cat {weights}"}}, r"games\.pilot: .*agents of the core"),
        ({"games": {"first_pilot": "exec:cat"}}, r"games\.first_pilot: .*agents of the core"),
        ({"games": {"explorer": "exec:cat"}}, r"games\.explorer: .*agents of the core"),
        ({"strength": {"opponent": "exec:"}}, r"strength\.opponent: "),
        ({"strength": {"opponent": "expert:net={weights}"}}, r"strength\.opponent: cannot read"),
        ({"strength": {"opponent": "nobody"}}, r"strength\.opponent: unknown agent"),
    ],
)
def test_a_pilot_that_cannot_play_is_refused_with_its_key(
    changes: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(AgentError, match=complaint):
        prepare(tmp_path / "refused", **changes)
    assert not (tmp_path / "refused").exists()


def test_a_program_may_be_the_opponent_of_strength(tmp_path: Path) -> None:
    prepare(tmp_path / "program", strength={"opponent": "exec:cat"})
    assert '"opponent": "exec:cat"' in (tmp_path / "program/config.json").read_text()


@pytest.mark.parametrize("name", ["a,b", "a\nb"])
def test_a_folder_that_pilots_cannot_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no comma"):
        prepare(tmp_path / name)
    assert not (tmp_path / name).exists()


def test_the_command_refuses_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.toml").write_text('game = "hearthstone"\n[games]\npilot = "expert:net={weights},wide=4"\n')
    code, out, errors = CommandLine(monkeypatch, capsys)("train", str(tmp_path / "one.toml"))
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("deckatlas: games.pilot: 'expert' has no option 'wide'")


# ---- contents in place of paths --------------------------------------------------------------------------------------


@pytest.fixture
def decks(tmp_path: Path) -> Path:
    file = tmp_path / "decks.txt"
    file.write_text(f"{named_deck('Handlock')}\n")
    return file


def test_a_training_continues_with_files_that_were_moved_but_not_with_changed_ones(decks: Path, tmp_path: Path) -> None:
    (whole,) = train(tmp_path / "folder", decks={"files": (str(decks),)})
    moved = decks.rename(tmp_path / "moved.txt")
    (again,) = train(tmp_path / "folder", decks={"files": (str(moved),)})
    assert again.measures == whole.measures
    moved.write_text(f"{named_deck('Zoo')}\n")
    with pytest.raises(RunError, match="another configuration"):
        prepare(tmp_path / "folder", decks={"files": (str(moved),)})


def test_neither_the_provenance_nor_the_stored_configuration_has_a_path(decks: Path, tmp_path: Path) -> None:
    (tmp_path / "cheap.toml").write_text(PATCH)
    shutil.copy(Path(str(found_file(agent_files(DEFAULT_PILOT)[0]))), tmp_path / "net.npz")
    files = {
        "editions": (str(tmp_path / "cheap.toml"),),
        "decks": {"files": (str(decks),)},
        "model": {"start": str(tmp_path / "net.npz")},
    }
    (result,) = train(tmp_path / "folder", **files, rounds=1)
    about = read_network(result.weights).about
    for text in (about, (tmp_path / "folder/config.json").read_text()):
        assert str(tmp_path) not in text
        assert "CS2_182" in text
    assert set(json.loads(about)["training"]) == {"game", "seed", "editions", "games", "decks", "model", "steps"}


def test_the_weights_of_a_round_do_not_depend_on_how_many_follow(tmp_path: Path) -> None:
    games = {**TINY["games"], "pilot": "expert:net={weights},width=1,finalists=1"}
    strength = {"games": 2, "decks": ("Zoo",)}
    (one,) = train(tmp_path / "one", games=games, strength=strength)
    first, _ = train(tmp_path / "two", games=games, strength=strength, rounds=2)
    assert one.weights.read_bytes() == first.weights.read_bytes()


def test_a_pilot_is_known_by_the_content_of_its_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shipped: NetworkWeights
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("one.npz", "e")  # the second path is also a part of the agent's name
    for name in names:
        write_network(Path(name), shipped)
    one, other = (by_content(config(strength={"opponent": f"expert:net={name},width=2"})) for name in names)
    assert one == other
    assert "one.npz" not in one.strength.opponent
    assert one.strength.opponent.endswith(",width=2")
    assert by_content(config(strength={"opponent": "expert"})).strength.opponent.startswith("expert with ")
    assert by_content(config()) == config()


def test_a_patch_is_known_by_its_content(tmp_path: Path) -> None:
    file = tmp_path / "cheap.toml"
    file.write_text(PATCH)
    known = by_content(config(editions=(str(file),)))
    file.write_text(f"# a comment changes no card\n{PATCH}")
    assert by_content(config(editions=(str(file),))) == known
    assert by_content(known) == known
    file.write_text(PATCH.replace("3", "2"))
    assert by_content(config(editions=(str(file),))) != known


@pytest.mark.parametrize(
    ("text", "error", "complaint"),
    [('name = "x"\n[cards.nobody]\ncost = 3\n', CardError, "nobody"), (PATCH, RunError, "two of them")],
)
def test_impossible_editions_are_refused(
    text: str, error: type[DeckatlasError], complaint: str, tmp_path: Path
) -> None:
    (tmp_path / "patch.toml").write_text(text)
    with pytest.raises(error, match=complaint):
        prepare(tmp_path / "refused", editions=(str(tmp_path / "patch.toml"),) * 2)


# ---- weights to start with -------------------------------------------------------------------------------------------


def test_a_model_that_starts_from_weights_gives_the_same_whole_numbers(shipped: NetworkWeights) -> None:
    editions = [edition_of(name) for name in EDITIONS]
    model = RatingModel(joint_features(editions), hidden=shipped.width, seed=1)
    model.start_from(shipped)
    again = model.network(editions, about=shipped.about)
    assert again.cards == shipped.cards
    for name, array in shipped.arrays.items():
        np.testing.assert_array_equal(again.arrays[name], array, err_msg=name)


def test_a_started_model_rates_positions_as_the_weights_do(tmp_path: Path, shipped: NetworkWeights) -> None:
    (tmp_path / "new.toml").write_text(
        f'{PATCH}[new.XXX_001]\nname = "Newcomer"\nclass = "neutral"\ntype = "minion"\nset = "classic"\n'
        'rarity = "common"\ncost = 2\nattack = 4\nhealth = 4\n'
    )
    patched = edition_of(tmp_path / "new.toml")
    editions = [patched, edition_of("2018-12")]
    model = RatingModel(joint_features(editions), hidden=shipped.width, seed=1)
    model.start_from(shipped)
    again = model.network(editions, about="")
    assert not again.arrays["own_cards"][again.cards.index("XXX_001")].any()
    state = new_game("Handlock", "Zoo", edition=patched)
    for moment in (core.Moment.turn_begins, core.Moment.turn_ended):
        expected = shipped.network(patched).rate(state, 0, moment)
        assert expected != 0
        assert again.network(patched).rate(state, 0, moment) == expected


def test_a_training_that_starts_from_weights_measures_them_and_can_play_with_them(tmp_path: Path) -> None:
    games = {**TINY["games"], "first_pilot": "expert:net={weights},width=1,finalists=1"}
    steps = {**TINY["steps"], "rate": 1e-6, "final_rate": 0.0}
    (result,) = train(tmp_path / "folder", games=games, steps=steps, model={"start": "default"})
    assert str(tmp_path / "folder/start.npz") in result.measures["games"]["pilot"]
    assert list(result.measures) == ["games", "start", "epoch 0", "whole numbers"]  # no baseline: ratings are chances
    before, after = (result.measures[stage] for stage in ("start", "whole numbers"))
    assert before["held_out_loss"] == pytest.approx(after["held_out_loss"], abs=1e-3)
    assert before["editions"]["2018-12"]["held_out_loss"] == before["held_out_loss"]


def test_weights_of_another_width_and_missing_ones_are_refused(tmp_path: Path, shipped: NetworkWeights) -> None:
    other = 32 if shipped.width != 32 else 64
    with pytest.raises(ModelError, match=f"model.hidden must be {shipped.width}"):
        prepare(tmp_path / "refused", model={"start": "default", "hidden": other})
    with pytest.raises(ModelError, match="cannot read"):
        prepare(tmp_path / "refused", model={"start": str(tmp_path / "absent.npz")})
    with pytest.raises(ValueError, match=r"model\.start must name"):
        config(games={"first_pilot": "expert:net={weights}"})
    with pytest.raises(ValueError, match="must be one of 32, 64, 96, 128"):
        config(model={"hidden": 48})
