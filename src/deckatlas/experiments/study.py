"""What a report is made of: finished runs, published numbers, and games to be played."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from deckatlas.runs.config import RunConfig
from deckatlas.runs.description import Description
from deckatlas.runs.library import path_of
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.run import Run, Runnable
from deckatlas.runs.store import GenerationRow, open_store
from deckatlas.runs.view import RunView, open_run
from deckatlas.search.batches import Batch, chained_hash
from deckatlas.search.evaluation import Evaluator, Floats
from deckatlas.search.portions import portions
from deckatlas.search.protocol import Genomes
from deckatlas.search.seeds import seed_of

ADVICE = "choose another folder with --store"
Watch = Callable[[Standing], object]
View = Callable[[str], AbstractContextManager[Watch]]


@dataclass(frozen=True)
class FinishedRun:
    """A run that is over, as a report sees it.

    Attributes:
        config: What was run; `config.name` is the run's name with its number, such as `E_aw-3`.
        path: Its store.
    """

    config: RunConfig
    path: Path

    @cached_property
    def view(self) -> RunView:
        """Everything that is known of it."""
        return open_run(self.path)

    def bests(self, count: int) -> Genomes:
        """The best of the last generation, the best first."""
        return self.view.best_population[0][:count]

    def generations(self) -> tuple[GenerationRow, ...]:
        """All generations in numbers: games until each, scores, facts."""
        return self.view.generations

    def bests_of(self, generations: list[int], count: int) -> list[Genomes]:
        """The best of each of these generations."""
        with open_store(self.path) as store:
            return [store.population(number)[0][:count] for number in generations]


class Players(Protocol):
    """Who meets in a comparison, and where."""

    def to_json(self) -> dict[str, Any]:
        """What the games depend on beside the batch: the tables `space` and `evaluation`."""
        ...

    @property
    def cards(self) -> str:
        """A hash of the cards that are played with."""
        ...

    def evaluator(self) -> Evaluator:
        """What plays the matchups."""
        ...

    def describe(self) -> Description:
        """What a store says of the players."""
        ...


@dataclass(frozen=True)
class _NoMeasures:
    """A space of which nothing is known without a game."""

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        return np.empty((len(solutions), 0))


@dataclass(frozen=True)
class Comparison:
    """Games among players that are there already, carried out and stored like a run.

    Attributes:
        name: What its store is called.
        batch: All matchups.
        players: Who plays them.
    """

    name: str
    batch: Batch
    players: Players

    def prepare(self) -> Run:
        """The games as a run; genomes, drafts and matchups are in the hash of the batch."""
        config = {
            "name": self.name,
            "seed": 0,
            "budget": self.batch.games,
            **self.players.to_json(),
            "search": {"algorithm": "comparison", "batch": chained_hash(b"", self.batch).hex()},
        }
        return Run(
            config=config,
            cards=self.players.cards,
            space=_NoMeasures(),
            evaluator=self.players.evaluator(),
            make_search=lambda: portions(self.batch),
            description=replace(self.players.describe(), participants=2),
        )


@dataclass
class Tally:
    """Games that were played by this process, even if they were interrupted, and all that results rest on."""

    now: int = 0
    all: int = 0

    def add(self, standing: Standing) -> None:
        """Counts what an execution came to."""
        self.now += standing.games - standing.stored
        self.all += standing.games


def carry_out(
    what: Runnable,
    path: Path,
    *,
    title: str,
    view: View,
    tally: Tally,
    threads: int | None,
    recheck: int | None = None,
) -> None:
    """Carries out a run or a comparison, or what is left of it, and counts its games.

    Args:
        what: What to carry out.
        path: Its store.
        title: What is shown.
        view: Shows how it stands.
        tally: Where games are counted.
        threads: How many threads play.
        recheck: If given, each elite of an archive then plays so many fresh games.

    Raises:
        RunError: If the store cannot be used, or holds something else.
    """
    standing = Standing()  # until the run says how it stands

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
    """What a report may use.

    Attributes:
        runs: For each name in the experiment, its finished runs in order.
        published: The experiment's table [published].
        seed: The experiment's seed.
        folder: Where comparisons are stored.
        threads: How many threads play; all if None.
        view: Shows how something of a title stands, while a `with` block runs.
        tally: Counts the games; those that a report plays without `play` are to be added.
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
        """A random source for one purpose, such as "drafts"; what it draws does not depend on other purposes.

        Seeds of drafts are 64 bits wide: those drawn here are fresh, since no search meets them but by a chance of
        less than one in a billion.
        """
        return np.random.Generator(np.random.PCG64(seed_of(self.seed, purpose)))

    def play(self, name: str, batch: Batch, players: Players) -> npt.NDArray[np.int64]:
        """Plays all matchups of a batch in portions, or what is left of them; keeps the outcomes in a store.

        Args:
            name: What the store is called; a study can have several.
            batch: The matchups.
            players: Who plays them.

        Returns:
            For each matchup, the games that the first player won.

        Raises:
            RunError: If the store of that name holds other games.
        """
        path = path_of(self.folder, name)
        comparison = Comparison(name, batch, players)
        carry_out(comparison, path, title=name, view=self.view, tally=self.tally, threads=self.threads)
        with open_store(path) as store:
            return store.history().total[:, 0].astype(np.int64)
