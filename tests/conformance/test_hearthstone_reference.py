"""Hearthstone against scenarios of its rules and games that another engine recorded, and that the check can fail.

The reference files are not part of the project; without them these tests are skipped.
"""

import copy
import gzip
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from deckatlas.errors import CardError, TraceError
from deckatlas.games.hearthstone.deviations import KNOWN_DEVIATIONS
from deckatlas.games.hearthstone.verify import Verification, verify
from deckatlas.games.reference_files import read_reference_file

REFERENCE = Path(__file__).parents[3] / "shared" / "hearthstone"
SCENARIOS = REFERENCE / "scenarios.jsonl"
SAMPLES = {  # how many games of each file are replayed: all of them are `deckatlas verify`'s business
    "traces.jsonl.gz": 60,
    "traces_more.jsonl.gz": 100,
    "traces_hall_of_fame.jsonl.gz": 60,
    "traces_tree.jsonl.gz": 40,
}
PROGRAM = (sys.executable, "-c", "from deckatlas.cli.main import run; run()")

pytestmark = pytest.mark.skipif(
    not (SCENARIOS.exists() and all((REFERENCE / name).exists() for name in SAMPLES)),
    reason="the reference files are not at ../shared/hearthstone",
)

Line = dict[str, Any]


def games(name: str, count: int, *, every: int = 1) -> list[Line]:
    with gzip.open(REFERENCE / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in islice(file, 0, count * every, every)]


def scenario(name: str) -> Line:
    with SCENARIOS.open(encoding="utf-8") as file:
        return next(line for line in map(json.loads, file) if line["name"] == name)


def write(lines: list[Line], folder: Path) -> Path:
    path = folder / "reference.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def verify_lines(lines: list[Line], folder: Path, *, edition: str | None = None) -> Verification:
    return verify([read_reference_file(write(lines, folder))], edition=edition)


def test_every_scenario_holds_in_the_real_rules() -> None:
    result = verify([read_reference_file(SCENARIOS)])
    assert (result.scenarios, result.passed) == (493, 493), "\n".join(result.differences)


@pytest.mark.parametrize(("name", "count"), SAMPLES.items())
def test_recorded_games_replay_whole(name: str, count: int, tmp_path: Path) -> None:
    every = {"traces_more.jsonl.gz": 6, "traces_tree.jsonl.gz": 1}.get(name, 2)
    result = verify_lines(games(name, count, every=every), tmp_path)
    assert (result.games, result.whole) == (count, count), "\n".join(result.differences)


def test_recorded_games_do_not_follow_the_real_rules(tmp_path: Path) -> None:
    result = verify_lines(games("traces.jsonl.gz", 40), tmp_path, edition="2019-12")
    assert not result.holds


# ---- one value changed -----------------------------------------------------------------------------------------------


def changes_of(state: Line, rng: random.Random) -> dict[str, Callable[[], None]]:
    """Ways to make a recorded state wrong, by name."""
    player = rng.choice(state["p"])

    def add(holder: Any, key: Any) -> Callable[[], None]:
        return lambda: holder.__setitem__(key, holder[key] + 1)

    changes = {f"hero {key}": add(player["hero"], key) for key in player["hero"] if key != "id"}
    changes |= {f"{key}": add(player, key) for key in ("deck", "spd", "combo")}
    changes |= {f"mana {i}": add(player["mana"], i) for i in range(6)}
    changes |= {"power used": add(player["pow"], "x"), "power cost": add(player["pow"], "c"), "turn": add(state, "t")}
    changes["player to move"] = lambda: state.__setitem__("cp", 3 - state["cp"])
    changes["play state"] = lambda: player.__setitem__("ps", "TIED")
    changes["secrets"] = lambda: player["sec"].append("EX1_554")
    if player["board"]:
        minion = player["board"][0]
        changes |= {f"minion {key}": add(minion, key) for key in minion if key not in ("id", "k")}
        changes["minion keywords"] = lambda: minion.__setitem__("k", minion["k"] + "Q")
        changes["minion id"] = lambda: minion.__setitem__("id", "CS2_231x")
    if player["hand"]:
        changes |= {"cost": add(player["hand"][0], 1), "hand": lambda: player["hand"].pop()}
    return changes


