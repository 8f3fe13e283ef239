"""The evaluator of decks for games written in Python."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deckatlas.errors import MatchError, SearchError
from deckatlas.games.chance import check_seed, game_seed
from deckatlas.games.python_table import PythonOutcome, play_seed
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.play.runner import Progress
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.evaluation import LOST, NOBODY, WON, Column, Outcomes, Solution, clamped_margins
from deckatlas.stats.averages import Sample, Strata, rates, ratios

if TYPE_CHECKING:
    from deckatlas.games.python_game import Deck, Pilot, PythonGame


class PythonEvaluator:
    """Plays decks against opponents in turn; each seed is played twice, with seats swapped.

    Columns: `win_rate`, in which a draw is not a win; `num_turns`; and for each number that the game measures, the
    deck's value under its name, and with `_difference` the deck's minus the opponent's. The first difference is the
    margin of a game.
    """

    def __init__(
        self,
        game: "PythonGame[Any, Any]",
        space: DeckSpace[str],
        pilot: "Pilot",
        opponents: "Sequence[tuple[Deck, Pilot]]",
    ) -> None:
        """Takes the game, the space, the pilot of the decks, and the opponents: decks with pilots.

        Raises:
            MatchError: If there is no opponent.
        """
        if not opponents:
            raise MatchError("there is no opponent: give at least one")
        self.game, self.space = game, space
        self._pilot, self._opponents = pilot, tuple(opponents)
        self._measured = dict(game.measured())
        names = [each for name in self._measured for each in (name, f"{name}_difference")]
        self.columns: tuple[Column, ...] = (
            Column("win_rate", unit="share of games"),
            Column("num_turns", unit="turns"),
            *(Column(name, storage="f8") for name in names),
        )

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """Makes all evaluations of a batch, on one thread; see the protocol.

        Seeds do not depend on the deck, so all decks play the same shuffles.

        Raises:
            MatchError: If there are no such games.
            SearchError: If a pilot forfeits a game: the search would learn to beat a pilot that does not play.
            StateError: If a seed is not valid.
        """
        parts: list[Outcomes] = []
        done = 0
        for row, number in zip(batch.first.tolist(), batch.course.tolist(), strict=True):
            course = batch.courses[number]
            assert isinstance(course, Stream)
            parts.append(self._evaluate(batch.genes[row], course, done, progress))
            done += len(course)
        return Outcomes.joined(parts)

    def sample(self, *, first_game: int, games: int) -> Sample:
        """The sample behind the averages of such an evaluation; see the protocol."""
        return self._strata(first_game, games).sample

    def _evaluate(self, solution: Solution, stream: Stream, done: int, progress: Progress | None) -> Outcomes:
        games = positive("games", stream.games, MAX_GAMES)
        first_game = positive("first_game", stream.first, MAX_GAMES, least=0)
        seed, deck = check_seed(stream.seed), self.space.cards(solution)
        winner, numbers = [], []
        for played, (opponent, meeting) in enumerate(self._meetings(first_game, games), start=1):
            outcome, seat = self._play(deck, seed, opponent, meeting), meeting % 2
            winner.append(NOBODY if outcome.winner is None else WON if outcome.winner == seat else LOST)
            numbers.append([*self._numbers(outcome, seat)])
            if progress is not None:
                progress(done + played)
        has_won, values = np.array([winner]) == WON, np.array(numbers).T
        strata = self._strata(first_game, games)
        won, others = rates(strata, has_won), ratios(strata, values, np.ones_like(values))
        differences = values[2] if self._measured else np.zeros(games)
        return Outcomes(
            games=np.array([games]),
            total=np.append(has_won.sum(axis=1), values.sum(axis=1)).astype(np.float64)[np.newaxis],
            weight=np.full((1, len(self.columns)), float(games)),
            error=np.append(won.error, others.error)[np.newaxis],
            outcome=np.array(winner, np.uint8),
            margin=clamped_margins(differences),
        )

    def _play(self, deck: "Deck", seed: int, opponent: int, meeting: int) -> PythonOutcome[Any, Any]:
        """Plays one game; the deck moves first in every second game against an opponent."""
        theirs, pilot = self._opponents[opponent]
        decks, pilots = [deck, theirs], [self._pilot, pilot]
        if meeting % 2:
            decks.reverse()
            pilots.reverse()
        outcome = play_seed(self.game, decks, pilots, game_seed(game_seed(seed, opponent, False), meeting, True))
        if outcome.forfeit is not None:
            raise SearchError(f"a pilot forfeits a game of the search: {outcome.forfeit}")
        return outcome

    def _numbers(self, outcome: PythonOutcome[Any, Any], seat: int) -> Iterator[int]:
        yield (outcome.turns + 1) // 2
        for number in self._measured.values():
            own, other = number(outcome.final, seat), number(outcome.final, 1 - seat)
            yield from (own, own - other)

    def _meetings(self, first_game: int, games: int) -> Iterator[tuple[int, int]]:
        """The opponent of each game, and the number of earlier games against it."""
        for game in range(first_game, first_game + games):
            yield game % len(self._opponents), game // len(self._opponents)

    def _strata(self, first_game: int, games: int) -> Strata:
        """The games against one opponent are a stratum, the two games of a seed a unit."""
        met = np.array(list(self._meetings(first_game, games)))
        return Strata(np.unique(met[:, 0], return_inverse=True)[1], met[:, 1] // 2)
