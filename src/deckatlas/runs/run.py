"""A run made ready: what is searched, what rates it, how it is searched, and what its store is to say of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from deckatlas.runs.description import Description
from deckatlas.runs.hashes import config_hash
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.evaluation import Evaluator, Floats, Solution
from deckatlas.search.protocol import Search
from deckatlas.search.seeds import seed_of

# The outcomes of single games are kept of runs of at most so many games: they take a byte and a quarter each.
MOST_KEPT_GAMES = 100_000_000


class Measures(Protocol):
    """What a run must know of its space while it is carried out."""

    def measures(self, solutions: Any) -> Floats:
        """What is known of solutions without a game: one row per solution."""
        ...


@dataclass(frozen=True)
class Run:
    """A run made ready to be carried out.

    Attributes:
        config: The resolved configuration as plain data: everything that the result depends on, and a name.
        cards: A hash of the cards that are played with.
        space: What is searched.
        evaluator: What rates solutions.
        make_search: Makes the search, before its first ask.
        description: What the store says of the run.
    """

    config: Mapping[str, Any]
    cards: str
    space: Measures
    evaluator: Evaluator
    make_search: Callable[[], Search]
    description: Description

    @property
    def name(self) -> str:
        """What the run is called."""
        return str(self.config["name"])

    @property
    def hash(self) -> str:
        """What tells its configuration from others."""
        return config_hash(dict(self.config))

    def measures_of(self, solutions: npt.NDArray[Any]) -> Floats:
        """What the store keeps of solutions without a game: one row per solution."""
        if not self.description.measures:
            return np.empty((len(solutions), 0))
        return self.space.measures(solutions)

    def recheck_batch(self, genes: Solution, number: int, games: int) -> Batch:
        """An evaluation of solution `number` over games that the search has not seen, and no other solution plays."""
        stream = Stream(seed_of(int(self.config["seed"]), "recheck", number), 0, games)
        return Batch(genes[np.newaxis], np.zeros((1, 1), np.int32), (stream,), np.zeros(1, np.int32))


class Runnable(Protocol):
    """What can be carried out: a configuration, or anything else that becomes a run."""

    def prepare(self) -> Run:
        """The run, made ready.

        Raises:
            SearchError: If there can be no such run.
        """
        ...
