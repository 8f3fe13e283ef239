"""Matchups of Legends of Code and Magic: draft policies that play each other and named opponents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.errors import MatchError, SearchError
from deckatlas.games.locm.editions import DEFAULT, EditionLike, edition_of
from deckatlas.games.locm.entrants import Battle, Entrant, EntrantLike, battle_of, entrant
from deckatlas.games.locm.matchups_table import play_at_table
from deckatlas.games.locm.players import AgentFunction
from deckatlas.games.locm.spaces import check_format
from deckatlas.play.runner import Progress
from deckatlas.search.batches import Batch, Course, Numbers
from deckatlas.search.evaluation import WON, Column, Ints, Outcomes, Solution
from deckatlas.stats.averages import Sample

Agents = tuple[core.DraftPolicy, core.BattleAgent]
_STAND_IN: Agents = (core.random_draft(), core.pass_agent())  # in place of players outside the core


class MakesPolicies(Protocol):
    """A space whose solutions can draft or have a deck."""

    def policy(self, solution: Solution) -> core.DraftPolicy:
        """The draft policy of a solution."""
        ...


@dataclass(frozen=True)
class MatchupGames:
    """The games of matchups, one matchup after the other: whether the first player won each game, and by how much."""

    outcome: npt.NDArray[np.uint8]
    margin: npt.NDArray[np.int8]


class LocmMatchups:
    """The evaluator of matchups: genomes play each other and the opponents.

    Games with an opponent or a pilot outside the core are played at the table.

    Attributes:
        columns: `won`: the games that the first player won.
        space: What the genomes are.
        pilot: The battle agent that plays every genome's deck.
        opponents: The opponents; opponent k is participant -1 - k of a batch.
        format: The draft format.
        edition: The edition of the cards.
    """

    columns = (Column("won", unit="games"),)

    def __init__(
        self,
        space: MakesPolicies,
        *,
        pilot: Battle = "random",
        opponents: Sequence[EntrantLike] = (),
        format: str = "referee",
        edition: EditionLike = DEFAULT,
    ) -> None:
        """Takes the agents by name or as callables.

        Raises:
            AgentError: If an agent is unknown.
            CardError: If there is no such edition.
            MatchError: If there is no such format.
        """
        self.space = space
        self.pilot: core.BattleAgent | AgentFunction = battle_of(pilot)
        self.opponents = tuple(entrant(each) for each in opponents)
        self.format = check_format(format)
        self.edition = edition_of(edition)

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """Plays all matchups of a batch.

        Raises:
            SearchError: If a matchup names a genome that does not exist, or a player forfeits a game.
            MatchError: If it names an opponent or a course that does not exist.
        """
        _check(batch)
        lengths = batch.lengths
        at_table = self._is_outside(batch.first) | self._is_outside(batch.second)
        outcome, margin = np.zeros(int(lengths.sum()), np.uint8), np.zeros(int(lengths.sum()), np.int8)
        of_game = np.repeat(at_table, lengths)
        if not at_table.all():
            played = self._play_in_core(batch.rows(~at_table) if at_table.any() else batch, threads, progress)
            outcome[~of_game], margin[~of_game] = played.outcome, played.margin
        if at_table.any():
            before = int((~of_game).sum())
            outcome[of_game], margin[of_game] = play_at_table(
                batch.rows(at_table),
                entrants=lambda number: self._entrant(batch, number),
                format=self.format,
                edition=self.edition,
                threads=threads,
                progress=None if progress is None else lambda done: progress(before + done),
            )
        return _outcomes(lengths, outcome, margin)

    def sample(self, *, first_game: int, games: int) -> Sample:
        """Games of a matchup count as independent."""
        return Sample(games, games - 1)

    def _is_outside(self, numbers: Numbers) -> npt.NDArray[np.bool_]:
        """Whether these participants play outside the core."""
        opponents = [-1 - number for number, each in enumerate(self.opponents) if each.agents_of_core() is None]
        return np.isin(numbers, opponents) | ((numbers >= 0) & (not isinstance(self.pilot, core.BattleAgent)))

    def _entrant(self, batch: Batch, number: int) -> Entrant:
        if number >= 0:
            return Entrant(f"genome {number}", self.space.policy(batch.genes[number]), self.pilot)
        if -number > len(self.opponents):
            raise MatchError(f"there is no opponent {-1 - number} among {len(self.opponents)}")
        return self.opponents[-1 - number]

    def _play_in_core(self, batch: Batch, threads: int, progress: Progress | None) -> MatchupGames:
        opponents = [each.agents_of_core() or _STAND_IN for each in self.opponents]
        pilot = self.pilot if isinstance(self.pilot, core.BattleAgent) else _STAND_IN[1]
        drafts = [self.space.policy(genome) for genome in batch.genes] + [draft for draft, _ in opponents]
        battles = [pilot] * len(batch.genes) + [battle for _, battle in opponents]
        courses = [course for course in batch.courses if isinstance(course, Course)]

        def entrants(numbers: Numbers) -> Numbers:
            return np.where(numbers >= 0, numbers, len(batch.genes) - 1 - numbers).astype(np.int32)

        played = core.play_courses(
            self.edition.table,
            drafts,
            battles,
            first=entrants(batch.first),
            second=entrants(batch.second),
            course=batch.course,
            starts=np.concatenate([[0], np.cumsum(batch.course_lengths)]),
            draft_seeds=np.concatenate([course.draft_seeds for course in courses]),
            game_seeds=np.concatenate([course.game_seeds for course in courses]),
            format=self.format,
            threads=threads,
            progress=progress,
        )
        return MatchupGames(played.outcome, played.margin)


def _check(batch: Batch) -> None:
    genome, courses = int(batch.participants.max()), batch.course
    if genome >= len(batch.genes):
        raise SearchError(f"there is no genome {genome} among {len(batch.genes)}")
    for number in (int(courses.min()), int(courses.max())):
        if not 0 <= number < len(batch.courses):
            raise MatchError(f"there is no course {number} among {len(batch.courses)}")


def _outcomes(lengths: Ints, outcome: npt.NDArray[np.uint8], margin: npt.NDArray[np.int8]) -> Outcomes:
    starts = np.cumsum(lengths) - lengths
    won = np.add.reduceat(outcome == WON, starts, dtype=np.int64)
    error = np.full((len(lengths), 1), np.nan)  # searches compare matchups by their games, not by standard errors
    total = won[:, np.newaxis].astype(np.float64)
    return Outcomes(lengths, total, lengths[:, np.newaxis].astype(np.float64), error, outcome, margin)


def opponent_in_core(description: EntrantLike) -> Agents:
    """An opponent inside the core.

    Raises:
        AgentError: If an agent is unknown.
        SearchError: If the opponent does not play inside the core.
    """
    found = entrant(description)
    in_core = found.agents_of_core()
    if in_core is None:
        raise SearchError(f"{found.name!r} cannot be the opponent of a search: it does not play inside the core")
    return in_core
