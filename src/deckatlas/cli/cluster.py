"""The option `--cluster`, shared by all commands that execute runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from deckatlas.cli.common import err
from deckatlas.errors import RunError

ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        help="Play on a Dask cluster: tcp://HOST:PORT, tls://HOST:PORT, or local:N for N processes on this machine. It "
        "does not change the result.",
        metavar="ADDRESS",
    ),
]


@contextmanager
def played_on(cluster: str | None, threads: int | None) -> Iterator[None]:
    """Lets a cluster play all runs that are executed within a block; without one, threads do.

    Raises:
        RunError: If both are given, the address has another form, or no scheduler answers there.
    """
    if cluster is None:
        yield
        return
    if threads is not None:
        raise RunError(
            "--threads is for this machine: leave it out with --cluster, whose workers have their own threads"
        )
    from deckatlas.runs.cluster import on_cluster

    with on_cluster(cluster, report=lambda line: err.print(line, markup=False, soft_wrap=True)):
        yield
