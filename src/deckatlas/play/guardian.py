"""The guardian of a program that plays: a process of its own between us and the program, which ends everything with us.

We start `python -I -S guardian.py REPORT LIFELINE LIMITS COMMAND...`; it starts the command with its own standard
streams. It holds one end of a pipe, the lifeline. When the other end closes, because we close it or because we died in
any way, it ends the program and all its descendants: on Linux also those that left the program's session, since it
adopts orphans (a subreaper). When the program ends by itself, the guardian ends what is left of it, then itself in the
same way. It holds the program to limits of memory, open files, the size of files and the number of processes.

It imports nothing of the package and as little as possible, because it starts with every game of a program.
"""

import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_GRACE_SECONDS = 0.2  # between SIGTERM and SIGKILL
_COUNT_EVERY = 0.5  # seconds between two counts of processes
_KILL_SECONDS = 5.0  # how long to look for processes that are still there


def _prctl(option: int, value: int) -> None:
    """Asks Linux for something about this process; elsewhere, or where it is refused, nothing happens."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes  # takes as long to import as all the rest

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _descendants() -> list[int]:
    """All processes below this one; empty where there is no /proc."""
    children: dict[int, list[int]] = {}
    try:
        running = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for name in running:
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue  # it has ended meanwhile
        children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _send(number: signal.Signals, program: int) -> None:
    """Sends a signal to the program's group and to all descendants."""
    for send, pid in [(os.killpg, program), *((os.kill, pid) for pid in _descendants())]:
        with suppress(OSError):  # it has ended
            send(pid, number)


class _Reaper:
    """Collects ended children, and remembers how the program ended."""

    def __init__(self, program: int) -> None:
        self.program = program
        self.status: int | None = None

    def collect(self) -> bool:
        """Collects all that have ended; returns false once there are no children left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.program:
                self.status = status

    def end_all(self) -> None:
        """Ends all that is left. What forks meanwhile is stopped first, so that nothing escapes between two looks."""
        deadline = time.monotonic() + _KILL_SECONDS
        while time.monotonic() < deadline:
            _send(signal.SIGSTOP, self.program)
            _send(signal.SIGKILL, self.program)
            if not self.collect():
                return
            time.sleep(0.002)


def _limit(what: int, most: int) -> None:
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with suppress(OSError, ValueError):  # the system does not limit it
        resource.setrlimit(what, (most, most))


def _become(command: list[str], report: int, memory: int, files: int, file_size: int, guardian: int) -> None:
    """Turns this process, a child of the guardian, into the program; reports why if that fails."""
    os.setpgid(0, 0)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
        signal.signal(number, signal.SIG_DFL)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != guardian:
        os._exit(1)
    _limit(resource.RLIMIT_DATA, memory)
    _limit(resource.RLIMIT_NOFILE, files)
    _limit(resource.RLIMIT_FSIZE, file_size)
    _limit(resource.RLIMIT_CORE, 0)
    try:
        os.execvp(command[0], command)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        os.write(report, str(reason).encode())
    os._exit(1)


def _complain(line: str) -> None:
    with suppress(OSError):  # nobody reads it
        os.write(2, f"{line}\n".encode())


def _end_like(status: int) -> None:
    """Ends this process as another one ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        _limit(resource.RLIMIT_CORE, 0)
        os.kill(os.getpid(), number)
        time.sleep(1)  # until the signal arrives
    os._exit(os.WEXITSTATUS(status))


def guard(command: list[str], *, report: int, lifeline: int, limits: list[int]) -> None:
    """Starts the command and stays until it has ended, or our side of the lifeline is gone."""
    memory, files, file_size, processes = limits
    for fd in (report, lifeline):
        os.set_inheritable(fd, False)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    guardian = os.getpid()
    program = os.fork()
    if program == 0:
        _become(command, report, memory, files, file_size, guardian)
    os.close(report)
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):  # so that these pipes close when the program closes its ends
        os.dup2(nothing, fd)
    reaper = _Reaper(program)
    poll = select.poll()
    poll.register(lifeline, select.POLLIN)
    poll.register(woken, select.POLLIN)
    while True:
        ready = {fd for fd, _ in poll.poll(1000 * _COUNT_EVERY)}
        if woken in ready:
            os.read(woken, 4096)
        reaper.collect()
        if reaper.status is not None:
            break
        if lifeline in ready:
            _send(signal.SIGTERM, program)
            deadline = time.monotonic() + _GRACE_SECONDS
            while reaper.collect() and reaper.status is None and time.monotonic() < deadline:
                time.sleep(0.005)
            break
        if len(_descendants()) > processes:
            os.set_blocking(2, False)
            _complain(f"deckatlas: it has more than {processes} processes")
            break
    reaper.end_all()
    _end_like(signal.SIGKILL if reaper.status is None else reaper.status)


if __name__ == "__main__":
    guard(
        sys.argv[4:],
        report=int(sys.argv[1]),
        lifeline=int(sys.argv[2]),
        limits=[int(number) for number in sys.argv[3].split(",")],
    )
