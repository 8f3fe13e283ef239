"""A run, ready to execute: its space, evaluator and search, and the description for its store."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from deckatlas.runs.description import Description
from deckatlas.runs.hashes import config_hash
from deckatlas.search.batches import Batch, Stream, seed_of
from deckatlas.search.evaluation import Evaluator, Floats, Solution
from deckatlas.search.protocol import Search

# Runs of at most this many games keep the outcomes of single games, which take 1.25 bytes each.
MOST_KEPT_GAMES = 1_000_000_000


class Measures(Protocol):
    """The part of a space that a run needs while it executes."""

    def measures(self, solutions: Any) -> Floats:
        """The measures of solutions that are known without playing: one row per solution."""
        ...


@dataclass(frozen=True)
class Run:
    """A run, ready to execute.

    Attributes:
        config: The resolved configuration as plain data: everything that the result depends on, and a name.
        cards: A hash of the cards in play.
        space: What is searched.
        evaluator: What rates solutions.
        make_search: Makes a new search.
        description: The description for the store.
        replays_finished: Whether the last evaluation of a finished run is made again before its result is used. That
            is for runs whose configuration cannot say all that they depend on.
        players: For a comparison, the class of its players as "module:class", from which other processes make the
            evaluator; otherwise empty.
    """

    config: Mapping[str, Any]
    cards: str
    space: Measures
    evaluator: Evaluator
    make_search: Callable[[], Search]
    description: Description
    replays_finished: bool = False
    players: str = ""

    @property
    def name(self) -> str:
        """The name of the run."""
        return str(self.config["name"])

    @property
    def hash(self) -> str:
        """The hash of its configuration."""
        return config_hash(self.config)

    def measures_of(self, solutions: npt.NDArray[Any]) -> Floats:
        """The measures of solutions for the store: one row per solution."""
        if not self.description.measures:
            return np.empty((len(solutions), 0))
        return self.space.measures(solutions)

    def recheck_batch(self, genes: Solution, number: int, games: int) -> Batch:
        """An evaluation of solution `number` over games that neither the search nor another solution has played."""
        stream = Stream(seed_of(int(self.config["seed"]), "recheck", number), 0, games)
        return Batch(genes[np.newaxis], np.zeros((1, 1), np.int32), (stream,), np.zeros(1, np.int32))


class Runnable(Protocol):
    """Something that can be executed: a configuration, or anything else that makes a run."""

    def prepare(self) -> Run:
        """Makes the run.

        Raises:
            SearchError: If there can be no such run.
        """
        ...
