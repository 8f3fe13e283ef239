"""What reports made of maps share: which maps they show, and what they take from them."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.maps.hearthstone import HearthstoneDecks
from deckatlas.reports.kind import ReportOptions
from deckatlas.reports.study import Study
from deckatlas.runs.hearthstone_map import HearthstoneMap
from deckatlas.runs.map_view import MapView
from deckatlas.shapes import nearest, show

MANA, VARIANCE = "deck_mana_mean", "deck_mana_variance"
Floats = npt.NDArray[np.float64]


class MapReport(ReportOptions):
    """A report made of maps of Hearthstone decks."""

    of_maps: ClassVar[bool] = True

    maps: tuple[str, ...] = Field(default=(), description="The runs that are shown; all if empty.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """The runs that are shown are there."""
        for number, name in enumerate(self.maps):
            if name not in runs:
                yield Complaint((("report", "maps", number),), f"no run {show(name)}: {nearest(name, runs)}")
        yield from super().complaints(published, runs)

    def smoke(self) -> Self:
        """The same: what it costs is in the runs."""
        return self

    def series(self, study: Study) -> dict[str, tuple[MapView, ...]]:
        """The maps that are shown, in order: those of a name together.

        Raises:
            RunError: If there is none, or one is not of Hearthstone decks or has no elite.
        """
        found = {name: tuple(run.view for run in study.maps[name]) for name in self.maps or study.maps}
        if not found:
            raise RunError("this report needs maps")
        for view in (view for views in found.values() for view in views):
            decks_of(view)
            if not len(view.archive):
                raise RunError(f"{view.path} has no elite")
        return found

    def views(self, study: Study) -> dict[str, MapView]:
        """The maps that are shown, each by its name: that of the run, with its number where it is repeated."""
        return {
            name if len(views) == 1 else view.config.name: view
            for name, views in self.series(study).items()
            for view in views
        }


def decks_of(view: MapView) -> HearthstoneDecks:
    """The space of a map.

    Raises:
        RunError: If it is not one of Hearthstone decks.
    """
    space = view.log.space
    if not isinstance(space, HearthstoneDecks):
        raise RunError(f"{view.path} is no map of Hearthstone decks")
    return space


def config_of(view: MapView) -> HearthstoneMap:
    """The configuration of a map of Hearthstone decks.

    Raises:
        RunError: If it is none.
    """
    if not isinstance(view.config, HearthstoneMap):
        raise RunError(f"{view.path} is no map of Hearthstone decks")
    return view.config


def of_elites(view: MapView, column: str) -> Floats:
    """A column of the elites, in the order of their cells."""
    return np.asarray(view.log.column(column)[view.archive.elites], dtype=np.float64)
