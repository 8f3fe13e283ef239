"""A map as its store holds it: the log, the archive made of it, elites in words, and what a recheck found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from deckatlas.documents.document import Document
from deckatlas.errors import RunError, SearchError
from deckatlas.maps.archive import Archive
from deckatlas.maps.log import Log, check_columns
from deckatlas.maps.options import GridOptions
from deckatlas.maps.protocol import Floats, Outcome, Solution
from deckatlas.maps.recheck import Recheck, recheck
from deckatlas.maps.statistics import ArchiveStatistics, archives_at, statistics
from deckatlas.play.averages import Sample, mean_ends, rate_ends
from deckatlas.runs.digest import run_digest
from deckatlas.runs.map_config import MapConfig, Trial
from deckatlas.runs.map_store import MapStore, open_map_store
from deckatlas.runs.read_config import config_of
from deckatlas.runs.run_file import RunRow
from deckatlas.runs.sameness import other_version

WIN_RATE = "win_rate"
VOID_GAMES = "void_games"


@dataclass(frozen=True)
class Rated:
    """A number with the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, column: str, value: float, error: float, sample: Sample) -> "Rated":
        """From a column's value and its standard error, as an evaluation gives it that rests on the same."""
        values = np.array(value), np.array(error)
        ends = rate_ends(*values, sample.units) if column == WIN_RATE else mean_ends(*values, np.array(sample.freedom))
        low, high = map(float, ends)
        return cls(float(value), low, high)

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


@dataclass(frozen=True)
class Elite:
    """The best solution of a cell.

    Attributes:
        cell: Where it is, along each measure, from 0.
        number: Its number in the log.
        parent: The number of the solution that it was varied from, or -1.
        solution: It itself.
        games: Games it was rated by.
        objective: What it is best in.
        measures: What places it, by name.
        columns: All that is known of it, by name.
        rechecked: Its objective on fresh games, if it was played again.
    """

    cell: tuple[int, ...]
    number: int
    parent: int
    solution: Solution
    games: int
    objective: Rated
    measures: dict[str, float]
    columns: dict[str, float]
    rechecked: Rated | None


