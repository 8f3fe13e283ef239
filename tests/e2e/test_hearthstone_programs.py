"""External programs that play Hearthstone: what they are told, and what becomes of those that misbehave."""

import io
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.games.hearthstone.protocol import parse_answer, question
from deckatlas.games.hearthstone.state import Action, State
from deckatlas.play.players import Forfeit
from helpers.command_line import CommandLine
from helpers.locm_matches import column_bytes
from helpers.programs import GENEROUS, assert_no_child, write_program

DECKS = ("Starter Mage", "Starter Hunter")
CLI = [sys.executable, "-c", "from deckatlas.cli.main import run; run()"]

ASK = """
def ask():
    view, actions = sys.stdin.readline(), sys.stdin.readline()
    if not actions:
        sys.exit(0)
    return view, actions.strip().split("; ")
"""
LAST = "while True: answer(ask()[1][-1])"

WriteProgram = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> WriteProgram:
    return lambda body: f"exec:{write_program(tmp_path, ASK + body)}"


play = partial(hearthstone.play, decks=DECKS, seed=1, time_factor=GENEROUS)


def bot(spec: str, seed: int = 0) -> str:
    return f"exec:{shlex.join([*CLI, 'bot', 'hearthstone', spec, '--seed', str(seed)])}"


def last_action(view: State, actions: list[Action]) -> Action:
    return actions[-1]


# ---- programs that behave --------------------------------------------------------------------------------------------


def test_a_question_is_the_view_and_the_legal_actions() -> None:
    state = hearthstone.new_game(*DECKS, seed=3)
    view, actions, end = question(state).split("\n")
    assert hearthstone.read_state(view) == state.view(0)
    assert [Action.from_text(words) for words in actions.split("; ")] == state.legal_actions()
    assert end == ""


@pytest.mark.parametrize("threads", [1, 3])
def test_a_program_plays_as_a_callable_does_that_makes_its_choices(write: WriteProgram, threads: int) -> None:
    program = play(write(LAST), "random", games=4, threads=threads)
    assert program.forfeits == {}
    assert column_bytes(program) == column_bytes(play(last_action, "random", games=4))
    assert_no_child()


def test_a_program_may_put_a_minion_anywhere_on_the_board() -> None:
    state = hearthstone.scenario(
        {
            "me": {"class": "MAGE", "mana": 4, "max_mana": 4, "hand": ["Chillwind Yeti"], "board": ["Murloc Raider"]},
            "op": {"class": "HUNTER"},
        }
    )
    assert "play 0 to 0" not in question(state)
    assert str(parse_answer(" play 0 to 0\r", state)) == "play 0 to 0"
    with pytest.raises(Forfeit, match="answered play 0 to 2, which is not a legal action"):
        parse_answer("play 0 to 2", state)


def test_agents_play_as_programs_what_they_play_inside() -> None:
    pilots = (bot("random", seed=11), bot("random:active", seed=11))
    outside = hearthstone.play_one(*pilots, decks=DECKS, seed=11, time_factor=GENEROUS)
    inside = hearthstone.play_one("random", "random:active", decks=DECKS, seed=11)
    assert (outside.start, outside.actions, outside.winner) == (inside.start, inside.actions, inside.winner)
    assert_no_child()


def test_a_planner_plays_as_a_program() -> None:
    record = hearthstone.play_one(bot("planner:score=control"), "pass", decks=DECKS, seed=2, time_factor=GENEROUS)
    assert (record.winner, record.forfeit) == (0, None)


def test_programs_take_part_in_gauntlets_and_evaluations(write: WriteProgram) -> None:
    program = write(LAST)
    result = hearthstone.gauntlet(
        [("Starter Mage", program), ("Starter Mage", "pass")], games=2, seed=1, time_factor=GENEROUS
    )
    assert result.forfeits(0) == {}
    assert result.ms_per_turn(0) is not None
    evaluated = hearthstone.evaluate(["Starter Mage"], pilot=program, games=2, seed=1, time_factor=GENEROUS)
    called = hearthstone.evaluate(["Starter Mage"], pilot=last_action, games=2, seed=1)
    assert evaluated["avg_health_diff"].value.tolist() == called["avg_health_diff"].value.tolist()
    assert_no_child()


# ---- programs that misbehave -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("ask(); answer('hello')", "malformed action 'hello'"),
        ("ask(); answer('')", "malformed action ''"),
        ("ask(); answer('end')", "answered end, which is not a legal action"),
        ("answer(ask()[1][-1]); ask(); answer('play 9')", "answered play 9, which is not a legal action"),
        ("ask(); os.write(1, b'\\xff\\x00\\n')", r"malformed action '\ufffd\x00'"),
        ("ask(); sys.exit(3)", "ended with exit code 3"),
        ("ask(); os.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL"),
        ("answer(ask()[1][-1]); ask(); os.close(1); time.sleep(60)", "closed its output"),
    ],
)
def test_whatever_a_program_does_wrong_loses_it_the_game_with_the_reason(
    write: WriteProgram, body: str, reason: str
) -> None:
    program = write(body)
    result = play(program, "pass", games=2)
    assert (result.wins, result.losses) == (0, 2)
    assert result.forfeits == {f"{program}: {reason}": 2}
    assert str(result).splitlines()[-1] == f"  forfeits: 2 x {program}: {reason}"
    assert_no_child()


def test_a_program_that_is_late_loses(write: WriteProgram) -> None:
    late = write("ask(); time.sleep(60)")
    record = hearthstone.play_one("pass", late, decks=DECKS, time_factor=0.5)
    assert (record.winner, record.forfeit) == (0, "answered nothing within 500 ms")
    slow = write("answer(ask()[1][-1]); ask(); time.sleep(60)")
    record = hearthstone.play_one(slow, "pass", decks=DECKS, time_factor=3)
    assert (record.winner, record.forfeit) == (1, "answered nothing within 600 ms")
    assert_no_child()


