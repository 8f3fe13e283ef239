"""Programs that play over pipes, well and badly behaved, and the commands `referee` and `bot`."""

import io
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from deckatlas.cli.main import run
from deckatlas.errors import AgentError, MatchError
from deckatlas.games.locm.entrants import entrant
from deckatlas.games.locm.program import LocmProgram
from deckatlas.games.locm.protocol import player_input
from deckatlas.games.locm.record import GameRecord
from deckatlas.games.locm.referee import referee
from deckatlas.games.locm.state import Rng, new_game
from deckatlas.games.locm.table import play_game
from deckatlas.play.external import Program
from deckatlas.play.players import Forfeit
from deckatlas.play.referee import RefereedGame, referee_summary
from helpers.programs import (
    GENEROUS,
    assert_no_child,
    forfeit_of,
    hold_lock,
    is_free,
    turn_of,
    wait_until,
    write_program,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs play on POSIX systems only")

CLI = [sys.executable, "-c", "from deckatlas.cli.main import run; run()"]

WriteProgram = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> WriteProgram:
    """Writes a program and returns the command that starts it."""
    return partial(write_program, tmp_path)


@pytest.fixture(autouse=True)
def _nothing_is_left_over() -> Iterator[None]:
    """Every test ends with the file descriptors it began with, and without a child, dead or alive."""
    before = set(os.listdir("/dev/fd"))
    yield
    assert set(os.listdir("/dev/fd")) == before
    assert_no_child()


# ---- bad manners -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("sys.exit(3)", "ended with exit code 3"),
        ("pass", "ended with exit code 0"),
        ("read(); sys.exit(1)", "ended with exit code 1"),
        ("read(); os.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL"),
        ("read(); os.close(1); time.sleep(60)", "closed its output"),
        ("read(); answer('FOO 1')", "malformed command 'FOO 1'"),
        ("read(); answer('PICK 3')", "answered 'PICK 3' in the draft"),
        ("read(); answer('')", "malformed command ''"),
        ("read(); os.write(1, bytes([255, 128, 0, 10]))", "malformed command '\ufffd\ufffd'"),
        ("while True: os.write(1, bytes(4096))", "wrote more than 65536 bytes without an end of line"),
        ("while True: answer('y')", "malformed command 'y'"),
        ("answer('PICK 0'); read(); read(); os._exit(4)", "ended with exit code 4"),
    ],
)
def test_a_program_that_misbehaves_forfeits_with_the_reason(write: WriteProgram, body: str, reason: str) -> None:
    decisions = 2 if "PICK 0" in body else 1
    assert forfeit_of(write(body), decisions=decisions) == reason


def test_silence_forfeits_at_the_time_limit(write: WriteProgram) -> None:
    start = time.monotonic()
    assert forfeit_of(write("time.sleep(60)"), time_factor=0.05) == "answered nothing within 50 ms"
    assert 0.05 <= time.monotonic() - start < 5


def test_half_a_line_is_no_answer(write: WriteProgram) -> None:
    body = "read(); answer('PICK 0'); read(); os.write(1, b'PICK 0'); time.sleep(60)"
    assert forfeit_of(write(body), decisions=2, time_factor=3) == "wrote no whole line within 300 ms"


def test_later_picks_have_a_tenth_of_the_time(write: WriteProgram) -> None:
    body = "read(); answer('PICK 0'); time.sleep(60)"
    assert forfeit_of(write(body), decisions=2, time_factor=2) == "answered nothing within 200 ms"


def test_a_program_that_closes_its_input_forfeits(write: WriteProgram) -> None:
    body = "read(); os.close(0); answer('PICK 0'); time.sleep(60)"
    assert forfeit_of(write(body), decisions=2) == "closed its input"


def test_a_program_that_does_not_read_cannot_block_the_referee(write: WriteProgram) -> None:
    program = Program(shlex.split(write("time.sleep(60)")))
    try:
        with pytest.raises(Forfeit, match="did not read its input within 100 ms"):
            program.ask("x" * 1_000_000, 0.1)
    finally:
        program.close()


