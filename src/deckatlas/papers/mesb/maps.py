"""What reports made of maps share: which maps they show, and what they take from them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.experiments.kind import ReportOptions
from deckatlas.experiments.published import Check, a_number, tables
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.runs.view import RunView
from deckatlas.shapes import nearest, show

_BUDGET = {"budget": tables({"evaluations": a_number, "games": a_number})}
SUM, MANA, VARIANCE = "deck_mana_sum", "deck_mana_mean", "deck_mana_variance"
Floats = npt.NDArray[np.float64]


class MapReport(ReportOptions):
    """A report made of maps of Hearthstone decks."""

    of_archives: ClassVar[bool] = True

    maps: tuple[str, ...] = Field(default=(), description="The runs that are shown; all if empty.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """The runs that are shown are there."""
        for number, name in enumerate(self.maps):
            if name not in runs:
                yield Complaint((("report", "maps", number),), f"no run {show(name)}: {nearest(name, runs)}")
        yield from tables({**_BUDGET, **self.published_checks(runs)})(published, ("published",))

    def published_checks(self, runs: Collection[str]) -> Mapping[str, Check]:
        """What may have been published beside the budget of a map, by name."""
        return {}

    def smoke(self) -> Self:
        """The same: what it costs is in the runs."""
        return self

    def series(self, study: Study, names: Sequence[str] = ()) -> dict[str, tuple[RunView, ...]]:
        """The maps that are shown, or those of these names, in order: those of a name together.

        Raises:
            RunError: If there is none, or one is not of Hearthstone decks or has no elite.
        """
        found = {name: tuple(run.view for run in study.maps[name]) for name in names or self.maps or study.maps}
        if not found:
            raise RunError("this report needs maps")
        for view in (view for views in found.values() for view in views):
            config_of(view)
            if not len(view.archive):
                raise RunError(f"{view.path} has no elite")
        return found

    def budget(self, study: Study) -> str:
        """How much maps have played, and how much they had in the paper, as a sentence."""
        views = [run.view for runs in study.maps.values() for run in runs]
        sizes = {(view.config["search"]["evaluations"], view.config["evaluation"]["games"]) for view in views}
        told = " or ".join(f"{evaluations:,} evaluations of {games:,} games" for evaluations, games in sorted(sizes))
        theirs = study.published.get("budget")
        published = "" if theirs is None else f"; in the paper {theirs['evaluations']:,} of {theirs['games']:,}"
        runs = {len(runs) for runs in study.maps.values()}
        repeated = " or ".join(map(str, sorted(runs)))
        return f"Budget: {told} a map, {repeated} run{'s' if runs != {1} else ''} of each{published}."

    def views(self, study: Study, names: Sequence[str] = ()) -> dict[str, RunView]:
        """The same, each by its name: that of the run, with its number where it is repeated."""
        return {
            view_name(name, views, view): view for name, views in self.series(study, names).items() for view in views
        }

    def runs_of_views(self, study: Study, names: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
        """For each run the names that `views` has for its maps."""
        found = self.series(study, names)
        return {name: tuple(view_name(name, views, view) for view in views) for name, views in found.items()}


def view_name(run: str, views: Sequence[RunView], view: RunView) -> str:
    """What a map is called: as its run, with its number where this is repeated."""
    return run if len(views) == 1 else view.name


class SetsReport(MapReport):
    """A report in which maps are grouped, mostly by experiment."""

    sets: dict[str, tuple[str, ...]] = Field(
        default={}, description="The maps of each set; if there are none, all maps are one."
    )

    @model_validator(mode="after")
    def _shows_its_sets(self) -> Self:
        if self.sets and self.maps:
            raise ValueError("sets say which maps are shown: leave maps out")
        return self

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """The runs of the sets are there."""
        for title, names in self.sets.items():
            for number, name in enumerate(names):
                if name not in runs:
                    place = ("report", "sets", title, number)
                    yield Complaint((place, place[:-1]), f"no run {show(name)}: {nearest(name, runs)}")
        yield from super().complaints(published, runs)

    def names_in_sets(self, study: Study) -> dict[str, tuple[str, ...]]:
        """The names of the maps of each set."""
        return self.sets or {"": self.maps or tuple(study.maps)}


def config_of(view: RunView) -> HearthstoneDeckRun:
    """The configuration of a map of Hearthstone decks.

    Raises:
        RunError: If it is none.
    """
    if view.description.kind != "hearthstone-deck":
        raise RunError(f"{view.path} is no map of Hearthstone decks")
    return HearthstoneDeckRun.model_validate(dict(view.config))


def of_elites(view: RunView, column: str) -> Floats:
    """A column of the elites, in the order of their cells."""
    return np.asarray(view.log.column(column)[view.archive.elites], dtype=np.float64)
