"""Games of a run, played again: the store keeps how each game ended, and the seed says how it went."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Protocol, runtime_checkable

import numpy as np

from deckatlas.documents.document import Document
from deckatlas.errors import MatchError, RunError
from deckatlas.play.replays import MOST_SECONDS, Meeting, Replay
from deckatlas.play.runner import Progress
from deckatlas.runs.config import RunConfig
from deckatlas.runs.elites import estimate_of
from deckatlas.runs.read_config import config_of
from deckatlas.runs.run import Run
from deckatlas.runs.store import open_store
from deckatlas.runs.view import RunView
from deckatlas.search.batches import Stream
from deckatlas.search.evaluation import LOST, NOBODY, VOID, WON, Solution
from deckatlas.search.map_search import stream_of
from deckatlas.search.map_searches import MapSearchOptions
from deckatlas.stats.averages import Strata, rates_by_stratum
from deckatlas.stats.estimate import Estimate

MOST_LISTED = 200_000
RESULTS = {LOST: "lost", WON: "won", NOBODY: "nobody won", VOID: "void"}


@runtime_checkable
class Replays(Protocol):
    """An evaluator whose games can be played again one by one."""

    def meetings(self, stream: Stream) -> Sequence[Meeting]:
        """Who meets whom in the games of an evaluation, in the order of their outcomes."""
        ...

    def replay(self, solution: Solution, stream: Stream, game: int, *, coach: str = "") -> Replay:
        """Plays one of these games again, in seconds, as frames."""
        ...

    def check_pilot(self, pilot: str = "") -> None:
        """Checks that games of a pilot are quick: all agents play inside the core, with no more work than usual.

        A pilot that is named may not read files, since anybody can name one; without a name it is the run's own.
        """
        ...


@dataclass(frozen=True)
class StoredGame:
    """A game of a solution as the store knows it.

    Attributes:
        number: Its number among all games of the solution, from 0.
        meeting: Who met whom.
        outcome: How it ended for the solution: see `RESULTS`.
        margin: The health difference at its end; the store keeps at most 127 of either sign.
    """

    number: int
    meeting: Meeting
    outcome: int
    margin: int

    @property
    def result(self) -> str:
        """How it ended for the solution, in words."""
        return RESULTS[self.outcome]


class RunGames:
    """The games of a run's solutions."""

    def __init__(self, view: RunView) -> None:
        """Prepares the run as its configuration says.

        Raises:
            RunError: If its games cannot be played again: single games were not kept, the cards are no longer the
                same, or the search is not one for a map.
        """
        config = config_of(Document(f"the configuration of {view.path}", dict(view.config)))
        if view.description.participants != 1 or not isinstance(config.search, MapSearchOptions):
            raise RunError("only games of maps can be played again: other searches derive seeds as they go")
        self._config: RunConfig = config
        self._run: Run = config.prepare()
        if self._run.cards != view.run.cards:
            raise RunError(f"the cards of {view.path} are not those of this version: its games would be different")
        evaluator = self._run.evaluator
        if not isinstance(evaluator, Replays):
            raise RunError("games of this kind of run cannot be played again")
        self._evaluator: Replays = evaluator

    @property
    def run(self) -> Run:
        """The prepared run."""
        return self._run

    @property
    def pilot(self) -> str:
        """The pilot of the run's solutions; empty if they are pilots themselves."""
        return str(getattr(self._config.evaluation, "pilot", ""))

    def under(self, view: RunView, number: int, pilot: str, *, games: int, column: str) -> Estimate:
        """A column of a solution under another pilot, on the games of a recheck, which all pilots share.

        Args:
            view: The run as it is now.
            number: The solution.
            pilot: The pilot; the run's own if empty.
            games: How many games.
            column: What is measured, such as "win_rate".

        Raises:
            AgentError: If the pilot or an opponent does not play inside the core, or is too slow; or if another pilot
                than the run's reads a file.
            MatchError: If the games take too long.
            RunError: If the run's solutions are pilots themselves.
        """
        view.check_solution(number)
        other = "" if pilot == self.pilot else pilot
        self._evaluator.check_pilot(other)
        run = self._with_pilot(other) if other else self._run
        batch = run.recheck_batch(view.log.solutions[number], number, games)
        outcomes = run.evaluator.evaluate(batch, progress=_in_time())
        names = [each.name for each in run.evaluator.columns if not each.of]
        place = names.index(column)
        sample = run.evaluator.sample(first_game=0, games=games)
        return estimate_of(column, float(outcomes.value[0, place]), float(outcomes.error[0, place]), sample, games)

    def _with_pilot(self, pilot: str) -> Run:
        if not self.pilot:
            raise RunError("the solutions of this run are pilots, so no other pilot can play for them")
        values = self._config.to_json()
        values["evaluation"] = {**values["evaluation"], "pilot": pilot, "files": {}}
        return config_of(Document("the configuration with another pilot", values)).prepare()

    def of(self, view: RunView, number: int) -> list[StoredGame]:
        """All games of a solution in the search, in the order in which it played them.

        Raises:
            RunError: If there is no such solution, its games were not kept, or it has too many.
        """
        found: list[StoredGame] = []
        streams = self._streams(view, number)
        if sum(stream.games for _, stream in streams) > MOST_LISTED:
            raise RunError(f"solution {number} has more than {MOST_LISTED:,} games, too many to list")
        with open_store(view.path) as store:
            for evaluation, stream in streams:
                outcome, margin = store.games_of(evaluation)
                meetings = self._evaluator.meetings(stream)
                if len(outcome) != len(meetings):
                    raise RunError(f"{view.path} does not keep single games")
                found += [
                    StoredGame(len(found) + at, meeting, *facts)
                    for at, (meeting, *facts) in enumerate(
                        zip(meetings, outcome.tolist(), margin.tolist(), strict=True)
                    )
                ]
        return found

    def replay(self, view: RunView, number: int, game: int, *, coach: str = "") -> Replay:
        """Plays a game of a solution again.

        Args:
            view: The run as it is now.
            number: The solution.
            game: The number of the game among all games of the solution.
            coach: The agent whose lines are shown; by default, each player's own.

        Raises:
            RunError: If there is no such game.
        """
        stream, place = self._place(view, number, game)
        return self._evaluator.replay(view.log.solutions[number], stream, place, coach=coach)

    def meeting(self, view: RunView, number: int, game: int) -> Meeting:
        """Who met whom in a game of a solution; the arguments are those of `replay`.

        Raises:
            RunError: If there is no such game.
        """
        stream, place = self._place(view, number, game)
        return self._evaluator.meetings(stream)[place]

    def _place(self, view: RunView, number: int, game: int) -> tuple[Stream, int]:
        """The evaluation that has a game of a solution, and the place of the game in it."""
        left = game
        for _, stream in self._streams(view, number):
            if 0 <= left < stream.games:
                return stream, left
            left -= stream.games
        raise RunError(f"solution {number} has no game {game}")

    def _streams(self, view: RunView, number: int) -> list[tuple[int, Stream]]:
        """The evaluations of a solution, each with its games."""
        view.check_solution(number)
        history, config = view.history, self._config
        fresh = config.evaluation.seeds == "fresh"
        return [
            (
                evaluation,
                stream_of(
                    config.seed,
                    evaluation,
                    int(history.first_game[evaluation]),
                    int(history.games[evaluation]),
                    fresh=fresh,
                ),
            )
            for evaluation in np.flatnonzero(history.solution == number).tolist()
        ]


def _in_time() -> Progress:
    """Ends games that take longer than somebody waits."""
    end = monotonic() + MOST_SECONDS

    def check(done: int) -> None:
        if monotonic() > end:
            raise MatchError(f"these games take longer than {MOST_SECONDS:g} seconds: choose fewer, or a quicker pilot")

    return check


def rates_by_opponent(games: Sequence[StoredGame]) -> dict[tuple[str, str], Estimate]:
    """How often a solution won against each opponent, a name and a pilot.

    The two games of a seed with swapped seats are one unit.
    """
    met = [(game.meeting.opponent, game.meeting.pilot) for game in games]
    opponents = list(dict.fromkeys(met))
    if not opponents:
        return {}
    _, unit = np.unique([game.meeting.seed for game in games], return_inverse=True)
    stratum = np.array([opponents.index(each) for each in met])
    won = np.array([[game.outcome == WON for game in games]])
    found = rates_by_stratum(Strata(stratum, unit), won)
    return {opponent: found[0, at] for at, opponent in enumerate(opponents)}
