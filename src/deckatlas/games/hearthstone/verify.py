"""Runs the scenarios and replays the games of Hearthstone reference files, and reports what differs.

Scenarios describe the rules of the game, so they run with the edition of December 2018. Another engine recorded the
games; the edition `sabberstone` has its rules. Every difference counts, except the decisions of that engine's planner
that `deviations` lists one by one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from deckatlas._core import hearthstone as core
from deckatlas.errors import DeckatlasError, TraceError
from deckatlas.games.game import Verified
from deckatlas.games.hearthstone.cards.editions import EditionLike, edition_of
from deckatlas.games.hearthstone.decisions import Decisions
from deckatlas.games.hearthstone.reference import ReferenceEntry, parse_entry
from deckatlas.games.hearthstone.scenarios import ScenarioCards, Stage, problems_of
from deckatlas.games.hearthstone.traces import replay_game
from deckatlas.games.reference_files import ReferenceFile

SCENARIO_EDITION = "2018-12"
TRACE_EDITION = "sabberstone"
_SEEDS, _RANDOM_SEEDS = 2, 12


@dataclass(frozen=True)
class Verification:
    """What was run and replayed, and the differences in words: one per scenario or game."""

    scenarios: int
    passed: int
    games: int
    whole: int
    steps: int
    differences: tuple[str, ...]
    decisions: Decisions = field(default_factory=Decisions)

    @property
    def holds(self) -> bool:
        """Whether every scenario passes, every game replays completely and every decision agrees or is known."""
        return self.passed == self.scenarios and self.whole == self.games and self.decisions.hold


def verify(
    files: Sequence[ReferenceFile], *, edition: EditionLike | None = None, progress: Callable[[int], None] | None = None
) -> Verification:
    """Verifies all files.

    Args:
        files: From `read_reference_file`.
        edition: The edition for all lines, instead of one for each kind.
        progress: Called with the number of finished lines.

    Raises:
        DeckatlasError: If there is no such edition, or a line is not a trace or scenario, or names unknown cards.
    """
    of_scenarios, of_traces = edition_of(edition or SCENARIO_EDITION), edition_of(edition or TRACE_EDITION)
    scenarios = passed = games = whole = steps = done = 0
    differences: list[str] = []
    decisions = Decisions()
    for file in files:
        for line in file.lines():
            done += 1
            entry = parse_entry(line)
            try:
                if entry.is_trace:
                    agreed, difference = _replay(of_traces, entry, decisions)
                    games, whole, steps = games + 1, whole + (difference is None), steps + agreed
                else:
                    difference = _carry_out(of_scenarios, entry.data)
                    scenarios, passed = scenarios + 1, passed + (difference is None)
            except DeckatlasError as error:
                raise TraceError(f"{entry.where}: {error}") from None
            if difference is not None:
                differences.append(f"{_name(entry)}: {difference}")
            if progress is not None:
                progress(done)
    return Verification(scenarios, passed, games, whole, steps, tuple(differences), decisions)


def _name(entry: ReferenceEntry) -> str:
    name = f"game {entry.data['game']}" if entry.is_trace else f"scenario {entry.data['name']!a}"
    return f"{entry.where}, {name}"


def _replay(edition: ScenarioCards, entry: ReferenceEntry, decisions: Decisions) -> tuple[int, str | None]:
    def decide(state: core.State, number: int) -> None:
        decisions.check(state, entry.data, number, _name(entry))

    replay = replay_game(edition, entry.data, before_step=decide)
    return replay.steps, None if replay.mismatch is None else ascii(str(replay.mismatch))[1:-1]


def _carry_out(edition: ScenarioCards, scenario: dict[str, Any]) -> str | None:
    for seed in range(_RANDOM_SEEDS if scenario.get("random") else _SEEDS):
        problems = problems_of(Stage(edition, scenario, seed), scenario)
        if problems:
            return ascii(problems[0])[1:-1]
    return None


def verified_in_words(result: Verification) -> Verified:
    """The results of a verification as readable text."""
    rows: list[tuple[str, str]] = []
    if result.scenarios:
        rows += [("scenarios", f"{result.scenarios:,}"), ("scenarios that pass", f"{result.passed:,}")]
    if result.games:
        rows += [
            ("games", f"{result.games:,}"),
            ("games replayed completely", _share(result.whole, result.games)),
            ("steps checked", f"{result.steps:,}"),
        ]
    decisions = result.decisions
    if decisions.compared + decisions.left_out:
        rows += [
            ("decisions planned again", f"{decisions.compared:,}"),
            ("  skipped, with something random", f"{decisions.left_out:,}"),
            ("  same score", f"{decisions.scores:,}"),
            ("  same number of end nodes", f"{decisions.end_nodes:,}"),
            ("  same length", f"{decisions.lengths:,}"),
            ("  same in all three", f"{decisions.agreed:,}"),
            *((f"  known deviation {name}", f"{count:,}") for name, count in sorted(decisions.known.items())),
        ]
    findings = (
        ("The first difference of each:", tuple(result.differences)),
        ("Decisions that differ:", tuple(decisions.differences)),
    )
    return Verified(tuple(rows), tuple(each for each in findings if each[1]), result.holds)


def _share(part: int, whole: int) -> str:
    return f"{part:,} ({100 * part / whole:.2f} %)" if whole else f"{part:,}"
