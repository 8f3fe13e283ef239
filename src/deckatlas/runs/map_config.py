"""The configuration of a map: what is searched, how it is played, what its cells are, and how it is searched."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from deckatlas.documents.document import Document
from deckatlas.errors import DeckatlasError, RunError, SearchError
from deckatlas.runs.config import Table, file_name, paths_of
from deckatlas.runs.hashes import file_hash
from deckatlas.search.seeds import seed_of
from deckatlas.search.archive_options import AnyArchive
from deckatlas.search.archive_statistics import Scoring
from deckatlas.search.emitters import Task
from deckatlas.search.evaluation import Evaluator, Outcome, Solution, Space, Stop
from deckatlas.search.map_search import MapPlan
from deckatlas.search.map_searches import AnyMapSearch
from deckatlas.stats.averages import Sample

_SMOKE_GAMES = 20


@dataclass(frozen=True)
class Trial:
    """A map made ready to be carried out.

    Attributes:
        plan: What it is to become.
        evaluator: Who rates solutions.
        games: The games of an evaluation.
        seed: The seed of the run.
        fresh: Whether each evaluation plays games of its own; otherwise all solutions play the same.
        scoring: How an elite counts in the QD score.
        cards: A hash of the cards.
    """

    plan: MapPlan
    evaluator: Evaluator
    games: int
    seed: int
    fresh: bool
    scoring: Scoring
    cards: str

    def evaluate(self, task: Task, number: int, stop: Stop) -> Outcome:
        """Evaluates task `number`."""
        return self.evaluator.evaluate(
            task.genes,
            seed=self.games_seed(number),
            first_game=0 if self.fresh else task.first_game,
            games=self.games,
            stop=stop,
        )

    def games_seed(self, number: int) -> int:
        """The seed of the games of task `number`."""
        return seed_of(self.seed, "games", number) if self.fresh else seed_of(self.seed, "games")

    def sample(self, evaluations: int) -> Sample:
        """What is known of a solution after so many evaluations rests on all their units.

        The degrees of freedom are those of the evaluation that has the fewest: intervals are then rather too wide than
        too narrow, however the evaluations differ in their errors.
        """
        starts = (0 if self.fresh else number * self.games for number in range(evaluations))
        parts = [self.evaluator.sample(first_game=start, games=self.games) for start in starts]
        return Sample(sum(part.units for part in parts), min(part.freedom for part in parts))

    def recheck(self, genes: Solution, number: int, games: int, stop: Stop) -> Outcome:
        """Evaluates solution `number` over games that the search has not seen, and no other solution plays."""
        return self.evaluator.evaluate(
            genes, seed=seed_of(self.seed, "recheck", number), first_game=0, games=games, stop=stop
        )

    def recheck_sample(self, games: int) -> Sample:
        """What is known of a solution by such an evaluation rests on this."""
        return self.evaluator.sample(first_game=0, games=games)


@dataclass(frozen=True)
class DeckLine:
    """A card of a deck as lists have it: how many copies, of what, at which cost."""

    copies: int
    name: str
    cost: int
    kind: str


@contextmanager
def placed(*keys: str) -> Iterator[None]:
    """Says of what is wrong in the block which of these keys it comes from.

    Raises:
        SearchError: If something is.
    """
    try:
        yield
    except SearchError as error:
        raise SearchError(str(error), *error.keys, *keys) from None
    except DeckatlasError as error:
        raise SearchError(str(error), *keys) from None


def _is_file(path: str) -> bool:
    return os.access(path, os.R_OK) and Path(path).is_file()


class EvaluationTable(Table):
    """How solutions of any game are rated."""

    games: int = Field(default=200, ge=1, le=10_000_000, description="Games of an evaluation.")
    seeds: Literal["common", "fresh"] = Field(
        default="common",
        description="Whether all solutions play the same games, or each evaluation has games of its own.",
    )
    files: dict[str, str] = Field(
        default={}, description="Files that agents are made of, each with a hash of what it holds; need not be given."
    )


class MapConfig(Table, ABC):
    """All that a map's result depends on, and its name."""

    name: Annotated[str, AfterValidator(file_name)] = Field(description="What the run is called; its file's name.")
    seed: int = Field(default=0, ge=0, le=2**63 - 1, description="Where everything random comes from.")
    evaluation: EvaluationTable
    archive: AnyArchive
    search: AnyMapSearch

    def to_json(self) -> dict[str, Any]:
        """The resolved configuration, all defaults filled in, as plain data."""
        return self.model_dump(mode="json", by_alias=True)

    @model_validator(mode="after")
    def _knows_its_files(self) -> Self:
        return self._with_suite()._with_files()

    def _with_suite(self) -> Self:
        """The same map with the opponents of a suite in it, if there is one in a file."""
        return self

    def _with_files(self) -> Self:
        """The same map with a hash of each file that its agents are made of, as far as these can be read."""
        with placed("evaluation.pilot", "evaluation.opponents"):
            paths = self.agent_files()
        given = self.evaluation.files
        files = {path: given.get(path) or file_hash(Path(path)) for path in paths if path in given or _is_file(path)}
        return self.model_copy(update={"evaluation": self.evaluation.model_copy(update={"files": files})})

    def _check_files(self) -> None:
        """Makes sure that files hold what they held when the map was configured.

        Raises:
            SearchError: If one does not.
        """
        for path, content in self.evaluation.files.items():
            if not _is_file(path) or file_hash(Path(path)) != content:
                raise SearchError(f"the file {path} is not the one that the map was made with", "evaluation.files")

    @abstractmethod
    def agent_files(self) -> list[str]:
        """The paths of the files that the agents of the map are made of, as they are written there.

        Raises:
            AgentError: If an agent cannot be read.
        """

    @abstractmethod
    def trial(self) -> Trial:
        """The map, made ready.

        Raises:
            SearchError: If it cannot be made so.
        """

    @abstractmethod
    def words_of(self, solution: Solution) -> str:
        """A solution in a word that other programs take, such as a deck code."""

    @abstractmethod
    def in_words(self) -> str:
        """What is searched and how it is rated, as a part of a sentence."""

    @abstractmethod
    def deck_list(self, solution: Solution) -> tuple[DeckLine, ...]:
        """The cards of a solution by cost and name; nothing where it is no deck."""

    def check_playable(self, document: Document) -> None:
        """Makes sure that there can be such a map.

        Raises:
            RunError: If not; the message has the place in the document.
        """
        try:
            self.trial()
        except SearchError as error:
            raise RunError(f"{document.likeliest_place(paths_of(error, self.search))}: {error}") from None

    def smoke(self) -> Self:
        """The same map, shrunk to seconds."""
        evaluation = self.evaluation.model_copy(update={"games": min(self.evaluation.games, _SMOKE_GAMES)})
        return self.model_copy(update={"search": self.search.smoke(), "evaluation": evaluation})

    def _trial(self, space: Space, evaluator: Evaluator, cards: str, scorings: Mapping[str, Scoring]) -> Trial:
        """The map, made ready, with the scorings of those columns that may be negative."""
        self._check_files()
        objective, offset = self.search.objective, self.archive.qd_score_offset
        plan = MapPlan(
            space=space,
            columns=evaluator.columns,
            objective=objective,
            archive=self.archive,
            emitter=self.search.emitter(seed=self.seed, games=self.evaluation.games),
            evaluations=self.search.evaluations,
        )
        return Trial(
            plan,
            evaluator,
            self.evaluation.games,
            self.seed,
            self.evaluation.seeds == "fresh",
            scorings.get(objective, Scoring()) if offset is None else Scoring(offset),
            cards,
        )
