"""The configuration of a run: the tables [space], [evaluation], [search] and [archive]."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from deckatlas.documents.document import Document
from deckatlas.errors import DeckatlasError, RunError, SearchError
from deckatlas.play.agent_files import found_file
from deckatlas.runs.description import Description
from deckatlas.runs.hashes import file_hash
from deckatlas.runs.run import Run
from deckatlas.runs.view import RunView
from deckatlas.search.algorithms import AnySearch
from deckatlas.search.archive_options import AnyArchive
from deckatlas.search.archive_statistics import Scoring
from deckatlas.search.evaluation import Evaluator, Solution
from deckatlas.search.map_searches import MapSearchOptions
from deckatlas.search.options import SearchSetting, StartedOptions
from deckatlas.search.protocol import Search

SMOKE_BUDGET = 3000
SMOKE_GAMES = 20
NAME_CHARACTERS = frozenset("._+- ")


class ConfigTable(BaseModel):
    """A table of a configuration: frozen, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some values replaced; what was cached for the old values is left out."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied

    def _become(self, other: Self) -> Self:
        """Takes over the values of another table, for validators: a constructor ignores what they return."""
        self.__dict__.update(other.__dict__)
        return self


def file_name(name: str) -> str:
    """Returns the name if a file can have it; otherwise raises a ValueError that says why not."""
    if not name[:1].isalnum() or not all(letter.isalnum() or letter in NAME_CHARACTERS for letter in name):
        raise ValueError("a name starts with a letter or digit and contains only letters, digits, spaces and . _ + -")
    if len(name) > 100:
        raise ValueError("a name has at most 100 characters")
    return name


@contextmanager
def placed(*keys: str) -> Iterator[None]:
    """Names these keys as the place of any error in the block.

    Raises:
        SearchError: If the block raises an error.
    """
    try:
        yield
    except SearchError as error:
        raise SearchError(str(error), *error.keys, *keys) from None
    except DeckatlasError as error:
        raise SearchError(str(error), *keys) from None


class SpaceTable(ConfigTable):
    """What is searched; each kind of space has its own table."""

    kind: str


class EvaluationTable(ConfigTable):
    """How solutions are rated; the part that all games share."""

    games: int = Field(
        default=200,
        ge=1,
        le=10_000_000,
        description="Games per evaluation; searches by matchups have their own options.",
    )
    seeds: Literal["common", "fresh"] = Field(
        default="common",
        description="Whether all solutions play the same games, or each evaluation plays its own.",
    )
    files: dict[str, str] = Field(
        default={},
        description="The files that agents and searches read, each with a hash of its content; filled in if absent.",
    )


