"""Legends of Code and Magic against reference games and scenarios of the official engine, and that the check can fail.

The reference files are not part of the project; without them these tests are skipped.
"""

import copy
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from deckatlas.errors import TraceError
from deckatlas.games.locm.verify import Verification, verify
from deckatlas.games.reference_files import read_reference_file

REFERENCE = Path(__file__).parents[3] / "shared" / "locm"
TRACES = REFERENCE / "traces.jsonl.gz"
SCENARIOS = REFERENCE / "scenarios.jsonl.gz"

pytestmark = pytest.mark.skipif(
    not (TRACES.exists() and SCENARIOS.exists()), reason="the reference files are not at ../shared/locm"
)

Line = dict[str, Any]
Keys = tuple[str | int, ...]


def load(path: Path, lines: int) -> list[Line]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(next(file)) for _ in range(lines)]


def verify_lines(lines: list[Line], folder: Path) -> Verification:
    path = folder / "tampered.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return verify([read_reference_file(path)])


def test_reference_games_replay_without_a_difference() -> None:
    result = verify([read_reference_file(TRACES)])
    assert (result.games, result.turns, result.actions) == (400, 8826, 28980)
    assert result.mismatches == 0, "\n".join(map(str, result.first))


def test_reference_scenarios_replay_without_a_difference() -> None:
    result = verify([read_reference_file(SCENARIOS)])
    assert (result.scenarios, result.actions) == (3999, 3999)
    assert result.mismatches == 0, "\n".join(map(str, result.first))


# ---- one value changed -----------------------------------------------------------------------------------------------


