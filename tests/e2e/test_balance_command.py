"""`deckatlas balance`: what it says before the first game, what it writes, what it refuses, and how it resumes."""

import json
import shlex
import subprocess
from pathlib import Path
from statistics import mean

import pytest

from deckatlas.balancing.as_code import balance_command
from deckatlas.balancing.record import SUFFIX, read_study
from deckatlas.runs.view import open_run
from helpers.command_line import PROGRAM, CommandLine, environment
from helpers.kills import kill_once_stored

FIELD = """\
edition = "2018-12"
pilot = "greedy"

[[deck]]
deck = "Handlock (ladder 1)"
name = "Handlock"
[[deck]]
deck = "Zoo (ladder 1)"
name = "Zoo"
[[deck]]
deck = "Midrange Hunter (ladder)"
name = "Midrange Hunter"
"""
PATCH = """\
name = "imps"

[cards.EX1_319]
attack = 9
health = 9
"""
NEW_CARD = """\
name = "hungry"

[new.NEW_1]
name = "Hungry Imp"
class = "warlock"
type = "minion"
set = "classic"
rarity = "common"
cost = 1
attack = 9
health = 9
"""
SMALL = (
    *("--meta", "three.toml", "--effort", "normal", "--games", "120", "--trials", "2", "--evaluations", "30"),
    *("--evaluation-games", "4", "--mix-games", "4", "--search-pilot", "greedy"),
)


@pytest.fixture
def deckatlas(deckatlas: CommandLine, tmp_path: Path) -> CommandLine:
    (tmp_path / "three.toml").write_text(FIELD, encoding="utf-8")
    (tmp_path / "imps.toml").write_text(PATCH, encoding="utf-8")
    return deckatlas


def test_a_study_says_what_it_will_do_and_what_came_out(deckatlas: CommandLine, tmp_path: Path) -> None:
    files = ("--json", "out.json", "--csv", "out.csv", "--page", "out.html")
    code, out, errors = deckatlas("balance", "imps.toml", *SMALL, "--intent", "zoo win rate at least 60", *files)
    assert (code, errors) == (0, "")
    lines = out.splitlines()
    assert lines[1] == "  Flame Imp has 9 attack instead of 3, has 9 health instead of 2"
    verdict = next(at for at, line in enumerate(lines) if line.startswith("The verdict on imps: "))
    assert any("It will see changes" in line for line in lines[:verdict])
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    keys = {"subject", "claim", "before", "after", "difference", "low", "high", "adjusted_p"}
    assert all(keys <= each.keys() for each in found["sentences"])
    assert {each["claim"] for each in found["sentences"]} <= {"rises", "falls", "unchanged", "undecided"}
    assert [each["verdict"] for each in found["intents"]] in (["met"], ["missed"], ["undecided"])
    rows = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + sum(len(found[key]) for key in ("sentences", "matchups", "cells"))
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "Flame Imp" in page
    assert page.count("<svg") >= 5


def test_the_shown_command_is_the_same_study(deckatlas: CommandLine, tmp_path: Path) -> None:
    assert deckatlas("balance", "imps.toml", *SMALL, "--resolution", "3")[0] == 0
    stored = sorted(tmp_path.glob("runs/*"))
    assert sum(path.name.endswith(SUFFIX) for path in stored) == 1
    record = read_study(next(path for path in stored if path.name.endswith(SUFFIX)))
    assert record.verdict is not None
    assert {tuple(each.shape) for each in record.verdict.maps} == {(3, 3)}
    _, *words = shlex.split(balance_command(record.game, "imps.toml", record.options, store="runs"))
    code, _, errors = deckatlas(*words)
    assert (code, errors) == (0, "")
    assert sorted(tmp_path.glob("runs/*")) == stored


def test_a_study_of_a_new_card_says_who_plays_it_and_where_on_the_map(deckatlas: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "hungry.toml").write_text(NEW_CARD, encoding="utf-8")
    code, out, errors = deckatlas("balance", "hungry.toml", *SMALL, "--json", "out.json", "--page", "out.html")
    assert (code, errors) == (0, "")
    assert out.splitlines()[1] == "  Hungry Imp is new: a Warlock minion for 1 mana 9/9"
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert ([each["is_new"] for each in found["changes"]], found["searched"]) == ([True], ["warlock"])
    maps = [[open_run(tmp_path / "runs" / f"{run}.db") for run in each["runs"]] for each in found["runs"]]
    without, with_card = ([(view, view.elites()) for view in side] for side in zip(*maps, strict=True))
    assert not any("NEW_1" in view.code(each) for view, elites in without for each in elites)
    players = [[each for each in elites if "NEW_1" in view.code(each)] for view, elites in with_card]
    played = mean(len(own) / len(elites) for own, (_, elites) in zip(players, with_card, strict=True))
    sentences = {(each["topic"], each["subject"]): each for each in found["sentences"]}
    inclusion = sentences["inclusion", "Hungry Imp"]
    assert inclusion["place"] == "Warlock"
    assert (inclusion["before"], inclusion["after"]) == (0, pytest.approx(played))
    assert played > 0
    cost, _ = found["places"]
    where = mean(mean(each.measures["deck_mana_mean"] for each in own) for own in players if own)
    assert (cost["card"], cost["measure"], cost["before"]) == ("Hungry Imp", "mean mana cost", None)
    assert cost["after"]["value"] == pytest.approx(where)
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<b>Hungry Imp</b> is new: a Warlock minion" in page
    assert "none has it" in page


