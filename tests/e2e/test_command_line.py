"""The command line: help, errors, files, colours, Ctrl-C, and what each command prints."""

import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deckatlas import __version__, hearthstone, locm
from deckatlas.cli import bench as bench_command
from deckatlas.cli import locm_demo
from deckatlas.games import find
from deckatlas.games.game import PlayedGame
from deckatlas.games.hearthstone import bench as hearthstone_bench
from deckatlas.games.hearthstone import loop_bench, map_bench, trial_bench
from deckatlas.games.locm import bench as locm_bench
from deckatlas.games.locm import search_bench
from deckatlas.models import bench as model_bench
from deckatlas.play import measurement
from deckatlas.play.measurement import Measurement
from deckatlas.play.signature import signature
from deckatlas.play.spec import Entry
from deckatlas.views.chart import chart
from helpers.command_line import (
    CommandLine,
    Terminal,
    all_commands,
)

COMMANDS = all_commands()
PAIR_KEYS = ["a", "b", "games", "wins", "rate", "low", "high"]
FEW = ["--games", "20"]


def words(text: str) -> str:
    """A text without its line breaks and frames."""
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())


# ---- help ------------------------------------------------------------------------------------------------------------


def test_the_program_lists_its_commands_and_its_version(deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("--help")
    assert (code, errors) == (0, "")
    for name in COMMANDS:
        assert f" {name} " in words(out) or " " in name  # a command of a command
    assert deckatlas("--version") == (0, f"deckatlas {__version__}\n", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_explains_itself_and_all_its_options(name: str, deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas(*name.split(), "--help")
    shown = words(out)
    assert (code, errors) == (0, "")
    assert f"Usage: deckatlas {name}" in shown
    for paragraph in COMMANDS[name].help.split("\n\n"):
        assert words(paragraph) in shown
    for parameter in COMMANDS[name].params:
        assert words(parameter.help) in shown, parameter.name
    assert "Example: deckatlas " in shown or not any(parameter.required for parameter in COMMANDS[name].params)


# ---- errors ----------------------------------------------------------------------------------------------------------


def test_too_little_memory_is_one_line_and_exit_code_2(deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*arguments: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("deckatlas.games.locm.match.play", no_memory)
    code, out, errors = deckatlas("play", "locm", "random", "random", "--games", "2")
    assert (code, out) == (2, "")
    assert errors == "deckatlas: there is not enough memory for so much at once\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "locm", "icebox/gredy", "random"], "unknown battle agent 'gredy': did you mean 'greedy'?"),
        (["play", "locm", "icebx/greedy", "random"], "unknown draft policy 'icebx': did you mean 'icebox'?"),
        (["play", "locm", "random", "icebox/random:actve"], "'random' has no option 'actve': did you mean 'active'?"),
        (["play", "locm", "mcts:playout=4", "random"], "'mcts' has no option 'playout': did you mean 'playouts'?"),
        (["play", "locm", "random", "two\nlines"], r"unknown agent 'two\nlines': known: "),
        (["play", "locm", "random", "icebox/random::cat:"], "'random' has no option ':cat:': known: active"),
        (
            ["play", "locm", "random", "random", "--games", "0"],
            "games must be a whole number from 1 to 1000000000, not 0",
        ),
        (["play", "locm", "random", "random", "--games", "-5"], "games must be a whole number from 1 to "),
        (["play", "locm", "random", "random", "--games", "9" * 30], "games must be a whole number from 1 to "),
        (
            ["play", "locm", "random", "random", "--threads", "0"],
            "threads must be a whole number from 1 to 1024, not 0",
        ),
        (["play", "locm", "random", "random", "--seed", "9" * 30], "a seed is a whole number of at most 64 bits, not "),
        (["play", "locm", "random", "random", "--format", "x"], "unknown draft format 'x': use referee or distinct"),
        (
            ["play", "locm", "exec:no-such-program", "random"],
            "cannot start 'no-such-program': there is no such program",
        ),
        (["play", "locm", "ranking:file=no-such/pass", "random"], "cannot read the ranking no-such: No such file "),
        (
            ["play", "locm", "random", "random", "--elo1", "20"],
            "--elo1 is for the test of --sprt: add --sprt",
        ),
        (["play", "locm", "random", "random", "--elo0", "0"], "--elo0 is for the test of --sprt"),  # its default
        (["gauntlet", "locm", "random", "icebox/pass", "--beta", "0.1"], "--beta is for the test of --sprt"),
        (["gauntlet", "locm", "random", "icebox/pass", "--alpha", "7"], "--alpha is for the test of --sprt"),
        (["gauntlet", "locm", "random", "icebox/pass", "--sprt", "--alpha", "7"], "alpha must be between 0 and 0.5"),
        (["gauntlet", "locm", "random"], "a gauntlet needs at least two entrants"),
        (["gauntlet", "locm", "random", "random"], "entrant 'random' is given twice"),
        (["gauntlet", "locm", "random", "randm"], "unknown agent 'randm': did you mean 'random'?"),
        (["game", "locm", "random", "randm"], "unknown agent 'randm': did you mean 'random'?"),
        (["game", "locm", "random", "random", "--format", "x"], "unknown draft format 'x'"),
        (
            ["game", "locm", "random", "random", "--record", "no/such/folder"],
            "cannot write no/such/folder: No such file ",
        ),
        (["game", "locm", "random", "random", "--seat", "second"], "--coach and --seat need --picture"),
        (["game", "locm", "random", "exec:x", "--picture", "x.png"], "a game with a program cannot be drawn"),
        (["game", "locm", "random", "random", "--picture", "x.gif"], "a figure's file ends in .png, .svg or .pdf"),
        (
            ["game", "locm", "random", "random", "--picture", "x.png", "--seat", "third"],
            "a game has no seat 'third': known: first, second",
        ),
        (
            ["game", "locm", "random", "random", "--picture", "x.png", "--coach", "planer"],
            "unknown coach 'planer': did you mean 'planner'?",
        ),
        (["verify", "locm", "no-such-file"], "cannot read no-such-file: "),
        (["play", "chess", "random", "random"], "unknown game 'chess': known: hearthstone, locm"),
        (["agents", "lcom"], "unknown game 'lcom': did you mean 'locm'?"),
        (["evaluate", "locm", "1 2 3", "--pilot", "greedy"], "locm has no evaluations of decks"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(deckatlas: CommandLine, arguments: list[str], message: str) -> None:
    code, out, errors = deckatlas(*arguments)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"deckatlas: {message}")


@pytest.mark.parametrize("game", ["hearthstone", "locm"])
@pytest.mark.parametrize(("option", "complaint"), [("--seat", "a game has no seat"), ("--coach", "unknown coach")])
def test_nothing_is_played_for_a_picture_of_nobody(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str, option: str, complaint: str
) -> None:
    def play_one(*_: object, **__: object) -> PlayedGame:
        raise AssertionError("the game is played")

    monkeypatch.setattr(type(find(game)), "play_one", play_one)
    file = tmp_path / "game.png"
    code, out, errors = deckatlas("game", game, "random", "random", "--picture", str(file), option, "nobody")
    assert (code, out, errors.count("\n"), file.exists()) == (2, "", 1, False)
    assert errors.startswith(f"deckatlas: {complaint} 'nobody'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch"], "No such command 'nosuch'"),
        (["play"], "Missing argument 'GAME'"),
        (["play", "locm", "random"], "Missing argument 'b'"),
        (["play", "locm", "random", "random", "random"], "Got unexpected extra argument"),
        (["play", "locm", "random", "random", "--gmaes", "3"], "No such option: --gmaes"),
        (["play", "locm", "random", "random", "--games", "many"], "Invalid value for '--games'"),
        (["verify", "locm"], "Missing argument 'FILE"),
        (["meta", "nope"], "No such command 'nope'"),
        (["meta", "suite", "field"], "Missing option '--output'"),
        (["decks", "--class"], "Option '--class' requires an argument"),
    ],
)
def test_a_command_line_that_cannot_be_read_is_one_line_and_exit_code_2(
    deckatlas: CommandLine, arguments: list[str], message: str
) -> None:
    code, out, errors = deckatlas(*arguments)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"deckatlas: {message}")
    assert errors.endswith("--help\n")


