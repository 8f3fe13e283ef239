"""Maps of any problem: a space and a Python function that rates solutions, with our archives, store and plots."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from deckatlas.arguments import checked
from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.play.runner import Progress
from deckatlas.runs.config import ConfigTable
from deckatlas.runs.description import Description, Gene
from deckatlas.runs.encoding import GeneLayout
from deckatlas.runs.loop import Watch
from deckatlas.runs.one_call import archive_table, execute_in_file, listed, plain, search_table
from deckatlas.runs.run import Run
from deckatlas.runs.view import RunView
from deckatlas.search.algorithms import AnyMapSearch
from deckatlas.search.archive_options import AnyArchive
from deckatlas.search.archive_statistics import Scoring
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.evaluation import Column, Floats, Outcomes, Solution, Space
from deckatlas.search.map_searches import MapSearchOptions
from deckatlas.search.options import SearchSetting
from deckatlas.shapes import show
from deckatlas.stats.averages import Sample

Evaluate = Callable[..., Mapping[str, float]]
KIND = "own"
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class OwnEvaluator:
    """Calls a function for each solution, once per game of the evaluation, and averages what it returns.

    Attributes:
        columns: What the function returns, by name.
    """

    def __init__(self, evaluate: Evaluate, columns: Sequence[str]) -> None:
        self._evaluate = evaluate
        self._takes_rng = takes_rng(evaluate)
        self.columns = tuple(Column(name, storage="f8") for name in columns)

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """Makes all evaluations of a batch; see the protocol.

        Raises:
            RunError: If the function returns other columns than the first time, or a value that is not a number.
        """
        parts = []
        for row, number in zip(batch.first.tolist(), batch.course.tolist(), strict=True):
            stream = batch.courses[number]
            assert isinstance(stream, Stream)
            parts.append(self._outcomes(batch.genes[row], stream, progress))
        return Outcomes.joined(parts)

    def _outcomes(self, solution: Solution, stream: Stream, progress: Progress | None) -> Outcomes:
        values = np.empty((stream.games, len(self.columns)))
        for at in range(stream.games):
            values[at] = self._values(solution, stream.seed, stream.first + at)
            if progress is not None:
                progress(at + 1)
        games = float(stream.games)
        error = values.std(axis=0, ddof=1) / np.sqrt(games) if stream.games > 1 else np.full(len(self.columns), np.nan)
        return Outcomes(
            games=np.array([stream.games]),
            total=values.sum(axis=0)[np.newaxis],
            weight=np.full((1, len(self.columns)), games),
            error=error[np.newaxis],
        )

    def _values(self, solution: Solution, seed: int, game: int) -> Floats:
        """Calls the function once, with a random generator for this seed and game."""
        arguments: list[Any] = [solution.copy()]
        if self._takes_rng:
            arguments.append(np.random.default_rng([seed, game]))
        found = self._evaluate(*arguments)
        names = [column.name for column in self.columns]
        if not isinstance(found, Mapping) or sorted(found) != sorted(names):
            raise RunError(f"the function must always return numbers for {', '.join(names)}, not {show(found)}")
        try:
            return np.array([float(found[name]) for name in names])
        except (TypeError, ValueError):
            raise RunError(f"the function returned a value that is not a number: {show(found)}") from None

    def sample(self, *, first_game: int, games: int) -> Sample:
        """Each call is an independent unit."""
        return Sample(games, games - 1)


def takes_rng(evaluate: Evaluate) -> bool:
    """Whether the function takes a random source: as `rng`, or as a second argument that it cannot do without."""
    try:
        parameters = signature(evaluate).parameters
    except (TypeError, ValueError):  # some functions of C have no signature
        return False
    required = [each for each in parameters.values() if each.default is each.empty and each.kind in _POSITIONAL]
    return "rng" in parameters or len(required) > 1


@dataclass(frozen=True)
class OwnMap:
    """A map of any space, rated by any function.

    Attributes:
        config: The configuration for the store.
        space: What is searched.
        evaluate: The function that rates solutions.
        archive: The options of the archive.
        search: The options of the search.
    """

    config: Mapping[str, Any]
    space: Space
    evaluate: Evaluate
    archive: AnyArchive
    search: MapSearchOptions

    def prepare(self) -> Run:
        """Makes the run; calls the function once to learn what it returns.

        Raises:
            RunError: If the function does not return numbers by name.
            SearchError: If the options do not fit.
        """
        seed, evaluation = int(self.config["seed"]), self.config["evaluation"]
        rng = np.random.default_rng(seed)
        arguments = [self.space.random(rng), *([rng] if takes_rng(self.evaluate) else [])]
        found = self.evaluate(*arguments)
        if not isinstance(found, Mapping) or not found or not all(isinstance(name, str) for name in found):
            raise RunError(f"the function must return a dictionary of numbers by name, not {show(found)}")
        if twice := [name for name in found if name in self.space.columns]:
            raise RunError(f"the function and the space both have a number {show(twice[0])}: rename one of them")
        evaluator = OwnEvaluator(self.evaluate, tuple(found))
        setting = SearchSetting(
            space=self.space,
            columns=evaluator.columns,
            archive=self.archive,
            games=int(evaluation["games"]),
            fresh=evaluation["seeds"] == "fresh",
            budget=None,
            seed=seed,
        )
        plan = self.search.plan(setting)
        offset = self.archive.qd_score_offset
        names = getattr(self.space, "names", None) or [f"x{number}" for number in range(self.space.length)]
        return Run(
            config=self.config,
            cards="",
            space=self.space,
            evaluator=evaluator,
            make_search=partial(self.search.search, setting),
            replays_finished=True,
            description=Description(
                title=f"solutions of {type(self.space).__name__}, rated by {evaluation['function']}",
                kind=KIND,
                genes=tuple(Gene(str(name)) for name in names),
                layout=GeneLayout(self.space.length, self.space.dtype),
                measures=self.space.columns,
                objective=plan.objective,
                scoring=Scoring() if offset is None else Scoring(offset),
                planned=plan.solutions,
            ),
        )


@checked
def map_elites(
    space: Space,
    evaluate: Evaluate,
    *,
    objective: str,
    measures: Sequence[str] | str,
    ranges: Sequence[tuple[float, float]] | None = None,
    resolution: Sequence[int] | int = 20,
    evaluations: int = 1000,
    games: int = 1,
    initial: int | None = None,
    most_games: int | None = None,
    qd_score_offset: float | None = None,
    algorithm: str = "map-elites",
    settings: Sequence[str] = (),
    seed: int = 0,
    recheck: int | None = None,
    path: Path | str | None = None,
    threads: int | None = None,
    watch: Watch | None = None,
) -> RunView:
    """Searches for the best solution of every kind, rated by your own function.

    Args:
        space: What is searched, such as `deckatlas.Vectors([0, 0], [1, 1])`: anything with the methods of
            `deckatlas.search.evaluation.Space`.
        evaluate: A function that takes a solution, or a solution and a `numpy.random.Generator`, and returns numbers by
            name. The same arguments must give the same numbers.
        objective: The number that elites maximise.
        measures: The numbers that span the map: returned by the function, or known by the space.
        ranges: The lowest and highest value of each measure, for cells of one size; without it, boundaries slide.
        resolution: The number of cells along each measure; one number holds for all.
        evaluations: The number of evaluations.
        games: How often the function is called per evaluation; several calls are averaged, with a standard error.
        initial: The number of random solutions at the start.
        most_games: The most calls of a solution where the winner of a cell is in doubt.
        qd_score_offset: The objective value that counts as zero in the QD score; 0 if absent.
        algorithm: The search, such as "cma-me"; see docs/maps.md.
        settings: Other values of the tables `search` and `archive` of a configuration, as for `--set` on the command
            line, such as `["search.sigma=0.1"]`.
        seed: The seed of everything random.
        recheck: If given, each elite is evaluated again at the end, with this many fresh calls.
        path: The file of the run, which is resumed if the file exists; without one, nothing is kept on disk.
        threads: How many threads call the function; the result does not depend on it.
        watch: Called with the progress of the run, several times a second.

    Raises:
        MatchError: If `threads` or `recheck` is not a positive whole number.
        RunError: If an argument is impossible, or the file cannot be used.
    """
    if not isinstance(path, str | Path | None):
        raise RunError(f"map_elites: path must be a path, not {show(path)}")
    if not all(hasattr(space, name) for name in ("random", "mutate", "measures", "columns", "length", "dtype")):
        raise RunError(f"map_elites: space must have the methods of a Space, which {show(space)} does not have")
    if not callable(evaluate):
        raise RunError(f"map_elites: evaluate must be a function, not {show(evaluate)}")
    archive = archive_table(measures, resolution) | {"qd_score_offset": qd_score_offset}
    if ranges is not None:
        archive |= {"kind": "grid", "ranges": plain(ranges), "grow_from": None}
    search = search_table(algorithm, objective, evaluations)
    search |= {key: value for key, value in {"initial": initial, "most_games": most_games}.items() if value is not None}
    checked = _checked({"seed": seed, "games": games, "archive": archive, "search": search}, settings)
    name = "map" if path is None else Path(path).stem
    config = {
        "name": name,
        "seed": checked.seed,
        "budget": None,
        "space": {"kind": KIND, "class": type(space).__name__, "length": space.length, **_described(space)},
        "evaluation": {
            "function": getattr(evaluate, "__qualname__", type(evaluate).__name__),
            "games": checked.games,
            "seeds": "common",
        },
        "archive": checked.archive.model_dump(mode="json"),
        "search": checked.search.model_dump(mode="json"),
    }
    run = OwnMap(config, space, evaluate, checked.archive, checked.search)
    return execute_in_file(run, name, path=path, threads=threads, recheck=recheck, watch=watch)


class _Arguments(ConfigTable):
    """The arguments that a configuration file would have."""

    seed: int = Field(ge=0, le=2**63 - 1)
    games: int = Field(ge=1, le=10_000_000)
    archive: AnyArchive
    search: AnyMapSearch


def _checked(values: Mapping[str, Any], settings: Sequence[str]) -> _Arguments:
    wanted = listed(settings)
    if not isinstance(wanted, list) or not all(isinstance(setting, str) for setting in wanted):
        raise RunError(f"map_elites: settings must be texts such as 'search.window=16', not {show(settings)}")
    document = Document("map_elites", plain(values))
    for setting in wanted:
        document.set_from_text(setting)
    return document.check(_Arguments)


def _described(space: Space) -> dict[str, Any]:
    """What a space says of itself, if it does."""
    to_json = getattr(space, "to_json", None)
    return {} if to_json is None else dict(to_json())
