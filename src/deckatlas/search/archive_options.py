"""The options of archives; `kind` says whether boundaries are fixed or slide."""

from abc import ABC, abstractmethod
from math import prod
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.search.cells import Binning, EvenGrowth, GridBinning, PublishedGrowth, Shape, SlidingBinning
from deckatlas.shapes import show

MOST_CELLS = 100_000_000

CellCount = Annotated[int, Field(ge=1, le=10_000)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class ArchiveOptions(BaseModel, ABC):
    """The options that both kinds of archives share."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    measures: tuple[str, ...] = Field(min_length=1, description="The columns that span the map.")
    resolution: tuple[CellCount, ...] = Field(description="The final number of cells along each measure.")
    grow_from: tuple[CellCount, ...] | None = Field(
        default=None,
        description="The number of cells along each measure at the start; if absent, the number never changes.",
    )
    qd_score_offset: Finite | None = Field(
        default=None,
        description="The objective value that counts as zero in the QD score; if absent, one that suits the objective.",
    )

    @abstractmethod
    def make_binning(self, planned: int) -> Binning:
        """Makes the binning of a search with this number of planned evaluations."""

    @property
    def first_shape(self) -> Shape:
        """The number of cells along each measure at the start."""
        return self.resolution if self.grow_from is None else self.grow_from

    @model_validator(mode="after")
    def _one_of_each_for_each_measure(self) -> Self:
        for name in self.measures:
            if self.measures.count(name) > 1:
                raise SearchError(f"measures has {show(name)} more than once: name each measure once", "measures")
        self._check_length("resolution", self.resolution)
        self._check_length("grow_from", self.first_shape)
        for name, first, last in zip(self.measures, self.first_shape, self.resolution, strict=True):
            if first > last:
                raise SearchError(
                    f"grow_from for {name} must be at most its resolution, which is {last}, not {first}: "
                    "the number of cells can grow, but not shrink",
                    "grow_from",
                )
        if prod(self.resolution) > MOST_CELLS:
            raise SearchError(
                f"resolution makes {prod(self.resolution):,} cells: there can be {MOST_CELLS:,} at most", "resolution"
            )
        return self

    def _check_length(self, key: str, values: tuple[object, ...]) -> None:
        if len(values) != len(self.measures):
            raise SearchError(
                f"{key} must have as many entries as measures, {len(self.measures)}, not {len(values)}", key
            )


class GridOptions(ArchiveOptions):
    """Cells of one size over fixed ranges."""

    kind: Literal["grid"] = "grid"
    ranges: tuple[tuple[Finite, ...], ...] = Field(
        description="[low, high] of each measure; values outside the range belong to the border cells."
    )
    binning: Literal["even", "published"] = Field(
        default="even",
        description="Whether cells divide the range evenly, or as published: cells are (high - low + 1) / n wide, some "
        "cannot be reached, and the final resolution is only reached with the last evaluation.",
    )

    @model_validator(mode="after")
    def _ranges_have_room(self) -> Self:
        self._check_length("ranges", self.ranges)
        for name, entry in zip(self.measures, self.ranges, strict=True):
            if len(entry) != 2 or not entry[0] < entry[1]:
                raise SearchError(
                    f"the range of {name} must be [low, high] with low below high, not {list(entry)}", "ranges"
                )
        return self

    def make_binning(self, planned: int) -> Binning:
        """See the base class."""
        published = self.binning == "published"
        growth = (PublishedGrowth if published else EvenGrowth)(self.first_shape, self.resolution, planned)
        return GridBinning(tuple((low, high) for low, high in self.ranges), growth, published)


class SlidingOptions(ArchiveOptions):
    """Sliding boundaries: the quantiles of the individuals so far."""

    kind: Literal["sliding"] = "sliding"
    remap: int = Field(
        default=100, ge=1, le=10**9, description="Boundaries are recomputed after this many individuals."
    )
    history: int | None = Field(
        default=None, ge=1, le=10**9, description="Boundaries use this many of the last individuals; if absent, all."
    )
    binning: Literal["quantiles", "published"] = Field(
        default="quantiles",
        description="Whether the final resolution lasts as long as the others, or as published: the resolution grows "
        "only at remaps, which happen at individuals 1, remap + 1, 2 remap + 1, ..., and the final one comes with the "
        "last evaluation.",
    )

    def make_binning(self, planned: int) -> Binning:
        """See the base class."""
        published = self.binning == "published"
        growth = (PublishedGrowth if published else EvenGrowth)(self.first_shape, self.resolution, planned)
        return SlidingBinning(growth, self.remap, self.history, published)


AnyArchive = Annotated[GridOptions | SlidingOptions, Field(discriminator="kind")]
