"""Opponents and pilots outside the core, callables and programs, play the games that one inside would play."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import AgentError, MatchError, SearchError
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts, priorities
from deckatlas.games.locm.state import Action, State, new_game
from deckatlas.runs.store import open_store
from deckatlas.search.batches import Batch, Course, matchups
from helpers.batches import same_outcomes, wins_of
from helpers.command_line import CommandLine
from helpers.programs import assert_no_child, write_program
from helpers.runs import write_config

# Takes the first card offered and never does anything with it.
PASSES = """
for _ in range(30):
    read()
    answer("PICK 0")
while True:
    read()
    answer("PASS")
"""
DRAFTS = LocmDrafts(priorities())
PASSES_IN_CORE = (np.zeros(160), "pass")
RUN = """\
seed = 5
space.kind = "locm-draft"
space.genome.kind = "attributes"

[search]
algorithm = "dbga"
population = 4
generations = 2
games = 2

[evaluation]
pilot = "greedy"
opponents = ["exec:PROGRAM"]
"""


def passes(view: State, actions: list[Action]) -> Action:
    return actions[0]


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    (tmp_path / "programs").mkdir()
    return lambda body: write_program(tmp_path / "programs", body)


def batch_of(first: list[int], second: list[int]) -> Batch:
    """Two genomes over two courses of two drafts each, with several games a draft."""
    rng = np.random.default_rng(4)
    courses = tuple(
        Course(np.repeat(rng.integers(0, 2**64, 2, dtype=np.uint64), n), rng.integers(0, 2**64, 2 * n, dtype=np.uint64))
        for n in (2, 3)
    )
    seats = np.array([first, second], dtype=np.int32)
    return matchups(rng.random((2, 160)), courses, seats[0], seats[1], np.arange(len(first), dtype=np.int32) % 2)


def shuffle(start: State) -> list[int]:
    """Which pick each card of the first player's shuffled deck was, if the first card offered is always picked."""
    state = start.copy()
    while not state.in_battle:
        state.apply(Action.from_text("PICK 0"))
    picks = [offer[0] for offer in state.offers]
    return [picks.index(card) for card in state.deck(0)]


def test_a_draft_may_have_a_seed_of_its_own() -> None:
    one, other = new_game(seed=1, draft_seed=7, format="distinct"), new_game(seed=7, format="distinct")
    assert one.offers == other.offers
    assert one.offers != new_game(seed=1, format="distinct").offers
    assert shuffle(one) == shuffle(new_game(seed=1, format="distinct"))
    assert shuffle(one) != shuffle(other)


def test_matchups_with_a_callable_end_as_with_the_same_player_in_the_core() -> None:
    batch = batch_of([0, -1, 0, -2, 1, -1, 1], [-1, 1, 1, 0, -2, 0, -1])
    mixed, in_core = (
        LocmMatchups(DRAFTS, opponents=[opponent, "coac/greedy"], format="distinct")
        for opponent in (passes, PASSES_IN_CORE)
    )
    heard: list[int] = []
    found = mixed.evaluate(batch, threads=2, progress=heard.append)
    assert same_outcomes(found, in_core.evaluate(batch))
    assert found.total.any()
    assert heard == sorted(heard)
    assert heard[-1] == batch.games


def test_matchups_with_a_program_end_as_with_the_same_player_in_the_core(program: Callable[[str], str]) -> None:
    batch = batch_of([0, -1], [-1, 1])
    outside = LocmMatchups(DRAFTS, pilot="greedy", opponents=[f"exec:{program(PASSES)}"])
    in_core = LocmMatchups(DRAFTS, pilot="greedy", opponents=[PASSES_IN_CORE])
    assert wins_of(outside, batch, threads=2).tolist() == wins_of(in_core, batch).tolist() == [4, 0]
    assert_no_child()


def test_a_callable_as_the_pilot_plays_what_the_same_agent_plays_in_the_core() -> None:
    of_genomes = batch_of([0, -1, 0, -2, 1, -1, -2], [-1, 1, 1, 0, -2, 0, -1])
    of_opponents = batch_of([-1, -2], [-2, -1])  # who meet in the core all the same
    for other, batch in ((passes, of_genomes), ("icebox/greedy", of_opponents)):
        opponents = ["coac/greedy", other]
        outside, in_core = (LocmMatchups(DRAFTS, pilot=pilot, opponents=opponents) for pilot in (passes, "pass"))
        assert wins_of(outside, batch).tolist() == wins_of(in_core, batch).tolist()


def test_a_program_cannot_play_what_a_genome_drafts(program: Callable[[str], str]) -> None:
    with pytest.raises(AgentError, match="an external program also drafts: it is an entrant, not a battle agent"):
        LocmMatchups(DRAFTS, pilot=f"exec:{program(PASSES)}")
    with pytest.raises(AgentError, match="a battle agent must be a name or a callable, not int"):
        LocmMatchups(DRAFTS, pilot=3)  # type: ignore[arg-type]


def test_an_opponent_that_forfeits_ends_the_search_and_is_not_beaten(program: Callable[[str], str]) -> None:
    evaluator = LocmMatchups(DRAFTS, opponents=[f"exec:{program('read(); sys.exit(3)')}"])
    with pytest.raises(SearchError, match=r"exec:.* forfeits a game of the search: ended with exit code 3"):
        evaluator.evaluate(batch_of([0], [-1]))
    assert_no_child()
    with pytest.raises(SearchError, match="'nonsense' forfeits a game of the search: answered 3"):
        LocmMatchups(DRAFTS, opponents=[nonsense]).evaluate(batch_of([0], [-1]))


def nonsense(view: State, actions: list[Action]) -> Action:
    return 3  # type: ignore[return-value]


def test_an_opponent_that_is_not_there_is_not_met_at_the_table_either() -> None:
    with pytest.raises(MatchError, match="there is no opponent 1 among 1"):
        LocmMatchups(DRAFTS, opponents=[passes]).evaluate(batch_of([-2], [-1]))


def test_a_run_against_a_program_goes_on_after_a_game_that_it_forfeited(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    program: Callable[[str], str],
) -> None:
    monkeypatch.chdir(tmp_path)
    deckatlas = CommandLine(monkeypatch, capsys)
    fails_once = f"""
with open({str(tmp_path / "games")!r}, "a+") as games:
    games.write("x")
    games.flush()
    if games.tell() == 13:
        sys.exit(3)
"""
    ends = []
    for name, command in (("good", program(PASSES)), ("bad", program(fails_once + PASSES))):
        file = write_config(tmp_path, RUN.replace("PROGRAM", command), name=name)
        threads = "1" if name == "bad" else "2"
        ends.append(deckatlas("run", str(file), "--allow-exec", "--store", str(tmp_path), "--threads", threads))
    assert [code for code, _, _ in ends] == [0, 2]
    assert "forfeits a game of the search: ended with exit code 3" in ends[1][2]
    assert len(ends[1][2].splitlines()) == 2  # the command that is started, and the error
    code, out, _ = deckatlas(
        "run", str(tmp_path / "bad.toml"), "--allow-exec", "--store", str(tmp_path), "--threads", "1"
    )
    assert code == 0
    assert "finished" in out
    with open_store(tmp_path / "good.db") as good, open_store(tmp_path / "bad.db") as bad:
        for one, other in zip(good.population(2), bad.population(2), strict=True):
            assert np.array_equal(one, other)
