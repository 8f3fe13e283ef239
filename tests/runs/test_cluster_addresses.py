"""The option --cluster with addresses at which no cluster is, and with options that do not fit it: one line each."""

import socket
from pathlib import Path

import pytest

from deckatlas.runs import cluster as cluster_module
from helpers.command_line import CommandLine
from helpers.maps import HUNTERS
from helpers.runs import write_config


@pytest.fixture
def deckatlas(deckatlas: CommandLine, tmp_path: Path) -> CommandLine:
    write_config(tmp_path, HUNTERS, name="run")
    return deckatlas


@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("nonsense", "a cluster is tcp://HOST:PORT, tls://HOST:PORT or local:N, not 'nonsense'"),
        ("local:many", "a cluster is tcp://HOST:PORT, tls://HOST:PORT or local:N, not 'local:many'"),
        ("local:\u0663", "a cluster is tcp://HOST:PORT, tls://HOST:PORT or local:N, not 'local:\\u0663'"),
        ("local:" + 5_000 * "9", "a cluster is tcp://HOST:PORT, tls://HOST:PORT or local:N, not 'local:999"),
        ("tcp://127.0.0.1:99999", "tcp://127.0.0.1:99999: a port must be from 1 to 65535"),
        ("local:0", "the number of processes must be a whole number from 1 to 1024, not 0"),
        ("tls://127.0.0.1:1", "tls://127.0.0.1:1 needs certificates: docs/scale.md says how to give them to Dask"),
        ("tcp://127.0.0.1:1", "no scheduler answers at tcp://127.0.0.1:1: "),
    ],
)
def test_a_wrong_address_is_one_line(
    deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch, address: str, line: str
) -> None:
    monkeypatch.setattr(cluster_module, "_CONNECT_SECONDS", 1)
    code, _, errors = deckatlas("run", "run.toml", "--cluster", address)
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith(f"deckatlas: {line}")


def test_another_program_at_the_address_is_one_line(deckatlas: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        code, _, errors = deckatlas("run", "run.toml", "--cluster", address)
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith(f"deckatlas: no scheduler answers at {address}")


def test_threads_and_a_cluster_exclude_each_other(deckatlas: CommandLine) -> None:
    code, _, errors = deckatlas("run", "run.toml", "--cluster", "local:2", "--threads", "2")
    assert (code, errors) == (
        2,
        "deckatlas: --threads is for this machine: leave it out with --cluster, whose workers have their own threads\n",
    )
