"""The evaluator of decks and draft policies of Legends of Code and Magic: games against opponents in turn."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.errors import MatchError
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.editions import DEFAULT, EditionLike, edition_of
from deckatlas.games.locm.entrants import Entrant, EntrantLike, entrant
from deckatlas.games.locm.matchups import MakesPolicies, opponent_in_core
from deckatlas.games.locm.replay import Player, check_quick_entrant, replay_of
from deckatlas.games.locm.spaces import LocmDecks, check_format
from deckatlas.games.locm.state import check_seed
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.play.replays import Meeting, Replay
from deckatlas.play.runner import Progress
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.evaluation import (
    LOST,
    WON,
    Column,
    Outcomes,
    Solution,
    clamped_margins,
)
from deckatlas.stats.averages import Sample, Strata, rate_errors, ratio_errors


class LocmEvaluator:
    """Plays solutions against opponents in turn; each seed is played twice, with seats swapped.

    Columns: `win_rate`; `avg_health_diff`, the player's health minus the opponent's at the end of games; `num_turns`;
    and, per turn of the player, `cards_played` and `mana_spent`.
    """

    columns = (
        Column("win_rate", unit="share of games"),
        Column("avg_health_diff", unit="health"),
        Column("num_turns", unit="turns"),
        Column("cards_played", unit="cards per turn", over="turns"),
        Column("mana_spent", unit="mana per turn", over="turns"),
    )

    def __init__(
        self,
        space: MakesPolicies,
        *,
        pilot: str,
        opponents: Sequence[EntrantLike],
        format: str = "referee",
        edition: EditionLike = DEFAULT,
    ) -> None:
        """Prepares everything except the solutions.

        Args:
            space: What the solutions are.
            pilot: The battle agent that plays them, such as "greedy".
            opponents: Entrants that draft, such as "icebox/greedy", or that have a deck, made by
                `deckatlas.games.locm.entrants.entrant_with_deck`.
            format: The draft format.
            edition: The edition of the cards.

        Raises:
            AgentError: If an agent is unknown.
            CardError: If there is no such edition.
            MatchError: If there is no such format, or no opponent.
            SearchError: If an opponent does not play inside the core.
        """
        self.space = space
        self.format = check_format(format)
        self._edition = edition_of(edition)
        self._cards = self._edition.table
        self._pilot, self._pilot_name = battle_agent(pilot), pilot
        self._entrants = tuple(entrant(each) for each in opponents)
        self._opponents = tuple(opponent_in_core(each) for each in self._entrants)
        if not self._opponents:
            raise MatchError("there is no opponent: give at least one")

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """Makes all evaluations of a batch; see the protocol.

        Raises:
            MatchError: If there are no such games.
            StateError: If a seed is not valid.
        """
        parts = []
        for row, number in zip(batch.first.tolist(), batch.course.tolist(), strict=True):
            course = batch.courses[number]
            assert isinstance(course, Stream)
            parts.append(self._evaluate(batch.genes[row], course, threads, progress))
        return Outcomes.joined(parts)

    def _evaluate(self, solution: Solution, stream: Stream, threads: int, progress: Progress | None) -> Outcomes:
        """Opponents take turns. Seeds do not depend on the solution, so all play the same drafts and shuffles."""
        games = positive("games", stream.games, MAX_GAMES)
        first_game = positive("first_game", stream.first, MAX_GAMES, least=0)
        policy = self.space.policy(solution)
        matches = list(self._matches(policy, check_seed(stream.seed), first_game, games, threads, progress))
        played = {name: np.concatenate([each[name] for each in matches]) for name in matches[0]}
        strata = self._strata(first_game, games)

        half_turns = played["turns"].astype(np.int64)
        game, own_turns = np.ones_like(half_turns), (half_turns + (played["first"] == 0)) // 2
        lead = played["health"][:, 0] - played["health"][:, 1]
        numbers = np.array([lead, (half_turns + 1) // 2, played["cards_played"][:, 0], played["mana_spent"][:, 0]])
        over = np.array([game, game, own_turns, own_turns])
        has_won = played["winner"] == 0
        _, won_error = rate_errors(strata, has_won[np.newaxis])
        _, error = ratio_errors(strata, numbers, over)
        return Outcomes(
            games=np.array([games]),
            total=np.append(float(has_won.sum()), numbers.sum(axis=1, dtype=np.float64))[np.newaxis],
            weight=np.append(float(games), over.sum(axis=1, dtype=np.float64))[np.newaxis],
            error=np.append(won_error, error)[np.newaxis],
            outcome=np.where(has_won, WON, LOST).astype(np.uint8),
            margin=clamped_margins(lead),
        )

    def sample(self, *, first_game: int, games: int) -> Sample:
        """The sample behind the averages of such an evaluation; see the protocol."""
        return self._strata(first_game, games).sample

    def check_pilot(self, pilot: str = "") -> None:
        """Checks that games of a pilot are quick; see the protocol `Replays`."""
        check_quick_entrant(pilot or self._pilot_name, files=not pilot)
        for opponent in self._entrants:
            check_quick_entrant(opponent.name, files=True)

    def meetings(self, stream: Stream) -> list[Meeting]:
        """Who meets whom in these games, in the order of the outcomes; see the protocol `Replays`."""
        return [meeting for _, meeting in self._numbered_meetings(stream)]

    def replay(self, solution: Solution, stream: Stream, game: int, *, coach: str = "") -> Replay:
        """Plays one of these games again; see the protocol `Replays`.

        Raises:
            AgentError: If an agent is too slow for somebody who waits, or there is no such coach.
            MatchError: If the game takes too long.
        """
        number, meeting = list(self._numbered_meetings(stream))[game]
        opponent = self._entrants[number]
        for name in (self._pilot_name, opponent.name):
            check_quick_entrant(name, files=True)
        own = Entrant(self._pilot_name, self.space.policy(solution), self._pilot)
        deck = tuple(self.space.cards(solution)) if isinstance(self.space, LocmDecks) else None
        players = (Player(own, deck, "the deck" if deck else "the policy"), Player(opponent))
        return replay_of(
            (players[meeting.seat], players[1 - meeting.seat]),
            edition=self._edition,
            seed=meeting.seed,
            format=self.format,
            coach=coach,
        )

    def _numbered_meetings(self, stream: Stream) -> Iterator[tuple[int, Meeting]]:
        """The number of the opponent in each game, and the game."""
        for number, games in self._meetings(stream.first, stream.games):
            name = self._entrants[number].name
            seed = core.game_seed(stream.seed, number, False)
            for game in games:
                yield number, Meeting(name, name.rpartition("/")[2], game % 2, core.game_seed(seed, game, True))

    def _matches(
        self,
        policy: core.DraftPolicy,
        seed: int,
        first_game: int,
        games: int,
        threads: int,
        progress: Progress | None,
    ) -> Iterator[dict[str, npt.NDArray[Any]]]:
        """The games against each opponent."""
        for number, meetings in self._meetings(first_game, games):
            yield core.play_match(
                self._cards,
                policy,
                self._pilot,
                *self._opponents[number],
                first_game=meetings.start,
                games=len(meetings),
                seed=core.game_seed(seed, number, False),
                format=self.format,
                swap_seats=True,
                threads=threads,
                progress=progress,
            )

    def _meetings(self, first_game: int, games: int) -> Iterator[tuple[int, range]]:
        """The opponents of these games, and the numbers of the games among all games against each."""
        count = len(self._opponents)
        for number in range(count):
            met = range(first_game + (number - first_game) % count, first_game + games, count)
            if met:
                yield number, range(met.start // count, met.start // count + len(met))

    def _strata(self, first_game: int, games: int) -> Strata:
        """The games against one opponent are a stratum, the two games of a seed a unit."""
        meetings = [np.array(met) for _, met in self._meetings(first_game, games)]
        stratum = np.repeat(np.arange(len(meetings)), [len(met) for met in meetings])
        return Strata(stratum, np.concatenate(meetings) // 2)
