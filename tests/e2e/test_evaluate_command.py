"""`deckatlas evaluate`: what it prints and writes, what it takes for a deck, and what it refuses before any game."""

import csv
import json
import re
import signal
import time
from pathlib import Path

import pytest

from deckatlas.games.hearthstone.cards.deck_codes import deck_code
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.cards.library import named_decks
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.hearthstone.story import narrate
from helpers.command_line import CommandLine, Terminal

SHARED = Path(__file__).parents[3] / "shared" / "hearthstone"
SUITE = """\
[[opponent]]
deck = "Starter Mage"
pilot = "random"

[[opponent]]
deck = "Starter Hunter"
pilot = "random:active"
"""
AVERAGES = ("avg_health_diff", "num_turns", "hand_size", "damage_done", "cards_drawn", "mana_spent", "mana_wasted")


@pytest.fixture
def suite(tmp_path: Path) -> str:
    file = tmp_path / "suite.toml"
    file.write_text(SUITE, encoding="utf-8")
    return str(file)


@pytest.fixture
def deckatlas(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_one_deck_is_shown_by_opponent(deckatlas: CommandLine, suite: str) -> None:
    code, out, errors = deckatlas("evaluate", "starter rogue", "--pilot", "random", "--suite", suite, "--games", "24")
    assert (code, errors) == (0, "")
    shown = [line.split() for line in out.splitlines() if line.strip()]
    assert shown[0] == ["Starter", "Rogue"]
    rows = {" ".join(words[:2]): words for words in shown}
    assert rows["Starter Mage"][2:4] == ["random", "12"]
    assert rows["Starter Hunter"][2:4] == ["random:active", "12"]
    assert "all 24" in rows
    assert "mana 80 (variance 2.76), 20 minions, 10 spells, 0 dust" in out


def test_the_default_pilot_plays_where_none_is_named(deckatlas: CommandLine, suite: str) -> None:
    code, out, errors = deckatlas("evaluate", "starter rogue", "--suite", suite, "--games", "4", "--seed", "1")
    assert (code, errors) == (0, "")
    assert "pilot default" in out
    unnamed = evaluate("Starter Rogue", suite=suite, games=4, seed=1)["avg_health_diff"]
    named = evaluate("Starter Rogue", pilot="expert", suite=suite, games=4, seed=1)["avg_health_diff"]
    assert unnamed.value.tolist() == named.value.tolist()


def test_the_csv_has_a_row_a_deck_with_ends_beside_each_average(
    deckatlas: CommandLine, suite: str, tmp_path: Path
) -> None:
    file = tmp_path / "out.csv"
    names = ("Starter Rogue", "Classic Miracle Rogue", "Starter Rogue")
    options = ("--pilot", "random:active", "--suite", suite, "--games", "24", "--seed", "5")
    assert deckatlas("evaluate", *names, *options, "--csv", str(file))[0] == 0
    rows = list(csv.DictReader(file.open(encoding="utf-8")))
    columns = list(rows[0])
    for name in ("win_rate", *AVERAGES):
        at = columns.index(name)
        assert columns[at : at + 3] == [name, f"{name}_low", f"{name}_high"]
        for row in rows:
            assert float(row[f"{name}_low"]) <= float(row[name]) <= float(row[f"{name}_high"])
    assert {"class", "strategy", "suite", "deck", "games", "wins", "sd_health_diff", "retries", "void"} <= set(columns)
    assert {"deck_mana_sum", "deck_mana_variance", "num_minion_cards", "num_spell_cards", "dust"} <= set(columns)
    assert [row["deck"].split() for row in rows] == [list(named_decks()[name].copies) for name in names]
    assert rows[0] == rows[2]
    assert rows[0]["strategy"] == "random:active"
    assert rows[0]["games"] == "24"
    again = evaluate(names, pilot="random:active", suite=suite, games=24, seed=5)
    assert [float(row["num_turns"]) for row in rows] == pytest.approx(again["num_turns"].value, abs=1e-6)


@pytest.mark.skipif(not SHARED.exists(), reason="the reference files are not there")
def test_the_columns_are_those_of_the_reference_evaluations(deckatlas: CommandLine, suite: str) -> None:
    code, out, _ = deckatlas(
        "evaluate", "Starter Rogue", "--pilot", "pass", "--suite", suite, "--games", "2", "--csv", "-"
    )
    assert code == 0
    with (SHARED / "oracle_evaluations" / "random_decks_starter.csv").open(encoding="utf-8") as file:
        assert set(next(csv.reader(file))) <= set(out.splitlines()[0].split(","))


@pytest.mark.skipif(not SHARED.exists(), reason="the reference files are not there")
@pytest.mark.parametrize(
    ("name", "decks"), [("published_rogue_decks.csv.gz", 300), ("oracle_evaluations/random_decks_starter.csv", 100)]
)
def test_the_reference_decks_are_legal_in_the_edition_they_were_played_in(
    name: str, decks: int, deckatlas: CommandLine, suite: str
) -> None:
    options = ("--pilot", "pass", "--suite", suite, "--games", "1", "--edition", "sabberstone", "--csv", "-")
    code, out, errors = deckatlas("evaluate", "--decks", str(SHARED / name), *options)
    assert (code, errors) == (0, "")
    assert len(out.splitlines()) == 1 + decks


def test_the_json_has_averages_by_opponent_and_plays_of_cards(deckatlas: CommandLine, suite: str) -> None:
    options = ("--pilot", "random:active", "--suite", suite, "--games", "5", "--profile", "evosabber", "--json", "-")
    code, out, errors = deckatlas("evaluate", "Starter Rogue", *options)
    assert (code, errors) == (0, "")
    result = json.loads(out)
    assert [each["games"] for each in result["suite"]["opponents"]] == [3, 2]
    assert result["profile"]["mulligan"] == "inverted"
    deck = result["decks"][0]
    assert deck["fitness"] == pytest.approx(5 * deck["avg_health_diff"])
    assert len(deck["by_opponent"]) == 2
    assert set(deck["plays"]) == set(named_decks()["Starter Rogue"].copies)


def test_what_was_written_can_be_read_as_a_file_of_decks(deckatlas: CommandLine, suite: str, tmp_path: Path) -> None:
    code = deck_code(named_decks()["Starter Mage"], edition().by_id)
    options = ("--pilot", "random", "--suite", suite, "--games", "4")
    first = deckatlas("evaluate", code, "Starter Rogue", *options, "--csv", "-")[1]
    (tmp_path / "again.csv").write_text(first, encoding="utf-8")
    assert deckatlas("evaluate", "--decks", str(tmp_path / "again.csv"), *options, "--csv", "-")[1] == first


def test_one_game_is_told_turn_by_turn(deckatlas: CommandLine, suite: str) -> None:
    options = ("--pilot", "random:active", "--suite", suite, "--seed", "3")
    code, out, errors = deckatlas("evaluate", "Starter Rogue", *options, "--replay", "2")
    assert (code, errors) == (0, "")
    results = evaluate(["Starter Rogue"], pilot="random:active", suite=suite, games=4, seed=3)
    assert out == narrate(results.replay(2)) + "\n"
    assert "Turn 1" in out or "turn 1" in out


def test_rates_have_both_ends_of_their_interval_and_a_single_game_is_one_game(
    deckatlas: CommandLine, suite: str
) -> None:
    options = ("--pilot", "pass", "--suite", suite)
    out = deckatlas("evaluate", "Starter Rogue", *options, "--games", "20")[1]
    last = next(line for line in out.splitlines() if line.startswith(" all"))
    value, low, high = map(float, re.findall(r"[0-9.]+", last)[1:4])
    assert 0 <= low <= value <= high <= 100
    assert f"{value:.1f} [{low:.1f}, {high:.1f}]" in last
    assert ", 20 games;" in out
    assert ", 1 game;" in deckatlas("evaluate", "Starter Rogue", *options, "--games", "1")[1]


def test_a_long_table_says_how_much_it_leaves_out(deckatlas: CommandLine, suite: str, tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text("Starter Mage\n" * 60, encoding="utf-8")
    out = deckatlas("evaluate", "--decks", str(file), "--pilot", "pass", "--suite", suite, "--games", "1")[1]
    assert "50 Mage" in out
    assert "51 Mage" not in out
    assert "and 10 more: --csv writes all of them" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Starter Mags"], "unknown deck 'Starter Mags': did you mean 'Starter Mage'?"),
        (["Starter Mage", "Tempo Rogue"], "deck 2: card 'BOT_242' is not in this edition"),
        (["Starter Mage", "--class", "rogue"], "it is a Mage deck, but the class given for it is Rogue"),
        (
            ["MAGE: 2 Fireball"],
            "card 'Fireball' is not in this edition: decks list cards by id, and the id of Fireball is CS2_029",
        ),
        (["Starter Mage", "--suite", ""], "there is no suite and no file ''"),
        (["Starter Mage", "--pilot", "planner:score=aggro,score=aggro"], "'planner': option 'score' is given twice"),
        (["CS2_072 CS2_072"], "a deck has 30 cards, but this one has 2"),
        ([], "name the decks to evaluate, or give a file of them with --decks"),
        (["Starter Mage", "--decks", "x"], "name the decks to evaluate, or give a file of them with --decks, not both"),
        (["--decks", "nowhere.csv"], "cannot read nowhere.csv: No such file or directory"),
        (["Starter Mage", "--pilot", "clever"], "unknown agent 'clever'"),
        (["Starter Mage", "--suite", "elites"], "there is no suite and no file 'elites': did you mean 'elite'?"),
        (["Starter Mage", "--games", "0"], "games must be a whole number from 1"),
        (["Starter Mage", "--profile", "unfair"], "unknown profile 'unfair': did you mean 'fair'?"),
        (["Starter Mage", "--edition", "2017"], "unknown edition '2017'"),
        (["Starter Mage", "--class", "Goblin"], "unknown hero class 'Goblin'"),
        (["Starter Mage", "--csv", "-", "--json", "-"], "--json and --csv would both write to standard output"),
        (["Starter Mage", "Starter Rogue", "--replay", "1"], "--replay prints a game of one deck, and writes no files"),
        (["Starter Mage", "--replay", "-1"], "--replay: there is no game -1: games are numbered from 0 to 0"),
        (["Starter Mage", "--replay", "1"], "--replay: there is no game 1: games are numbered from 0 to 0"),
        (["Starter Mage", "--games", "2000000000"], "games must be a whole number from 1 to 10000000"),
        (["Starter Mage", "--csv", "no/where.csv"], "cannot write no/where.csv: No such file or directory"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], message: str, deckatlas: CommandLine, suite: str
) -> None:
    given = ["evaluate", "--pilot", "pass", "--suite", suite, "--games", "1", *arguments]
    code, out, errors = deckatlas(*given)
    assert (code, out) == (2, "")
    assert errors.startswith(f"deckatlas: {message}")
    assert errors.count("\n") == 1


def test_an_illegal_deck_of_a_file_is_named_before_any_game(deckatlas: CommandLine, suite: str, tmp_path: Path) -> None:
    file = tmp_path / "decks.csv"
    file.write_text("deck\nStarter Mage\nMAGE: 3 CS2_022\n", encoding="utf-8")
    options = ("--pilot", "pass", "--suite", suite, "--games", "100000000")
    code, _, errors = deckatlas("evaluate", "--decks", str(file), *options)
    assert code == 2
    assert (
        errors
        == f"deckatlas: {file}, line 3: Polymorph (CS2_022) has 3 copies, but a deck has at most 2 copies of a card\n"
    )


def test_ctrl_c_ends_an_evaluation_within_a_second_with_exit_code_130(suite: str) -> None:
    terminal = Terminal()
    process = terminal.start(
        "evaluate", "Starter Mage", "--pilot", "random", "--suite", suite, "--games", "400000", "--threads", "1"
    )
    try:
        terminal.read_until(b"games/s")
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        terminal.read_all()
        code = process.wait(timeout=60)
        assert time.monotonic() - start < 1
    finally:
        process.kill()
        process.wait()
    assert code == 130
    assert b"Traceback" not in terminal.shown