def test_every_field_of_a_recorded_state_is_compared(tmp_path: Path) -> None:
    game = games("traces.jsonl.gz", 1)[0]
    game["steps"] = game["steps"][:40]
    game["result"] = ["PLAYING", "PLAYING"]
    assert verify_lines([game], tmp_path).holds
    rng = random.Random(5)
    tried = set()
    for step in (27, 33, 39):
        for name in changes_of(game["steps"][step]["s"], rng):
            changed = copy.deepcopy(game)
            changes = changes_of(changed["steps"][step]["s"], random.Random(5))
            if name not in changes:
                continue
            changes[name]()
            result = verify_lines([changed], tmp_path)
            assert (result.whole, len(result.differences)) == (0, 1), f"{name} of step {step} was not compared"
            assert f"step {step}," in result.differences[0]
            tried.add(name)
    assert len(tried) > 25


def test_an_option_too_many_and_a_draw_too_few_are_differences(tmp_path: Path) -> None:
    game = games("traces.jsonl.gz", 1)[0]
    drawn = next(i for i, step in enumerate(game["steps"]) if step.get("rnd"))
    more, fewer = copy.deepcopy(game), copy.deepcopy(game)
    more["steps"][3]["o"] += " p9@o7"
    fewer["steps"][drawn]["rnd"] = []
    assert "options" in verify_lines([more], tmp_path).differences[0]
    assert f"step {drawn}," in verify_lines([fewer], tmp_path).differences[0]


def test_a_fact_that_does_not_hold_is_named(tmp_path: Path) -> None:
    wrong = scenario("innervate_one_crystal")
    wrong["expect"]["me.mana"] = 5
    result = verify_lines([wrong], tmp_path)
    assert (result.passed, result.holds) == (0, False)
    assert "innervate_one_crystal" in result.differences[0]
    assert "me.mana is 4, not 5" in result.differences[0]


# ---- bad input -------------------------------------------------------------------------------------------------------


def broken(line: Line, *keys: Any, value: Any = None) -> Line:
    """A copy with one value replaced, or missing if none is given."""
    copied = copy.deepcopy(line)
    holder = copied
    for key in keys[:-1]:
        holder = holder[key]
    if value is None:
        del holder[keys[-1]]
    else:
        holder[keys[-1]] = value
    return copied


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("result",), None),
        (("start", "p", 0, "hero"), None),
        (("start", "p", 0, "mana"), [1, 2]),
        (("start", "p", 0, "deck_bottom_to_top", 0), "NO_SUCH_CARD"),
        (("start", "cp"), 3),
        (("steps",), "many"),
        (("steps", 0, "a"), "fly"),
        (("steps", 0, "a"), 7),
        (("steps", 0, "s"), None),
        (("steps", 0, "s", "p", 1, "hero", "h"), "30"),
        (("steps", 0, "s", "p", 1, "hand"), {}),
        (("steps", 0, "rnd"), "3-1"),
        (("steps", 0, "rnd"), {"3": 1}),
    ],
)
def test_a_trace_in_bad_form_is_refused(keys: tuple[Any, ...], value: Any, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"reference\.jsonl, line 1: \S"):
        verify_lines([broken(games("traces.jsonl.gz", 1)[0], *keys, value=value)], tmp_path)


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("me",), None),
        (("me", "class"), "MONK"),
        (("me", "hand"), ["NO_SUCH_CARD"]),
        (("me", "mana"), "three"),
        (("me", "board"), [{"id": "CS2_231", "damage": -1}]),
        (("do",), [{"dance": True}]),
        (("do",), [{"attack": "me.board", "target": "op.hero"}]),
        (("expect",), {"me.luck": 1}),
        (("expect",), {"him.mana": 1}),
        (("expect",), {"me.mana": {"least": 1}}),
    ],
)
def test_a_scenario_in_bad_form_is_refused(keys: tuple[Any, ...], value: Any, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"reference\.jsonl, line 1: \S"):
        verify_lines([broken(scenario("innervate_one_crystal"), *keys, value=value)], tmp_path)


