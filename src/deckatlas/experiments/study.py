"""The input of a report: finished runs, published numbers, and a way to play more games."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.runs.comparison import Players, comparison_run
from deckatlas.runs.config import RunConfig
from deckatlas.runs.library import path_of
from deckatlas.runs.loop import Standing, Watch, execute
from deckatlas.runs.rows import GenerationRow
from deckatlas.runs.run import Run, Runnable
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView, open_run
from deckatlas.search.batches import Batch, chained_hash, seed_of
from deckatlas.search.piecewise import piecewise
from deckatlas.search.protocol import Genomes

ADVICE = "choose another folder with --store"
View = Callable[[str], AbstractContextManager[Watch]]


@dataclass(frozen=True)
class FinishedRun:
    """A finished run, as a report sees it.

    Attributes:
        config: Its configuration; `config.name` is the run's name with its number, such as `E_aw-3`.
        path: Its store.
    """

    config: RunConfig
    path: Path

    @cached_property
    def view(self) -> RunView:
        """The stored run, opened for reading."""
        return open_run(self.path)

    @property
    def number(self) -> int:
        """Its number in its series."""
        return int(self.config.name.rpartition("-")[2])

    def bests(self, count: int) -> Genomes:
        """The best genomes of the last generation, best first."""
        return self.view.best_population[0][:count]

    def generations(self) -> tuple[GenerationRow, ...]:
        """The numbers of all generations: games so far, scores, facts."""
        return self.view.generations

    def bests_of(self, generations: list[int], count: int) -> list[Genomes]:
        """The best genomes of each of these generations."""
        with open_store(self.path) as store:
            return [store.population(number)[0][:count] for number in generations]


@dataclass(frozen=True)
class Comparison:
    """Games among given players, carried out and stored like a run.

    Attributes:
        name: The name of its store.
        batch: All matchups.
        players: The players.
    """

    name: str
    batch: Batch
    players: Players

    def prepare(self) -> Run:
        """The games as a run; genomes, drafts and matchups are in the hash of the batch."""
        return comparison_run(
            self.name,
            self.players,
            lambda: piecewise(self.batch),
            seed=0,
            games=self.batch.games,
            search={"algorithm": "comparison", "batch": chained_hash(b"", self.batch).hex()},
        )


@dataclass
class Tally:
    """The number of games that this process played (`now`, also interrupted ones), and of all behind the results."""

    now: int = 0
    all: int = 0

    def add(self, standing: Standing) -> None:
        """Counts the games of an execution."""
        self.now += standing.games - standing.stored
        self.all += standing.games


def execute_watched(
    what: Runnable,
    path: Path,
    *,
    title: str,
    view: View,
    tally: Tally,
    threads: int | None,
    recheck: int | None = None,
) -> None:
    """Carries out a run or a comparison, or the rest of it, and counts its games.

    Args:
        what: The run or comparison.
        path: Its store.
        title: The title that is shown.
        view: Shows the progress.
        tally: Counts the games.
        threads: The number of threads that play.
        recheck: If given, the number of fresh games that each elite of an archive then plays.

    Raises:
        RunError: If the store cannot be used, or holds another run.
    """
    standing = Standing()  # until the run reports its own

    def look(now: Standing) -> None:
        nonlocal standing
        standing = now
        watch(now)

    try:
        with view(title) as watch:
            standing = execute(what, path, threads=threads, recheck=recheck, watch=look, advice=ADVICE)
    finally:
        tally.add(standing)


@dataclass(frozen=True)
class Study:
    """Everything a report may use.

    Attributes:
        runs: For each name in the experiment, its finished runs in order.
        published: The experiment's table [published].
        seed: The experiment's seed.
        folder: The folder of the stored comparisons.
        threads: The number of threads that play; all if None.
        view: Shows the progress of the work with this title, while a `with` block runs.
        tally: Counts the games; a report must add those that it plays without `play`.
    """

    runs: Mapping[str, tuple[FinishedRun, ...]]
    published: Mapping[str, Any]
    seed: int
    folder: Path
    threads: int | None
    view: View
    tally: Tally = field(default_factory=Tally)

    @property
    def maps(self) -> dict[str, tuple[FinishedRun, ...]]:
        """The runs that keep an archive."""
        return {name: runs for name, runs in self.runs.items() if runs[0].config.archive is not None}

    def rng(self, purpose: str) -> np.random.Generator:
        """A random source for one purpose, such as "drafts"; its draws do not depend on other purposes.

        Seeds of drafts have 64 bits, so those drawn here are fresh: the chance that a search has used one of them is
        below one in a billion.
        """
        return np.random.Generator(np.random.PCG64(seed_of(self.seed, purpose)))

    def play(self, name: str, batch: Batch, players: Players) -> npt.NDArray[np.int64]:
        """Plays all matchups of a batch in pieces, or the rest of them, and keeps the outcomes in a store.

        Args:
            name: The name of the store; a study can have several.
            batch: The matchups.
            players: The players.

        Returns:
            For each matchup, the number of games that the first player won.

        Raises:
            RunError: If the store of that name holds other games.
        """
        path = path_of(self.folder, name)
        comparison = Comparison(name, batch, players)
        execute_watched(comparison, path, title=name, view=self.view, tally=self.tally, threads=self.threads)
        with open_store(path) as store:
            return store.history().total[:, 0].astype(np.int64)
