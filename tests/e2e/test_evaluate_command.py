"""`deckatlas evaluate`: what it prints and writes, what it takes for a deck, and what it refuses before any game."""

import csv
import json
import re
from pathlib import Path

import pytest

from deckatlas.games.hearthstone.cards.deck_codes import deck_code
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.cards.library import named_decks
from deckatlas.games.hearthstone.evaluation import Evaluations, evaluate
from deckatlas.games.hearthstone.story import narrate
from deckatlas.games.hearthstone.swap_out import swap_out
from helpers.command_line import CommandLine, ends_within_a_second_of_ctrl_c

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


def test_one_deck_is_shown_by_opponent(deckatlas: CommandLine, suite: str) -> None:
    code, out, errors = deckatlas("evaluate", "starter rogue", "--pilot", "random", "--suite", suite, "--games", "24")
    assert (code, errors) == (0, "")
    shown = [line.split() for line in out.splitlines() if line.strip()]
    assert shown[0] == ["Starter", "Rogue"]
    averages = shown.index(["averages"])
    rows = {" ".join(words[:2]): words for words in shown[:averages]}
    assert rows["Starter Mage"][2:4] == ["random", "12"]
    assert rows["Starter Hunter"][2:4] == ["random:active", "12"]
    assert "all 24" in rows
    means = {words[0]: words[1:] for words in shown[averages:]}
    again = evaluate("Starter Rogue", pilot="random", suite=suite, games=24)
    assert means["all"] == [f"{again[name].value[0]:.2f}" for name in AVERAGES]
    assert means["±"] == [f"{again[name][0].half_width:.2f}" for name in AVERAGES]
    assert "mana 80 (variance 2.76), 20 minions, 10 spells, 0 dust" in out


def test_opponents_that_nearly_always_lose_are_named_too_weak(deckatlas: CommandLine) -> None:
    hint = "These opponents are too weak to tell good decks apart: --suite field-2018 has lists of people."
    for suite, is_weak in (("starter", True), ("field-2018", False)):
        words = ("Zoo", "--suite", suite, "--games", "96", "--seed", "1", "--pilot", "fast")
        code, out, errors = deckatlas("evaluate", *words)
        assert (code, errors, hint in out) == (0, "", is_weak)


def test_the_default_pilot_plays_where_none_is_named(deckatlas: CommandLine, suite: str) -> None:
    code, out, errors = deckatlas("evaluate", "starter rogue", "--suite", suite, "--games", "4", "--seed", "1")
    assert (code, errors) == (0, "")
    assert "pilot default" in out
    unnamed = evaluate("Starter Rogue", suite=suite, games=4, seed=1)["avg_health_diff"]
    named = evaluate("Starter Rogue", pilot="expert", suite=suite, games=4, seed=1)["avg_health_diff"]
    assert unnamed.value.tolist() == named.value.tolist()


def test_a_deck_is_the_same_in_every_form_and_needs_no_pilot(
    deckatlas: CommandLine, suite: str, tmp_path: Path
) -> None:
    deck, cards = named_decks()["Midrange Hunter"], edition().by_id
    pasted = "\n".join(["### Hunter", *(f"{count}x {cards[card].name}" for card, count in deck.cards)])
    file = tmp_path / "pasted.txt"
    file.write_text(pasted, encoding="utf-8")
    forms = ("Midrange Hunter", deck_code(deck, cards), str(deck), " ".join(deck.copies), pasted, str(file))
    shown = [deckatlas("evaluate", form, "--suite", suite, "--games", "2") for form in forms]
    assert [(code, errors) for code, _, errors in shown] == [(0, "")] * len(forms)
    assert len({out for _, out, _ in shown}) == 1
    assert shown[0][1].split()[:2] == ["Midrange", "Hunter"]


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
    heading, story = out.split("\n", 1)
    assert heading == f"Game 2 of the evaluation, seed 3: Starter Rogue {ending(results, 2)}."
    other = results.suite.opponents[results.course.opponent[2]].name
    names = (other, "Starter Rogue") if results.course.seat[2] else ("Starter Rogue", other)
    assert story == narrate(results.replay(2), decks=names) + "\n"
    assert "Turn 1" in out or "turn 1" in out


def ending(results: Evaluations, game: int) -> str:
    return "won" if results.replay(game).winner == results.course.seat[game] else "lost"


@pytest.mark.parametrize("outcome", ["won", "lost"])
def test_the_first_game_with_an_outcome_is_told_with_the_names_of_the_decks(
    outcome: str, deckatlas: CommandLine, suite: str
) -> None:
    options = ("--pilot", "random:active", "--suite", suite, "--games", "60")
    code, out, errors = deckatlas("evaluate", "Starter Rogue", *options, "--replay", outcome)
    assert (code, errors) == (0, "")
    heading = re.match(rf"Game (\d+) of the evaluation, seed 0: Starter Rogue {outcome}\.\n", out)
    assert heading is not None
    results = evaluate("Starter Rogue", pilot="random:active", suite=suite, games=60)
    told = int(heading[1])
    assert ending(results, told) == outcome
    assert all(ending(results, game) != outcome for game in range(told))
    seat = results.course.seat[told]
    assert f"{('first: ', 'second:')[seat]} Starter Rogue, played by random:active\n" in out
    assert f"{('second:', 'first: ')[seat]} Starter" in out


