"""Rates decks of a game written in Python: an `Evaluator` of searches."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deckatlas.errors import MatchError, SearchError
from deckatlas.games.chance import check_seed, game_seed
from deckatlas.games.python_table import PythonOutcome, play_seed
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.evaluation import Outcome, Solution, Stop, Stopped
from deckatlas.stats.averages import Sample, Strata, rates, ratios

if TYPE_CHECKING:
    from deckatlas.games.python_game import Deck, Pilot, PythonGame


class PythonEvaluator:
    """Plays decks against opponents in turn; each seed is played twice, with seats swapped.

    Columns: `win_rate`, in which a draw is half a win; `num_turns`; and of each number that the game measures the
    deck's own, by its name, and with `_difference` its own minus the opponent's.
    """

    def __init__(
        self,
        game: "PythonGame[Any, Any]",
        space: DeckSpace[str],
        pilot: "Pilot",
        opponents: "Sequence[tuple[Deck, Pilot]]",
    ) -> None:
        """Takes the game, what is searched, the pilot of the decks, and the decks and pilots that they meet.

        Raises:
            MatchError: If there is no opponent.
        """
        if not opponents:
            raise MatchError("there is no opponent to meet")
        self.game, self.space = game, space
        self._pilot, self._opponents = pilot, tuple(opponents)
        self._measured = dict(game.measured())
        names = [each for name in self._measured for each in (name, f"{name}_difference")]
        self.columns: tuple[str, ...] = ("win_rate", "num_turns", *names)

    def evaluate(self, solution: Solution, *, seed: int, first_game: int, games: int, stop: Stop) -> Outcome:
        """Plays games `first_game` and on of a seed's; the same every time.

        The deck is in no seed, so that all decks meet the same shuffles.

        Raises:
            MatchError: If there are no such games.
            SearchError: If somebody forfeits a game: the search would learn to meet a pilot that does not play.
            StateError: If the seed is none.
            Stopped: If `stop` says so, which is asked before every game.
        """
        games = positive("games", games, MAX_GAMES)
        first_game = positive("first_game", first_game, MAX_GAMES, least=0)
        deck = self.space.cards(solution)
        rows = [
            self._play(deck, check_seed(seed), opponent, meeting, stop)
            for opponent, meeting in self._meetings(first_game, games)
        ]
        values = np.array(rows).T
        strata = self._strata(first_game, games)
        won, others = rates(strata, values[:1]), ratios(strata, values[1:], np.ones_like(values[1:]))
        return Outcome(
            games=games,
            value=np.append(won.value, others.value),
            error=np.append(won.error, others.error),
            weight=np.full(len(self.columns), float(games)),
        )

    def sample(self, *, first_game: int, games: int) -> Sample:
        """What the averages of such an evaluation rest on, whatever the seed."""
        return self._strata(first_game, games).sample

    def _play(self, deck: "Deck", seed: int, opponent: int, meeting: int, stop: Stop) -> list[float]:
        """The columns of one game."""
        if stop():
            raise Stopped
        theirs, pilot = self._opponents[opponent]
        seat = meeting % 2
        decks, pilots = [deck, theirs], [self._pilot, pilot]
        order = (seat, 1 - seat)
        outcome = play_seed(
            self.game,
            [decks[each] for each in order],
            [pilots[each] for each in order],
            game_seed(game_seed(seed, opponent, False), meeting, True),
        )
        if outcome.forfeit is not None:
            raise SearchError(f"a pilot forfeits a game of the search: {outcome.forfeit}")
        return [0.5 if outcome.winner is None else float(outcome.winner == seat), *self._numbers(outcome, seat)]

    def _numbers(self, outcome: PythonOutcome[Any, Any], seat: int) -> Iterator[float]:
        yield (outcome.turns + 1) // 2
        for number in self._measured.values():
            own, other = number(outcome.final, seat), number(outcome.final, 1 - seat)
            yield from (own, own - other)

    def _meetings(self, first_game: int, games: int) -> Iterator[tuple[int, int]]:
        """The opponent of each game, and how often it was met before."""
        for game in range(first_game, first_game + games):
            yield game % len(self._opponents), game // len(self._opponents)

    def _strata(self, first_game: int, games: int) -> Strata:
        """Games with an opponent are a stratum, the two of one seed a unit."""
        met = np.array(list(self._meetings(first_game, games)))
        return Strata(np.unique(met[:, 0], return_inverse=True)[1], met[:, 1] // 2)
