"""Runs over pilots: a solution is a pilot that plays like the file exported from it."""

from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.errors import RunError
from deckatlas.games.hearthstone.pilot_run import HearthstonePilotRun
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
