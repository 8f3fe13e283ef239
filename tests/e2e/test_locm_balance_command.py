"""`deckatlas balance locm`: what it writes, what it refuses, and how it resumes."""

import json
from pathlib import Path

import pytest

from deckatlas.balancing.record import SUFFIX, read_study
from helpers.command_line import CommandLine
from helpers.kills import kill_once_stored

FIELD = """\
game = "locm"
pilot = "greedy"

[[entrant]]
draft = "icebox"
[[entrant]]
draft = "coac"
[[entrant]]
draft = "random"
"""
PATCH = """\
name = "slime"

[cards.Slimer]
attack = 9
defense = 9
"""
SMALL = (
    *("--meta", "three.toml", "--effort", "normal", "--games", "120", "--trials", "2", "--evaluations", "60"),
    *("--evaluation-games", "12", "--mix-games", "4"),
)


@pytest.fixture
def deckatlas(deckatlas: CommandLine, tmp_path: Path) -> CommandLine:
    (tmp_path / "three.toml").write_text(FIELD, encoding="utf-8")
    (tmp_path / "slime.toml").write_text(PATCH, encoding="utf-8")
    return deckatlas


def test_a_study_of_draft_policies_writes_a_verdict_and_a_page(deckatlas: CommandLine, tmp_path: Path) -> None:
    meant = ("--intent", "Slimer in at most 40 % of draft elites", "--intent", "coac win rate at most 80")
    files = ("--json", "out.json", "--csv", "out.csv", "--page", "out.html")
    code, out, errors = deckatlas("balance", "locm", "slime.toml", *SMALL, *meant, *files)
    assert (code, errors) == (0, "")
    lines = out.splitlines()
    assert lines[1] == "  Slimer has 9 attack instead of 2, has 9 defense instead of 1"
    assert lines[2].startswith("Effort normal: 3 known policies of three play 120 games under both editions (greedy).")
    assert lines[3].startswith("2 trials search policies again under both editions: draft (greedy), 2,880 games;")
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert found["searched"] == ["draft"]
    texts = [each["text"] for each in found["sentences"]]
    assert any(text.startswith("The pick rate of Slimer among draft elites") for text in texts)
    assert any(text.startswith("The win rate of the best draft policies found") for text in texts)
    assert [each["intent"] for each in found["intents"]] == [meant[1], meant[3]]
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 5
    assert "win rates of known policies against the field" in page
    assert "known deck" not in out + page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing.toml"], "cannot read nothing.toml"),
        (["slime.toml", "--classes", "mage"], "draft policies have no classes"),
        (["slime.toml", "--meta", "nowhere"], "no metagame 'nowhere'"),
        (["slime.toml", "--pilot", "nobody"], "unknown battle agent 'nobody'"),
        (["slime.toml", "--search-pilot", "nobody"], "unknown battle agent 'nobody'"),
        (["slime.toml", "--base", "2.0"], "unknown edition '2.0'"),
        (["slime.toml", "--effort", "huge"], "unknown effort 'huge'"),
        (["slime.toml", "--intent", "nobody win rate at most 50"], "there is no policy 'nobody'"),
        (["slime.toml", "--intent", "Slimer in at most 40 % of draft elites"], "choose --effort normal"),
        (["slime.toml", *SMALL, "--intent", "Slimer in at most 4 % of hunter elites"], "there is no search 'hunter'"),
    ],
)
def test_wrong_input_gets_one_line_before_the_first_game(
    deckatlas: CommandLine, tmp_path: Path, words: list[str], message: str
) -> None:
    code, out, errors = deckatlas("balance", "locm", *words)
    assert (code, out) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "x"\n[cards.Slimmer]\ncost = 1\n', "wrong.toml, line 2: patch 'x': there is no card 'Slimmer'"),
        ('name = "x"\n[cards.Slimer]\nprice = 1\n', "has no field 'price'"),
        ('name = "x"\n[cards.Slimer]\ncost = -1\n', "cost -1 is not between 0 and 99"),
        ('name = "x"\n[cards.Slimer]\nkeywords = "__import__(\'os\')"\n', "unknown keyword"),
        ('name = "1.2"\n', "an edition already has this name"),
        (
            'name = "x"\n[new.X]\ncost = 1\n',
            "wrong.toml, line 2: a patch has name, base and the table cards, not 'new'",
        ),
        ("name = ", "not TOML"),
    ],
)
def test_wrong_patches_get_one_line(deckatlas: CommandLine, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    code, out, errors = deckatlas("balance", "locm", "wrong.toml", *SMALL)
    assert (code, out) == (2, "")
    assert message in errors
    assert errors.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.long
def test_a_killed_study_of_draft_policies_resumes_to_the_same_verdict(deckatlas: CommandLine, tmp_path: Path) -> None:
    command = ("balance", "locm", "slime.toml", *SMALL, "--json", "killed.json")
    for searches in (1, 3):  # in the first search of all, and in the first of trial 2
        kill_once_stored(searches, "runs/balance-*.db", *command, folder=tmp_path)
        (study,) = tmp_path.glob(f"runs/*{SUFFIX}")
        assert read_study(study).verdict is None
    assert deckatlas(*command, "--threads", "1")[0] == 0
    whole = ("--store", "other", "--json", "whole.json", "--threads", "2")
    assert deckatlas("balance", "locm", "slime.toml", *SMALL, *whole)[0] == 0
    assert (tmp_path / "killed.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
