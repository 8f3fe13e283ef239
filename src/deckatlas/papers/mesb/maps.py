"""Shared parts of reports on maps: the choice of maps, and access to their elites."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.experiments.kind import ReportOptions
from deckatlas.experiments.published import PublishedCheck, tables
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.papers.budget import BUDGET, budget_note
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Ints
from deckatlas.search.map_searches import MapSearchOptions
from deckatlas.shapes import nearest, show

SUM, MANA, VARIANCE = "deck_mana_sum", "deck_mana_mean", "deck_mana_variance"
Floats = npt.NDArray[np.float64]


class MapReport(ReportOptions):
    """A report on maps of Hearthstone decks."""

    of_archives: ClassVar[bool] = True

    maps: tuple[str, ...] = Field(default=(), description="The runs that are shown; all if empty.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about maps that do not exist."""
        for number, name in enumerate(self.maps):
            if name not in runs:
                yield Complaint((("report", "maps", number),), f"no run {show(name)}: {nearest(name, runs)}")
        yield from tables({**BUDGET, **self.published_checks(runs)})(published, ("published",))

    def published_checks(self, runs: Collection[str]) -> Mapping[str, PublishedCheck]:
        """Checks of published values beside the budget of a map, by name."""
        return {}

    def smoke(self) -> Self:
        """The same options, since the runs take the time."""
        return self

    def series(self, study: Study, names: Sequence[str] = ()) -> dict[str, tuple[RunView, ...]]:
        """The maps to show, or those of these names, in order, grouped by name.

        Raises:
            RunError: If there are no maps, or a map is not of Hearthstone decks or has no elite.
        """
        found = {name: tuple(run.view for run in study.maps[name]) for name in names or self.maps or study.maps}
        if not found:
            raise RunError("this report needs maps")
        for view in (view for views in found.values() for view in views):
            check_map(view)
        return found

    def budget(self, study: Study) -> str:
        """A sentence on the budget of the maps, and on the budget in the paper."""
        return budget_note(study)

    def views(self, study: Study, names: Sequence[str] = ()) -> dict[str, RunView]:
        """The maps of `series`, each by its own name: that of its run, with a number if the run is repeated."""
        return {
            view_name(name, views, view): view for name, views in self.series(study, names).items() for view in views
        }

    def runs_of_views(self, study: Study, names: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
        """For each run, the names of its maps in `views`."""
        found = self.series(study, names)
        return {name: tuple(view_name(name, views, view) for view in views) for name, views in found.items()}


def view_name(run: str, views: Sequence[RunView], view: RunView) -> str:
    """The name of a map: that of its run, with a number if the run is repeated."""
    return run if len(views) == 1 else view.name


class SetsReport(MapReport):
    """A report in which maps are grouped, mostly by experiment."""

    sets: dict[str, tuple[str, ...]] = Field(
        default={}, description="The maps of each set; if empty, all maps are one set."
    )

    @model_validator(mode="after")
    def _shows_its_sets(self) -> Self:
        if self.sets and self.maps:
            raise ValueError("sets already name the maps to show: leave out maps")
        return self

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about maps of the sets that do not exist."""
        for title, names in self.sets.items():
            for number, name in enumerate(names):
                if name not in runs:
                    place = ("report", "sets", title, number)
                    yield Complaint((place, place[:-1]), f"no run {show(name)}: {nearest(name, runs)}")
        yield from super().complaints(published, runs)

    def names_in_sets(self, known: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """The names of the maps of each set, out of all known ones."""
        return self.sets or {"": self.maps or tuple(known)}


def deck_run_of(view: RunView) -> HearthstoneDeckRun:
    """The configuration of a map of Hearthstone decks.

    Raises:
        RunError: If it is not a map of Hearthstone decks.
    """
    if view.description.kind != "hearthstone-deck":
        raise RunError(f"{view.path} is not a map of Hearthstone decks")
    return HearthstoneDeckRun.model_validate(dict(view.config))


def check_map(view: RunView) -> None:
    """Checks that a run is a map of Hearthstone decks with elites.

    Raises:
        RunError: If it is not, or has none.
    """
    deck_run_of(view)
    if not len(view.archive):
        raise RunError(f"{view.path} has no elite")


def check_pairs(series: Mapping[str, Sequence[RunView]]) -> None:
    """Checks that trials of the same number have the same seeds.

    Raises:
        RunError: If they do not.
    """
    if len({tuple(view.config["seed"] for view in views) for views in series.values()}) != 1:
        raise RunError(f"trials of {', '.join(series)} are not pairs: give these runs the same repeat and seeds_from")


def of_elites(view: RunView, column: str) -> Floats:
    """A column of the elites, in the order of their cells."""
    return np.asarray(view.log.column(column)[view.archive.elites], dtype=np.float64)


def drawn_at_random(view: RunView) -> Ints:
    """The solutions that a search began with and drew at random, by its configuration.

    Solutions without a parent are not always random: a search may choose solutions by other means than variation.

    Raises:
        RunError: If it is not a search for a map.
    """
    search = deck_run_of(view).search
    if not isinstance(search, MapSearchOptions):
        raise RunError(f"{view.path} is not a search for a map")
    return np.arange(min(search.drawn_at_random, len(view.log)))