def test_a_gauntlet_goes_on_with_a_program_that_dies(write: WriteProgram) -> None:
    dies = write("ask(); sys.exit(3)")
    entrants = [("Starter Mage", dies), ("Starter Mage", "random:active"), ("Starter Mage", "pass")]
    result = hearthstone.gauntlet(entrants, games=4, seed=1, threads=2, time_factor=GENEROUS)
    assert result.wins[0].tolist() == [0, 0, 0]
    assert result.forfeits(0) == {"ended with exit code 3": 8}
    assert result.forfeits(1) == result.forfeits(2) == {}
    assert result.ms_per_turn(0) is None  # it never came to a turn
    assert result.ranking() == [1, 2, 0]
    assert_no_child()


# ---- the command line ------------------------------------------------------------------------------------------------


def test_a_match_tells_of_forfeits_and_exits_with_0(deckatlas: CommandLine, write: WriteProgram) -> None:
    program = write("ask(); answer('hello')")
    words = ["--deck-a", DECKS[0], "--deck-b", DECKS[1], "--games", "2", "--time-factor", str(GENEROUS)]
    code, out, errors = deckatlas("play", "hearthstone", program, "pass", *words)
    assert (code, errors) == (0, "")
    assert out.endswith(f"  forfeits: 2 x {program}: malformed action 'hello'\n")


def test_an_evaluation_tells_of_forfeits(deckatlas: CommandLine, write: WriteProgram) -> None:
    program = write("ask(); answer('hello')")
    words = ["--pilot", program, "--games", "6", "--time-factor", str(GENEROUS)]
    code, out, errors = deckatlas("evaluate", "Starter Mage", *words)
    assert (code, errors) == (0, "")
    assert f"  forfeits: 6 x {program}: malformed action 'hello'\n" in out


def test_the_referee_tells_who_won_and_why(deckatlas: CommandLine, write: WriteProgram, tmp_path: Path) -> None:
    good, bad = (write(body).removeprefix("exec:") for body in (LAST, "ask(); answer('hello')"))
    words = ["--deck-a", DECKS[0], "--deck-b", DECKS[1], "--time-factor", str(GENEROUS), "--seed", "5"]
    code, out, errors = deckatlas("referee", "hearthstone", "--p1", good, "--p2", bad, *words, "--games", "3")
    assert (code, errors) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == [
        "game 1, seed 5, p1 first: p1 won (p2: malformed action 'hello', mulligan)",
        "game 2, seed 5, p2 first: p1 won (p2: malformed action 'hello', mulligan)",
        "game 3, seed 6, p1 first: p1 won (p2: malformed action 'hello', mulligan)",
    ]
    assert lines[3].startswith("p1 won 100.00 % [")
    assert lines[4].endswith("(n = 3), forfeited 3")
    record = tmp_path / "record.txt"
    code, out, errors = deckatlas("referee", "hearthstone", "--p1", good, "--p2", good, *words, "--record", str(record))
    played = hearthstone.GameRecord.from_text(record.read_text(encoding="utf-8"))
    called = hearthstone.play_one(last_action, last_action, decks=DECKS, seed=5)
    assert (code, errors, played.actions, played.players) == (0, "", called.actions, (good, good))
    final = list(called.replay())[-1]
    assert called.winner is not None
    health = [final.side(player).health for player in (called.winner, 1 - called.winner)]
    ending = f"p{called.winner + 1} won (health {health[0]} to {health[1]}, turn {final.turn})"
    assert out == f"game 1, seed 5, p1 first: {ending}\n"
    assert_no_child()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["referee", "hearthstone", "--p1", "cat", "--p2", "no-such-program"], "cannot start 'no-such-program'"),
        (["play", "hearthstone", "exec:no-such-program", "pass"], "cannot start 'no-such-program'"),
        (["play", "hearthstone", "exec:", "pass"], "the command of a program is empty"),
        (["play", "hearthstone", "exec:cat", "pass", "--time-factor", "0"], "a time factor is a positive number"),
        (["game", "hearthstone", "exec:cat '", "pass"], "cannot read the command"),
    ],
)
def test_a_program_that_cannot_be_started_is_refused(words: list[str], message: str, deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas(*words, "--deck-a", DECKS[0], "--deck-b", DECKS[1])
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert message in errors


def ask_bot(deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch, spec: str, text: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return deckatlas("bot", "hearthstone", spec)


def test_a_bot_answers_questions_until_its_input_ends(deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    state = hearthstone.new_game(*DECKS, seed=3)
    assert ask_bot(deckatlas, monkeypatch, "pass", "") == (0, "", "")
    code, out, errors = ask_bot(deckatlas, monkeypatch, "pass", question(state))
    assert (code, errors) == (0, "")
    assert Action.from_text(out.strip()) in state.legal_actions()


def test_a_bot_answers_bad_input_with_one_line(deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    state = hearthstone.new_game(*DECKS, seed=3)
    view = question(state).split("\n")[0]
    for spec, text, message in (
        ("clever", "", "unknown agent 'clever'"),
        ("exec:cat", "", "'exec:cat' is already a program"),
        ("pass", "hello\nend\n", "state text"),
        ("pass", f"{view}\n", "protocol input: the input ends where legal actions should be"),
        ("pass", f"{state.to_text()}\nend\n", "protocol input: expected the view of the player to move"),
    ):
        code, out, errors = ask_bot(deckatlas, monkeypatch, spec, text)
        assert (code, out, errors.count("\n")) == (2, "", 1), text
        assert message in errors
