"""Runs of an experiment: a configuration that is repeated with different seeds, and the opponents of its decks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from typing import Any, Literal, Self

from pydantic import Field

from deckatlas.documents.document import Document
from deckatlas.errors import RunError
from deckatlas.runs.config import ConfigTable, RunConfig
from deckatlas.runs.read_config import config_of
from deckatlas.search.batches import seed_of

SMOKE_REPEAT = 2
SMOKE_RECHECK = 4


class Repetition(ConfigTable):
    """The settings of a run in an experiment beside its configuration."""

    repeat: int = Field(default=1, ge=1, le=1000, description="The number of independent runs.")
    first: int = Field(
        default=1,
        ge=1,
        le=1_000_000,
        description="The number of the first of them, if others are carried out elsewhere.",
    )
    opponents_from: tuple[str, ...] = Field(
        default=(), description="Maps of the same experiment whose best decks are the opponents, if any."
    )
    model_from: str = Field(
        default="",
        description="A map of the same experiment: its model, or one that each run trains on its log, learns no more.",
    )
    model: Literal["final", "new"] = Field(
        default="new", description="With model_from: its search's own final model, or a new one trained on its log."
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
        first: The number of the first run; it is in the name of the run and in its seed.
        opponents_from: The maps whose best decks are the opponents; run k meets the best deck of run k of each map, or
            of its only run.
        model_from: The map whose model run k uses: that of run k, or of its only run.
        model: Whether that is the final model of its search, or a new one that run k trains on its log.
        seeds_from: The text that the seeds of runs derive from; the name if it is empty.
        recheck: Fresh games that each elite of a finished map plays.
    """

    config: RunConfig
    repeat: int = 1
    first: int = 1
    opponents_from: tuple[str, ...] = ()
    model_from: str = ""
    model: Literal["final", "new"] = "new"
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
        if "model" in own.values and not repetition.model_from:
            raise RunError(f"{own.place(('model',))}: model needs model_from, the map that the model comes from")
        return cls(config, **dict(repetition))

    @property
    def has_archive(self) -> bool:
        """Whether these runs keep an archive."""
        return self.config.archive is not None

    @property
    def needs(self) -> tuple[str, ...]:
        """The runs that must be finished before."""
        return (*self.opponents_from, self.model_from) if self.model_from else self.opponents_from

    @property
    def numbers(self) -> range:
        """The numbers of the runs."""
        return range(self.first, self.first + self.repeat)

    def configs(self) -> tuple[RunConfig, ...]:
        """The configuration of each run."""
        values = self.config.to_json()
        name, seed = self.config.name, self.config.seed
        source = self.seeds_from or name
        return tuple(
            type(self.config).model_validate(
                {**values, "name": f"{name}-{number}", "seed": seed_of(seed, source, number)}
            )
            for number in self.numbers
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
            **({} if self.first == 1 else {"first": self.first}),
            "opponents_from": list(self.opponents_from),
            **({"model_from": self.model_from, "model": self.model} if self.model_from else {}),
            "seeds_from": self.seeds_from,
            **({} if self.recheck is None else {"recheck": self.recheck}),
        }


def in_order(series: Mapping[str, Series]) -> tuple[str, ...]:
    """The names of all runs, sorted so that runs come after those whose decks they meet or whose models they use."""
    return tuple(TopologicalSorter({name: each.needs for name, each in series.items()}).static_order())