def test_an_unknown_edition_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CardError, match="unknown edition '2014'"):
        verify_lines([scenario("innervate_one_crystal")], tmp_path, edition="2014")


# ---- decisions of the planner ----------------------------------------------------------------------------------------


def test_every_decision_of_the_planner_is_made_again_but_for_the_known_deviations() -> None:
    result = verify([read_reference_file(REFERENCE / "traces_tree.jsonl.gz")])
    decisions = result.decisions
    assert decisions.compared + decisions.left_out == 996
    assert decisions.compared > 800
    assert decisions.differences == []
    assert decisions.known == Counter(KNOWN_DEVIATIONS.values())
    assert decisions.known.total() == decisions.compared - decisions.agreed
    assert result.holds


@pytest.mark.parametrize("change", [("seed", 1), ("recorded", 1), ("recorded", -1)])
def test_a_known_deviation_is_known_only_as_it_is(change: tuple[str, int], tmp_path: Path) -> None:
    game = games("traces_tree.jsonl.gz", 24)[23]
    assert verify_lines([game], tmp_path).decisions.known == {"copies-by-deck-list": 1}
    key, by = change
    if key == "seed":
        game["seed"] += by
    else:
        game["steps"][26]["decision"]["n_end_nodes"] += by
    changed = verify_lines([game], tmp_path)
    made_to_agree = (key, by) == ("recorded", -1)
    assert changed.decisions.known == {}
    assert changed.holds == made_to_agree


@pytest.mark.parametrize("key", ["score", "n_end_nodes", "plan_len"])
def test_a_decision_that_came_to_something_else_is_named(key: str, tmp_path: Path) -> None:
    game = games("traces_tree.jsonl.gz", 2)[1]
    unchanged = verify_lines([game], tmp_path)
    number = next(i for i, step in enumerate(game["steps"]) if "decision" in step)
    game["steps"][number]["decision"][key] += 1
    changed = verify_lines([game], tmp_path)
    assert changed.decisions.agreed == unchanged.decisions.agreed - 1
    assert f"game 1, step {number}: score, end nodes and length are" in changed.decisions.differences[0]
    assert unchanged.decisions.hold
    assert not changed.decisions.hold
    assert changed.whole == 1


def test_decisions_without_a_known_score_are_refused(tmp_path: Path) -> None:
    game = games("traces_tree.jsonl.gz", 1)[0]
    with pytest.raises(TraceError, match=r"line 1: strategies: expected two of aggro, .*, not 'Clever'"):
        verify_lines([broken(game, "strategies", 0, value="Clever")], tmp_path)
    with pytest.raises(TraceError, match=r"steps\[0\]\.decision\.plan_len: missing"):
        verify_lines([broken(game, "steps", 0, "decision", "plan_len")], tmp_path)


# ---- the command -----------------------------------------------------------------------------------------------------


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, "verify", "hearthstone", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def test_the_command_ends_with_0_on_good_files_and_says_how_much_was_checked(tmp_path: Path) -> None:
    game = games("traces.jsonl.gz", 1)[0]
    done = run(write([game, scenario("innervate_one_crystal")], tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "games replayed completely  1 (100.00 %)" in done.stdout
    assert ["steps", "checked", str(len(game["steps"]))] in [line.split() for line in done.stdout.splitlines()]


def test_the_command_ends_with_1_and_names_card_and_step_of_a_difference(tmp_path: Path) -> None:
    game = games("traces.jsonl.gz", 1)[0]
    number, step = next((i, step) for i, step in enumerate(game["steps"]) if "card" in step)
    step["s"]["p"][0]["deck"] += 1
    done = run(write([game], tmp_path))
    assert (done.returncode, done.stderr) == (1, "")
    assert f"step {number}, {step['a']} ({step['card']}): P1 deck" in done.stdout


def test_the_command_ends_with_2_and_one_line_on_a_damaged_file(tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes((REFERENCE / "traces.jsonl.gz").read_bytes()[:100_000])
    done = run(cut)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "broken gzip" in done.stderr
