"""The players of reports: genomes of runs, named draft policies and random genomes; and the pairs that meet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, Field, model_validator

from deckatlas.experiments.kind import ReportOptions
from deckatlas.games.locm.agents import battle_agent, draft_policy
from deckatlas.papers.drafts.games import ArenaTable
from deckatlas.search.batches import Batch, Course, matchups
from deckatlas.search.protocol import Genomes, Indexes
from deckatlas.search.scripts import draw_seeds


def _known_draft(spec: str) -> str:
    draft_policy(spec)
    return spec


class PlayerOptions(ReportOptions):
    """The shared options of reports in which players meet."""

    pilot: str = Field(default="random", description="The battle agent of all players.")
    format: Literal["referee", "distinct"] = Field(default="referee", description="How drafts offer cards.")
    named: dict[str, Annotated[str, AfterValidator(_known_draft)]] = Field(
        default={}, description="Named draft policies, by label."
    )

    @model_validator(mode="after")
    def _known_pilot(self) -> Self:
        battle_agent(self.pilot)
        return self

    def arena(self) -> ArenaTable:
        """The arena of these players: named player k is player -1 - k."""
        opponents = tuple(f"{draft}/{self.pilot}" for draft in self.named.values())
        return ArenaTable(pilot=self.pilot, opponents=opponents, format=self.format)


def fresh_course(rng: np.random.Generator, drafts: int, games: int) -> Course:
    """This number of games on each of this number of new drafts."""
    return course_on(rng, draw_seeds(rng, drafts), games)


def course_on(rng: np.random.Generator, draft_seeds: npt.NDArray[np.uint64], games: int) -> Course:
    """This number of new games on each of these drafts."""
    return Course(np.repeat(draft_seeds, games), draw_seeds(rng, len(draft_seeds) * games))


@dataclass(frozen=True)
class Pairs:
    """Pairs of players that play courses in both seats, and the games that the first of each pair won.

    Attributes:
        one: The first of each pair: the row of a genome, or -1 - k for named player k.
        other: The second of each pair.
        course: The course that they play twice; each moves first once.
    """

    one: Indexes
    other: Indexes
    course: Indexes

    def ask(self, genomes: Genomes, courses: Sequence[Course]) -> Batch:
        """The batch to play: every pair with `one` in the first seat, then every pair the other way round."""
        first, second = np.concatenate([self.one, self.other]), np.concatenate([self.other, self.one])
        course = np.concatenate([self.course, self.course])
        return matchups(genomes, tuple(courses), *(numbers.astype(np.int32) for numbers in (first, second, course)))

    def won(self, ask: Batch, wins: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """For each pair, the games that `one` won of `games(ask)`."""
        as_first, as_second = wins.reshape(2, -1)
        return as_first + self.games(ask) // 2 - as_second

    def games(self, ask: Batch) -> npt.NDArray[np.int64]:
        """For each pair, the number of games in both seats."""
        lengths = np.array([len(course) for course in ask.courses], dtype=np.int64)
        return 2 * lengths[self.course]
