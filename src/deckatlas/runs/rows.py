"""What a store returns: the run as a whole, its progress, generations, and solutions on fresh games."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from deckatlas.search.evaluation import Outcomes
from deckatlas.stats.averages import Sample


@dataclass(frozen=True)
class RunRow:
    """The run as a whole.

    Attributes:
        config: The resolved configuration.
        versions: The versions of the software that made it.
        cards: The hash of the card table.
        created: When it started.
        finished: When it ended, if it has.
    """

    config: dict[str, Any]
    versions: dict[str, str]
    cards: str
    created: datetime
    finished: datetime | None

    def __post_init__(self) -> None:
        """Checks that the values that every run needs are present."""
        config = self.config
        _ = self.algorithm, self.searched, config["name"], config["seed"], self.versions["core"]

    @property
    def algorithm(self) -> str:
        """The search algorithm."""
        return str(self.config["search"]["algorithm"])

    @property
    def searched(self) -> str:
        """The kind of space that it searches."""
        return str(self.config["space"]["kind"])

    @property
    def budget(self) -> int | None:
        """The most games that the search will ask for, if known."""
        limit: int | None = self.config.get("budget")
        if self.config.get("archive") is None:
            return limit
        planned = int(self.config["search"]["evaluations"]) * int(self.config["evaluation"]["games"])
        return planned if limit is None else min(planned, limit)


@dataclass(frozen=True)
class RunProgress:
    """The progress of a stored run: evaluations, games, the last generation if there is one, the best value so far."""

    evaluations: int = 0
    games: int = 0
    generation: int | None = None
    best: float | None = None


@dataclass(frozen=True)
class GenerationRow:
    """The numbers of a generation: all games until it was complete, its best score, the mean of all scores."""

    number: int
    evaluations: int
    games: int
    best: float
    mean: float
    facts: dict[str, float | None]
    hash: bytes


@dataclass(frozen=True)
class RecheckedSolution:
    """The results of a solution on fresh games, and the sample behind its averages."""

    outcomes: Outcomes
    sample: Sample

    @property
    def games(self) -> int:
        """The number of games."""
        return int(self.outcomes.games[0])