def test_an_intent_is_judged_with_each_pilot_of_the_searches(deckatlas: CommandLine, tmp_path: Path) -> None:
    meant = "warlock win rate at least 60"
    more = ("--search-pilot", "random", "--intent", meant, "--intent", "zoo win rate at least 60")
    code, out, errors = deckatlas("balance", "imps.toml", *SMALL, *more, "--json", "out.json", "--page", "out.html")
    assert (code, errors) == (0, "")
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    by_intent = {each["intent"]: each for each in found["intents"]}
    assert list(by_intent) == [f"{meant} (greedy)", f"{meant} (random)", "zoo win rate at least 60"]
    for pilot in ("greedy", "random"):
        outcome, number = by_intent[f"{meant} ({pilot})"], f"the win rate of the best Warlock ({pilot}) decks found"
        (sentence,) = (each for each in found["sentences"] if each["text"][1:].startswith(number[1:]))
        assert (outcome["number"], outcome["value"]) == (number, sentence["after"])
    (study,) = tmp_path.glob(f"runs/*{SUFFIX}")
    verdict = read_study(study).verdict
    assert verdict is not None
    assert [each.intent for each in verdict.intents] == list(by_intent)
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    for intent in by_intent:
        assert f": {intent}. " in out
        assert f": {intent}. " in page


def test_json_on_standard_output_is_all_that_is_written(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("balance", "imps.toml", "--meta", "three.toml", "--games", "60", "--json", "-")
    assert (code, errors) == (0, "")
    assert json.loads(out)["patch"] == "imps"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing.toml"], "cannot read nothing.toml"),
        (["imps.toml", "more.toml"], "one patch"),
        (["imps.toml", "--effort", "huge"], "unknown effort 'huge'"),
        (["imps.toml", "--trials", "3"], "runs no searches"),
        (["imps.toml", "--effort", "normal", "--trials", "1"], "trials must be 0, or 2 or more"),
        (["imps.toml", "--intent", "zoo"], "cannot be read"),
        (["imps.toml", "--meta", "nowhere"], "nowhere"),
        (["imps.toml", "--pilot", "nobody"], "nobody"),
        (["imps.toml", "--effort", "normal", "--search-pilot", "nobody"], "nobody"),
        (["imps.toml", "--classes", "wizard"], "wizard"),
        (["imps.toml", "--base", "2099-01"], "2099-01"),
        (["imps.toml", "--json", "none/out.json"], "cannot write"),
    ],
)
def test_wrong_input_gets_one_line_before_the_first_game(
    deckatlas: CommandLine, tmp_path: Path, words: list[str], message: str
) -> None:
    code, out, errors = deckatlas("balance", *words)
    assert (code, out) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "x"\n[cards.EX1_9999]\ncost = 1\n', "no card"),
        ('name = "x"\n[cards.EX1_319]\nprice = 1\n', "no field"),
        ('name = "x"\n[cards.EX1_319]\neffect = "__import__(\'os\')"\n', "EX1_319"),
        ("name = ", "not TOML"),
        (NEW_CARD.replace('"classic"', '"token"'), "changes Hungry Imp (NEW_1), but no deck can have it"),
        ('name = "x"\n[cards.EX1_319]\nset = "token"\n', "changes Flame Imp (EX1_319), but no deck can have it"),
        ('name = "x"\nbase = "classic-2014"\n[cards.EX1_180]\ncost = 0\n', "Tome of Intellect (EX1_180), but no deck"),
    ],
)
def test_wrong_patches_get_one_line(deckatlas: CommandLine, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    code, out, errors = deckatlas("balance", "wrong.toml", "--meta", "three.toml")
    assert (code, out) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.long
def test_a_killed_study_resumes_to_the_same_verdict(deckatlas: CommandLine, tmp_path: Path) -> None:
    command = ("balance", "imps.toml", *SMALL, "--json", "killed.json")
    for searches in (1, 3):  # in the first search of all, and in the first of trial 2
        kill_once_stored(searches, "runs/balance-*.db", *command, folder=tmp_path)
        (study,) = tmp_path.glob(f"runs/*{SUFFIX}")
        assert read_study(study).verdict is None
    assert deckatlas(*command)[0] == 0
    assert read_study(study).verdict is not None
    assert deckatlas("balance", "imps.toml", *SMALL, "--store", "other", "--json", "whole.json")[0] == 0
    assert (tmp_path / "killed.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


@pytest.mark.long
def test_two_studies_at_once_share_the_runs_of_the_base(deckatlas: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "weak.toml").write_text(PATCH.replace("imps", "weak").replace("= 9", "= 1"), encoding="utf-8")
    both = [
        subprocess.Popen(
            [str(PROGRAM), "balance", f"{name}.toml", *SMALL, "--json", f"{name}.json"],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for name in ("imps", "weak")
    ]
    assert [process.wait() for process in both] == [0, 0]
    searches = 2 * 3  # in each trial, one under the base and one under each patch
    assert len(list(tmp_path.glob("runs/balance-*.db"))) == searches
    for name in ("imps", "weak"):
        alone = ("--store", f"alone-{name}", "--json", "alone.json")
        assert deckatlas("balance", f"{name}.toml", *SMALL, *alone)[0] == 0
        assert (tmp_path / "alone.json").read_bytes() == (tmp_path / f"{name}.json").read_bytes()
