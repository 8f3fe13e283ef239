"""Replays reference traces and scenarios of Legends of Code and Magic and compares everything in them with the core.

For a game these are the draft and both decks from the seed, the position before the first turn, the numbers at the
start of each turn, the number of legal actions before each attempted action, whether that action is legal, every field
of the state after each turn, and the winner. For a scenario they are the position as read, the set of legal actions,
the state after the action, and the winner.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas.errors import StateError, TraceError
from deckatlas.games.locm.position import position, to_dict
from deckatlas.games.locm.state import Action, State, new_game
from deckatlas.games.locm.traces import ReferenceEntry, parse_entry
from deckatlas.games.reference_files import ReferenceFile

SHOWN = 20
SHOWN_OF_A_LINE = 5  # one early difference in a game causes many later ones
NOBODY = -1
PASS = Action.from_text("PASS")


@dataclass(frozen=True)
class Difference:
    """One value that differs from the reference, and its place; `turn` and `action` are optional."""

    file: str
    line: int
    entry: str
    turn: int | None
    action: str | None
    field: str
    expected: str
    found: str

    def __str__(self) -> str:
        place = [f"{self.file}, line {self.line}", self.entry]
        if self.turn is not None:
            place.append(f"turn {self.turn}")
        if self.action is not None:
            place.append(self.action)
        return f"{', '.join(place)}: {self.field}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True)
class Verification:
    """What was replayed, the number of differences, and the first few differences of each line."""

    games: int
    scenarios: int
    turns: int
    actions: int
    mismatches: int
    first: tuple[Difference, ...]


def verify(files: Sequence[ReferenceFile], *, progress: Callable[[int], None] | None = None) -> Verification:
    """Replays all files.

    Args:
        files: From `read_reference_file`.
        progress: Called with the number of finished lines.

    Raises:
        TraceError: If a line is not a trace or a scenario, or describes an impossible position.
    """
    games = scenarios = turns = actions = mismatches = 0
    first: list[Difference] = []
    done = 0
    for file in files:
        for line in file.lines():
            done += 1
            entry = parse_entry(line)
            comparison = _Comparison(entry)
            if entry.is_trace:
                games += 1
                turns += len(entry.data["turns"])
                actions += sum(len(turn["actions"]) for turn in entry.data["turns"])
                _replay_game(entry.data, comparison)
            else:
                scenarios += 1
                actions += 1
                _replay_scenario(entry, comparison)
            mismatches += len(comparison.differences)
            first += comparison.differences[: min(SHOWN_OF_A_LINE, SHOWN - len(first))]
            if progress is not None:
                progress(done)
    return Verification(games, scenarios, turns, actions, mismatches, tuple(first))


class _Comparison:
    """Collects the differences of one line, and tracks the progress of its replay."""

    def __init__(self, entry: ReferenceEntry) -> None:
        self.differences: list[Difference] = []
        self.turn: int | None = None
        self.action: str | None = None
        self._entry = entry
        number = entry.data["seed"] if entry.is_trace else entry.data.get("scenario", entry.line)
        self._name = f"game of seed {number}" if entry.is_trace else f"scenario {number}"

    def check(self, field: str, expected: Any, found: Any) -> None:
        """Compares two values recursively."""
        for place, wanted, got in _differences(expected, found, field):
            values = (_short(wanted), _short(got))
            where = (self._entry.file, self._entry.line, self._name, self.turn, self.action)
            self.differences.append(Difference(*where, place, *values))


def _short(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return f"instances {_short([piece['instance'] for piece in value])}"
    text = ascii(value)
    return text if len(text) <= 200 else f"{text[:197]}..."


def _differences(expected: Any, found: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    if expected == found:
        return
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in found.items():
            yield from _differences(expected[key], value, f"{place}.{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, (wanted, got) in enumerate(zip(expected, found, strict=True)):
            yield from _differences(wanted, got, f"{place}[{i}]")
    else:
        yield place, expected, found


def _legal_without_pass(state: State) -> list[Action]:
    return [action for action in state.legal_actions() if action != PASS]


def _winner(state: State) -> int:
    return NOBODY if state.winner is None else state.winner


# ---- games -----------------------------------------------------------------------------------------------------------


def _replay_game(trace: dict[str, Any], comparison: _Comparison) -> None:
    state = new_game(seed=trace["seed"])
    comparison.check("draft", trace["draft"], state.offers)
    for choices in zip(*trace["picks"], strict=True):
        for choice in choices:
            state.apply(Action.from_text(f"PICK {choice}"))
    comparison.check("decks", trace["decks"], [state.deck(0), state.deck(1)])
    if comparison.differences:
        return  # with other decks it is another game, and nothing can be compared
    comparison.check("initial", trace["initial"], _before_first_turn(state))
    _replay_turns(state, trace["turns"], comparison)
    comparison.check("winner", trace["winner"], _winner(state))


def _before_first_turn(state: State) -> dict[str, Any]:
    """The position with hands dealt. The core's battle starts after it, so this undoes the start of the first turn."""
    dealt = to_dict(state)
    first = dealt["players"][0]
    first["hand"].pop()
    first["deck_left"] += 1
    first["max_mana"] -= 1
    first["mana"] = 0
    return dealt


