"""The games of a match of Hearthstone, inside the core or at the table."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.pilots import Pilot
from deckatlas.games.hearthstone.state import Rng
from deckatlas.games.hearthstone.table import GameOutcome, play_game
from deckatlas.play.runner import Columns, Runner

DeckRows = npt.NDArray[np.int32]


@dataclass(frozen=True)
class HearthstoneRunner(Runner[GameOutcome]):
    """Plays any games of one match.

    Attributes:
        pilots: The pilots of both entrants.
        decks: For each entrant, rows of decks, which change with the seeds.
        cards: The compiled cards of the edition.
        mulligan: Which cards agents of the core keep in the mulligan.
        time_factor: Multiplies the time limits of external programs.
    """

    pilots: tuple[Pilot, Pilot]
    decks: tuple[DeckRows, DeckRows]
    cards: core.CardSet
    mulligan: core.Mulligan
    time_factor: float

    @property
    def _has_callables(self) -> bool:
        return any(each.is_callable for each in self.pilots)

    def _match_in_core(self) -> Callable[..., Columns] | None:
        agent_a, agent_b = (each.agent_of_core() for each in self.pilots)
        if agent_a is None or agent_b is None:
            return None
        sides = (agent_a, self.decks[0], agent_b, self.decks[1])
        return partial(core.play_match, self.cards, *sides, mulligan=self.mulligan)

    def _play_game(self, game: int) -> GameOutcome:
        first, seed = self._first(game), self._game_seed(game)
        number = game // 2 if self.swap_seats else game
        seats = (first, 1 - first)
        decks = np.array([self.decks[each][number % len(self.decks[each])] for each in seats])
        players = [
            self.pilots[each].player(Rng(seed, seat), mulligan=self.mulligan, time_factor=self.time_factor)
            for seat, each in enumerate(seats)
        ]
        return play_game(self.cards, decks, players, seed=seed)

    def _row(self, game: int, outcome: GameOutcome) -> Columns:
        first = self._first(game)
        row = core.count_game(
            self.cards, *self.decks, outcome.actions, game=game, seed=self.seed, swap_seats=self.swap_seats
        )
        row["nodes"][0] = outcome.nodes[:: -1 if first else 1]
        if outcome.winner is not None:  # a forfeit loses, although the game was not over
            row["winner"][0] = outcome.winner ^ first
        return row