@dataclass(frozen=True)
class MapView:
    """A map, finished or under way.

    Attributes:
        path: Its store.
        run: What the store knows of the run as a whole.
        config: Its configuration.
        trial: The same, made ready.
        log: All evaluations.
        archive: What they make.
        rechecks: What elites came to on fresh games, by their numbers.
        games: Games played by the search.
    """

    path: Path
    run: RunRow
    config: MapConfig
    trial: Trial
    log: Log
    archive: Archive
    rechecks: dict[int, Outcome]
    games: int

    @property
    def objective(self) -> str:
        """What elites are best in."""
        return self.config.search.objective

    @property
    def measures(self) -> tuple[str, ...]:
        """What places them."""
        return self.config.archive.measures

    @property
    def statistics(self) -> ArchiveStatistics:
        """The archive in numbers."""
        return statistics(self.archive, self.trial.scoring)

    @property
    def void_games(self) -> int:
        """Games of the search that were void each time they were played, and count as not won."""
        if VOID_GAMES not in self.log.columns:
            return 0
        return round(float(self.log.column(VOID_GAMES) @ self.log.games))

    @cached_property
    def digest(self) -> str:
        """The digest of the run, read from its store when it is first asked for.

        Raises:
            RunError: If the store is damaged, or not there any more.
        """
        with open_map_store(self.path) as store:
            return run_digest(store)

    def __repr__(self) -> str:
        return f"<MapView {self.config.name!r}: {self.log.evaluations:,} evaluations, {str(self.path)!r}>"

    def __str__(self) -> str:
        now = self.statistics
        return (
            f"{self.config.name}: {now.elites:,} elites in {now.cells:,} cells after {self.log.evaluations:,} "
            f"evaluations, {self.objective} up to {now.best:.2f}, {now.mean:.2f} on average"
        )

    def code(self, elite: Elite) -> str:
        """An elite in a word that other programs take: a deck code, card ids, or the text of a policy file."""
        return self.config.words_of(elite.solution)

    def by(self, measures: Sequence[str]) -> "MapView":
        """The map of the same evaluations by other measures, with as many cells along each.

        Fixed boundaries are drawn evenly between the least and the greatest value found.

        Raises:
            SearchError: If a measure is unknown.
            RunError: If there is none, or one is named twice.
        """
        check_columns(measures, (*self.log.columns, *self.log.space.columns), "measures")
        options = self.config.archive
        changed = options.model_dump() | {"measures": tuple(measures)}
        for key in ("resolution", "grow_from"):
            if counts := changed[key]:
                changed[key] = tuple(counts[min(place, len(counts) - 1)] for place in range(len(measures)))
        if isinstance(options, GridOptions):
            changed["ranges"] = tuple(_range(self.log.column(name)) for name in measures)
        other = Document("other measures", changed).check(type(options))
        config = self.config.model_copy(update={"archive": other})
        view = replace(self, config=config, archive=self.archive.rebinned(other, self.log.matrix(measures)))
        if "digest" in self.__dict__:  # of the same run, whose file may be gone
            view.__dict__["digest"] = self.digest
        return view

    def recheck(self) -> Recheck | None:
        """The map held against fresh games of its elites, if all of them have played such games."""
        numbers = self.archive.elites.tolist()
        if not numbers or not {*numbers} <= {*self.rechecks}:
            return None
        objectives, _ = self.rechecked(numbers)
        measures = np.stack([self.rechecked(numbers, name)[0] for name in self.measures], axis=1)
        return recheck(self.archive, objectives, measures, scoring=self.trial.scoring)

    def archives(self, points: int = 100) -> Iterator[tuple[int, Archive]]:
        """The archive at so many moments, evenly over the run: after how many evaluations, and what it was then.

        Solutions that had been evaluated by then have the numbers that are known at the end.
        """
        moments = np.unique(np.linspace(0, self.log.evaluations, points + 1)[1:].round().astype(int))
        moments = moments[moments > 0]  # of few evaluations the first points fall on none
        archives = archives_at(
            self.config.archive,
            self.archive.objectives,
            self.archive.measures,
            planned=self.archive.planned,
            solutions=np.searchsorted(self.log.first_evaluations, moments).tolist(),
        )
        return zip(moments.tolist(), archives, strict=True)

    def curve(self, points: int = 100) -> tuple[tuple[int, ArchiveStatistics], ...]:
        """After how many evaluations these moments are, and the archive in numbers then."""
        return tuple((moment, statistics(archive, self.trial.scoring)) for moment, archive in self.archives(points))

    def elites(self) -> list[Elite]:
        """The elites, the best first."""
        return sorted(self._elites(), key=lambda elite: (-elite.objective.value, elite.number))

    def best(self) -> Elite | None:
        """The best elite of the search; who is best on fresh games, of many, is lucky again."""
        elites = self.elites()
        return elites[0] if elites else None

    def rated(self, name: str, number: int) -> Rated:
        """A column of a solution with its interval."""
        value = float(self.log.column(name, number))
        if name not in self.log.columns:
            return Rated(value, value, value)
        sample = self.trial.sample(int(self.log.games[number]) // self.trial.games)
        return Rated.of(name, value, float(self.log.error(name)[number]), sample)

    def _elites(self) -> Iterator[Elite]:
        names = (*self.log.columns, *self.log.space.columns)
        coordinates = np.stack(np.unravel_index(self.archive.elite_cells, self.archive.cells.shape), axis=1)
        for cell, number in zip(coordinates.tolist(), self.archive.elites.tolist(), strict=True):
            known = {name: float(self.log.column(name, number)) for name in names}
            yield Elite(
                cell=tuple(cell),
                number=number,
                parent=int(self.log.parents[number]),
                solution=self.log.solutions[number],
                games=int(self.log.games[number]),
                objective=self.rated(self.objective, number),
                measures={name: known[name] for name in self.measures},
                columns=known,
                rechecked=self._rechecked(number),
            )

    def _rechecked(self, number: int) -> Rated | None:
        if number not in self.rechecks:
            return None
        (value,), (error,) = self.rechecked([number])
        if self.objective not in self.log.columns:
            return Rated(float(value), float(value), float(value))
        return Rated.of(self.objective, value, error, self.trial.recheck_sample(self.rechecks[number].games))

    def rechecked(self, numbers: list[int], column: str | None = None) -> tuple[Floats, Floats]:
        """A column of solutions on fresh games, and its errors: the objective if none is named."""
        name = self.objective if column is None else column
        if name not in self.log.columns:
            return np.array([self.log.column(name, number) for number in numbers]), np.zeros(len(numbers))
        at = self.log.columns.index(name)
        outcomes = [self.rechecks[number] for number in numbers]
        return np.array([each.value[at] for each in outcomes]), np.array([each.error[at] for each in outcomes])


def _range(values: Floats) -> tuple[float, float]:
    """The least and the greatest of the finite values, with room between them."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    return low, high if high > low else low + 1.0


def open_map(path: Path | str) -> MapView:
    """Reads a map; one that is under way can be read too.

    Raises:
        RunError: If there is none, it is damaged, or it was made with other cards or other files of agents.
    """
    with open_map_store(Path(path)) as store:
        return view_of(store)


def view_of(store: MapStore) -> MapView:
    """The map of a store; see `open_map`."""
    run = store.run()
    config = config_of(Document("the stored configuration", run.config))
    if not isinstance(config, MapConfig):
        raise RunError(f"{store.path} holds no map")
    try:
        trial = config.trial()
    except SearchError as error:
        raise other_version(store, str(error)) from None
    if run.cards != trial.cards or store.columns() != trial.plan.columns:
        raise other_version(store, "cards or columns are not the same")
    entries = store.entries(trial.plan.space)
    log, games = Log.from_entries(trial.plan.space, trial.plan.columns, entries), int(entries.games.sum())
    return MapView(store.path, run, config, trial, log, trial.plan.archive_of(log), store.rechecks(), games)