@pytest.mark.parametrize("arguments", [[], ["meta"]])
def test_a_command_without_arguments_prints_its_help(deckatlas: CommandLine, arguments: list[str]) -> None:
    code, out, errors = deckatlas(*arguments)
    assert code == 2
    assert f"Usage: {' '.join(['deckatlas', *arguments])} [OPTIONS] COMMAND" in out + errors
    assert "deckatlas: " not in errors


@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_a_file_that_cannot_be_written_is_one_line_and_exit_code_2(
    deckatlas: CommandLine, option: str, tmp_path: Path
) -> None:
    code, _, errors = deckatlas("gauntlet", "locm", "random", "icebox/pass", *FEW, option, str(tmp_path))
    assert (code, errors) == (2, f"deckatlas: cannot write {tmp_path}: Is a directory\n")


@pytest.mark.parametrize("place", ["-", "result"])
def test_two_documents_in_one_place_are_refused_before_the_games(
    deckatlas: CommandLine, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, errors = deckatlas("gauntlet", "locm", "random", "icebox/pass", *FEW, "--json", place, "--csv", place)
    shown = "standard output" if place == "-" else "result"
    assert (code, out, errors) == (2, "", f"deckatlas: --json and --csv would both write to {shown}\n")
    assert not list(tmp_path.iterdir())


# ---- what the commands print -----------------------------------------------------------------------------------------


def test_play_prints_the_result_of_the_same_match_in_python(deckatlas: CommandLine) -> None:
    arguments = ["play", "locm", "icebox/greedy", "random", "--games", "50", "--seed", "3", "--format", "distinct"]
    result = locm.play("icebox/greedy", "random", games=50, seed=3, format="distinct")
    for threads in ([], ["--threads", "1"]):
        code, out, errors = deckatlas(*arguments, *threads)
        *lines, times = out.splitlines()
        assert (code, errors, lines) == (0, "", str(result).splitlines())
        assert times.startswith("  ms per turn ")


def own_ranking(file: Path) -> str:
    """An entrant that drafts by a file, and is named after it."""
    file.write_text("1 " * 160, encoding="utf-8")
    return f"ranking:file={file}/greedy"


def test_a_long_name_breaks_no_line(deckatlas: CommandLine, tmp_path: Path) -> None:
    name = own_ranking(tmp_path / ("long" * 30))
    code, out, _ = deckatlas("play", "locm", name, "random", *FEW)
    assert code == 0
    assert out.splitlines()[0].startswith(f"{name} against random: ")
    assert len(out.splitlines()) == 5


def test_brackets_in_a_name_are_no_markup(deckatlas: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "[").mkdir()
    name = own_ranking(tmp_path / "[" / "red]")
    assert name in deckatlas("gauntlet", "locm", name, "random", *FEW)[1]
    terminal = Terminal()
    process = terminal.start("play", "locm", name, "random", *FEW)
    terminal.read_all()
    assert process.wait(timeout=60) == 0
    assert f"{name} against random: ".encode() in terminal.shown


def test_a_gauntlet_prints_the_whole_table_however_wide(deckatlas: CommandLine) -> None:
    entrants = [f"{draft}/greedy" for draft in locm.DRAFT_POLICIES if draft not in ("ranking", "net", "genome")][:12]
    result = locm.gauntlet(entrants, games=20)
    code, out, errors = deckatlas("gauntlet", "locm", *entrants, *FEW)
    assert (code, errors) == (0, "")
    assert "…" not in out
    rows = [line.split() for line in out.splitlines() if "/greedy" in line]
    cross = rows[len(entrants) :]  # the ratings come first
    for place, i in enumerate(result.ranking()):
        assert rows[place][:2] == cross[place][:2] == [str(place + 1), entrants[i]]
        others = [j for j in result.ranking() if j != i]
        assert cross[place][2:] == [f"{100 * result.rate(i, j).value:.1f}" for j in others]


def test_a_gauntlet_writes_json_and_csv_to_standard_output(deckatlas: CommandLine) -> None:
    arguments = ["gauntlet", "locm", "random", "icebox/greedy", "icebox/pass", *FEW]
    code, out, errors = deckatlas(*arguments, "--json", "-")
    data = json.loads(out)
    assert (code, errors) == (0, "")
    again = locm.gauntlet(["random", "icebox/greedy", "icebox/pass"], games=20).to_json()
    for pair, other in zip(data["pairs"], again["pairs"], strict=True):
        assert list(pair)[: len(PAIR_KEYS)] == PAIR_KEYS
        assert [pair[key] for key in PAIR_KEYS] == [other[key] for key in PAIR_KEYS]  # times differ from run to run
    code, out, errors = deckatlas(*arguments, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert (code, errors) == (0, "")
    assert [[row[key] for key in PAIR_KEYS] for row in rows] == [
        [str(pair[key]) for key in PAIR_KEYS] for pair in data["pairs"]
    ]


def test_a_gauntlet_writes_json_and_csv_to_files_beside_the_table(deckatlas: CommandLine, tmp_path: Path) -> None:
    json_file, csv_file = tmp_path / "result.json", tmp_path / "result.csv"
    arguments = ["gauntlet", "locm", "random", "icebox/greedy", *FEW]
    code, out, _ = deckatlas(*arguments, "--json", str(json_file), "--csv", str(csv_file))
    assert code == 0
    assert "icebox/greedy" in out
    pairs = json.loads(json_file.read_text(encoding="utf-8"))["pairs"]
    rows = list(csv.DictReader(io.StringIO(csv_file.read_text(encoding="utf-8"))))
    assert [row["wins"] for row in rows] == [str(pair["wins"]) for pair in pairs]


@pytest.mark.parametrize("game", ["locm", "hearthstone"])
def test_agents_names_everything_that_can_play_with_one_line_each(deckatlas: CommandLine, game: str) -> None:
    registries: dict[str, list[Mapping[str, Entry[Any]]]] = {
        "locm": [locm.DRAFT_POLICIES, locm.BATTLE_AGENTS],
        "hearthstone": [hearthstone.AGENTS],
    }
    code, out, errors = deckatlas("agents", game)
    assert (code, errors) == (0, "")
    first_words = [line.split(" ")[0] for line in out.splitlines()]
    for registry in registries[game]:
        for name, entry in registry.items():
            assert name in first_words
            assert words(entry.summary) in words(out)
            for key, option in entry.options.items():
                assert f"{name}:{key}{'' if option.form is None else '=...'}" in first_words


def test_a_game_is_told_and_its_record_replays(deckatlas: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    arguments = ["game", "locm", "icebox/greedy", "random:active", "--seed", "7"]
    played = locm.play_one("icebox/greedy", "random:active", seed=7)
    told = f"{locm.narrate(played)}\n"
    assert deckatlas(*arguments) == (0, told, "")
    assert deckatlas(*arguments, "--record", str(file)) == (0, told, "")
    assert deckatlas(*arguments, "--record", "-") == (0, file.read_text(encoding="utf-8"), "")
    record = locm.GameRecord.from_text(file.read_text(encoding="utf-8"))
    assert record == played
    assert list(record.replay())[-1].winner == record.winner


def test_the_demo_of_drafts_shows_how_policies_learn_and_the_gauntlet_and_a_game(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locm_demo, "GAMES", 60_000)
    monkeypatch.setattr(locm_demo, "LOOK_SEEDS", 50)
    monkeypatch.setattr(locm_demo, "GAUNTLET_GAMES", 400)
    code, out, errors = deckatlas("demo", "locm")
    assert (code, errors) == (0, "")
    assert "two searches for a way to draft, 60,000 games each" in out
    assert out.count("●") > 10  # the curve of one search, and of the other
    assert out.count("○") >= 4
    assert "ratings after 8,400 games" in out
    assert re.search(r"^ 1 +card-values/greedy +\+", out, re.MULTILINE)  # what was evolved wins it
    assert all(f"{draft}/greedy" in out for draft in (*locm_demo.SEARCHES, *locm_demo.OTHERS))
    assert re.search(r"wins in turn \d+ with \d+ health left\.\n$", out)


def test_a_chart_puts_the_least_and_the_greatest_where_they_belong() -> None:
    lines = chart({"up": [(0, 10), (50, 20), (100, 30)], "flat": [(0, 20)]}, width=11, height=5, unit="games")
    assert lines == [
        "   30 % │          ●",
        "        │",
        "        │○    ●",
        "        │",
        "   10 % │●",
        "        └───────────",
        "         0    100 games",
        "         ● up",
        "         ○ flat",
    ]


@pytest.mark.long
def test_bench_prints_a_table_and_a_flat_json_object(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in (measurement, locm_bench, hearthstone_bench):
        monkeypatch.setattr(module, "REPEATS", 1)
    monkeypatch.setattr(map_bench, "EVALUATIONS", 20)
    monkeypatch.setattr(map_bench, "MILLION", 10_000)
    monkeypatch.setattr(
        locm_bench, "play", lambda a, b, *, games, **options: locm.play(a, b, games=min(games, 500), **options)
    )
    monkeypatch.setattr(search_bench, "MILLION", 20_000)
    monkeypatch.setattr(search_bench, "DBGA_SAMPLE", 2_500)
    monkeypatch.setattr(model_bench, "PREDICTIONS", 20_000)
    monkeypatch.setattr(model_bench, "ROWS", 500)
    monkeypatch.setattr(loop_bench, "EVALUATIONS", 200)
    monkeypatch.setattr(trial_bench, "KNOWN", 40)
    monkeypatch.setattr(trial_bench, "PREDICTIONS", 2_000)
    monkeypatch.setattr(trial_bench, "MAP_EVALUATIONS", 120)
    file = tmp_path / "bench.json"
    code, out, _ = deckatlas("bench", "--json", str(file))
    data = json.loads(file.read_text(encoding="utf-8"))
    assert code == 0
    assert "locm.copy_ns" in data
    for key in (
        "locm.random.games_per_cpu_second",
        "locm.greedy.games_per_cpu_second",
        "search.e_aw.seconds",
        "hearthstone.network_planner.games_per_cpu_second",
        "hearthstone.score_planner.games_per_cpu_second",
        "hearthstone.default_pilot.games_per_cpu_second",
        "hearthstone.fast_pilot.games_per_cpu_second",
        "hearthstone.search_pilot.games_per_cpu_second",
        "surrogate.million_predictions_cpu_seconds",
        "surrogate.million_predictions_portable_cpu_seconds",
        "surrogate.training_cpu_seconds",
        "surrogate.trial_overhead_percent",
        "runs.loop.evaluations_per_cpu_second",
        "surrogate.default_map_overhead_percent",
    ):
        assert data[key] > 0
    assert all(isinstance(value, int | float | str) for value in data.values())
    assert data["signature"] == signature()
    assert f"bench signature: {data['signature']}" in out


def test_a_bench_that_goes_to_standard_output_is_nothing_but_json(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_bench, "measurements", lambda report: [Measurement("a.speed", "speed", 2.5, 1)])
    monkeypatch.setattr(bench_command, "measure", lambda report: [Measurement("signature", "signature", "abc")])
    code, out, _ = deckatlas("bench", "--json", "-")
    assert (code, json.loads(out)) == (0, {"a.speed": 2.5, "signature": "abc"})