class RunConfig(ConfigTable, ABC):
    """Everything that a run's result depends on, and its name. Each kind of space has its own class.

    Attributes:
        title: What the solutions of this kind are called.
        has_policies: Whether agents can read solutions of this kind from files.
        default_objective: The column that elites maximise if the search names none.
        default_search: The values of tables that make the usual search for a map, if a file names no algorithm; empty
            if every file has to name one.
    """

    title: ClassVar[str]
    has_policies: ClassVar[bool] = False
    default_objective: ClassVar[str]
    default_search: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    name: Annotated[str, AfterValidator(file_name)] = Field(description="The name of the run and of its file.")
    seed: int = Field(default=0, ge=0, le=2**63 - 1, description="The seed of everything random.")
    budget: int | None = Field(
        default=None,
        ge=1,
        le=2**63 - 1,
        description="The most games to play; may be absent if the search ends by itself.",
    )
    space: SpaceTable
    evaluation: EvaluationTable
    search: AnySearch
    archive: AnyArchive | None = None

    # Provided by each kind

    @abstractmethod
    def make_space(self) -> Any:
        """Makes the space that is searched.

        Raises:
            SearchError: If there is no such space.
        """

    @abstractmethod
    def make_evaluator(self, space: Any) -> Evaluator:
        """Makes the evaluator, for the kind of evaluations that `search.asks` names.

        Raises:
            SearchError: If there is no such evaluator.
        """

    def make_starts(self, space: Any, starts: tuple[str, ...]) -> tuple[Solution, ...]:
        """The known solutions that the search starts from.

        Raises:
            SearchError: If solutions of this kind cannot be named, or one does not belong to the space.
        """
        raise SearchError(f"{self.title} have no names, so a search cannot start from named ones", "starts")

    @abstractmethod
    def cards_hash(self) -> str:
        """A hash of the cards in play."""

    @abstractmethod
    def agent_files(self) -> list[str]:
        """The paths of the files that the run's agents read, as the configuration writes them.

        Raises:
            AgentError: If an agent cannot be read.
        """

    @abstractmethod
    def describe(self, space: Any, evaluator: Evaluator) -> Description:
        """The description of the run for its store, without the part that all kinds share."""

    @classmethod
    @abstractmethod
    def code_of(cls, description: Description, solution: Solution) -> str:
        """A stored solution as a text that other programs accept, such as a deck code."""

    @classmethod
    def words_of(cls, description: Description, solution: Solution) -> list[str]:
        """A stored solution for people, as lines of text."""
        lines = description.deck_list(solution)
        return [f"{line.copies} {line.name}" for line in lines] or [description.text_of(solution)]

    def scorings(self, evaluator: Evaluator) -> Mapping[str, Scoring]:
        """How elites count in the QD score, for columns that can be negative."""
        return {}

    def takes_opponents_of(self, other: "RunConfig") -> bool:
        """Whether the best solutions of another run can be opponents in this one."""
        return False

    def against_bests(self, views: Sequence[RunView]) -> Self:
        """The same run with the best solutions of other runs as opponents.

        Raises:
            RunError: If solutions of this kind cannot be opponents.
        """
        raise RunError(f"{self.title} cannot play against the best of other runs")

    @classmethod
    def suite_of(cls, views: Sequence[RunView]) -> str:
        """The best solutions of runs as a file of opponents.

        Raises:
            RunError: If solutions of this kind cannot be opponents.
        """
        raise RunError(f"a suite cannot be made of {cls.title}")

    def resolved(self) -> Self:
        """The same run, including everything that depends on its kind, or would otherwise be read from files."""
        if not isinstance(self.search, MapSearchOptions) or self.search.objective:
            return self
        search = self.search.model_copy(update={"objective": self.default_objective})
        return self.model_copy(update={"search": search})

    # Shared by all kinds

    def to_json(self) -> dict[str, Any]:
        """The resolved configuration as plain data, with all defaults filled in."""
        return self.model_dump(mode="json", by_alias=True)

    @model_validator(mode="after")
    def _is_resolved(self) -> Self:
        return self._become(self.resolved().with_files())

    def with_files(self) -> Self:
        """The same run with a hash of each file that its agents and its search read, if the file can be read."""
        with placed("evaluation.pilot", "evaluation.opponents"):
            paths = [*self.agent_files(), *self.search.files]
        given = self.evaluation.files
        files = {path: given.get(path) or file_hash(path) for path in paths if path in given or _is_file(path)}
        return self.model_copy(update={"evaluation": self.evaluation.model_copy(update={"files": files})})

    def prepare(self) -> Run:
        """Makes the run; see `Runnable`."""
        check_files(self.evaluation.files)
        space = self._space
        evaluator = self.make_evaluator(space)
        cards = self.cards_hash()
        setting = SearchSetting(
            space=space,
            columns=evaluator.columns,
            archive=self.archive,
            games=self.evaluation.games,
            fresh=self.evaluation.seeds == "fresh",
            budget=self.budget,
            seed=self.seed,
            starts=self._starts(space),
            cards=cards,
        )
        description = self._with_archive(self.describe(space, evaluator), setting, evaluator)
        return Run(
            config=self.to_json(),
            cards=cards,
            space=space,
            evaluator=evaluator,
            make_search=lambda: self._make_search(setting),
            description=description,
        )

    @cached_property
    def _space(self) -> Any:
        return self.make_space()

    def _starts(self, space: Any) -> tuple[Solution, ...]:
        starts = self.search.starts if isinstance(self.search, StartedOptions) else ()
        return self.make_starts(space, starts) if starts else ()

    def _make_search(self, setting: SearchSetting) -> Search:
        search = self.search.search(setting)
        if self.budget is not None and search.games > self.budget:
            raise RuntimeError(f"a search of {search.games} games was made for a budget of {self.budget}")
        return search

    def _with_archive(self, description: Description, setting: SearchSetting, evaluator: Evaluator) -> Description:
        if self.archive is None or not isinstance(self.search, MapSearchOptions):
            return replace(description, participants=2 if self.search.asks == "matchups" else 1)
        plan = self.search.plan(setting)
        offset = self.archive.qd_score_offset
        scoring = self.scorings(evaluator).get(plan.objective, Scoring()) if offset is None else Scoring(offset)
        return replace(description, objective=plan.objective, scoring=scoring, planned=plan.solutions)

    def check_playable(self, document: Document) -> None:
        """Checks that this run can be executed.

        Raises:
            RunError: If it cannot; the message has the place in the document.
        """
        try:
            run = self.prepare()
            self.check_first_batch(run.make_search())
        except SearchError as error:
            raise RunError(f"{document.likeliest_place(self._paths_of(error))}: {error}") from None

    def check_first_batch(self, search: Search) -> None:
        """Checks that every opponent of the first batch exists.

        Raises:
            SearchError: If one does not.
        """

    def _paths_of(self, error: SearchError) -> list[tuple[str, ...]]:
        """The paths of the options that an error names: options of the search are in its table."""
        own = type(self.search).model_fields
        return [*(("search", key) if key in own else tuple(key.split(".")) for key in error.keys), ("search",)]

    def smoke(self) -> Self:
        """The same run, shrunk to a few seconds."""
        changes: dict[str, Any] = {"search": self.search.smoke()}
        if self.search.asks == "evaluations":
            games = min(self.evaluation.games, SMOKE_GAMES)
            changes["evaluation"] = self.evaluation.model_copy(update={"games": games})
        if self.budget is not None:
            changes["budget"] = min(self.budget, SMOKE_BUDGET)
        return self.model_copy(update=changes)


def check_files(files: Mapping[str, str]) -> None:
    """Checks that the files of a run are here, with the content that it was made with.

    Args:
        files: The files, each with the hash of its content.

    Raises:
        SearchError: If one is missing or has changed.
    """
    for path, content in files.items():
        if not _is_file(path):
            raise SearchError(f"the file {path} cannot be read, but the run needs it", "evaluation.files")
        if file_hash(path) != content:
            raise SearchError(f"the file {path} has changed since the run was made", "evaluation.files")


def _is_file(name: str) -> bool:
    file = found_file(name)
    return file.is_file() and (not isinstance(file, Path) or os.access(file, os.R_OK))
