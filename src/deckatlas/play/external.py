"""Programs that play over pipes: they read requests from standard input and answer on standard output.

POSIX only. A program runs under a guardian (`deckatlas.play.guardian`), which ends it, with all processes it started,
when its game is over or we are gone, and holds it to limits (`deckatlas.play.program_settings`). A program that
misbehaves loses the game, with a reason, and never stops ours: nothing here waits longer than the time limit, or keeps
more than one bounded answer and the end of standard error.
"""

import math
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from deckatlas.errors import AgentError
from deckatlas.play.players import AnyAction, AnyState, Forfeit, Player
from deckatlas.play.program_settings import program_settings
from deckatlas.play.stopping import POLL_SECONDS, check_stopped

_GUARDIAN = Path(__file__).with_name("guardian.py")
_MAX_ANSWER = 65_536  # bytes of one answer, and bytes dropped between two answers
_EXIT_SECONDS = 3.0  # how long to wait for an exit code once a program has closed its pipes, on a busy machine
_END_SECONDS = 10.0  # how long the guardian may take to end everything, on a busy machine
_LONGEST_REASON = 1000
_COMPLAINT_BYTES, _COMPLAINT_LINES = 400, 3  # from the end of standard error


class Program:
    """A running program and the three pipes to it; `_process` is its guardian, which ends as the program ended."""

    def __init__(self, arguments: Sequence[str]) -> None:
        """Starts the program; the end of its standard error is kept, and reported if it fails.

        Raises:
            AgentError: If it cannot be started.
        """
        settings = program_settings()
        command = settings.command(arguments)
        self._log = settings.new_log(arguments)
        report, report_end = os.pipe()
        lifeline_end, lifeline = os.pipe()
        self._lifeline: int | None = lifeline
        try:
            self._process = _start_guardian(command, report_end, lifeline_end, settings.limits)
        except (OSError, ValueError) as error:
            os.close(report)
            self._close_lifeline()
            if self._log is not None:
                self._log.close()
            reason = error.strerror if isinstance(error, OSError) else error
            raise AgentError(f"cannot start '{shlex.join(arguments)}': {reason}") from None
        finally:
            os.close(report_end)
            os.close(lifeline_end)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._stderr = self._process.stderr
        self._complaint = b""  # the end of its standard error
        os.set_blocking(self._stdin.fileno(), False)
        os.set_blocking(self._stderr.fileno(), False)
        with open(report, "rb") as reported:  # closed without a word when the program has started
            reason = reported.read(_LONGEST_REASON).decode(errors="replace")
        if reason:
            self.close()
            raise AgentError(f"cannot start '{shlex.join(arguments)}': {reason}")

    def ask(self, text: str, seconds: float) -> str:
        """Writes `text` and returns the line that answers it, both within the given time.

        Lines that were waiting before do not answer this text and are dropped.

        Raises:
            Forfeit: If no line came in time; the reason says why.
        """
        self._drop_waiting_output()
        deadline = time.monotonic() + seconds
        unsent, answer = text.encode(), b""
        poll = select.poll()
        poll.register(self._stdin, select.POLLOUT)
        poll.register(self._stdout, select.POLLIN)
        poll.register(self._stderr, select.POLLIN)
        while True:
            check_stopped()
            left = deadline - time.monotonic()
            ready = {fd for fd, _ in poll.poll(1000 * min(max(0.0, left), POLL_SECONDS))}
            if self._stderr.fileno() in ready and not self._hear_complaint():
                poll.unregister(self._stderr)
            if self._stdin.fileno() in ready:
                unsent = self._send(unsent)
                if not unsent:
                    poll.unregister(self._stdin)
            if self._stdout.fileno() in ready:
                answer += self._receive()
                if b"\n" in answer:
                    poll.unregister(self._stdout)
                elif len(answer) > _MAX_ANSWER:
                    raise Forfeit(f"wrote more than {_MAX_ANSWER} bytes without an end of line")
            if b"\n" in answer and not unsent:
                return answer.partition(b"\n")[0].decode(errors="replace")
            if left <= 0:
                raise Forfeit(self._why_late(seconds, unsent, answer) + self._complained())

    def close(self) -> None:
        """Ends the program and all processes it started, and closes the pipes; further calls do nothing."""
        self._stdin.close()
        self._stdout.close()
        if not self._stderr.closed and self._log is not None:
            self._hear_complaint()
        self._stderr.close()
        self._close_lifeline()
        if not self._has_ended(_END_SECONDS):  # somebody stopped the guardian
            self._process.kill()
            self._process.wait()
        if self._log is not None:
            self._log.close()

    def _drop_waiting_output(self) -> None:
        poll = select.poll()
        poll.register(self._stdout, select.POLLIN)
        dropped = 0
        while dropped < _MAX_ANSWER and poll.poll(0):
            output = os.read(self._stdout.fileno(), _MAX_ANSWER)
            if not output:
                return
            dropped += len(output)

    def _send(self, text: bytes) -> bytes:
        """Writes what the pipe accepts at once and returns the rest."""
        try:
            return text[os.write(self._stdin.fileno(), text) :]
        except BlockingIOError:
            return text
        except BrokenPipeError:
            raise Forfeit((self._why_ended() or "closed its input") + self._complained()) from None

    def _receive(self) -> bytes:
        output = os.read(self._stdout.fileno(), _MAX_ANSWER)
        if not output:
            raise Forfeit((self._why_ended() or "closed its output") + self._complained())
        return output

    def _hear_complaint(self) -> bool:
        """Reads what is available on standard error; returns false once nothing more can come."""
        try:
            written = os.read(self._stderr.fileno(), _MAX_ANSWER)
        except BlockingIOError:
            return True
        self._complaint = (self._complaint + written)[-_COMPLAINT_BYTES:]
        if self._log is not None:
            self._log.write(written)
        return bool(written)

    def _complained(self) -> str:
        """The last lines of standard error, as the end of a sentence; control characters are left out."""
        self._hear_complaint()
        lines = [line.strip() for line in self._complaint.decode(errors="replace").splitlines()]
        last = " / ".join([line for line in lines if line][-_COMPLAINT_LINES:])
        shown = "".join(character if character.isprintable() else " " for character in last)
        return f"; its last words on standard error: {shown}" if shown else ""

    def _why_ended(self, wait: float = _EXIT_SECONDS) -> str | None:
        if not self._has_ended(wait):
            return None
        code = self._process.returncode
        return f"ended with exit code {code}" if code >= 0 else f"was ended by {_signal_name(-code)}"

    def _why_late(self, seconds: float, unsent: bytes, answer: bytes) -> str:
        ended = self._why_ended(wait=0)
        if ended:
            return ended
        what = "did not read its input" if unsent else "wrote no whole line" if answer else "answered nothing"
        return f"{what} within {1000 * seconds:g} ms"

    def _has_ended(self, wait: float) -> bool:
        """Whether the program, and all it started, ends within `wait` seconds."""
        try:
            self._process.wait(wait)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _close_lifeline(self) -> None:
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None


