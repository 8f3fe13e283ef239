"""Searches with a surrogate: their options. DSA-ME, LSA-ME, the offline variants and ours are choices among these."""

from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from deckatlas._core import surrogate as core
from deckatlas.errors import ModelError, SearchError
from deckatlas.models.files import read_model
from deckatlas.models.frozen import FrozenModel
from deckatlas.models.recipes import Training
from deckatlas.models.surrogate import Surrogate
from deckatlas.search.archive_options import AnyArchive
from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.emitters import Emitter
from deckatlas.search.evaluation import Space
from deckatlas.search.log import check_columns
from deckatlas.search.map_searches import MapSearchOptions, check_most_games
from deckatlas.search.options import SearchSetting, StartedOptions
from deckatlas.search.surrogate_emitter import SurrogateEmitter, SurrogatePlan

_ROUNDS = 40  # the least number of rounds, unless the size of a round is given
_SMOKE_PREDICTIONS = 2_000


class SurrogateMapElites(MapSearchOptions, StartedOptions):
    """MAP-Elites with a surrogate, DSA-ME and its relatives: a model of the results proposes what to evaluate."""

    algorithm: Literal["dsa-me"] = "dsa-me"
    initial: int = Field(
        default=100,
        ge=1,
        le=1_000_000,
        description="The number of random solutions at the start; known ones take the place of the first.",
    )
    targets: tuple[str, ...] = Field(
        default=(),
        description="The columns that the model predicts; if absent, the objective and the measures. Further columns "
        "are ancillary data.",
    )
    training: Training = Field(default=Training.by_name("deckatlas"), description="The model and how it is trained.")
    model_file: str = Field(
        default="",
        description="A model that was trained before and learns nothing in this run; if absent, each round trains one.",
    )
    start: Literal["evaluated", "random", "stale", "renewed"] = Field(
        default="evaluated",
        description="What each inner loop starts with: new random solutions and all evaluated ones; random ones alone; "
        "the elites of the loop before with their old predictions, as published without resetting; or the same elites "
        "with predictions of the new model.",
    )
    repeats: bool = Field(
        default=False, description="Whether solutions that were evaluated before can be candidates, as published."
    )
    candidates: Literal["gains", "all"] = Field(
        default="gains",
        description="Which elites of the inner loop are evaluated: those that promise to improve the map most, or all, "
        "as published.",
    )
    most_candidates: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="The most candidates of a round, if they are chosen by gains: those for empty cells first, then "
        "the largest gains. If absent, a fortieth of the evaluations.",
    )
    most_games: int | None = Field(
        default=None,
        ge=1,
        le=100_000_000,
        description="After each round, elites with fewer games play another evaluation; if absent, none does.",
    )
    predictions: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000_000,
        description="The predictions of each inner loop. If absent, a thousand for each cell that the map has by then, "
        "and a million at most.",
    )
    batch: int = Field(
        default=10, ge=1, le=65_536, description="Solutions that the inner loop predicts between two insertions."
    )
    inner_initial: int = Field(
        default=100, ge=1, le=1_000_000, description="The random solutions at the start of an inner loop."
    )

    @model_validator(mode="after")
    def _begins_before_it_ends(self) -> Self:
        if self.initial > self.evaluations:
            message = f"initial must be at most evaluations, which is {self.evaluations}, not {self.initial}"
            raise SearchError(message, "initial", "evaluations")
        if self.predictions is not None and self.inner_initial > self.predictions:
            message = (
                f"inner_initial must be at most predictions, which is {self.predictions}, not {self.inner_initial}"
            )
            raise SearchError(message, "inner_initial", "predictions")
        if self.candidates == "all" and self.most_candidates is not None:
            message = "most_candidates is for candidates that are chosen by gains, but candidates = 'all'"
            raise SearchError(message, "most_candidates", "candidates")
        return self

    @property
    def drawn_at_random(self) -> int:
        """See the base class: the initial ones."""
        return 0 if self.starts else self.initial

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the search reads."""
        return (self.model_file,) if self.model_file else ()

    def emitter(self, setting: SearchSetting, *, evaluations: int) -> Emitter:
        """Rounds of candidates.

        Raises:
            SearchError: If there is no such target, the model lacks one, or its file does not fit the space.
        """
        assert setting.archive is not None
        measures, known = setting.archive.measures, setting.space.columns
        targets = self.targets_for(setting.archive, known)
        check_most_games(self.most_games, setting.games)
        check_columns(targets, (*(column.name for column in setting.columns), *known), "targets")
        if not targets or len({*targets}) < len(targets):
            raise SearchError("a surrogate needs at least one target, and each target only once", "targets")
        missing = [name for name in (self.objective, *measures) if name not in known and name not in targets]
        if missing:
            raise SearchError(f"the model must predict {missing[0]}, which the archive needs", "targets")
        if isinstance(setting.space, DeckSpace):
            self._check_limits(setting.space, setting.archive)
        plan = SurrogatePlan(
            seed=setting.seed,
            initial=max(self.initial, len(setting.starts)),
            starts=setting.starts,
            evaluations=evaluations,
            objective=self.objective,
            measures=measures,
            archive=setting.archive,
            start=self.start,
            repeats=self.repeats,
            most_candidates=self._most_candidates(evaluations),
            games=setting.games,
            most_games=self.most_games,
            predictions=self.predictions,
            batch=self.batch,
            inner_initial=self.inner_initial,
        )
        return SurrogateEmitter(plan, self._learner(setting, targets))

    def _check_limits(self, space: DeckSpace[Any], archive: AnyArchive) -> None:
        """Checks that the inner loop of the core has room for these decks and cells."""
        if space.length > core.MOST_POOL_CARDS:
            message = f"a surrogate searches pools of at most {core.MOST_POOL_CARDS:,} cards, not {space.length:,}"
            raise SearchError(message, "space")
        if (cells := prod(archive.resolution)) > core.MOST_CELLS:
            message = f"a surrogate searches maps of at most {core.MOST_CELLS:,} cells, not {cells:,}"
            raise SearchError(message, "archive.resolution")
        for name in (self.objective, *archive.measures):
            if name in space.columns and np.abs(space.column(name).numbers).max() > core.LARGEST_CARD_NUMBER:
                message = (
                    f"numbers of cards must be at most {core.LARGEST_CARD_NUMBER:,} for a surrogate, "
                    f"but {name} has larger ones"
                )
                raise SearchError(message, "objective" if name == self.objective else "archive.measures")

    def _most_candidates(self, evaluations: int) -> int | None:
        if self.candidates == "all":
            return None
        return self.most_candidates or max(1, evaluations // _ROUNDS)

    def targets_for(self, archive: AnyArchive, known: Sequence[str]) -> tuple[str, ...]:
        """The columns that the model predicts.

        Args:
            archive: The archive that is filled.
            known: The columns that are known without playing.
        """
        needed = dict.fromkeys((self.objective, *archive.measures))
        return self.targets or tuple(name for name in needed if name not in known)

    def _learner(self, setting: SearchSetting, targets: tuple[str, ...]) -> Surrogate | FrozenModel:
        space, deck_size = setting.space, deck_size_of(setting.space)
        try:
            if not self.model_file:
                return new_surrogate(self.training, space, targets)
            path, genes = Path(self.model_file), gene_names(space)
            model = read_model(path, genes=genes, deck_size=deck_size, cards=setting.cards).model
        except ModelError as error:
            keys = ("model_file",) if self.model_file else ("training", "search.training.encoding")
            raise SearchError(str(error), *keys) from None
        for name in targets:
            if name not in model.targets:
                raise SearchError(f"the model {self.model_file} does not predict {name}", "model_file", "targets")
        return model

    def smoke(self) -> Self:
        """A few small rounds."""
        evaluations = min(self.evaluations, 60)
        return self.model_copy(
            update={
                "evaluations": evaluations,
                "initial": min(self.initial, max(1, evaluations // 3)),
                "predictions": min(self.predictions or _SMOKE_PREDICTIONS, _SMOKE_PREDICTIONS),
                "inner_initial": min(self.inner_initial, 20),
            }
        )


def new_surrogate(training: Training, space: Space, targets: Sequence[str]) -> Surrogate:
    """A model of the solutions of a space, not trained yet.

    Raises:
        ModelError: If the model and the space do not fit each other.
    """
    attributes = space.attributes if isinstance(space, DeckSpace) else None
    return Surrogate(
        training, genes=space.length, targets=targets, deck_size=deck_size_of(space), attributes=attributes
    )


def deck_size_of(space: Space) -> int | None:
    """The number of cards of a deck; None if solutions are not decks."""
    return space.size if isinstance(space, DeckSpace) else None


def gene_names(space: Space) -> tuple[str | int, ...]:
    """The names of a solution's numbers, by which a model knows its space."""
    names = getattr(space, "ids", None) or getattr(space, "names", None)
    return tuple(range(space.length)) if names is None else tuple(names)
