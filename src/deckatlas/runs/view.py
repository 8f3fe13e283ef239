"""A run as its store has it: the log, the archive, generations, elites in words, the results of a recheck.

Everything comes from the store alone, so that a run can be read even without the cards or the game that made it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.arguments import checked
from deckatlas.documents.document import Document
from deckatlas.errors import GameError, RunError
from deckatlas.games import run_kinds
from deckatlas.runs.description import DeckLine, Description, StoredSpace
from deckatlas.runs.elites import Elite, estimate_of, estimates_of
from deckatlas.runs.rows import GenerationRow, RecheckedSolution, RunProgress, RunRow
from deckatlas.runs.run_file import content_of
from deckatlas.runs.store import Store, open_store
from deckatlas.search.archive import Archive
from deckatlas.search.archive_options import AnyArchive, GridOptions, SlidingOptions
from deckatlas.search.archive_statistics import ArchiveStatistics, archives_at, statistics
from deckatlas.search.card_questions import CARD, CardRow, card_rows
from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.evaluation import Floats, Ints, Outcomes, Solution
from deckatlas.search.history import History
from deckatlas.search.log import Log, check_columns
from deckatlas.search.recheck import Recheck, recheck
from deckatlas.search.rounds import Round, rounds_of
from deckatlas.shapes import show
from deckatlas.stats.averages import Sample
from deckatlas.stats.estimate import Estimate, Estimates

VOID_GAMES = "void_games"
_ARCHIVES: dict[str, type[AnyArchive]] = {"grid": GridOptions, "sliding": SlidingOptions}


@dataclass(frozen=True, repr=False)
class RunView:
    """A run, finished or running, as it was at one moment.

    Attributes:
        path: Its store.
        run: The run as a whole.
        progress: Its progress.
        description: Its description.
        history: All evaluations.
        generations: The generations, if its search has any.
        samples: The samples behind averages, by first game and games of an evaluation.
        rechecks: The results of elites on fresh games, by their numbers.
        card_tables: What these games say about the cards of elites, by their numbers and by question.
        best_population: Genomes and scores of the last generation, the best first.
        options: The options of its archive, if it has one.
    """

    path: Path
    run: RunRow
    progress: RunProgress
    description: Description
    history: History
    generations: tuple[GenerationRow, ...]
    samples: Mapping[tuple[int, int], Sample]
    rechecks: Mapping[int, RecheckedSolution]
    card_tables: Mapping[int, Mapping[str, str]]
    best_population: tuple[npt.NDArray[Any], Floats]
    options: AnyArchive | None
    _log: Log | None

    # The run

    @property
    def config(self) -> Mapping[str, Any]:
        """The resolved configuration."""
        return self.run.config

    @property
    def name(self) -> str:
        """The name of the run."""
        return str(self.config["name"])

    @property
    def title(self) -> str:
        """What is searched and how it is rated, as a part of a sentence."""
        return self.description.title

    @property
    def games(self) -> int:
        """Games played by the search."""
        return self.progress.games

    @property
    def budget(self) -> int | None:
        """The most games that the search will ask for, if known."""
        return self.run.budget

    @cached_property
    def digest(self) -> str:
        """The digest of the run, computed from its store on first use.

        Raises:
            RunError: If the store is damaged, or no longer exists.
        """
        from deckatlas.runs.verification import run_digest  # which itself looks at runs

        with open_store(self.path) as store:
            return run_digest(store, self.progress.evaluations)

    def __str__(self) -> str:
        begun = f"{self.name}: {self.run.algorithm}, {self.progress.evaluations:,} evaluations"
        if not self.has_archive:
            return f"{begun}, {self.games:,} games"
        now = self.statistics
        return (
            f"{self.name}: {now.elites:,} elites in {now.cells:,} cells after {self.log.evaluations:,} "
            f"evaluations, {self.objective} up to {now.best:.2f}, {now.mean:.2f} on average"
        )

    def __repr__(self) -> str:
        return f"<RunView {self}>"

    def code(self, solution: Elite | Solution) -> str:
        """A solution as a text that other programs accept: a deck code, card ids, or the content of a policy file."""
        genes = solution.solution if isinstance(solution, Elite) else solution
        if self._kind is None:
            return self.description.text_of(genes)
        with content_of(self.path):
            return str(self._kind.code_of(self.description, genes))

    @property
    def has_policies(self) -> bool:
        """Whether agents can read the solutions from files, such as draft policies."""
        return self._kind is not None and bool(self._kind.has_policies)

    def in_words(self, solution: Elite | Solution) -> list[str]:
        """A solution as lines of text: the preferences of a draft policy, or the cards of a deck."""
        genes = solution.solution if isinstance(solution, Elite) else solution
        if self._kind is None:
            return [self.description.text_of(genes)]
        with content_of(self.path):
            return list(self._kind.words_of(self.description, genes))

    @cached_property
    def _kind(self) -> Any:
        """The class of configurations of this kind of space; None where its game is not known here."""
        try:
            kinds = run_kinds()
        except GameError:  # another game, which this run does not need, cannot be loaded
            return None
        return kinds[self.description.kind]() if self.description.kind in kinds else None

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds of a search with a surrogate; other runs have none."""
        with content_of(self.path):
            return tuple(rounds_of(self.history.notes))

    def deck_list(self, solution: Elite | Solution) -> tuple[DeckLine, ...]:
        """The cards of a solution, sorted by cost and name; empty if it is not a deck."""
        with content_of(self.path):
            return self.description.deck_list(solution.solution if isinstance(solution, Elite) else solution)

    def deck_space(self) -> DeckSpace[str] | None:
        """The space of all legal decks, as the store knows it: with costs only. None if there is no such space."""
        with content_of(self.path):
            return self.description.deck_space()

    # Evaluations of one participant

    @property
    def log(self) -> Log:
        """The results of each solution.

        Raises:
            RunError: If the solutions of this run played each other.
        """
        if self._log is None:
            raise RunError(f"{self.path} has matchups between solutions: there are no columns of single solutions")
        return self._log

    def check_solution(self, number: int) -> None:
        """Checks that there is a solution with this number.

        Raises:
            RunError: If there is none, or the solutions of this run played each other.
        """
        if not 0 <= number < len(self.log):
            raise RunError(f"there is no solution {number}: they are numbered from 0 to {len(self.log) - 1}")

    @property
    def has_archive(self) -> bool:
        """Whether the run keeps an archive."""
        return self.options is not None

    @property
    def objective(self) -> str:
        """The column that elites maximise; empty without an archive."""
        return self.description.objective

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of the archive."""
        return () if self.options is None else self.options.measures

    @cached_property
    def archive(self) -> Archive:
        """The archive, computed from the log.

        Raises:
            RunError: If the run has no archive.
        """
        if self.options is None:
            raise RunError(f"{self.path} has no archive")
        return Archive.from_log(
            self.options,
            self.log.column(self.objective),
            self.log.matrix(self.measures),
            planned=self.description.planned,
        )

    @property
    def statistics(self) -> ArchiveStatistics:
        """The archive's statistics."""
        return statistics(self.archive, self.description.scoring)

    @property
    def void_games(self) -> int:
        """The games of the search that were void every time they were played; they count as not won."""
        if VOID_GAMES not in self.log.names:
            return 0
        with content_of(self.path):
            return round(float(self.log.column(VOID_GAMES) @ self.log.games))

    def by(self, measures: Sequence[str]) -> "RunView":
        """The map of the same evaluations over other measures, with the same number of cells along each.

        Fixed boundaries are spaced evenly between the smallest and the largest value found.

        Raises:
            SearchError: If a measure is unknown.
            RunError: If there is no measure, or one is named twice.
        """
        check_columns(measures, self.log.columns, "measures")
        options = self.options
        if options is None:
            raise RunError(f"{self.path} has no archive")
        changed = options.model_dump() | {"measures": tuple(measures)}
        for key in ("resolution", "grow_from"):
            if counts := changed[key]:
                changed[key] = tuple(counts[min(place, len(counts) - 1)] for place in range(len(measures)))
        if isinstance(options, GridOptions):
            changed["ranges"] = tuple(_range(self.log.column(name)) for name in measures)
        view = replace(self, options=Document("other measures", changed).check(type(options)))
        if "digest" in self.__dict__:  # it is the same run, and its file may no longer exist
            view.__dict__["digest"] = self.digest
        return view

    def archives(self, points: int = 100) -> Iterator[tuple[int, Archive]]:
        """The archive at `points` moments, spaced evenly over the run, each with its number of evaluations.

        Solutions that had been evaluated by then have their final numbers.
        """
        if self.options is None:
            raise RunError(f"{self.path} has no archive")
        moments = np.unique(np.linspace(0, self.log.evaluations, points + 1)[1:].round().astype(int))
        moments = moments[moments > 0]  # with few evaluations, the first points are zero
        archives = archives_at(
            self.options,
            self.archive.objectives,
            self.archive.measures,
            planned=self.archive.planned,
            solutions=np.searchsorted(self.log.first_evaluations, moments).tolist(),
        )
        return zip(moments.tolist(), archives, strict=True)

    def curve(self, points: int = 100) -> tuple[tuple[int, ArchiveStatistics], ...]:
        """The archive's statistics at these moments, each with its number of evaluations."""
        scoring = self.description.scoring
        return tuple((moment, statistics(archive, scoring)) for moment, archive in self.archives(points))

    def elites(self) -> list[Elite]:
        """The elites, the best first."""
        return sorted(self._elites(), key=lambda elite: (-elite.objective.value, elite.number))

    def best(self) -> Elite | None:
        """The best elite of the search, not of the recheck: the best of many on fresh games would be lucky again."""
        elites = self.archive.elites
        if not len(elites):
            return None
        best = np.lexsort((elites, -self.archive.objectives[elites]))[:1]
        return next(self._elites(best))

    def rated(self, name: str, number: int) -> Estimate:
        """A column of a solution with its interval."""
        value = float(self.log.column(name, number))
        if name not in self.log.names:
            return Estimate.exact(value)
        error, games = float(self.log.error(name)[number]), int(self.log.games[number])
        return estimate_of(name, value, error, self.sample(number), games)

    def rated_all(self, name: str, numbers: Ints) -> Estimates:
        """A column of many solutions with their intervals; the same as `rated` for each."""
        value, games = np.asarray(self.log.column(name)[numbers]), self.log.games[numbers]
        if name not in self.log.names:
            return Estimates(value, np.zeros_like(value), value, value, np.zeros_like(games))
        samples = [self.sample(number) for number in numbers.tolist()]
        return estimates_of(name, value, self.log.error(name)[numbers], samples, games)

    def sample(self, number: int) -> Sample:
        """The sample behind a solution's numbers: all units of all its evaluations.

        The degrees of freedom are the fewest of any of its evaluations: intervals are then too wide rather than too
        narrow, however the errors of the evaluations differ.
        """
        with content_of(self.path):
            parts = [self.samples[key] for key in self._ranges[number]]
            return Sample(sum(part.units for part in parts), min(part.freedom for part in parts))

    @cached_property
    def _ranges(self) -> list[list[tuple[int, int]]]:
        """For each solution, first game and games of each of its evaluations."""
        ranges: list[list[tuple[int, int]]] = [[] for _ in range(len(self.log))]
        history = self.history
        for solution, first, games in zip(
            history.solution.tolist(), history.first_game.tolist(), history.games.tolist(), strict=True
        ):
            ranges[solution].append((first, games))
        return ranges

    def _elites(self, places: Ints | slice = slice(None)) -> Iterator[Elite]:
        """The elites at these places in the order of their cells; all by default."""
        elites = self.archive.elites[places]
        coordinates = self.archive.cells.indices(self.archive.elite_cells[places])
        columns = {name: self.log.column(name)[elites].tolist() for name in self.log.columns}
        for place, (cell, number) in enumerate(zip(coordinates.tolist(), elites.tolist(), strict=True)):
            known = {name: float(column[place]) for name, column in columns.items()}
            yield Elite(
                cell=tuple(cell),
                number=number,
                parent=int(self.log.parents[number]),
                solution=self.log.solutions[number],
                games=int(self.log.games[number]),
                objective=self.rated(self.objective, number),
                measures={name: known[name] for name in self.measures},
                columns=known,
                rechecked=self.rechecked_estimate(number),
            )

    # Elites on fresh games

    def recheck(self) -> Recheck | None:
        """The map compared with fresh games of its elites, if all of them have played such games."""
        numbers = self.archive.elites.tolist()
        if not numbers or not {*numbers} <= {*self.rechecks}:
            return None
        objectives, _ = self.rechecked(numbers)
        measures = np.stack([self.rechecked(numbers, name)[0] for name in self.measures], axis=1)
        return recheck(self.archive, objectives, measures, scoring=self.description.scoring)

    def cards_in_games(self, number: int) -> list[CardRow]:
        """What fresh games say about the cards of an elite: one row per card, by cost and name; empty if unknown."""
        found: dict[str, CardRow] = {}
        with content_of(self.path):
            for text in self.card_tables.get(number, {}).values():
                for row in card_rows(text):
                    found.setdefault(row[CARD], {}).update(row)
            genes = [gene for gene in self.description.genes if gene.id in found]
            about = {gene.id: {CARD: gene.id, "name": gene.name, "cost": gene.facts.get("cost")} for gene in genes}
            rows = [row | about[card] for card, row in found.items() if card in about]
            return sorted(rows, key=lambda row: (row["cost"], row["name"]))

    def rechecked_estimate(self, number: int) -> Estimate | None:
        """The objective of a solution on fresh games; None if it has played none."""
        if number not in self.rechecks:
            return None
        (value,), (error,) = self.rechecked([number])
        if self.objective not in self.log.names:
            return Estimate.exact(float(value))
        again = self.rechecks[number]
        return estimate_of(self.objective, float(value), float(error), again.sample, again.games)

    def rechecked(self, numbers: list[int], column: str | None = None) -> tuple[Floats, Floats]:
        """A column of solutions on fresh games, and its errors; the objective by default."""
        name = self.objective if column is None else column
        if name not in self.log.names:
            return np.array([self.log.column(name, number) for number in numbers]), np.zeros(len(numbers))
        place, scale = self.log.place_of(name)
        outcomes = Outcomes.joined([self.rechecks[number].outcomes for number in numbers])
        return outcomes.value[:, place] * scale, outcomes.error[:, place] * scale


