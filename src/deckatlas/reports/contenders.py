"""Who stands in a report: agents by name, and the draft policy that stands for all runs of a search.

A paper that reports "the best solution over ten runs" means the one with the highest fitness. That fitness was won on
the few games that its search used, so the choice rewards luck with them. Here the best of every run also plays
*validation* games, which no search has seen; the run that wins most of those is the *honest* choice. Both choices are
told apart, and both are then rated by other fresh games, in which nobody was chosen.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import AfterValidator, Field, model_validator

from deckatlas.agents.entrants import Entrant, entrant
from deckatlas.agents.locm import battle_agent
from deckatlas.agents.locm_genomes import GENOME_KINDS, Genome
from deckatlas.agents.spec import nearest
from deckatlas.errors import RunError
from deckatlas.play.stats import Rate, independent_rate
from deckatlas.reports.kind import ReportOptions
from deckatlas.reports.study import FinishedRun, Study
from deckatlas.runs.config import ArenaTable, GenomeTable, Priorities, Table
from deckatlas.search.fitness import SEATS, FixedGamesOptions
from deckatlas.search.locm import opponent
from deckatlas.search.protocol import Ask, Course, Genomes
from deckatlas.search.scripts import draw_seeds

FITNESS, HONEST = "fitness", "honest"
SAME = f"{FITNESS} = {HONEST}"
SEAT_NAMES = ("first", "second")
FORMAT: Literal["referee"] = "referee"


def _known(description: str) -> str:
    opponent(description)
    return description


Agent = Annotated[str, AfterValidator(_known)]
Seat = Literal["first", "second"]


class ContenderReport(ReportOptions):
    """What reports on contenders have in common."""

    opponent: Agent = Field(default="coac", description="Whom the bests of all runs meet to be chosen from.")
    validation_games: int = Field(
        default=2500, ge=1, description="Games by which the best of every run is tried, to choose among them."
    )

    def finalists(self, study: Study, search: str) -> "Finalists":
        """The bests of all runs of a search, after their validation games."""
        return finalists_of(study, search, against=self.opponent, games=self.validation_games)

    @property
    def choices_note(self) -> str:
        """What the two choices are."""
        return (
            "Choice `fitness` is the run whose best has the highest fitness, as the paper chooses; `honest` is the run "
            f"whose best won most of {self.validation_games:,} fresh games against {self.opponent}, which count for "
            "nothing else."
        )


class Contender(Table):
    """An agent by name, or what the runs of a search found."""

    agent: Agent | None = Field(default=None, description="An entrant, as on the command line.")
    search: str | None = Field(default=None, description="Runs whose best drafts, with the pilot of these runs.")

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if (self.agent is None) == (self.search is None):
            raise ValueError("a contender has either an agent or a search")
        return self


@dataclass(frozen=True)
class Finalist:
    """The best genome of one run.

    Attributes:
        run: The run's name.
        genome: The genome.
        fitness: How its search rates it, in percent of the games it was rated by.
        fresh: How it fared in the validation games.
    """

    run: str
    genome: Genome
    fitness: float
    fresh: Rate


@dataclass(frozen=True)
class Finalists:
    """The bests of all runs of one search.

    Attributes:
        search: What the runs are called together.
        genome: What their genes mean.
        arena: Where they were found.
        seat: Where they sat in all their games, and sit in those of a report: 0 or 1.
        rated_by: How many games their fitness is a share of.
        runs: A finalist a run.
    """

    search: str
    genome: GenomeTable
    arena: ArenaTable
    seat: int
    rated_by: int
    runs: tuple[Finalist, ...]

    def by_fitness(self) -> Finalist:
        """The one rated best by its own search; of equals, that of the earlier run."""
        return max(self.runs, key=lambda finalist: finalist.fitness)

    def honest(self) -> Finalist:
        """The one that won most of the validation games; of equals, that of the earlier run."""
        return max(self.runs, key=lambda finalist: finalist.fresh.value)

    def choices(self) -> dict[str, Finalist]:
        """Who stands for the search by either choice; one entry where both are the same."""
        fitness, honest = self.by_fitness(), self.honest()
        return {SAME: fitness} if fitness is honest else {FITNESS: fitness, HONEST: honest}

    def entrant(self, finalist: Finalist) -> Entrant:
        """A finalist with its pilot."""
        policy = GENOME_KINDS[self.genome.space().kind].policy(finalist.genome, finalist.genome)
        return Entrant(finalist.run, policy, battle_agent(self.arena.pilot))

    def rows(self) -> list[dict[str, Any]]:
        """A row a run: its best's fitness, how it fared in the validation games, and whether it is a choice."""
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


def rate_cells(name: str, rate: Rate) -> dict[str, Any]:
    """A rate as cells of a row, in percent, with its 95 % interval and the games behind it."""
    cells = {"": rate.value, "_low": rate.low, "_high": rate.high}
    return {f"{name}{end}": 100 * value for end, value in cells.items()} | {f"{name}_games": rate.games}


def rate_text(rate: Rate) -> str:
    """A rate and its interval, in percent."""
    return f"{100 * rate.value:.1f} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


def fresh_course(study: Study, purpose: str, games: int) -> Course:
    """The official referee's games of seeds drawn for one purpose of a study."""
    seeds = draw_seeds(study.rng(purpose), games)
    return Course(seeds, seeds)


def split(course: Course, parts: int) -> tuple[Course, ...]:
    """The games of a course in so many equal courses."""
    draft, game = (np.split(seeds, parts) for seeds in (course.draft_seeds, course.game_seeds))
    return tuple(map(Course, draft, game))


