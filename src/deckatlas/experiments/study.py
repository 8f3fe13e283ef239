"""What a report is made of: finished runs, published numbers, and games to be played."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import RunError
from deckatlas.games.locm.genomes import GENOME_KINDS
from deckatlas.papers.mesb.deck_games import DeckArenaTable, DeckEvaluation
from deckatlas.runs.config import ArenaTable, Curve, GenomeTable, RunConfig
from deckatlas.runs.export import best_genomes
from deckatlas.runs.hashes import ask_hash, locm_cards_hash
from deckatlas.runs.library import path_of
from deckatlas.runs.loop import Plan, Standing, execute
from deckatlas.runs.map_config import MapConfig
from deckatlas.runs.map_loop import MapStanding, execute_map
from deckatlas.runs.map_view import MapView, open_map
from deckatlas.runs.matchups import GenerationRow, MatchupStore, open_store
from deckatlas.search.seeds import seed_of
from deckatlas.search.portions import portions
from deckatlas.search.protocol import Ask, Genomes, Plays, Search, Seeds

ADVICE = "choose another folder with --store"
Watch = Callable[[Standing | MapStanding], object]
View = Callable[[str], AbstractContextManager[Watch]]


@dataclass(frozen=True)
class FinishedRun:
    """A search by matchups that is over, as a report sees it.

    Attributes:
        config: What was run; `config.name` is the run's name with its number, such as `E_aw-3`.
        path: Its store.
    """

    config: RunConfig
    path: Path

    def open(self) -> MatchupStore:
        """The store, to be read in a `with` block."""
        return open_store(self.path)

    def bests(self, count: int) -> Genomes:
        """The best of the last generation, the best first."""
        with self.open() as store:
            return best_genomes(store)[0][:count]

    def generations(self) -> list[GenerationRow]:
        """All generations in numbers: games until each, scores, facts."""
        with self.open() as store:
            return store.generations()

    def bests_of(self, generations: list[int], count: int) -> list[Genomes]:
        """The best of each of these generations."""
        with self.open() as store:
            return [store.population(number)[0][:count] for number in generations]

    def training_drafts(self) -> Seeds:
        """The seeds of all drafts the run learned from, in the order in which it first met them.

        A store has only a hash of what was asked for; so the search is made anew and told what was stored.
        """
        search = self.config.make_search(self.config.make_arena())
        met: dict[int, None] = {}
        with self.open() as store:
            for number in range(store.counts()[0]):
                ask = search.ask()
                assert ask is not None, "the run is finished, and was played by the same search"
                for course in ask.courses:
                    met |= dict.fromkeys(course.draft_seeds.tolist())
                search.tell(store.ask(number).wins)
        return np.array(list(met), dtype=np.uint64)


@dataclass(frozen=True)
class FinishedMap:
    """A map that is complete, as a report sees it.

    Attributes:
        config: What was run; `config.name` is the run's name with its number.
        path: Its store.
    """

    config: MapConfig
    path: Path

    @cached_property
    def view(self) -> MapView:
        """All that is known of it."""
        return open_map(self.path)


@dataclass(frozen=True)
class Evaluation(Plan):
    """Games among players that are there already, carried out and stored like a run.

    Attributes:
        name: What its store is called.
        ask: All matchups.
        genome: What the genomes of the ask are.
        arena: Who plays them; opponent k of the arena is player -1 - k of the ask.
    """

    name: str
    ask: Ask
    genome: GenomeTable
    arena: ArenaTable

    @property
    def budget(self) -> int:
        """All games."""
        return self.ask.games

    @property
    def cards(self) -> str:
        """A hash of the cards that are played with."""
        return locm_cards_hash()

    def to_json(self) -> dict[str, Any]:
        """All that the result depends on; genomes, drafts and matchups are in the hash of the ask."""
        return {
            "name": self.name,
            "seed": 0,
            "budget": self.budget,
            "genome": self.genome.model_dump(mode="json"),
            "search": {"algorithm": "evaluation", "ask": ask_hash(self.ask).hex()},
            "arena": self.arena.model_dump(mode="json"),
        }

    def prepare(self, *, threads: int | None = None) -> tuple[Plays, Search]:
        """Where the games are played, and the ask in portions."""
        return self.arena.make_arena(self.genome.space(), threads=threads), portions(self.ask)


@dataclass
class Tally:
    """Games that were played by this process, even if they were interrupted, and all that results rest on."""

    now: int = 0
    all: int = 0

    def add(self, standing: Standing | MapStanding) -> None:
        """Counts what an execution came to."""
        self.now += standing.games - standing.stored
        self.all += standing.games


def carry_out(
    plan: Plan | MapConfig,
    path: Path,
    *,
    title: str,
    view: View,
    tally: Tally,
    threads: int | None,
    recheck: int | None = None,
) -> None:
    """Carries out a run of any kind or an evaluation, or what is left of it, and counts its games.

    Args:
        plan: What to carry out.
        path: Its store.
        title: What is shown.
        view: Shows how it stands.
        tally: Where games are counted.
        threads: How many threads play.
        recheck: If given, each elite of a map then plays so many fresh games.

    Raises:
        RunError: If the store cannot be used, or holds something else.
    """
    standing: Standing | MapStanding = Standing(planned=0)  # until the run says how it stands

    def look(now: Standing | MapStanding) -> None:
        nonlocal standing
        standing = now
        watch(now)

    try:
        with view(title) as watch:
            if isinstance(plan, MapConfig):
                standing = execute_map(plan, path, threads=threads, recheck=recheck, watch=look, advice=ADVICE)
            else:
                standing = execute(plan, path, threads=threads, watch=look, advice=ADVICE)
    finally:
        tally.add(standing)


@dataclass(frozen=True)
class Study:
    """What a report may use.

    Attributes:
        runs: For each name in the experiment that stands for searches by matchups, its finished runs in order.
        published: The experiment's table [published].
        seed: The experiment's seed.
        folder: Where evaluations are stored.
        threads: How many threads play; all if None.
        view: Shows how something of a title stands, while a `with` block runs.
        tally: Counts the games; those that a report plays without `play` are to be added.
        maps: For each name in the experiment that stands for maps, these in order.
    """

    runs: Mapping[str, tuple[FinishedRun, ...]]
    published: Mapping[str, Any]
    seed: int
    folder: Path
    threads: int | None
    view: View
    tally: Tally = field(default_factory=Tally)
    maps: Mapping[str, tuple[FinishedMap, ...]] = field(default_factory=dict)

    def rng(self, purpose: str) -> np.random.Generator:
        """A random source for one purpose, such as "drafts"; what it draws does not depend on other purposes.

        Seeds of drafts are 64 bits wide: those drawn here are fresh, since no search meets them but by a chance of
        less than one in a billion.
        """
        return np.random.Generator(np.random.PCG64(seed_of(self.seed, purpose)))

    def genome(self) -> GenomeTable:
        """What the genomes of all runs are, or can be told as: see `bests`.

        Raises:
            RunError: If there are no runs, or they cannot meet in one evaluation.
        """
        tables = {run.config.genome for runs in self.runs.values() for run in runs}
        if not tables:
            raise RunError("this report needs runs")
        if len(tables) == 1:
            return tables.pop()
        for table in tables:
            if GENOME_KINDS[table.space().kind].as_curve is None:
                raise RunError(
                    f"genomes of the kind {table.space().kind!r} cannot meet those of other kinds in a report"
                )
        return Curve(kind="curve")

    def bests(self, run: FinishedRun, count: int) -> Genomes:
        """The best so many of a run's last generation, as genomes of the kind of `genome`."""
        genomes = run.bests(count)
        as_curve = GENOME_KINDS[run.config.genome.space().kind].as_curve
        if run.config.genome == self.genome() or as_curve is None:
            return genomes
        return np.array([as_curve(genome) for genome in genomes])

    def play(self, name: str, ask: Ask, *, genome: GenomeTable, arena: ArenaTable) -> npt.NDArray[np.int64]:
        """Plays all matchups of an ask in portions, or what is left of them; keeps the outcomes in a store.

        Args:
            name: What the store is called; a study can have several.
            ask: The matchups.
            genome: What the ask's genomes are.
            arena: Who plays.

        Returns:
            For each matchup, the games that the first player won.

        Raises:
            RunError: If the store of that name holds other games.
        """
        return self._play(Evaluation(name, ask, genome, arena))

    def play_decks(self, name: str, ask: Ask, arena: DeckArenaTable) -> npt.NDArray[np.int64]:
        """The same with decks of Hearthstone; see `play`."""
        return self._play(DeckEvaluation(name, ask, arena))

    def _play(self, evaluation: Evaluation | DeckEvaluation) -> npt.NDArray[np.int64]:
        path = path_of(self.folder, evaluation.name)
        carry_out(evaluation, path, title=evaluation.name, view=self.view, tally=self.tally, threads=self.threads)
        with open_store(path) as store:
            return np.concatenate([store.ask(number).wins for number in range(store.counts()[0])])