def _range(values: Floats) -> tuple[float, float]:
    """The smallest and the largest finite value, with room between them."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    return low, high if high > low else low + 1.0


@checked
def open_run(path: Path | str) -> RunView:
    """Reads a run; a running one can be read too.

    Raises:
        RunError: If there is no run, or it is damaged.
    """
    with open_store(Path(path)) as store:
        return view_of(store)


def view_of(store: Store) -> RunView:
    """The run of a store; see `open_run`."""
    run, description = store.run(), store.description
    history, measures = store.history_and_measures()
    generations = tuple(store.generations())
    log = None
    if description.participants == 1:
        log = Log.from_history(StoredSpace(description), store.columns, history, measures)
    options = _archive_options(run)
    with content_of(store.path):
        if options is not None:
            if log is None:
                raise ValueError("matchups have no archive")
            for name in (description.objective, *options.measures):
                if name not in log.columns:
                    raise ValueError(f"its archive is about {show(name)}, which was not measured")
    nobody = np.empty((0, description.layout.length)), np.empty(0)
    return RunView(
        path=store.path,
        run=run,
        progress=store.progress(),
        description=description,
        history=history,
        generations=generations,
        samples=store.samples(),
        rechecks=store.rechecks(),
        card_tables=store.recheck_cards(),
        best_population=store.population(generations[-1].number) if generations else nobody,
        options=options,
        _log=log,
    )


def _archive_options(run: RunRow) -> AnyArchive | None:
    table = run.config.get("archive")
    if table is None:
        return None
    kind = str(table.get("kind"))
    if kind not in _ARCHIVES:
        raise RunError(f"this deckatlas does not know archives of the kind {show(kind)}")
    return Document("the stored configuration", dict(table)).check(_ARCHIVES[kind])
