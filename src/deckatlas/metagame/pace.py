"""How fast a metagame is played here: a few games, measured by the clock, to say how long more will take."""

import time
from collections.abc import Callable

from deckatlas.metagame.metagame import Metagame
from deckatlas.metagame.rounds import spending
from deckatlas.runs.comparison import comparison_run
from deckatlas.runs.executors import Threads
from deckatlas.runs.tasks import Task

_SECONDS = 0.5  # of measuring
_FEWEST_GAMES = 16


def seconds_per_game(
    metagame: Metagame, *, threads: int | None = None, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The time that a game of this metagame takes, if all threads play.

    The games are the first ones of its pairs in turn; they are not stored.

    Args:
        metagame: The metagame.
        threads: The number of threads.
        clock: The clock.

    Raises:
        MatchError: If this is not a number of threads.
    """
    run = comparison_run(
        "pace",
        metagame.players(),
        lambda: spending(metagame.names, seeds=1, seed=0),
        seed=0,
        games=0,
        search={"algorithm": "pace"},
    )
    batch = run.make_search().ask()
    assert batch is not None
    games, begun = 0, clock()
    with Threads(run, threads) as pool:
        while games < len(batch):
            some = batch.rows(slice(games, games + max(_FEWEST_GAMES, games)))
            pool.submit(Task(run.hash, some)).result()
            games += len(some)
            if clock() - begun > _SECONDS:
                break
    return (clock() - begun) / games
