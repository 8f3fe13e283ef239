"""The best genomes of all runs of a search, and the choice of one that represents it.

A paper that reports "the best solution over ten runs" means the one with the highest fitness. That fitness comes from
the few games that its search used, so the choice rewards luck in these games. Here the best of every run also plays
*validation* games, which no search has seen; the run that wins most of those is the *honest* choice. Reports show both
choices, and rate both by other fresh games, which had no part in a choice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deckatlas.errors import RunError
from deckatlas.experiments.kind import TextTable
from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.entrants import Entrant
from deckatlas.games.locm.genomes import GENOME_KINDS, Genome
from deckatlas.games.locm.run_config import GenomeTable
from deckatlas.papers.drafts.fresh_games import (
    SEAT_NAMES,
    genome_games_won,
    name_in_stores,
    rate_cells,
    rate_of_cells,
    referee_course,
)
from deckatlas.papers.drafts.games import ArenaTable, draft_run_of
from deckatlas.search.fitness import SEATS, FixedGamesOptions
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import mean_interval
from deckatlas.stats.rates import independent_rate

FITNESS, HONEST = "fitness", "honest"
SAME = f"{FITNESS} = {HONEST}"


@dataclass(frozen=True)
class Finalist:
    """The best genome of one run.

    Attributes:
        run: The name of the run.
        genome: The genome.
        fitness: Its fitness in the search: percent won of the games that rated it.
        fresh: Its win rate in the validation games.
    """

    run: str
    genome: Genome
    fitness: float
    fresh: Estimate


@dataclass(frozen=True)
class Finalists:
    """The best genomes of all runs of one search.

    Attributes:
        search: The common name of the runs.
        genome: The kind of their genomes.
        arena: The arena of their games.
        seat: Their seat in all games of the search and of a report: 0 or 1.
        rated_by: The number of games behind their fitness.
        runs: One finalist per run.
    """

    search: str
    genome: GenomeTable
    arena: ArenaTable
    seat: int
    rated_by: int
    runs: tuple[Finalist, ...]

    def by_fitness(self) -> Finalist:
        """The finalist with the best fitness in its own search; of equals, the one of the earlier run."""
        return max(self.runs, key=lambda finalist: finalist.fitness)

    def honest(self) -> Finalist:
        """The finalist that won most of the validation games; of equals, the one of the earlier run."""
        return max(self.runs, key=lambda finalist: finalist.fresh.value)

    def choices(self) -> dict[str, Finalist]:
        """The finalists that represent the search, by choice; one entry if both choices are the same."""
        fitness, honest = self.by_fitness(), self.honest()
        return {SAME: fitness} if fitness is honest else {FITNESS: fitness, HONEST: honest}

    def entrant(self, finalist: Finalist) -> Entrant:
        """A finalist with its pilot."""
        policy = GENOME_KINDS[self.genome.genomes().kind].policy(finalist.genome, finalist.genome)
        return Entrant(finalist.run, policy, battle_agent(self.arena.pilot))

    def rows(self) -> list[dict[str, Any]]:
        """One row per run: the fitness of its best, its result in the validation games, and its choice, if any."""
        chosen = {id(finalist): choice for choice, finalist in self.choices().items()}
        return [
            {
                "search": self.search,
                "run": finalist.run,
                "seat": SEAT_NAMES[self.seat],
                "fitness": finalist.fitness,
                "fitness_games": self.rated_by,
                **rate_cells("validation", finalist.fresh),
                "choice": chosen.get(id(finalist), ""),
            }
            for finalist in self.runs
        ]

    def summary(self) -> dict[str, Any]:
        """One row for all runs: means over runs, with an interval over runs."""
        fresh = mean_interval([100 * finalist.fresh.value for finalist in self.runs])
        fitness = mean_interval([finalist.fitness for finalist in self.runs])
        games = self.runs[0].fresh.n
        row: dict[str, Any] = {"search": self.search, "seat": SEAT_NAMES[self.seat], "fitness": fitness.value}
        return row | fresh.cells("validation", n="runs") | {"validation_games": games}


def finalists_of(study: Study, search: str, *, against: str, games: int) -> Finalists:
    """The best genomes of all runs of a search, after their validation games.

    Args:
        study: The study.
        search: The name of the runs.
        against: The opponent.
        games: The number of validation games of each; all finalists of a study play the same games.

    Raises:
        RunError: If the study has no such runs, or they were not rated by fixed games in one seat.
    """
    runs = study.runs.get(search)
    if not runs:
        raise RunError(f"this report needs the runs {search!r}: name them in `use`")
    options = runs[0].config.search
    if not isinstance(options, FixedGamesOptions) or len(SEATS[options.seat]) != 1:
        raise RunError(f"the runs {search!r} must rate their candidates by fixed games in one seat")
    seat = SEATS[options.seat][0]
    config = draft_run_of(runs[0])
    genome, evaluation = config.space.genome, config.evaluation
    arena = ArenaTable(pilot=evaluation.pilot, opponents=(against,), format=evaluation.format)
    genomes = np.concatenate([run.bests(1) for run in runs])
    course = referee_course(study, "validation", games)
    name = f"{search} validation {games} {name_in_stores(against)}"
    won = genome_games_won(study, name, genomes, [course], seat=seat, genome=genome, arena=arena)
    finalists = [
        Finalist(run.config.name, best, _fitness(run), independent_rate(int(wins), games))
        for run, best, wins in zip(runs, genomes, won[:, 0], strict=True)
    ]
    return Finalists(search, genome, arena, seat, options.games, tuple(finalists))


def _fitness(run: FinishedRun) -> float:
    return run.generations()[-1].best


def runs_table(runs: Sequence[Mapping[str, Any]]) -> TextTable:
    """The best of every run: its fitness in the search, and its result in fresh games."""
    rows = []
    for row in runs:
        rate = rate_of_cells(row, "validation")
        rows.append((row["run"], row["seat"], f"{row['fitness']:.0f}", rate.text(1), f"{rate.n:,}", row["choice"]))
    fitness = f"fitness % (n = {runs[0]['fitness_games']})"
    columns = ("best of run", "seat", fitness, "fresh games won % [95 %]", "games", "choice")
    return TextTable("The best of every run: its fitness, and its result in fresh games", columns, tuple(rows))


def searches_table(searches: Sequence[Mapping[str, Any]]) -> TextTable:
    """The mean over the bests of all runs of each search: the basis of statements about a search."""
    columns = ("search", "seat", "runs", "mean fitness %", "mean of fresh games won %")
    rows = [
        (
            row["search"],
            row["seat"],
            str(row["runs"]),
            f"{row['fitness']:.1f}",
            Estimate.from_cells(row, "validation", n=row["runs"]).plus_minus(),
        )
        for row in searches
    ]
    return TextTable("All runs of a search: the mean of their bests, ± over runs", columns, tuple(rows))