def test_a_game_that_no_evaluation_has_is_not_told(deckatlas: CommandLine, suite: str) -> None:
    options = ("--pilot", "pass", "--suite", suite, "--games", "20")
    code, out, errors = deckatlas("evaluate", "Starter Rogue", *options, "--replay", "won")
    assert (code, out) == (2, "")
    assert errors == "deckatlas: --replay: none of the 20 games was won: play more with --games\n"


# Cards


def test_all_tables_fit_eighty_columns(deckatlas: CommandLine, suite: str) -> None:
    options = ("--suite", suite, "--pilot", "random:active", "--games", "30")
    one = deckatlas("evaluate", "Midrange Hunter", *options, "--cards", "--swap-out")[1]
    several = deckatlas("evaluate", "Midrange Hunter", "Classic Miracle Rogue", *options, "--cards")[1]
    starter = deckatlas("evaluate", "Starter Rogue", "--pilot", "pass", "--games", "1000")[1]
    for shown in (one, several, starter):
        assert max(len(line.rstrip()) for line in shown.splitlines()) <= 80


def test_cards_are_shown_with_counts_rates_and_the_bias(deckatlas: CommandLine, suite: str) -> None:
    options = ("--suite", suite, "--pilot", "random:active", "--games", "30", "--cards")
    code, out, errors = deckatlas("evaluate", "Starter Rogue", *options)
    assert (code, errors) == (0, "")
    found = evaluate("Starter Rogue", pilot="random:active", suite=suite, games=30, cards=True).cards[0]
    at = found.ids.index("CS2_072")  # Backstab
    counted, won = (line for line in out.splitlines() if line.startswith(" 2 Backstab"))
    drawn = int(found.counts["drawn"][at])
    assert f" {drawn} ({100 * drawn / 30:.0f}%) " in counted
    assert found.turn_played[at].plus_minus(1) in counted
    assert found.win_rates["drawn"][at].in_percent().text(0) in won
    words = " ".join(out.split())
    assert "compare different games, not different decks. Long games draw more cards;" in words


def test_swap_out_values_are_shown_the_best_first_with_what_they_are(deckatlas: CommandLine, suite: str) -> None:
    options = ("--suite", suite, "--pilot", "random:active", "--games", "20", "--swap-out")
    code, out, errors = deckatlas("evaluate", "Starter Rogue", *options)
    assert (code, errors) == (0, "")
    shown = out[out.index("Swap-out values of Starter Rogue") :]
    values = [float(value) for value in re.findall(r" ([+-]\d+\.\d) +\[", shown)]
    found = swap_out("Starter Rogue", pilot="random:active", suite=suite, games=20)
    assert values == sorted((round(100 * value, 1) + 0.0 for value in found.value.value), reverse=True)
    assert "The intervals hold together in 95 % of cases." in " ".join(shown.split())


def test_json_and_csv_have_the_cards(deckatlas: CommandLine, suite: str, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("out.json", "cards.csv", "page.html")}
    options = ("--suite", suite, "--pilot", "random:active", "--games", "20", "--swap-out")
    written = ("--json", str(files["out.json"]), "--cards-csv", str(files["cards.csv"]))
    code = deckatlas("evaluate", "Starter Rogue", *options, *written, "--page", str(files["page.html"]))[0]
    assert code == 0
    found = evaluate("Starter Rogue", pilot="random:active", suite=suite, games=20, cards=True).cards[0]
    values = swap_out("Starter Rogue", pilot="random:active", suite=suite, games=20)
    in_json = json.loads(files["out.json"].read_text())["decks"][0]["cards"]
    in_csv = list(csv.DictReader(files["cards.csv"].open(encoding="utf-8")))
    assert [row["card"] for row in in_json] == [row["card"] for row in in_csv] == list(found.ids)
    for at, (ours, theirs) in enumerate(zip(in_json, in_csv, strict=True)):
        assert theirs["deck_name"] == "Starter Rogue"
        assert ours["drawn"] == int(theirs["drawn"]) == found.counts["drawn"][at]
        for row in (ours, theirs):
            assert float(row["win_rate_drawn"]) == pytest.approx(found.win_rates["drawn"].value[at], abs=1e-6)
            assert float(row["swap_out"]) == pytest.approx(values.value.value[at], abs=1e-6)
            assert float(row["swap_out_low"]) <= float(row["swap_out"]) <= float(row["swap_out_high"])
    page = files["page.html"].read_text(encoding="utf-8")
    assert "Swap-out values of Starter Rogue" in page
    assert "Backstab" in page
    assert "deckatlas evaluate &#x27;Starter Rogue&#x27;" in page


def test_without_asking_the_json_has_no_cards(deckatlas: CommandLine, suite: str) -> None:
    out = deckatlas("evaluate", "Starter Rogue", "--pilot", "pass", "--suite", suite, "--games", "2", "--json", "-")[1]
    assert "cards" not in json.loads(out)["decks"][0]


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
        (["Starter Mage", "Starter Rogue", "--swap-out"], "--swap-out measures the cards of one deck, not of 2"),
        (["Starter Mage", "--cards", "--replay", "1"], "--replay prints a game of one deck, and writes no files"),
        (["Starter Mage", "--replay", "drawn"], "--replay takes lost, won or the number of a game, not 'drawn'"),
        (["Starter Mage", "--page", "x", "--cards-csv", "x"], "--cards-csv and --page would both write to x"),
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
    options = ["--pilot", "random", "--suite", suite, "--games", "400000", "--threads", "1"]
    assert ends_within_a_second_of_ctrl_c("evaluate", "Starter Mage", *options)
