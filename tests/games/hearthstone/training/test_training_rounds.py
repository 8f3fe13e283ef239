"""The loop of a training: what it writes, that it resumes to the same bytes, and what it refuses."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deckatlas._core import hearthstone as core
from deckatlas.errors import DeckatlasError, RunError
from deckatlas.games.hearthstone.position_network import read_network
from deckatlas.games.hearthstone.setup import edition_of, new_game
from deckatlas.games.hearthstone.training import rounds
from deckatlas.games.hearthstone.training.config import TrainingConfig

SMALL: dict[str, Any] = {
    "game": "hearthstone",
    "editions": ("2018-12", "classic-2014"),
    "games": {"games": 60, "part": 20, "share": 1.0, "first_pilot": "planner:score=aggro"},
    "decks": {"games_per_deck": 10},
    "steps": {"epochs": 2, "batch": 512},
}


class Killed(BaseException):
    """Stands for a kill at some moment."""


@contextmanager
def quiet(description: str, total: int, *, unit: str) -> Iterator[Callable[[int], object]]:
    yield lambda done: None


def config(**changes: Any) -> TrainingConfig:
    return TrainingConfig.model_validate({**SMALL, **changes})


def train(folder: Path, *, threads: int = 1, **changes: Any) -> list[rounds.RoundResult]:
    return list(rounds.Training(config(**changes), folder, threads=threads, show=quiet).rounds())


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training") / "whole"
    train(folder)
    return folder


def weights(folder: Path, number: int = 0) -> bytes:
    return (folder / f"round-{number:02d}" / "weights.npz").read_bytes()


def test_a_round_measures_its_games_and_what_was_learnt(finished: Path) -> None:
    lines = [json.loads(line) for line in (finished / "round-00/measures.jsonl").read_text().splitlines()]
    assert [line["stage"] for line in lines] == ["games", "epoch 0", "epoch 1", "baseline", "whole numbers"]
    games, epoch = lines[0], lines[2]
    assert games["games"] == 60
    assert games["positions"] == epoch["positions"] + epoch["held_out_positions"]
    assert 0 < epoch["held_out_positions"] < 0.2 * epoch["positions"]
    assert lines[1]["training_loss"] > epoch["training_loss"] > 0
    assert sum(each["positions"] for each in epoch["calibration"]) == epoch["held_out_positions"]


def test_the_weights_are_a_network_that_rates_like_the_trained_model(finished: Path) -> None:
    network = read_network(finished / "round-00/weights.npz")
    given = config().model_dump(mode="json", exclude={"rounds", "strength"})
    assert json.loads(network.about) == {"training": given, "round": 0}
    state = new_game("Starter Mage", "Handlock", edition="classic-2014")
    rating = network.network(edition_of("classic-2014")).rate(state, 0, core.Moment.turn_begins)
    assert 0 < abs(rating) < 5000
    lines = {line["stage"]: line for line in map(json.loads, (finished / "round-00/measures.jsonl").open())}
    assert lines["whole numbers"]["held_out_loss"] == pytest.approx(lines["epoch 1"]["held_out_loss"], abs=2e-3)


def test_threads_change_no_byte_of_the_weights(finished: Path, tmp_path: Path) -> None:
    train(tmp_path / "threads", threads=2)
    assert weights(tmp_path / "threads") == weights(finished)


def test_another_seed_gives_other_weights(finished: Path, tmp_path: Path) -> None:
    train(tmp_path / "seed", seed=2)
    assert weights(tmp_path / "seed") != weights(finished)


@pytest.mark.parametrize("moment", [0, 2, 3, 4, 5, 7, 9])
def test_a_stop_at_any_file_resumes_to_the_same_bytes(
    moment: int, finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stops the training when it would write its file number `moment`, in the middle of writing it."""
    written = 0
    replace = os.replace

    def counted(partial: Path, target: Path) -> None:
        nonlocal written
        written += 1
        if written > moment + 1:
            partial.write_bytes(partial.read_bytes()[:10])  # a part of the file has reached the disk
            raise Killed
        replace(partial, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", counted)
        with pytest.raises(Killed):
            train(tmp_path / "stopped")
    train(tmp_path / "stopped")
    assert weights(tmp_path / "stopped") == weights(finished)
    lines = (tmp_path / "stopped/round-00/measures.jsonl").read_text().splitlines()
    assert len(lines) == 5


def test_a_killed_process_resumes_to_the_same_bytes(finished: Path, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(
        'game = "hearthstone"\neditions = ["2018-12", "classic-2014"]\n'
        '[games]\ngames = 60\npart = 20\nshare = 1.0\nfirst_pilot = "planner:score=aggro"\n'
        "[decks]\ngames_per_deck = 10\n[steps]\nepochs = 2\nbatch = 512\n"
    )
    command = [sys.executable, "-c", "from deckatlas.cli.main import run; run()", "train", str(file), "--threads", "1"]
    command += ["--folder", str(tmp_path / "killed")]
    process = subprocess.Popen(command)
    deadline = time.monotonic() + 60
    while not (tmp_path / "killed/round-00/games/part-0000.npz").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert weights(tmp_path / "killed") == weights(finished)
    assert "round 0: 60 games" in done.stdout


def test_later_rounds_continue_the_training_and_measure_strength(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def named(self: rounds.Training, number: int) -> str:
        asked.append(number)
        return "planner:score=aggro"

    monkeypatch.setattr(rounds.Training, "_pilot", named)
    changes: dict[str, Any] = {
        "rounds": 3,
        "games": {**SMALL["games"], "pilot": "expert:net={weights},width=1,finalists=1"},
        "strength": {"opponent": "random", "games": 4, "decks": ("Handlock", "Zoo")},
    }
    results = train(tmp_path / "rounds", **changes)
    assert asked == [0, 1, 1, 2, 2, 3]  # games, then strength, of each round
    assert [result.number for result in results] == [0, 1, 2]
    assert len({result.weights.read_bytes() for result in results}) == 3
    positions = [result.measures["games"]["positions"] for result in results]
    learnt = [result.measures["epoch 1"] for result in results]
    seen = [epoch["positions"] + epoch["held_out_positions"] for epoch in learnt]
    assert seen == [positions[0], positions[0] + positions[1], positions[1] + positions[2]]
    assert learnt[2]["training_loss"] < learnt[0]["training_loss"]
    assert results[0].measures["strength"]["games"] == 8
    assert set(results[0].measures["strength"]["decks"]) == {"Handlock", "Zoo"}
    assert 0.5 < results[0].measures["strength"]["won"] <= 1
    kept = sorted(path.parts[-3] for path in (tmp_path / "rounds").rglob("part-0000.npz"))
    assert kept == ["round-02"]  # of use if there will be more rounds
    more = train(tmp_path / "rounds", **{**changes, "rounds": 4})
    assert [result.weights.read_bytes() for result in more[:3]] == [result.weights.read_bytes() for result in results]


def test_a_finished_training_is_only_reported(finished: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in finished.rglob("*.npz")}
    (result,) = train(finished)
    assert result.weights.exists()
    assert {path: path.stat().st_mtime_ns for path in finished.rglob("*.npz")} == before


def test_a_folder_with_another_training_is_refused(finished: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="another configuration"):
        train(finished, seed=2)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/notes.txt").write_text("mine")
    with pytest.raises(RunError, match="is not empty"):
        train(tmp_path / "other")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"editions": ("2031-01",)}, "unknown edition"),
        ({"games": {"first_pilot": "nobody"}}, "unknown agent"),
        ({"games": {"explorer": "nobody"}}, "unknown agent"),
        ({"strength": {"decks": ("No such deck",)}}, "No such deck"),
        ({"decks": {"left_out": ("No such deck",)}}, "No such deck"),
        ({"decks": {"files": ("absent.csv",)}}, "absent.csv"),
    ],
)
def test_names_of_nothing_are_refused_before_the_first_game(
    changes: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(DeckatlasError, match=complaint):
        train(tmp_path / "refused", **changes)
    assert not (tmp_path / "refused").exists()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"rounds": 2}, "games.pilot must name"),
        ({"games": {"pilot": "search"}}, "must have {weights}"),
        ({"games": {"games": 50, "part": 100}}, "games.part"),
        ({"decks": {"library": 0, "mutated": 0, "random": 0}}, "must be above 0"),
        ({"games": {"shared": 1}}, "shared"),
        ({"steps": {"rate": 0}}, "rate"),
        ({"editions": ()}, "editions"),
    ],
)
def test_impossible_configurations_are_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        config(**changes)
