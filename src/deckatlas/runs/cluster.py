"""A cluster that plays runs: a scheduler of Dask and its workers, elsewhere or as processes of this machine.

Within a block of `on_cluster`, everything that executes runs uses the cluster: maps, evolutions, metagames, papers.
Results are the same as with threads. Dask's transport pickles what it carries, and whoever reaches a scheduler can run
code on its workers: keep it in a closed network, or use `tls://` with certificates.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from deckatlas.errors import RunError
from deckatlas.play.limits import MAX_THREADS, positive
from deckatlas.runs.executors import Engine, played_by
from deckatlas.shapes import show

if TYPE_CHECKING:  # an extra that few people have
    from distributed import Client

    from deckatlas.runs.cluster_crew import Patience
    from deckatlas.runs.cluster_executor import ClusterExecutor
    from deckatlas.runs.run import Run

FORMS = "tcp://HOST:PORT, tls://HOST:PORT or local:N"
_ADDRESS = re.compile(r"(?:tcp|tls)://(?:[^\s/:]+|\[[0-9a-fA-F:]+\]):(?P<port>[0-9]{1,5})")
_LOCAL = re.compile(r"local:(?P<count>[0-9]{1,9})")
_MOST_PORT = 65535
_CONNECT_SECONDS = 10
_CLOSE_SECONDS = 5

Report = Callable[[str], object]


class Cluster(Engine):
    """A connection to a cluster.

    Attributes:
        client: The connection.
        address: The scheduler's address.
    """

    def __init__(self, client: "Client", *, report: Report, patience: "Patience | None" = None) -> None:
        from deckatlas.runs.cluster_crew import Patience

        self.client = client
        self.address = str(client.scheduler.address) if client.scheduler else "the cluster"
        self._report = report
        self._patience = patience or Patience()

    def executor(self, run: "Run") -> "ClusterExecutor":
        """Makes an executor for a run; see the base class."""
        from deckatlas.runs.cluster_executor import ClusterExecutor

        return ClusterExecutor(run, self.client, address=self.address, report=self._report, patience=self._patience)


@contextmanager
def on_cluster(
    where: "Client | str", *, report: Report = lambda line: None, patience: "Patience | None" = None
) -> Iterator[Cluster]:
    """Lets a cluster play all runs that are executed within a block.

    Args:
        where: The address of a scheduler (`tcp://HOST:PORT`, `tls://HOST:PORT`), `local:N` for N processes of this
            machine, or a `dask.distributed.Client`, which stays open.
        report: Called with a line when a worker is refused or does not answer.
        patience: How long workers may be silent.

    Raises:
        RunError: If Dask is not installed, the address has another form, or no scheduler answers there.
    """
    try:
        import distributed
    except ImportError:
        raise RunError("a cluster needs Dask: pip install 'deckatlas[cluster]'") from None
    with ExitStack() as stack:
        client = where if isinstance(where, distributed.Client) else _client(where, stack)
        cluster = Cluster(client, report=report, patience=patience)
        stack.enter_context(played_by(cluster))
        yield cluster


def _client(where: Any, stack: ExitStack) -> "Client":
    """A connection that is closed with the stack."""
    from distributed import Client, LocalCluster, Security

    if not isinstance(where, str):
        raise RunError(f"a cluster is {FORMS}, or a Client of Dask, not {show(where)}")
    if local := _LOCAL.fullmatch(where):
        count = positive("the number of processes", int(local["count"]), MAX_THREADS)
        workers = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            preload="deckatlas.runs.cluster_worker",
        )
        return stack.enter_context(stack.enter_context(workers).get_client())
    address = _ADDRESS.fullmatch(where)
    if address is None:
        raise RunError(f"a cluster is {FORMS}, not {show(where)}")
    if not 0 < int(address["port"]) <= _MOST_PORT:
        raise RunError(f"{where}: a port must be from 1 to {_MOST_PORT}")
    if where.startswith("tls:") and Security().get_connection_args("client")["ssl_context"] is None:
        raise RunError(f"{where} needs certificates: docs/scale.md says how to give them to Dask")
    for name in [each for each in logging.root.manager.loggerDict if each.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is reported in one line
    try:
        with ThreadPoolExecutor(1) as pool:  # there may be an event loop in this thread already
            pool.submit(asyncio.run, _shake_hands(where)).result()
        client = Client(where, timeout=_CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # not only OSError: wrong certificates, another version of Dask, another program there
        raise RunError(f"no scheduler answers at {where}: {_reason(error)}") from None
    stack.callback(client.close, timeout=_CLOSE_SECONDS)
    return client


def _reason(error: Exception) -> str:
    """Why there is no connection."""
    if isinstance(error, TimeoutError):
        return f"nobody took the connection within {_CONNECT_SECONDS} seconds"
    if isinstance(error, MemoryError):  # the first bytes of another protocol, read as a length
        return "another program is there"
    return " ".join(str(error).split()) or type(error).__name__


async def _shake_hands(address: str) -> None:
    """Checks that a program of Dask answers at an address; a `Client` that fails waits long before it is closed."""
    from distributed import Security
    from distributed.comm import connect

    arguments = Security().get_connection_args("client")
    comm = await asyncio.wait_for(connect(address, timeout=_CONNECT_SECONDS, **arguments), _CONNECT_SECONDS)
    await comm.close()
