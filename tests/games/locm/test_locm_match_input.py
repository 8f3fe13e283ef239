"""Matches that cannot be played as asked for: a named exception with one clear line, and nothing worse."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import locm
from deckatlas.errors import AgentError, DeckatlasError, DeckError, MatchError, StateError
from helpers.sanitizers import limits_memory

DECK = [1] * 30
RANKING = [float(card) for card in range(160)]


def refusal(error: type[DeckatlasError], *arguments: Any, **options: Any) -> str:
    """The one line with which a match is refused."""
    with pytest.raises(error) as raised:
        locm.play(*arguments, **{"games": 2, **options})
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize(
    ("games", "shown"),
    [
        (0, "0"),
        (-1, "-1"),
        (True, "True"),
        (2.0, "2.0"),
        ("10", "'10'"),
        (None, "None"),
        (float("nan"), "nan"),
        (np.int64(-3), "-3"),
        (np.array(4), "a ndarray"),
        (10**9 + 1, "1000000001"),
        (10**20, "100000000000000000000"),
        (10**100, "a huge number"),
    ],
)
def test_a_number_of_games_that_is_none_is_refused(games: Any, shown: str) -> None:
    message = f"games must be a whole number from 1 to 1000000000, not {shown}"
    assert refusal(MatchError, "random", "random", games=games).startswith(message)


@pytest.mark.parametrize("threads", [0, -1, True, 1.5, "2", 1025, 10**20])
def test_a_number_of_threads_that_is_none_is_refused(threads: Any) -> None:
    message = "threads must be a whole number from 1 to 1024, not "
    assert refusal(MatchError, "random", "random", threads=threads).startswith(message)


@pytest.mark.parametrize("seed", ["7", None, True, 1.5, 2**64, -(2**63) - 1, 10**30])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    message = "a seed is a whole number of at most 64 bits, not "
    assert refusal(StateError, "random", "random", seed=seed).startswith(message)


@pytest.mark.parametrize("format", ["refere", "", "Referee", "two\nlines", None, 5, []])
def test_an_unknown_draft_format_is_refused(format: Any) -> None:
    message = f"unknown draft format {format!r}: use referee or distinct"
    assert refusal(MatchError, "random", "random", format=format).startswith(message)


@pytest.mark.parametrize(
    ("entrant", "message"),
    [
        ("icebx/greedy", "unknown draft policy 'icebx': did you mean 'icebox'?"),
        ("icebox/gredy", "unknown battle agent 'gredy': did you mean 'greedy'?"),
        ("randm", "unknown agent 'randm': did you mean 'random'?"),
        ("beam:width=8", "unknown agent 'beam': known: "),
        ("randm:active", "unknown agent 'randm': did you mean 'random'?"),
        ("zzz/greedy", "unknown draft policy 'zzz': known: "),
        ("", "unknown agent '': known: "),
        ("icebox/", "unknown battle agent '': known: "),
        ("/greedy", "unknown draft policy '': known: "),
        ("icebox/greedy/random", "unknown draft policy 'icebox/greedy': "),
        ("two\nlines/greedy", r"unknown draft policy 'two\nlines': "),
        ("icebox/two\nlines", r"unknown battle agent 'two\nlines': "),
        ("two\nlines", r"unknown agent 'two\nlines': "),
        ("greedy", "'greedy' has no draft policy of its own: write DRAFT/BATTLE, such as 'icebox/greedy'"),
        ("icebox", "'icebox' is a draft policy only: write DRAFT/BATTLE, such as 'icebox/greedy'"),
        ("icebox/random:actve", "'random' has no option 'actve': did you mean 'active'?"),
        ("mcts:playout=4", "'mcts' has no option 'playout': did you mean 'playouts'?"),
        ("mcts:playouts=x", "option 'playouts' is a whole number, not 'x'"),
        ("mcts:playouts=4", "'mcts:playouts=4' has no draft policy of its own: write DRAFT/BATTLE, such as "),
        ("icebox:k", "'icebox' has no option 'k': there are none"),
        ("icebox/greedy:depth=2", "'greedy' has no option 'depth': there are none"),
        ("icebox:k/greedy", "'icebox' has no option 'k': there are none"),
        ("icebox/random:a\nb", r"'random' has no option 'a\nb': known: active"),
        ("coac/planner:", "'planner:' has an empty option: "),
        ("coac:/planner", "'coac:' has an empty option: "),
        ("random:", "'random:' has an empty option: "),
        ("greedy:", "'greedy:' has an empty option: "),
        ("icebox/random:active,", "'random:active,' has an empty option: "),
        ("random:,active", "'random:,active' has an empty option: "),
        (("icebox", "greedy:"), "'greedy:' has an empty option: "),
        ("random:active=2", "option 'active' takes no value, not '2'"),
        ("random:active,active", "'random': option 'active' is given twice"),
        ("ranking/greedy", "'ranking' needs a file or a code: write ranking:file=PATH or ranking:code=CODE"),
        ("ranking:file=/no/such/greedy", "cannot read the ranking /no/such: No such file or directory"),
        (None, "an entrant must be a name, a callable or a pair, not NoneType"),
        (7, "an entrant must be a name, a callable or a pair, not int"),
        (b"random", "an entrant must be a name, a callable or a pair, not bytes"),
        (["random", "greedy"], "an entrant must be a name, a callable or a pair, not list"),
        ((), "an entrant must be a pair of draft and battle, not 0 values"),
        (("random", "greedy", "pass"), "an entrant must be a pair of draft and battle, not 3 values"),
        (("random", None), "a battle agent must be a name or a callable, not NoneType"),
        (("random", RANKING), "a battle agent must be a name or a callable, not list"),
        (("icebx", "greedy"), "unknown draft policy 'icebx': did you mean 'icebox'?"),
        (
            ("icebox", "exec:cat"),
            "an external program also drafts: it is an entrant, not a battle agent",
        ),
        ((RANKING[:-1], "greedy"), "a ranking must be 160 numbers, one for each card, not 159"),
        (([], "greedy"), "a ranking must be 160 numbers, one for each card, not 0"),
        ((np.ones((160, 1)), "greedy"), "a ranking must be 160 numbers, one for each card, not 160 x 1"),
        (([*RANKING[:-1], float("nan")], "greedy"), "the score of card 160 is not a number"),
        ((["high"] * 160, "greedy"), "a ranking must be 160 numbers"),
        (([10**400] * 160, "greedy"), "a ranking must be 160 numbers"),
        (([[1, 2], [3]], "greedy"), "a ranking must be 160 numbers"),
        ((None, "greedy"), "a ranking must be 160 numbers"),
    ],
)
def test_an_entrant_that_is_none_is_refused_in_either_place(entrant: Any, message: str) -> None:
    assert refusal(AgentError, entrant, "random").startswith(message)
    assert refusal(AgentError, "random", entrant).startswith(message)


@pytest.mark.parametrize("content", [b"1 2 3", b"one " * 160, b"\xff\xfe", b"nan " * 160, b""])
def test_a_file_that_holds_no_ranking_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "ranking"
    file.write_bytes(content)
    with pytest.raises(AgentError) as raised:
        locm.play(f"ranking:file={file}/greedy", "random", games=2)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (DECK[:-1], "a deck has 30 cards, but this one has 29"),
        ([*DECK, 1], "a deck has 30 cards, but this one has 31"),
        ([], "a deck has 30 cards, but this one has 0"),
        ([161, *DECK[1:]], "unknown card 161: card ids run from 1 to 160"),
        ([0, *DECK[1:]], "unknown card 0: card ids run from 1 to 160"),
        ([-5, *DECK[1:]], "unknown card -5: card ids run from 1 to 160"),
        ([1.0, *DECK[1:]], "unknown card 1.0: card ids run from 1 to 160"),
        ([True, *DECK[1:]], "unknown card True: card ids run from 1 to 160"),
        (["1\n2", *DECK[1:]], r"unknown card '1\n2': card ids run from 1 to 160"),
    ],
)
def test_a_deck_that_cannot_be_is_refused_in_either_place(deck: Any, message: str) -> None:
    assert refusal(DeckError, "greedy", "random", decks=(deck, DECK)).startswith(message)
    assert refusal(DeckError, "greedy", "random", decks=(DECK, deck)).startswith(message)


@pytest.mark.parametrize("decks", [(), (DECK,), (DECK, DECK, DECK)])
def test_a_match_has_two_decks(decks: Any) -> None:
    message = "a match has two decks, one for each entrant, not "
    assert refusal(MatchError, "greedy", "random", decks=decks).startswith(message)


@pytest.mark.parametrize("entrant", [("icebox", "greedy"), "exec:cat"])
def test_with_given_decks_nobody_drafts(entrant: Any) -> None:
    message = "with given decks an entrant must be a battle agent: a name or a callable"
    assert refusal(AgentError, entrant, "random", decks=(DECK, DECK)).startswith(message)
    message = "unknown battle agent 'icebox/greedy': did you mean"
    assert refusal(AgentError, "icebox/greedy", "random", decks=(DECK, DECK)).startswith(message)


def test_a_program_that_is_not_there_is_refused_before_any_game() -> None:
    message = "cannot start 'no-such-program': there is no such program"
    assert refusal(AgentError, "exec:no-such-program", "random").startswith(message)


@pytest.mark.parametrize("first", ["icebx/greedy", 7])
def test_one_game_refuses_the_same_entrants(first: Any) -> None:
    with pytest.raises(AgentError):
        locm.play_one(first, "random")
    with pytest.raises(StateError, match="unknown draft format 'x'"):
        locm.play_one("random", "random", format="x")


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS does not hold a process to its limit of memory")
@limits_memory
def test_more_games_than_memory_holds_are_refused_and_the_interpreter_lives_on() -> None:
    code = """
import resource
from deckatlas import locm
from deckatlas.errors import MatchError
resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))
try:
    locm.play("random", "random", games=900_000_000, threads=1)
except MatchError as error:
    print(error)
print(locm.play("random", "random", games=2, threads=1).games)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "there is not enough memory for 900000000 games\n2\n"


@pytest.mark.skipif(sys.platform != "linux", reason="bounds its memory as Linux does")
@limits_memory
def test_threads_that_the_system_does_not_give_are_an_error_and_no_crash() -> None:
    code = """
import resource
from deckatlas import locm
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
try:
    locm.play("random", "random", games=200_000, threads=1024)
except ValueError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "the system does not give 1024 threads\n"), run.stderr