def _start_guardian(
    command: Sequence[str], report: int, lifeline: int, limits: Sequence[int]
) -> "subprocess.Popen[bytes]":
    ours = [sys.executable, "-I", "-S", str(_GUARDIAN), str(report), str(lifeline)]
    return subprocess.Popen(
        [*ours, ",".join(map(str, limits)), *command],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=(report, lifeline),
        start_new_session=True,
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class ProgramPlayer(Player[AnyState, AnyAction]):
    """A program as a player of any game; it is started at its first decision or by `start`."""

    clock = staticmethod(time.monotonic)  # its answers take wall-clock time, not our CPU time

    def __init__(self, command: str, *, time_factor: float = 1.0) -> None:
        """Prepares a program.

        Args:
            command: The program and its arguments, quoted as in a shell.
            time_factor: Multiplies the time limits.

        Raises:
            AgentError: If the command is empty, badly quoted or names no program, the factor is not positive, or the
                system is not POSIX.
        """
        if os.name != "posix":
            raise AgentError("programs can play on POSIX systems only, such as Linux and macOS")
        if not 0 < time_factor < math.inf:
            raise AgentError(f"a time factor is a positive number, not {time_factor!r}")
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise AgentError(f"cannot read the command '{command}': {error}") from None
        if not self._arguments:
            raise AgentError("the command of a program is empty")
        if shutil.which(self._arguments[0]) is None:
            raise AgentError(f"cannot start '{shlex.join(self._arguments)}': there is no such program")
        self._time_factor = time_factor
        self._program: Program | None = None

    def start(self) -> None:
        """Starts the program, so that a failure to start is reported before the game.

        Raises:
            AgentError: If it cannot be started.
        """
        self._started()

    def ask(self, text: str, seconds: float) -> str:
        """The line that answers a text, within `seconds` times the time factor.

        Raises:
            Forfeit: If the program gives no valid answer in time.
        """
        try:
            program = self._started()
        except AgentError as error:
            raise Forfeit(str(error)) from None
        return program.ask(text, self._time_factor * seconds)

    def close(self) -> None:
        """Ends the program and all processes it started; further calls do nothing."""
        if self._program is not None:
            self._program.close()

    def _started(self) -> Program:
        if self._program is None:
            self._program = Program(self._arguments)
        return self._program