def _replay_turns(state: State, turns: Iterable[dict[str, Any]], comparison: _Comparison) -> None:
    for number, turn in enumerate(turns):
        if number > 0:
            if state.is_over:
                comparison.check("turns", "another turn", "the game is over")
                break
            state.apply(PASS)
        comparison.turn = state.turn
        _replay_turn(state, turn, comparison)
    comparison.turn = None


def _replay_turn(state: State, turn: dict[str, Any], comparison: _Comparison) -> None:
    side = state.side(state.player_to_move)
    comparison.check("turn", turn["turn"], state.turn)
    comparison.check("player", turn["player"], state.player_to_move)
    comparison.check("start", turn["start"], {"hp": side.health, "mana": side.mana, "hand": len(side.hand)})
    comparison.check("n_legal_start", turn["n_legal_start"], _legal_at_start(state))
    for i, command in enumerate(turn["actions"]):
        action = Action.from_text(command)
        comparison.action = f"action {i} ({action})"
        if state.is_over:
            comparison.check("actions", "another action", "the game is over")
            break
        executed = action != PASS and state.is_legal(action)
        comparison.check("n_legal", turn["n_legal"][i], len(_legal_without_pass(state)))
        comparison.check("legal", turn["legal"][i], int(executed))
        if executed:
            state.apply(action)
    comparison.action = None
    comparison.check("after", turn["after"], to_dict(state))


def _legal_at_start(state: State) -> int:
    """The number of legal actions at the start of a turn; the reference counts them before it notices a deadly draw."""
    if not state.is_over:
        return len(_legal_without_pass(state))
    alive = to_dict(state)
    alive["players"][state.player_to_move]["hp"] = 1
    return len(_legal_without_pass(position(alive, player=state.player_to_move)))


# ---- scenarios -------------------------------------------------------------------------------------------------------


def _replay_scenario(entry: ReferenceEntry, comparison: _Comparison) -> None:
    scenario = entry.data
    try:
        state = position(scenario["before"], player=scenario["player"])
    except StateError as error:
        raise TraceError(f"{entry.file}, line {entry.line}: before: {error}") from None
    comparison.check("before", scenario["before"], to_dict(state))
    _check_legal_set(scenario["legal"], sorted(map(str, _legal_without_pass(state))), comparison)
    action = Action.from_text(scenario["action"])
    comparison.action = f"action {action}"
    legal = action != PASS and state.is_legal(action)
    comparison.check("action", "legal", "legal" if legal else "illegal")
    if legal:
        state.apply(action)
    comparison.check("after", scenario["after"], to_dict(state))
    comparison.check("winner", scenario["winner"], _winner(state))


def _check_legal_set(expected: list[str], found: list[str], comparison: _Comparison) -> None:
    for command in sorted(set(expected) ^ set(found)):
        verdicts = ("illegal", "legal")
        comparison.check(f"legal ({_short(command)})", verdicts[command in expected], verdicts[command in found])
    if not comparison.differences:
        comparison.check("legal", expected, found)
