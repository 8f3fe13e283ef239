"""Games among given players, carried out and stored like a run: nothing is searched, and solutions have no genes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from deckatlas.runs.description import Description
from deckatlas.runs.run import Run
from deckatlas.search.evaluation import Evaluator, Floats
from deckatlas.search.protocol import Search


class Players(Protocol):
    """The players of a comparison, and the game they play."""

    def to_json(self) -> dict[str, Any]:
        """The tables `space` and `evaluation`: everything the games depend on beside the batch."""
        ...

    @classmethod
    def from_json(cls, config: Mapping[str, Any]) -> Self:
        """The same players from the tables of a configuration, for other processes."""
        ...

    @property
    def cards(self) -> str:
        """A hash of the cards in play."""
        ...

    def evaluator(self) -> Evaluator:
        """The evaluator that plays the matchups."""
        ...

    def describe(self) -> Description:
        """The description of the players in a store."""
        ...


@dataclass(frozen=True)
class _NoMeasures:
    """A space without measures that are known before a game."""

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        return np.empty((len(solutions), 0))


def comparison_run(
    name: str,
    players: Players,
    make_search: Callable[[], Search],
    *,
    seed: int,
    games: int,
    search: Mapping[str, Any],
) -> Run:
    """Games among players as a run.

    Args:
        name: The name of the run.
        players: The players.
        make_search: Makes the search that asks for matchups.
        seed: The seed in its configuration.
        games: The number of all games.
        search: The table `search` of its configuration: what the matchups depend on beside the seed.
    """
    config = {"name": name, "seed": seed, "budget": games, **players.to_json(), "search": dict(search)}
    return Run(
        config=config,
        cards=players.cards,
        space=_NoMeasures(),
        evaluator=players.evaluator(),
        make_search=make_search,
        description=replace(players.describe(), participants=2),
        players=f"{type(players).__module__}:{type(players).__qualname__}",
    )
