"""Which draft policy stands for several runs of a search: the one it rated best, or the one that fresh games find best.

A paper that reports "the best solution over ten runs" means the one with the highest fitness. That fitness was won on the
few games that the search itself used, so the choice rewards luck with them. Here the best of every run also plays games
that no search has seen; the run that does best in those is the *honest* choice. Both are always told apart.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.agents.entrants import Entrant, EntrantLike, entrant
from deckatlas.agents.locm import battle_agent
from deckatlas.agents.locm_genomes import GENOME_KINDS, Genome
from deckatlas.play.match import play
from deckatlas.play.runner import Array
from deckatlas.play.stats import Rate, independent_rate

FITNESS, HONEST = "fitness", "honest"
SEAT_NAMES = ("first", "second")


@dataclass(frozen=True)
class Finalist:
    """The best genome of one run.

    Attributes:
        run: The run's name.
        genome: The genome.
        fitness: How its search rates it, in percent of the games it was rated by.
        fresh: How it fared in games its search had not seen; absent before they are played.
    """

    run: str
    genome: Genome
    fitness: float
    fresh: Rate | None = None


@dataclass(frozen=True)
class Finalists:
    """The bests of all runs of one search.

    Attributes:
        search: What the runs are called together.
        kind: What their genes mean.
        pilot: The battle agent that plays their decks.
        seat: Where the search made them sit, and where they are tried: 0 or 1.
        runs: A finalist a run.
    """

    search: str
    kind: str
    pilot: str
    seat: int
    runs: tuple[Finalist, ...]

    def entrant_of(self, finalist: Finalist) -> Entrant:
        """The finalist with its pilot; it drafts by the same genome in both seats."""
        return policy_entrant(finalist.run, self.kind, self.pilot, finalist.genome, finalist.genome)

    def by_fitness(self) -> Finalist:
        """The one rated best by its own search; of equals, that of the earlier run."""
        return max(self.runs, key=lambda finalist: finalist.fitness)

    def honest(self) -> Finalist:
        """The one that won most of the fresh games; of equals, that of the earlier run."""
        return max(self.runs, key=lambda finalist: -1.0 if finalist.fresh is None else finalist.fresh.value)

    def chosen(self, choice: str) -> Finalist:
        """The finalist of either choice."""
        return self.by_fitness() if choice == FITNESS else self.honest()


def policy_entrant(name: str, kind: str, pilot: str, first: Genome, second: Genome) -> Entrant:
    """An entrant that drafts by one genome when it moves first and by another when it moves second."""
    return Entrant(name, GENOME_KINDS[kind].policy(first, second), battle_agent(pilot))


@dataclass(frozen=True)
class SeatGames:
    """Games of one entrant that always sat in the same seat.

    Attributes:
        won: For each game, whether it won.
        turns: How many half-turns each game took.
        seeds: The seed of each game.
    """

    won: npt.NDArray[np.bool_]
    turns: Array
    seeds: npt.NDArray[np.uint64]

    @property
    def rate(self) -> Rate:
        """How often it won."""
        return independent_rate(int(self.won.sum()), len(self.won))


def play_in_seat(
    who: EntrantLike,
    opponent: EntrantLike,
    *,
    seat: int,
    games: int,
    seed: int,
    format: str = "referee",
    threads: int | None = None,
) -> SeatGames:
    """Plays games in which one entrant always moves first (seat 0) or second (seat 1), each from a seed of its own."""
    seats = (who, opponent) if seat == 0 else (opponent, who)
    match = play(*seats, games=games, seed=seed, format=format, swap_seats=False, threads=threads)
    return SeatGames(match["winner"] == seat, match["turns"], match["seed"])


def validated(
    finalists: Finalists,
    opponent: EntrantLike,
    *,
    games: int,
    seed: int,
    format: str = "referee",
    threads: int | None = None,
) -> Finalists:
    """The finalists after each has played the same fresh games against the opponent, in the seat of their search."""
    against = entrant(opponent)
    runs = []
    for finalist in finalists.runs:
        who = finalists.entrant_of(finalist)
        played = play_in_seat(
            who, against, seat=finalists.seat, games=games, seed=seed, format=format, threads=threads
        )
        runs.append(Finalist(finalist.run, finalist.genome, finalist.fitness, played.rate))
    return Finalists(finalists.search, finalists.kind, finalists.pilot, finalists.seat, tuple(runs))


@dataclass(frozen=True)
class Line:
    """One contender as it plays: who it is, and by which choice if it came from runs.

    Attributes:
        label: What figures and tables call it.
        choice: `fitness`, `honest`, both joined by ` = ` where they are the same, or empty for an agent by name.
        entrant: Who plays.
    """

    label: str
    choice: str
    entrant: Entrant


def lines_of(label: str, first: Finalists, second: Finalists | None = None) -> Iterator[Line]:
    """The lines of what runs found: the choice by fitness, and the honest one where it is another.

    Args:
        label: What they are called.
        first: Whose policy drafts when moving first, and in both seats if there is no other.
        second: Whose policy drafts when moving second.
    """
    other = first if second is None else second
    picks = {choice: (first.chosen(choice), other.chosen(choice)) for choice in (FITNESS, HONEST)}
    same = all(a is b for a, b in zip(*picks.values(), strict=True))
    for choice, (one, two) in picks.items():
        if same and choice == HONEST:
            return
        name = f"{label} ({choice})"
        made = policy_entrant(name, first.kind, first.pilot, one.genome, two.genome)
        yield Line(label, f"{FITNESS} = {HONEST}" if same else choice, made)


def finalist_rows(searches: Sequence[Finalists]) -> list[dict[str, object]]:
    """A row a run: its best's fitness, its fresh rate, and which choice it is."""
    rows: list[dict[str, object]] = []
    for finalists in searches:
        for finalist in finalists.runs:
            choices = [choice for choice in (FITNESS, HONEST) if finalists.chosen(choice) is finalist]
            rows.append(
                {
                    "search": finalists.search,
                    "run": finalist.run,
                    "seat": SEAT_NAMES[finalists.seat],
                    "fitness": finalist.fitness,
                    **rate_cells("fresh", finalist.fresh),
                    "chosen": " = ".join(choices),
                }
            )
    return rows


def rate_cells(name: str, rate: Rate | None) -> dict[str, object]:
    """A rate as cells of a row, in percent, with its 95 % interval and the games behind it."""
    if rate is None:
        return {}
    return {
        name: 100 * rate.value,
        f"{name}_low": 100 * rate.low,
        f"{name}_high": 100 * rate.high,
        f"{name}_games": rate.games,
    }
