"""Variations for MAP-Elites, instead of the space's own mutation: of real vectors, and of decks."""

from typing import Annotated, Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.evaluation import Floats, Solution
from deckatlas.search.vectors import Bounds

Sigma = Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)]


class VariationOptions(Protocol):
    """How a child differs from its parent."""

    def child(self, parent: Floats, other: Floats, rng: np.random.Generator) -> Floats:
        """A variation of a parent; `other` is another elite, or the same again."""
        ...


class Gaussian(BaseModel):
    """Normal noise on every number."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["gaussian"] = "gaussian"
    sigma: Sigma = Field(default=0.05, description="The standard deviation of the noise on each number.")

    def child(self, parent: Floats, other: Floats, rng: np.random.Generator) -> Floats:
        """The parent with noise."""
        return parent + self.sigma * rng.standard_normal(len(parent))


class IsoLine(BaseModel):
    """Normal noise on every number, and a step of random length on the line to another elite."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["iso-line"] = "iso-line"
    iso_sigma: Sigma = Field(default=0.01, description="The standard deviation of the noise on each number.")
    line_sigma: Sigma = Field(
        default=0.2,
        description="The standard deviation of the step towards or away from another elite, in units of its distance.",
    )

    def child(self, parent: Floats, other: Floats, rng: np.random.Generator) -> Floats:
        """The parent with noise and a step."""
        noise = self.iso_sigma * rng.standard_normal(len(parent))
        return parent + noise + (self.line_sigma * float(rng.standard_normal())) * (other - parent)


class Playsets(BaseModel):
    """All copies of a card for as many copies of others, as people change decks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["playsets"] = "playsets"
    share: float = Field(
        default=0.5, gt=0, le=1, description="The share of children that exchange playsets; others exchange cards."
    )


AnyVariation = Annotated[Gaussian | IsoLine | Playsets, Field(discriminator="kind")]


class Variation:
    """A variation within the bounds of a space."""

    def __init__(self, options: VariationOptions, bounds: Bounds) -> None:
        self._options = options
        self._bounds = bounds

    def child(
        self, solutions: npt.NDArray[Any], parent: int, elites: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> Solution:
        """A variation of one of the solutions; elites are numbers of solutions."""
        other = int(elites[rng.integers(len(elites))])
        own, others = (solutions[number].astype(np.float64) for number in (parent, other))
        return self._bounds.clip(self._options.child(own, others, rng)).astype(solutions.dtype)


class DeckVariation:
    """A variation of decks, some by whole playsets."""

    def __init__(self, options: Playsets, space: DeckSpace[Any]) -> None:
        self._options = options
        self._space = space

    def child(
        self, solutions: npt.NDArray[Any], parent: int, elites: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> Solution:
        """A variation of one of the solutions; other elites play no role."""
        change = self._space.exchange if rng.random() < self._options.share else self._space.mutate
        return change(solutions[parent], rng)
