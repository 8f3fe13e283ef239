"""Fitness as the share of fixed games won: all candidates of a run play opponent 0 with the same seeds."""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.search.batches import Batch, Course, matchups
from deckatlas.search.options import MatchupOptions
from deckatlas.search.protocol import Genomes, Scores
from deckatlas.search.scripts import draw_seeds

OPPONENT = -1
SEATS: dict[str, tuple[int, ...]] = {"first": (0,), "second": (1,), "both": (0, 1)}


@dataclass(frozen=True)
class FixedGames:
    """The games that rate every candidate.

    Attributes:
        course: The seeds; each is played once in every seat.
        seats: The seats of the candidates: 0, 1 or both.
    """

    course: Course
    seats: tuple[int, ...]

    @property
    def games(self) -> int:
        """The games that rate one candidate."""
        return len(self.course) * len(self.seats)

    def ask(self, genomes: Genomes) -> Batch:
        """All matchups of these candidates: first in one seat, then in the other, if there are two."""
        candidates = np.arange(len(genomes), dtype=np.int32)
        opponent = np.full_like(candidates, OPPONENT)
        first = [candidates if seat == 0 else opponent for seat in self.seats]
        second = [opponent if seat == 0 else candidates for seat in self.seats]
        course = np.zeros(len(genomes) * len(self.seats), dtype=np.int32)
        return matchups(genomes, (self.course,), np.concatenate(first), np.concatenate(second), course)

    def scores(self, won: npt.NDArray[np.int64]) -> Scores:
        """Games won in percent."""
        return 100 * won / self.games


def spread_of(scores: Scores) -> dict[str, float]:
    """The facts of a generation about its scores: their mean and standard deviation."""
    return {"mean": float(scores.mean()), "spread": float(scores.std())}


def times(wanted: int | None, *, default: int, cost: int, budget: int | None, what: str) -> int:
    """How often to do something that costs `cost` games: as often as wanted, within the budget.

    Raises:
        SearchError: If the budget is below the cost.
    """
    if budget is None:
        return default if wanted is None else wanted
    if budget < cost:
        raise SearchError(
            f"{what} costs {cost} games, more than the budget of {budget}", "budget", "population", "games"
        )
    paid = budget // cost
    return paid if wanted is None else min(wanted, paid)


class FixedGamesOptions(MatchupOptions):
    """The options of a search that rates candidates by fixed games."""

    games: int = Field(
        default=50, ge=1, le=100_000, description="Games that rate each candidate; all candidates play the same seeds."
    )
    seat: Literal["first", "second", "both"] = Field(
        default="first",
        description="The seat of the candidates; with both, half as many seeds are played, each in both seats.",
    )

    @model_validator(mode="after")
    def _both_seats_share_the_games(self) -> Self:
        if self.games % len(SEATS[self.seat]):
            message = f"games must be even where each seed is played in both seats, not {self.games}"
            raise SearchError(message, "games", "seat")
        return self

    def draw_games(self, rng: np.random.Generator) -> FixedGames:
        """The games of a run: those of the official referee, with random seeds."""
        seats = SEATS[self.seat]
        seeds = draw_seeds(rng, self.games // len(seats))
        return FixedGames(Course(seeds, seeds), seats)
