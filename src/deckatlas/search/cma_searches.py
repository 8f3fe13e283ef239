"""The options of CMA-ME and CMA-ES, searches that adapt normal distributions over real vectors."""

from typing import Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.search.cma_emitters import ByImprovement, ByObjective, CmaEmitter, CmaPlan, Selection
from deckatlas.search.emitters import Emitter
from deckatlas.search.map_searches import SMOKE_EVALUATIONS, WindowedSearchOptions
from deckatlas.search.options import SearchSetting, StartedOptions
from deckatlas.search.variation import Sigma
from deckatlas.search.vectors import bounds_of

_SMOKE_POPULATION = 6


class CmaOptions(WindowedSearchOptions):
    """The options that CMA-ME and CMA-ES share."""

    population: int = Field(default=37, ge=2, le=100_000, description="The number of draws in a generation.")
    sigma: Sigma = Field(
        default=0.05,
        description="The standard deviation of the first draws around their mean, in the units of the numbers.",
    )

    def plan_of(self, setting: SearchSetting, selection: Selection, **options: Any) -> CmaPlan:
        """What the distributions share.

        Raises:
            SearchError: If the space's solutions are not real vectors.
        """
        return CmaPlan(
            seed=setting.seed,
            bounds=bounds_of(setting.space, self.algorithm, "algorithm"),
            selection=selection,
            population=self.population,
            sigma=self.sigma,
            window=self.window,
            **options,
        )

    @property
    def drawn_at_random(self) -> int:
        """See the base class: none, since the first draws are around one mean."""
        return 0

    @model_validator(mode="after")
    def _completes_a_generation(self) -> Self:
        if self.population > self.evaluations:
            message = f"population must be at most evaluations, which is {self.evaluations}, not {self.population}"
            raise SearchError(message, "population", "evaluations")
        return self


class CmaMe(CmaOptions):
    """CMA-ME: distributions move towards new and better elites; one that finds none starts again from an elite."""

    algorithm: Literal["cma-me"] = "cma-me"
    emitters: int = Field(default=15, ge=1, le=1_000, description="The number of distributions that take turns.")
    overflow: float = Field(
        default=1.2,
        ge=1,
        le=10,
        allow_inf_nan=False,
        description="A distribution waits for results once it has drawn this many populations in a generation; what "
        "comes late enters the map, but the distribution does not learn from it.",
    )
    adaptation: Literal["full", "published"] = Field(
        default="full",
        description="How the covariance adapts; 'published' leaves out the rank-mu update and the path's unit, as the "
        "program of the DSA-ME paper did.",
    )

    def emitter(self, setting: SearchSetting, *, evaluations: int) -> Emitter:
        """Improvement emitters.

        Raises:
            SearchError: If the space's solutions are not real vectors.
        """
        published = self.adaptation == "published"
        plan = self.plan_of(
            setting, ByImprovement(), emitters=self.emitters, overflow=self.overflow, published=published
        )
        return CmaEmitter(plan)

    def smoke(self) -> Self:
        """A few small generations of two emitters."""
        smaller = {"emitters": min(self.emitters, 2), "population": min(self.population, _SMOKE_POPULATION)}
        return self.model_copy(update={**smaller, "evaluations": min(self.evaluations, SMOKE_EVALUATIONS)})


class CmaEs(CmaOptions, StartedOptions):
    """CMA-ES: one distribution moves towards better objectives, wherever they are on the map.

    It starts around the mean of known solutions, or in the middle of the space.
    """

    algorithm: Literal["cma-es"] = "cma-es"
    parents: int | None = Field(
        default=None,
        ge=1,
        le=100_000,
        description="How many of a generation the distribution learns from; if absent, half of the population.",
    )

    @model_validator(mode="after")
    def _has_parents(self) -> Self:
        if self.parents is not None and self.parents > self.population:
            message = f"parents must be at most population, which is {self.population}, not {self.parents}"
            raise SearchError(message, "parents", "population")
        return self

    def emitter(self, setting: SearchSetting, *, evaluations: int) -> Emitter:
        """One distribution; no draw comes late, since it waits for complete generations.

        Raises:
            SearchError: If the space's solutions are not real vectors.
        """
        selection = ByObjective(self.parents or self.population // 2)
        known = np.mean(setting.starts, axis=0, dtype=np.float64) if setting.starts else None
        return CmaEmitter(self.plan_of(setting, selection, emitters=1, overflow=1, first_mean=known))

    def smoke(self) -> Self:
        """A few small generations."""
        population = min(self.population, _SMOKE_POPULATION)
        parents = None if self.parents is None else min(self.parents, population)
        smaller = {"population": population, "parents": parents}
        return self.model_copy(update={**smaller, "evaluations": min(self.evaluations, SMOKE_EVALUATIONS)})
