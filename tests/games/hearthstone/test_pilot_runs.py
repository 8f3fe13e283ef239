"""Runs over pilots: a solution is a pilot that plays like the file exported from it; and the pilots that ship."""

import json
from pathlib import Path

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas.errors import RunError
from deckatlas.games.hearthstone.agents import EVOLVED, agent_files
from deckatlas.games.hearthstone.pilot_run import HearthstonePilotRun
from deckatlas.games.hearthstone.pilots import pilot
from deckatlas.runs.export import mean_policy
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.view import open_run
from deckatlas.search.batches import seed_of

CONFIG = """
name = "pilots"
seed = 3
[space]
kind = "hearthstone-pilot"
deck = "Classic Miracle Rogue"
hidden = {hidden}
[evaluation]
suite = "elite"
profile = "{profile}"
games = 12
[search]
algorithm = "map-elites"
evaluations = 12
initial = 6
[archive]
kind = "grid"
measures = ["num_turns", "hand_size"]
resolution = [5, 5]
ranges = [[5, 15], [1, 7]]
"""


def config(folder: Path, *, hidden: str = "[5, 4]", profile: str = "evostone") -> HearthstonePilotRun:
    """A small run."""
    path = folder / "pilots.toml"
    path.write_text(CONFIG.format(hidden=hidden, profile=profile), encoding="utf-8")
    read = read_config(path)
    assert isinstance(read, HearthstonePilotRun)
    return read


@pytest.mark.parametrize(("hidden", "option"), [("[5, 4]", "net"), ("[32, 32]", "net"), ("[]", "weights")])
@pytest.mark.parametrize("profile", ["evostone", "fair"])
def test_a_solution_plays_like_the_file_exported_from_it(
    tmp_path: Path, hidden: str, option: str, profile: str
) -> None:
    run = config(tmp_path, hidden=hidden, profile=profile)
    execute(run, tmp_path / "pilots.db", threads=1)
    view = open_run(tmp_path / "pilots.db")
    elite = view.elites()[0]
    file = tmp_path / "pilot.json"
    file.write_text(view.code(elite), encoding="utf-8")
    played = hearthstone.evaluate(
        "Classic Miracle Rogue",
        pilot=f"planner:{option}={file}",
        suite="elite",
        profile=profile,
        games=12,
        seed=seed_of(run.seed, "games"),
    )
    assert played.averages["avg_health_diff"].value[0] == elite.objective.value


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('deck = "Nobody"', "unknown deck 'Nobody'"),
        ("hidden = [0]", "a network has at most 8 hidden layers of 1 to 128 neurons"),
        ("spread = -1.0", "space.spread must be a number above 0"),
    ],
)
def test_a_mistake_is_reported_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    key = line.split(" = ")[0]
    lines = [
        each for each in CONFIG.format(hidden="[5]", profile="fair").splitlines() if not each.startswith(f"{key} =")
    ]
    lines.insert(lines.index("[space]") + 1, line)
    path = tmp_path / "pilots.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(RunError, match=message):
        read_config(path)


CMA_ES = CONFIG.replace(
    """algorithm = "map-elites"
evaluations = 12
initial = 6""",
    """algorithm = "cma-es"
evaluations = 80
population = 4
parents = 2""",
).replace("games = 12", "games = 4")


def test_the_mean_of_cma_es_is_that_of_the_better_halves_of_its_last_tenth(tmp_path: Path) -> None:
    path = tmp_path / "pilots.toml"
    path.write_text(CMA_ES.format(hidden="[]", profile="fair"), encoding="utf-8")
    execute(read_config(path), tmp_path / "pilots.db", threads=1)
    view = open_run(tmp_path / "pilots.db")
    expected = []
    for first in (72, 76):  # twenty generations of four: the last two
        drawn = sorted(range(first, first + 4), key=lambda at: -view.log.column(view.objective)[at])
        expected += [view.log.solutions[at] for at in drawn[:2]]
    assert list(json.loads(mean_policy(view)).values()) == pytest.approx(np.mean(expected, axis=0))


def test_a_map_of_pilots_has_no_mean(tmp_path: Path) -> None:
    execute(config(tmp_path), tmp_path / "pilots.db", threads=1)
    with pytest.raises(RunError, match="not a run of cma-es over policies or pilots"):
        mean_policy(open_run(tmp_path / "pilots.db"))


@pytest.mark.parametrize("name", EVOLVED)
def test_an_evolved_pilot_is_a_file_of_the_package(name: str) -> None:
    assert agent_files(f"planner:score={name},width=2") == [f"package:deckatlas.games.hearthstone/ratings/{name}.json"]
    assert pilot(f"planner:score={name}").agent_of_core() is not None


@pytest.mark.parametrize(
    ("name", "deck"), [("miracle-rogue", "Classic Miracle Rogue"), ("tempo-rogue", "Tempo Rogue (Classic)")]
)
def test_an_evolved_pilot_plays_its_deck_better_than_a_hand_written_score(name: str, deck: str) -> None:
    played = hearthstone.play(
        f"planner:score={name}", "planner:score=control", decks=(deck, deck), games=1000, seed=11, edition="sabberstone"
    )
    assert played.rate.low > 0.5
