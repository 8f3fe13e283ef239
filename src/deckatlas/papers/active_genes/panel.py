"""A panel of opponents, named players and random genomes, that rates the genomes of runs."""

from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from deckatlas.experiments.study import Study
from deckatlas.papers.drafts.games import genome_of, play_drafts
from deckatlas.papers.drafts.players import Pairs, PlayerOptions
from deckatlas.search.batches import Course
from deckatlas.search.protocol import Genomes, Indexes


class PanelOptions(PlayerOptions):
    """The shared options of reports that rate genomes by a panel of opponents: named players and random genomes."""

    random_players: int = Field(default=3, ge=0, description="Random genomes on the panel, drawn once.")
    bests: int = Field(default=5, ge=1, description="The number of best genomes of a generation to rate.")
    drafts: int = Field(default=250, ge=1, description="The number of fresh drafts.")
    games: int = Field(default=10, ge=1, description="Games per side on each draft against each opponent.")

    @model_validator(mode="after")
    def _somebody_is_there(self) -> Self:
        if not self.named and not self.random_players:
            raise ValueError("a panel needs named players or random_players")
        return self

    def smoke(self) -> Self:
        """A few drafts, two genomes of a generation."""
        return self.model_copy(update={"bests": min(self.bests, 2), "drafts": min(self.drafts, 5), "games": 1})

    @property
    def panel(self) -> tuple[str, ...]:
        """The names of the opponents."""
        return (*self.named, *(f"random {number}" for number in range(1, self.random_players + 1)))

    def rate(
        self, study: Study, genomes: Genomes, courses: Sequence[Course], rows: Indexes, course: Indexes
    ) -> npt.NDArray[np.float64]:
        """Percent won, one row per entry of `rows` and one column per opponent.

        Args:
            study: Plays the games.
            genomes: All genomes to rate.
            courses: All courses.
            rows: The genome that each entry rates.
            course: The course that each entry plays.
        """
        table = genome_of(study)
        drawn = table.genomes().random(study.rng("panel"), self.random_players)
        opponents = np.concatenate([-1 - np.arange(len(self.named)), len(genomes) + np.arange(self.random_players)])
        pairs = Pairs(np.repeat(rows, len(opponents)), np.tile(opponents, len(rows)), np.repeat(course, len(opponents)))
        ask = pairs.ask(np.concatenate([genomes, drawn]), courses)
        wins = play_drafts(study, "panel", ask, genome=table, arena=self.arena())
        percent: npt.NDArray[np.float64] = 100 * pairs.won(ask, wins) / pairs.games(ask)
        return percent.reshape(len(rows), len(opponents))


def spread_over(count: int, points: int) -> list[int]:
    """Up to `points` numbers below `count`, evenly spread, including the first and the last."""
    chosen: list[int] = np.unique(np.linspace(0, count - 1, points).round().astype(int)).tolist()
    return chosen