def games_won(
    study: Study,
    name: str,
    genomes: Genomes,
    courses: Sequence[Course],
    *,
    seat: int,
    genome: GenomeTable,
    arena: ArenaTable,
) -> npt.NDArray[np.int64]:
    """Plays each genome over each course, always in this seat, against the arena's only opponent.

    Returns:
        Games won, a row a genome and a column a course.
    """
    count = len(genomes)
    players = np.repeat(np.arange(count, dtype=np.int32), len(courses))
    seats = (players, np.full_like(players, -1))
    course = np.tile(np.arange(len(courses), dtype=np.int32), count)
    ask = Ask(genomes, tuple(courses), seats[seat], seats[1 - seat], course)
    return _of_seat(study.play(name, ask, genome=genome, arena=arena), courses, seat)


def agent_games_won(
    study: Study, agent: str, courses: Sequence[Course], *, seat: int, against: str
) -> npt.NDArray[np.int64]:
    """The same for an agent by name: games won of each course."""
    course = np.arange(len(courses), dtype=np.int32)
    seats = (np.full_like(course, -2), np.full_like(course, -1))
    genome = Priorities()
    ask = Ask(np.empty((0, genome.space().genes)), tuple(courses), seats[seat], seats[1 - seat], course)
    arena = ArenaTable(opponents=(against, agent), format=FORMAT)
    sizes = f"{len(courses)}x{len(courses[0])}"
    name = f"{file_name(agent)} {SEAT_NAMES[seat]} {sizes} {file_name(against)}"
    (won,) = _of_seat(study.play(name, ask, genome=genome, arena=arena), courses, seat)
    return np.asarray(won, dtype=np.int64)


def file_name(agent: str) -> str:
    """What the store of an agent's games is called."""
    return "".join(letter if letter.isalnum() else "-" for letter in agent)


def _of_seat(won_by_first: npt.NDArray[np.int64], courses: Sequence[Course], seat: int) -> npt.NDArray[np.int64]:
    """From the games that the first player won, those that the player in this seat won."""
    rows: npt.NDArray[np.int64] = won_by_first.reshape(-1, len(courses))
    lengths = np.array([len(course) for course in courses], dtype=np.int64)
    return rows if seat == 0 else np.asarray(lengths - rows, dtype=np.int64)


def finalists_of(study: Study, search: str, *, against: str, games: int) -> Finalists:
    """The bests of all runs of a search, after their validation games.

    Args:
        study: The study.
        search: The name of the runs.
        against: The opponent.
        games: Validation games of each; all finalists of a study play the same.

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
    config = runs[0].config
    arena = config.arena.model_copy(update={"opponents": (against,)})
    genomes = np.concatenate([run.bests(1) for run in runs])
    course = fresh_course(study, "validation", games)
    name = f"{search} validation {games} {file_name(against)}"
    won = games_won(study, name, genomes, [course], seat=seat, genome=config.genome, arena=arena)
    finalists = [
        Finalist(run.config.name, genome, _fitness(run), independent_rate(int(wins), games))
        for run, genome, wins in zip(runs, genomes, won[:, 0], strict=True)
    ]
    return Finalists(search, config.genome, arena, seat, options.games, tuple(finalists))


def _fitness(run: FinishedRun) -> float:
    return run.generations()[-1].best


@dataclass(frozen=True)
class Drafter:
    """One contender as it drafts and plays.

    Attributes:
        label: What figures and tables call it.
        choice: By which choice among runs it is here, or empty for an agent by name.
        entrant: Who plays.
        seat: Where it sits.
    """

    label: str
    choice: str
    entrant: Entrant
    seat: int

    @property
    def title(self) -> str:
        """Label and choice."""
        return f"{self.label} ({self.choice})" if self.choice else self.label


class SeatedContender(Contender):
    """A contender with its seat; runs have their own."""

    seat: Seat | None = Field(default=None, description="Where an agent sits; runs sit where they were rated.")

    @model_validator(mode="after")
    def _agents_have_a_seat(self) -> Self:
        if (self.seat is None) == (self.agent is not None):
            raise ValueError("an agent needs a seat, first or second; a search has that of its runs")
        return self


def published_numbers(published: Mapping[str, Any], table: str, labels: Collection[str]) -> dict[str, float]:
    """The numbers of a table in [published], by the labels of contenders.

    Raises:
        RunError: If one is no number, or has no contender.
    """
    found = published.get(table, {})
    if not isinstance(found, Mapping):
        raise RunError(f"published.{table} must be a table")
    for label, number in found.items():
        if label not in labels:
            raise RunError(f"published.{table} has {label!r}, who is no contender: {nearest(label, labels)}")
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise RunError(f"published.{table}.{label} must be a number")
    return {label: float(number) for label, number in found.items()}


def drafters(
    report: ContenderReport, study: Study, label: str, contender: SeatedContender
) -> tuple[list[Drafter], list[dict[str, Any]]]:
    """Who stands for a contender of a report, and the rows of its finalists where it is a search."""
    if contender.agent is not None and contender.seat is not None:
        return [Drafter(label, "", entrant(contender.agent), SEAT_NAMES.index(contender.seat))], []
    assert contender.search is not None
    found = report.finalists(study, contender.search)
    chosen = [
        Drafter(label, choice, found.entrant(finalist), found.seat) for choice, finalist in found.choices().items()
    ]
    return chosen, found.rows()
