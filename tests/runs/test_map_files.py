"""Files that a run's agents are made of belong to it: with others in their places it is not resumed, but still read."""

import json
from pathlib import Path

import pytest

from deckatlas.errors import AgentError
from deckatlas.games.hearthstone.agents import agent_files
from deckatlas.games.locm.entrants import entrant_files
from deckatlas.play.agent_files import found_file
from deckatlas.runs.view import open_run
from helpers.command_line import CommandLine
from helpers.maps import HUNTERS
from helpers.reports import needs_page

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

QUICK = ["--set", "search.evaluations=12", "--set", "search.initial=6", "--set", "evaluation.games=2"]
PLANNER = "planner:weights=weights.json,width=1,depth=1"
SUITE = f"""
[[opponent]]
deck = "Starter Mage"
pilot = "{PLANNER}"
"""
SHOWN = (["show", "hunters"], ["report", "hunters", "-o", "-"], ["export", "hunters", "--json", "-"])
DRAFTS = """
[space]
kind = "locm-deck"
[evaluation]
pilot = "random"
games = 2
opponents = ["ranking:file=ranking.txt/random"]
[archive]
kind = "sliding"
measures = ["deck_mana_sum"]
resolution = [3]
[search]
algorithm = "map-elites"
evaluations = 12
initial = 6
"""


@pytest.fixture
def deckatlas(deckatlas: CommandLine) -> CommandLine:
    Path("hunters.toml").write_text(HUNTERS)
    write_weights(1.0)
    return deckatlas


def write_weights(health: float) -> None:
    Path("weights.json").write_text(json.dumps({"HeroHp": health}))


@needs_page
def test_a_map_whose_pilot_reads_another_file_is_not_resumed_but_still_shown(deckatlas: CommandLine) -> None:
    run = ["run", "hunters.toml", *QUICK, "--set", f"evaluation.pilot={PLANNER}"]
    assert deckatlas(*run)[0] == 0
    assert deckatlas(*run)[0] == 0
    assert open_run("runs/hunters.db").run.config["evaluation"]["files"].keys() == {"weights.json"}
    write_weights(2.0)
    code, _, errors = deckatlas(*run)
    assert (code, errors.count("\n")) == (2, 1)
    assert "runs/hunters.db holds another run, with evaluation.files.weights.json = " in errors
    shown = [deckatlas(*command) for command in SHOWN]
    assert [(code, errors) for code, _, errors in shown] == [(0, "")] * len(SHOWN)
    Path("weights.json").unlink()
    assert [deckatlas(*command) for command in SHOWN] == shown
    code, _, errors = deckatlas(*run)
    assert (code, errors.count("\n")) == (2, 1)
    assert "cannot read the weights weights.json" in errors
    write_weights(1.0)
    assert deckatlas(*run)[0] == 0


def test_so_is_one_whose_opponents_read_it(deckatlas: CommandLine) -> None:
    Path("suite.toml").write_text(SUITE)
    run = ["run", "hunters.toml", *QUICK, "--set", "evaluation.suite=suite.toml"]
    assert deckatlas(*run)[0] == 0
    write_weights(2.0)
    code, _, errors = deckatlas(*run)
    assert code == 2
    assert "evaluation.files.weights.json" in errors
    write_weights(1.0)
    Path("suite.toml").write_text(SUITE.replace("Mage", "Rogue"))
    code, _, errors = deckatlas(*run)
    assert (code, errors.count("\n")) == (2, 1)
    assert "holds another run, with evaluation.opponents" in errors


def test_so_is_one_of_legends_of_code_and_magic(deckatlas: CommandLine) -> None:
    Path("decks.toml").write_text(DRAFTS)
    Path("ranking.txt").write_text(" ".join(map(str, range(160))))
    assert deckatlas("run", "decks.toml")[0] == 0
    Path("ranking.txt").write_text(" ".join(map(str, reversed(range(160)))))
    code, _, errors = deckatlas("run", "decks.toml")
    assert (code, errors.count("\n")) == (2, 1)
    assert "holds another run, with evaluation.files.ranking.txt = " in errors


def test_a_configuration_that_names_the_content_of_its_files_is_held_to_it(deckatlas: CommandLine) -> None:
    pilot = ["--set", f"evaluation.pilot={PLANNER}"]
    other = 'evaluation.files={"weights.json" = "0123", "unused.json" = "4567"}'
    code, _, errors = deckatlas("run", "hunters.toml", *QUICK, *pilot, "--set", other)
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith("deckatlas: --set evaluation.files=")
    assert "the file weights.json has changed since the run was made" in errors
    assert deckatlas("run", "hunters.toml", *QUICK, "--set", other)[0] == 0  # nobody reads these files


def test_paths_are_those_of_the_folder_that_the_command_is_given_in(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("inner").mkdir()
    Path("hunters.toml").rename("inner/hunters.toml")
    run = ["run", "inner/hunters.toml", *QUICK, "--set", f"evaluation.pilot={PLANNER}"]
    assert deckatlas(*run)[0] == 0
    monkeypatch.chdir("inner")
    code, _, errors = deckatlas("run", "hunters.toml", *run[2:])
    assert code == 2
    assert "cannot read the weights weights.json" in errors


def test_the_files_of_an_agent_are_those_that_its_options_name() -> None:
    assert agent_files("planner:net=a/b.json,width=2") == ["a/b.json"]
    assert agent_files("expert:net=a.npz,width=2") == ["a.npz"]
    assert agent_files("planner:score=aggro") == agent_files("random") == agent_files("nobody:net=x") == []
    assert entrant_files("genome:file=a/b.json/greedy") == ["a/b.json"]
    assert entrant_files("net:first=a,second=b/planner:width=3") == ["a", "b"]
    assert entrant_files("random") == entrant_files("exec:cat x") == []
    with pytest.raises(AgentError, match="given twice"):
        agent_files("planner:net=a,net=b")


def test_a_run_by_a_shipped_network_keeps_its_content_and_refuses_another(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ["run", "hunters.toml", *QUICK, "--set", "evaluation.pilot=fast", "--name", "fast"]
    assert deckatlas(*run)[0] == 0
    (name,) = agent_files("default")
    assert agent_files("fast") == agent_files("expert") == agent_files("expert:width=2") == [name]
    assert name == "package:deckatlas.games.hearthstone/expert.npz"
    Path("other.npz").write_bytes(b"other weights")
    other = {name: Path("other.npz")}
    monkeypatch.setattr("deckatlas.runs.hashes.found_file", lambda each: other.get(each) or found_file(each))
    code, _, errors = deckatlas(*run)
    assert (code, errors.count("\n")) == (2, 1), errors
    assert "evaluation.files" in errors
