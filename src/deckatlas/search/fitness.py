"""Fitness as the share won of a few fixed games: all candidates of a run meet opponent 0 over the same seeds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from deckatlas.errors import SearchError
from deckatlas.search.options import SearchOptions
from deckatlas.search.protocol import Ask, Course, Genomes, Scores

OPPONENT = -1
SEATS: dict[str, tuple[int, ...]] = {"first": (0,), "second": (1,), "both": (0, 1)}

Wins = npt.NDArray[np.int64]


@dataclass(frozen=True)
class FixedGames:
    """The games that every candidate is rated by.

    Attributes:
        course: The seeds; each is played once in every seat.
        seats: In which seats the candidates sit: 0, 1 or both.
    """

    course: Course
    seats: tuple[int, ...]

    @property
    def games(self) -> int:
        """How many games it takes to rate one candidate."""
        return len(self.course) * len(self.seats)

    def ask(self, genomes: Genomes) -> Ask:
        """All matchups of these candidates: in one seat first, then, where there are two, in the other."""
        candidates = np.arange(len(genomes), dtype=np.int32)
        opponent = np.full_like(candidates, OPPONENT)
        first = [candidates if seat == 0 else opponent for seat in self.seats]
        second = [opponent if seat == 0 else candidates for seat in self.seats]
        course = np.zeros(len(genomes) * len(self.seats), dtype=np.int32)
        return Ask(genomes, (self.course,), np.concatenate(first), np.concatenate(second), course)

    def won(self, ask: Ask, told: npt.NDArray[np.integer[Any]]) -> Wins:
        """How many games each candidate of an ask won, from what the first players won.

        Raises:
            SearchError: If this cannot be the outcome of the ask.
        """
        if told.shape != ask.first.shape or not np.all((told >= 0) & (told <= len(self.course))):
            raise SearchError(f"the outcome of this ask is {len(ask.first)} numbers from 0 to {len(self.course)}")
        of_first = told.astype(np.int64).reshape(len(self.seats), -1)
        second = np.array(self.seats)[:, np.newaxis] == 1
        of_candidates: Wins = np.where(second, len(self.course) - of_first, of_first).sum(axis=0)
        return of_candidates

    def scores(self, wins: Wins) -> Scores:
        """Wins in percent of the games."""
        return 100.0 * wins / self.games


def spread_of(scores: Scores) -> Mapping[str, float]:
    """The facts of a generation about many scores: their mean and standard deviation."""
    return {"mean": float(scores.mean()), "spread": float(scores.std())}


def times(wanted: int | None, *, default: int, cost: int, budget: int | None, what: str) -> int:
    """How often something is done that costs so many games each time: as often as wanted and the budget pays for.

    Raises:
        SearchError: If the budget does not pay for it once.
    """
    if budget is None:
        return default if wanted is None else wanted
    if budget < cost:
        raise SearchError(f"{what} costs {cost} games, and the budget is {budget}")
    paid = budget // cost
    return paid if wanted is None else min(wanted, paid)


class FixedGamesOptions(SearchOptions):
    """The options of a search that rates candidates by fixed games."""

    games: int = Field(default=50, ge=1, description="games that each candidate is rated by, of the same seeds for all")
    seat: Literal["first", "second", "both"] = Field(
        default="first", description="where candidates sit; both: half as many seeds, each played in both seats"
    )

    @model_validator(mode="after")
    def _both_seats_share_the_games(self) -> Self:
        if self.games % len(SEATS[self.seat]):
            raise ValueError(f"games must be even where each seed is played in both seats, not {self.games}")
        return self

    def draw_games(self, rng: np.random.Generator) -> FixedGames:
        """The games of a run: those of the official referee for seeds drawn at random."""
        seats = SEATS[self.seat]
        seeds = rng.integers(2**64, size=self.games // len(seats), dtype=np.uint64)
        return FixedGames(Course(seeds, seeds), seats)
