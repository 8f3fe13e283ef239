"""Games of a report that no search has seen: genomes and named agents in one seat against one opponent."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from deckatlas.experiments.study import Study
from deckatlas.games.locm.run_config import GenomeTable, Priorities
from deckatlas.papers.drafts.games import ArenaTable, play_drafts
from deckatlas.search.batches import Course, matchups
from deckatlas.search.protocol import Genomes
from deckatlas.search.scripts import draw_seeds
from deckatlas.stats.estimate import Estimate

SEAT_NAMES = ("first", "second")
FORMAT: Literal["referee"] = "referee"


def referee_course(study: Study, purpose: str, games: int) -> Course:
    """Games of the official referee, with seeds drawn for one purpose of a study."""
    seeds = draw_seeds(study.rng(purpose), games)
    return Course(seeds, seeds)


def split_course(course: Course, parts: int) -> tuple[Course, ...]:
    """Splits the games of a course into equal courses."""
    draft, game = (np.split(seeds, parts) for seeds in (course.draft_seeds, course.game_seeds))
    return tuple(map(Course, draft, game))


def genome_games_won(
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
        Games won, one row per genome and one column per course.
    """
    count = len(genomes)
    players = np.repeat(np.arange(count, dtype=np.int32), len(courses))
    seats = (players, np.full_like(players, -1))
    course = np.tile(np.arange(len(courses), dtype=np.int32), count)
    ask = matchups(genomes, tuple(courses), seats[seat], seats[1 - seat], course)
    return _of_seat(play_drafts(study, name, ask, genome=genome, arena=arena), courses, seat)


def agent_games_won(
    study: Study, agent: str, courses: Sequence[Course], *, seat: int, against: str
) -> npt.NDArray[np.int64]:
    """Plays a named agent over each course in this seat, and returns the games that it won of each."""
    course = np.arange(len(courses), dtype=np.int32)
    seats = (np.full_like(course, -2), np.full_like(course, -1))
    genome = Priorities()
    ask = matchups(np.empty((0, genome.genomes().genes)), tuple(courses), seats[seat], seats[1 - seat], course)
    arena = ArenaTable(opponents=(against, agent), format=FORMAT)
    sizes = f"{len(courses)}x{len(courses[0])}"
    name = f"{name_in_stores(agent)} {SEAT_NAMES[seat]} {sizes} {name_in_stores(against)}"
    (won,) = _of_seat(play_drafts(study, name, ask, genome=genome, arena=arena), courses, seat)
    return np.asarray(won, dtype=np.int64)


def name_in_stores(agent: str) -> str:
    """The name of an agent in names of stores."""
    return "".join(letter if letter.isalnum() else "-" for letter in agent)


def _of_seat(won_by_first: npt.NDArray[np.int64], courses: Sequence[Course], seat: int) -> npt.NDArray[np.int64]:
    """The games that the player in this seat won, from those that the first player won."""
    rows: npt.NDArray[np.int64] = won_by_first.reshape(-1, len(courses))
    lengths = np.array([len(course) for course in courses], dtype=np.int64)
    return rows if seat == 0 else np.asarray(lengths - rows, dtype=np.int64)


def rate_cells(name: str, rate: Estimate) -> dict[str, Any]:
    """A rate as cells of a row, in percent, with its 95 % interval and the games behind it."""
    return rate.in_percent().cells(name, n=f"{name}_games")


def rate_of_cells(row: Mapping[str, Any], name: str) -> Estimate:
    """The rate that `rate_cells` wrote into a row, as a number in percent."""
    return Estimate.from_cells(row, name, n=row[f"{name}_games"])
