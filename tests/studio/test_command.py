"""`deckatlas studio`: mistakes end in one line, Ctrl-C ends it at once, and others need the token that it printed."""

import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from helpers.command_line import PROGRAM, CommandLine, environment
from helpers.studio import LONG


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "99999"], "ports are from 0 to 65535"),
        (["--port", "-1"], "ports are from 0 to 65535"),
        (["--host", ""], "an empty address"),
        (["--host", "nosuch.invalid"], "cannot listen on nosuch.invalid"),
        (["--host", "192.0.2.1"], "cannot listen on 192.0.2.1"),
        (["nowhere"], "there is no run 'nowhere'"),
        (["no-run.db"], "is not the store of a run"),
        (["--store", "none"], "there is no folder none"),
    ],
)
def test_mistakes_end_in_one_line(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deckatlas: CommandLine
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    (tmp_path / "no-run.db").write_text("no run")
    code, out, err = deckatlas("studio", *arguments, "--no-open")
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_port_in_use_is_named(tmp_path: Path, deckatlas: CommandLine) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        code, _, err = deckatlas("studio", str(tmp_path), "--port", str(port), "--no-open")
    assert (code, err) == (2, f"deckatlas: cannot listen on 127.0.0.1, port {port}: Address already in use\n")


@contextmanager
def started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A studio in a process of its own, and the address that it printed."""
    command = [str(PROGRAM), "studio", *arguments, "--port", "0", "--no-open"]
    pipe, settings = subprocess.PIPE, environment(PYTHONUNBUFFERED="1")
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=settings) as studio:
        try:
            assert studio.stdout is not None
            found = None
            while found is None and (line := studio.stdout.readline()):
                found = re.search(r"http://\S+", line)
            assert found is not None
            yield studio, found[0]
        finally:
            studio.kill()


def test_ctrl_c_ends_it_at_once_and_quietly_with_pages_that_listen(studio_runs: Path) -> None:
    with started(str(studio_runs)) as (studio, address):
        host = address.removeprefix("http://").rstrip("/")
        listeners = []
        for _ in range(3):
            listener = HTTPConnection(host, timeout=LONG)
            listener.request("GET", "/api/events?run=hunter")
            listened = listener.getresponse()
            assert listened.readline() == b"event: run\n"
            listeners.append(listened)
        studio.send_signal(signal.SIGINT)
        for listened in listeners:
            listened.read()  # to its end: a stream that is cut off after a time of grace would be incomplete
        out, err = studio.communicate(timeout=LONG)
    assert (studio.returncode, out, err) == (0, "", "")


def test_a_studio_that_others_can_reach_needs_the_token_that_it_printed(tmp_path: Path) -> None:
    with started(str(tmp_path), "--host", "0.0.0.0") as (_, address):
        host, token = re.fullmatch(r"http://([^/]+)/\?token=(\S{20,})", address).groups()  # type: ignore[union-attr]

        def status(path: str) -> int:
            connection = HTTPConnection(host, timeout=LONG)
            connection.request("GET", path)
            return connection.getresponse().status

        assert status("/api/runs") == 401
        assert status(f"/api/runs?token={token}") == 303
        assert status("/api/runs?token=guessed") == 401