def test_an_exit_is_told_from_silence_though_a_child_holds_the_pipes(write: WriteProgram) -> None:
    body = "read(); answer('PICK 0'); os.fork() and os._exit(5); time.sleep(60)"
    assert forfeit_of(write(body), decisions=2, time_factor=3) == "ended with exit code 5"


def test_the_last_lines_that_a_failing_program_wrote_to_standard_error_are_in_the_reason(write: WriteProgram) -> None:
    body = (
        "print(*(f'line {i}' for i in range(9)), sep=chr(10), end=chr(27) + '[31m\\n\\n', file=sys.stderr); sys.exit(3)"
    )
    reason = forfeit_of(write(body), decisions=1)
    assert reason == "ended with exit code 3; its last words on standard error: line 6 / line 7 / line 8 [31m"
    crash = forfeit_of(write("read(); 1 / 0"), decisions=1)
    assert crash.startswith("ended with exit code 1; its last words on standard error: ")
    assert crash.endswith(" / ZeroDivisionError: division by zero")


def test_much_on_standard_error_neither_blocks_a_program_nor_is_kept(write: WriteProgram) -> None:
    talk = "sys.stderr.write('x' * 1_000_000); sys.stderr.flush()"
    reason = forfeit_of(write(f"read(); {talk}; answer('PICK 0'); read(); {talk}; sys.exit(3)"), decisions=2)
    assert reason.startswith("ended with exit code 3; its last words on standard error: xxx")
    assert len(reason) < 500


def test_a_command_that_names_no_program_is_refused_before_any_game(tmp_path: Path) -> None:
    for command in (str(tmp_path), "no-such-program"):
        with pytest.raises(AgentError, match=r"cannot start .*: there is no such program"):
            LocmProgram(command)