def leaves(value: Any, path: Keys = ()) -> Iterator[Keys]:
    """Paths of all single values inside a line."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from leaves(inner, (*path, i))
    else:
        yield path


def at(line: Line, path: Keys) -> Any:
    value: Any = line
    for key in path:
        value = value[key]
    return value


def changed(line: Line, path: Keys) -> Line:
    """A copy of a line with another value of the same kind at one path."""
    result = copy.deepcopy(line)
    holder, key = at(result, path[:-1]), path[-1]
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, str):
        is_action = "actions" in path or "legal" in path or key == "action"
        holder[key] = "PASS" if is_action else ("-" if value[0] == "B" else "B") + value[1:]
    elif path[0] == "picks":
        holder[key] = (value + 1) % 3
    elif key == "id" or path[0] in ("draft", "decks"):
        holder[key] = value % 160 + 1
    elif path == ("player",):
        holder[key] = 1 - value
    else:
        holder[key] = value + 1
    return result


def has_no_say(line: Line, path: Keys) -> bool:
    """Whether the value could be another one just as well.

    Beside what a line tells about itself, these are actions that were skipped and creatures about to change or die.
    """
    if path[0] in ("engine", "kinds", "illegal_rate", "scenario"):
        return True
    if "actions" in path:
        return not at(line, (*path[:-2], "legal", path[-1]))
    if path[0] == "before" and "lanes" in path:
        after = [creature for player in line["after"]["players"] for lane in player["lanes"] for creature in lane]
        return at(line, path[:-1]) not in after
    return False


def one_of_each_kind(line: Line) -> list[Keys]:
    """For each kind of value in a line (its path without numbers) one path, drawn at random but always the same."""
    kinds: dict[Keys, list[Keys]] = defaultdict(list)
    for path in leaves(line):
        if not has_no_say(line, path):
            kinds[tuple(key for key in path if isinstance(key, str))].append(path)
    return [random.Random(1).choice(paths) for paths in kinds.values()]


def test_every_kind_of_value_changed_in_a_game_is_found(tmp_path: Path) -> None:
    missed = []
    for line in load(TRACES, 3):
        paths = one_of_each_kind(line)
        assert len(paths) >= 43
        missed += [path for path in paths if verify_lines([changed(line, path)], tmp_path).mismatches == 0]
    assert missed == []


def test_every_kind_of_value_changed_in_a_scenario_is_found(tmp_path: Path) -> None:
    missed = []
    for line in load(SCENARIOS, 8):
        paths = one_of_each_kind(line)
        assert len(paths) >= 38
        for path in paths:
            try:
                found = verify_lines([changed(line, path)], tmp_path).mismatches > 0
            except TraceError:
                found = path[0] == "before"  # the change has made the position impossible
            missed += [] if found else [path]
    assert missed == []


# ---- lines changed in other ways -------------------------------------------------------------------------------------


def without_last_turn(game: Line) -> None:
    game["turns"].pop()


def with_a_turn_after_the_end(game: Line) -> None:
    game["turns"].append(copy.deepcopy(game["turns"][-2]))


def with_an_action_after_the_end(game: Line) -> None:
    turn = game["turns"][-1]
    for key, value in (("actions", "PASS"), ("legal", 0), ("n_legal", 0)):
        turn[key].append(value)


def without_an_action(game: Line) -> None:
    turn = next(turn for turn in game["turns"] if 1 in turn["legal"])
    i = turn["legal"].index(1)
    for key in ("actions", "legal", "n_legal"):
        del turn[key][i]


def with_a_card_less_in_hand(line: Line) -> None:
    last_state(line)["players"][0]["hand"].pop()


def with_two_cards_in_hand_swapped(line: Line) -> None:
    last_state(line)["players"][0]["hand"].reverse()


def with_a_creature_in_the_other_lane(line: Line) -> None:
    lanes = next(player["lanes"] for player in last_state(line)["players"] if any(player["lanes"]))
    lanes.reverse()


def with_a_creature_less(line: Line) -> None:
    next(lane for player in last_state(line)["players"] for lane in player["lanes"] if lane).pop()


def with_the_other_winner(line: Line) -> None:
    line["winner"] = 0 if line["winner"] == -1 else 1 - line["winner"]


def with_a_legal_action_less(scenario: Line) -> None:
    scenario["legal"].pop()


def with_a_legal_action_more(scenario: Line) -> None:
    scenario["legal"].append("USE 60 60")


def with_legal_actions_out_of_order(scenario: Line) -> None:
    scenario["legal"].reverse()


def with_a_legal_action_twice(scenario: Line) -> None:
    scenario["legal"].append(scenario["legal"][-1])


def last_state(line: Line) -> Line:
    state: Line = line["turns"][-1]["after"] if "turns" in line else line["after"]
    return state


IN_BOTH = (
    with_a_card_less_in_hand,
    with_two_cards_in_hand_swapped,
    with_a_creature_in_the_other_lane,
    with_a_creature_less,
    with_the_other_winner,
)
IN_GAMES = (without_last_turn, with_a_turn_after_the_end, with_an_action_after_the_end, without_an_action)
IN_SCENARIOS = (
    with_a_legal_action_less,
    with_a_legal_action_more,
    with_legal_actions_out_of_order,
    with_a_legal_action_twice,
)


@pytest.mark.parametrize(
    ("source", "tamper"),
    [*((TRACES, each) for each in IN_BOTH + IN_GAMES), *((SCENARIOS, each) for each in IN_BOTH + IN_SCENARIOS)],
)
def test_a_tampered_line_is_found_and_named(source: Path, tamper: Callable[[Line], None], tmp_path: Path) -> None:
    lines = load(source, 3)
    tamper(lines[1])
    result = verify_lines(lines, tmp_path)
    assert result.mismatches > 0
    assert {difference.line for difference in result.first} == {2}


def test_a_difference_says_where_and_what(tmp_path: Path) -> None:
    line = load(TRACES, 1)[0]
    line["turns"][3]["after"]["players"][1]["hp"] = 99
    line["turns"][3]["legal"][1] = 0
    player = line["turns"][4]["after"]["players"][0]
    hand = [card["instance"] for card in player["hand"]]
    player["hand"] = []
    result = verify_lines([line], tmp_path)
    name = tmp_path / "tampered.jsonl"
    assert [str(difference) for difference in result.first] == [
        f"{name}, line 1, game of seed 1000, turn 3, action 1 (ATTACK 6 -1): legal: expected 0, found 1",
        f"{name}, line 1, game of seed 1000, turn 3: after.players[1].hp: expected 99, found 30",
        f"{name}, line 1, game of seed 1000, turn 4: after.players[0].hand: expected [], found instances {hand}",
    ]
