"""Runs of an experiment: a configuration that is repeated with different seeds, and the opponents of its decks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any, Self

from pydantic import Field

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.runs.config import ConfigTable, RunConfig
from deckatlas.runs.read_config import config_of
from deckatlas.search.batches import seed_of
from deckatlas.shapes import nearest, show

SMOKE_REPEAT = 2
SMOKE_RECHECK = 4


class Repetition(ConfigTable):
    """The settings of a run in an experiment beside its configuration."""

    repeat: int = Field(default=1, ge=1, le=1000, description="The number of independent runs.")
    opponents_from: tuple[str, ...] = Field(
        default=(), description="Maps of the same experiment whose best decks are the opponents, if any."
    )
    seeds_from: str = Field(
        default="",
        description="The text that seeds derive from, instead of the name: runs k with the same text share a seed.",
    )
    recheck: int | None = Field(
        default=None, ge=1, le=1_000_000, description="Fresh games that each elite of a finished map plays, if any."
    )


@dataclass(frozen=True)
class Series:
    """A run that is repeated.

    Attributes:
        config: The configuration without the seeds of single runs.
        repeat: The number of runs.
        opponents_from: The maps whose best decks are the opponents; run k meets the best deck of run k of each map.
        seeds_from: The text that the seeds of runs derive from; the name if it is empty.
        recheck: Fresh games that each elite of a finished map plays.
    """

    config: RunConfig
    repeat: int = 1
    opponents_from: tuple[str, ...] = ()
    seeds_from: str = ""
    recheck: int | None = None

    @classmethod
    def of(cls, document: Document) -> Self:
        """The runs that a document describes: a configuration of any kind, and a `Repetition`.

        Raises:
            RunError: If something in it is unknown or impossible; the message says where and what would be right.
        """
        rest, own = document.copy(), document.copy()
        own.values = {key: rest.pop(key) for key in Repetition.model_fields if key in rest.values}
        repetition = own.check(Repetition)
        config = config_of(rest)
        config.check_playable(rest)
        if repetition.recheck is not None and config.archive is None:
            raise RunError(f"{own.place(('recheck',))}: only the elites of an archive can be rechecked")
        return cls(config, **dict(repetition))

    @property
    def has_archive(self) -> bool:
        """Whether these runs keep an archive."""
        return self.config.archive is not None

    def configs(self) -> tuple[RunConfig, ...]:
        """The configuration of each run."""
        values = self.config.to_json()
        name, seed = self.config.name, self.config.seed
        source = self.seeds_from or name
        return tuple(
            type(self.config).model_validate(
                {**values, "name": f"{name}-{number}", "seed": seed_of(seed, source, number)}
            )
            for number in range(1, self.repeat + 1)
        )

    def smoke(self) -> Self:
        """The same series with fewer repetitions, shrunk so that it takes seconds."""
        recheck = None if self.recheck is None else min(self.recheck, SMOKE_RECHECK)
        return replace(self, config=self.config.smoke(), repeat=min(self.repeat, SMOKE_REPEAT), recheck=recheck)

    def to_json(self) -> dict[str, Any]:
        """The whole series in the form of a document."""
        return {
            **self.config.to_json(),
            "repeat": self.repeat,
            "opponents_from": list(self.opponents_from),
            "seeds_from": self.seeds_from,
            **({} if self.recheck is None else {"recheck": self.recheck}),
        }


def in_order(series: Mapping[str, Series]) -> tuple[str, ...]:
    """The names of all runs, sorted so that runs come after those whose decks they meet."""
    return tuple(TopologicalSorter({name: each.opponents_from for name, each in series.items()}).static_order())


def check_opponents(series: Mapping[str, Series], places: Mapping[str, str]) -> None:
    """Checks that runs can have the opponents that they take from others.

    Args:
        series: The runs.
        places: For each run, the place in the file that names its opponents, for messages.

    Raises:
        RunError: If a run cannot have its opponents.
    """
    for name, each in series.items():
        for other in each.opponents_from:
            if other not in series:
                raise RunError(f"{places[name]}: no run {show(other)} in the experiment: {nearest(other, series)}")
            if not each.config.takes_opponents_of(series[other].config):
                raise RunError(f"{places[name]}: {name} cannot have the best of {other} as opponents")
            if series[other].repeat != each.repeat:
                raise RunError(
                    f"{places[name]}: run k meets run k of {other}, so both need the same number of runs, "
                    f"but {name} has {each.repeat} and {other} has {series[other].repeat}"
                )
    try:
        in_order(series)
    except CycleError as error:
        raise RunError(f"{places[error.args[1][0]]}: runs cannot be each other's opponents: {error.args[1]}") from None