def test_a_program_that_is_gone_when_its_game_begins_forfeits_and_says_so_before_if_asked(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    player = LocmProgram(str(program))
    program.unlink()
    with pytest.raises(AgentError, match="No such file or directory"):
        player.start()
    with pytest.raises(Forfeit, match="No such file or directory"):
        player.choose(new_game())
    player.close()


@pytest.mark.parametrize("command", ["", "  ", "'unbalanced"])
def test_a_command_must_name_a_program(command: str) -> None:
    with pytest.raises(AgentError, match="command"):
        LocmProgram(command)


@pytest.mark.parametrize("factor", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_factor_is_a_positive_number(factor: float) -> None:
    with pytest.raises(AgentError, match="time factor"):
        LocmProgram("true", time_factor=factor)


# ---- good manners ----------------------------------------------------------------------------------------------------


def test_illegal_actions_are_skipped_and_comments_ignored(write: WriteProgram) -> None:
    line = "SUMMON 2 0;SUMMON 1 5;ATTACK 1 -1; PASS ;;SUMMON 3 1 hello, world;USE 5 -1;SUMMON 1 0"
    assert turn_of(write(f"read(); answer({line!r}); read()")) == ["SUMMON 3 1", "PASS"]


def test_one_malformed_action_undoes_the_whole_turn(write: WriteProgram) -> None:
    with pytest.raises(Forfeit, match="malformed command 'JUMP'"):
        turn_of(write("read(); answer('SUMMON 1 0;JUMP'); read()"))


def test_lines_beyond_the_answer_are_dropped(write: WriteProgram, tmp_path: Path) -> None:
    written = tmp_path / "written"
    body = f"""
    read()
    answer("PICK 1")
    time.sleep(0.1)
    answer("PICK 2\\nFOO")
    open({str(written)!r}, "w").close()
    read()
    answer("PICK 0")
    """
    player = LocmProgram(write(body), time_factor=GENEROUS)
    state = new_game(seed=1)
    try:
        assert str(player.choose(state)) == "PICK 1"
        wait_until(written.exists)
        assert str(player.choose(state)) == "PICK 0"
    finally:
        player.close()


def test_a_program_plays_a_whole_game(write: WriteProgram) -> None:
    command = write("while True: read(); answer('PASS')")
    players = [LocmProgram(command, time_factor=GENEROUS), entrant("icebox/greedy").player(Rng(1, 1))]
    outcome = play_game(new_game(seed=1), players)
    assert (outcome.winner, outcome.forfeit) == (1, None)
    assert [action for action in outcome.actions[:60:2] if str(action) != "PICK 0"] == []


# ---- the end of a program --------------------------------------------------------------------------------------------


STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"


@pytest.mark.parametrize("manners", ["", STUBBORN])
@pytest.mark.parametrize("program_stays", [True, False])
def test_the_children_of_a_program_end_with_it(
    write: WriteProgram, tmp_path: Path, manners: str, program_stays: bool
) -> None:
    lock, seen = tmp_path / "lock", tmp_path / "seen"  # the program may end only after its child was seen alive
    body = f"""
    {manners}
    ready, tell = os.pipe()
    if os.fork() == 0:
        {hold_lock(lock)}
        os.write(tell, b"!")
        time.sleep(60)
        os._exit(0)
    os.read(ready, 1)
    read()
    answer("PICK 0")
    while {program_stays} or not os.path.exists({str(seen)!r}): time.sleep(0.01)
    os._exit(0)
    """
    player = LocmProgram(write(body), time_factor=GENEROUS)
    try:
        player.choose(new_game(seed=1))
        assert not is_free(lock)
        seen.touch()
    finally:
        player.close()
        player.close()
    assert_no_child()
    wait_until(lambda: is_free(lock))


def test_an_interrupt_ends_the_programs(write: WriteProgram, tmp_path: Path) -> None:
    locks = [tmp_path / "lock 0", tmp_path / "lock 1"]
    programs = [write(f"{STUBBORN}; {hold_lock(lock)}; time.sleep(60)") for lock in locks]
    arguments = ["referee", "locm", "--p1", programs[0], "--p2", programs[1], "--time-factor", "60"]
    process = subprocess.Popen([*CLI, *arguments], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: all(lock.exists() and not is_free(lock) for lock in locks))
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130
    finally:
        process.kill()
        process.wait()
    wait_until(lambda: all(map(is_free, locks)))


# ---- the referee -----------------------------------------------------------------------------------------------------


def test_seats_are_swapped_and_seeds_paired(write: WriteProgram) -> None:
    losers = [write("read(); answer('FIRST')"), write("read(); answer('PICK 0'); read(); answer('SECOND')")]
    games = list(referee(losers, seed=5, games=4, time_factor=GENEROUS))
    assert [(game.number, game.seed, game.first, game.winner) for game in games] == [
        (1, 5, 0, 1),
        (2, 5, 1, 1),
        (3, 6, 0, 1),
        (4, 6, 1, 1),
    ]
    assert [(game.seed, game.first) for game in referee(losers, games=2, swap_seats=False, time_factor=GENEROUS)] == [
        (0, 0),
        (1, 0),
    ]
    assert str(games[0]) == "game 1, seed 5, p1 first: p2 won (p1: malformed command 'FIRST', pick 1)"
    assert referee_summary(games, swap_seats=True).splitlines()[1].startswith("p2 won 100.00 % [")
    assert referee_summary(games, swap_seats=True).splitlines()[0].endswith("(n = 4), forfeited 4")


def test_impossible_series_are_bad_input() -> None:
    with pytest.raises(MatchError, match="games must be a positive whole number, not 0"):
        list(referee(["true", "true"], games=0))
    with pytest.raises(MatchError, match="two programs, not 1"):
        list(referee(["true"]))


class CommandLine:
    """The command line, in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        """Runs a command; returns its exit code, its output and its errors."""
        self._monkeypatch.setattr(sys, "argv", ["deckatlas", *arguments])
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as end:
            run()
        assert isinstance(end.value.code, int)
        return end.value.code, *self._capsys.readouterr()


@pytest.fixture
def deckatlas(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def bot(spec: str, seed: int = 0) -> str:
    return shlex.join([*CLI, "bot", "locm", spec, "--seed", str(seed)])


def test_bots_play_through_the_referee_as_they_do_inside(deckatlas: CommandLine, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    programs = (bot("icebox/greedy"), bot("random/random", seed=11))
    code, out, errors = deckatlas(
        *("referee", "locm", "--p1", programs[0], "--p2", programs[1], "--seed", "11"),
        *("--time-factor", str(GENEROUS), "--record", str(record)),
    )
    start = new_game(seed=11)
    agents = (entrant("icebox/greedy"), entrant("random/random"))
    inside = play_game(start, [agent.player(Rng(11, seat)) for seat, agent in enumerate(agents)])
    played = GameRecord.from_text(record.read_text(encoding="utf-8"))
    assert (code, errors) == (0, "")
    assert out.startswith(f"game 1, seed 11, p1 first: p{inside.winner + 1} won (health ")
    assert (played.players, played.winner, played.forfeit) == (programs, inside.winner, None)
    assert played.actions == inside.actions
    assert list(played.replay())[-1] == inside.final


def test_a_bot_against_itself_plays_the_game_of_its_agents() -> None:
    programs = [bot("icebox/greedy")] * 2
    games: list[RefereedGame] = list(referee(programs, seed=3, time_factor=GENEROUS))
    inside = play_game(new_game(seed=3), [entrant("icebox/greedy").player(Rng(3, seat)) for seat in (0, 1)])
    record = games[0].record
    assert isinstance(record, GameRecord)
    assert record.forfeit is None
    assert record.actions == inside.actions
    assert record.winner == inside.winner


def test_the_command_exits_with_0_when_a_program_forfeits(deckatlas: CommandLine, write: WriteProgram) -> None:
    program = write("read(); answer('JUMP')")
    arguments = ["referee", "locm", "--p1", program, "--p2", program, "--games", "2", "--time-factor", "30"]
    code, out, errors = deckatlas(*arguments)
    assert (code, errors) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "game 1, seed 0, p1 first: p2 won (p1: malformed command 'JUMP', pick 1)"
    assert lines[1] == "game 2, seed 0, p2 first: p1 won (p2: malformed command 'JUMP', pick 1)"
    assert [line[:16] for line in lines[2:]] == ["p1 won 50.00 % [", "p2 won 50.00 % ["]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--p2", "no-such-program"], "cannot start 'no-such-program': there is no such program"),
        (["--games", "0"], "games must be a positive whole number, not 0"),
        (["--time-factor", "0"], "a time factor is a positive number, not 0.0"),
        (["--games", "2", "--record", "game.txt"], "--record takes one game, not several"),
        (["--seed", str(2**64)], f"a seed is a whole number of at most 64 bits, not {2**64}"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(deckatlas: CommandLine, arguments: list[str], message: str) -> None:
    assert deckatlas("referee", "locm", "--p1", "cat", "--p2", "cat", *arguments) == (2, "", f"deckatlas: {message}\n")


def test_a_bot_ends_with_its_input(deckatlas: CommandLine) -> None:
    assert deckatlas("bot", "locm", "icebox/greedy") == (0, "", "")
    code, out, errors = deckatlas("bot", "locm", "icebox/greedy", stdin=player_input(new_game(seed=1), []).encode())
    assert (code, out, errors) == (0, "PICK 2\n", "")


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["icebox/gredy"], b"", "unknown battle agent 'gredy': did you mean 'greedy'?"),
        (["exec:cat"], b"", "'exec:cat' is already a program"),
        (
            ["icebox/greedy"],
            b"\xff\x00\n",
            "protocol input, line 1 of its block: expected a player's five numbers, not",
        ),
        (["icebox/greedy"], b"30 0 0 25 0\n", "protocol input, line 2 of its block: the input ends where"),
    ],
)
def test_a_bot_answers_bad_input_with_one_line(
    deckatlas: CommandLine, arguments: list[str], stdin: bytes, message: str
) -> None:
    code, out, errors = deckatlas("bot", "locm", *arguments, stdin=stdin)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"deckatlas: {message}")
