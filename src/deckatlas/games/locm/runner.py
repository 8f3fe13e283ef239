"""The games of a match of Legends of Code and Magic, inside the core or at the table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from deckatlas._core import locm as core
from deckatlas.games.locm.editions import Edition, cards_in
from deckatlas.games.locm.entrants import Entrant
from deckatlas.games.locm.state import Rng, new_game
from deckatlas.games.locm.table import GameOutcome, play_game
from deckatlas.play.runner import Columns, Runner

# Columns with one entry per game, and columns with one per entrant.
_DTYPES = {
    "seed": np.uint64,
    "first": np.uint8,
    "winner": np.uint8,
    "turns": np.int16,
    "actions": np.int16,
    "health": np.int32,
    "cards_drawn": np.int16,
    "cards_played": np.int16,
    "mana_spent": np.int16,
    "final_hash": np.uint64,
}


@dataclass(frozen=True)
class LocmRunner(Runner[GameOutcome]):
    """Plays any games of one match.

    Attributes:
        entrants: Both entrants.
        format: The draft format.
        decks: A deck for each entrant, if there is no draft.
        edition: The edition of the cards.
        time_factor: Multiplies the time limits of external programs.
    """

    entrants: tuple[Entrant, Entrant]
    format: str
    decks: Sequence[Sequence[int]] | None
    edition: Edition
    time_factor: float

    @property
    def _has_callables(self) -> bool:
        return any(each.is_callable for each in self.entrants)

    def _match_in_core(self) -> Callable[..., Columns] | None:
        core_a, core_b = (each.agents_of_core() for each in self.entrants)
        if core_a is None or core_b is None:
            return None
        return partial(core.play_match, self.edition.table, *core_a, *core_b, format=self.format)

    def _play_game(self, game: int) -> GameOutcome:
        first, seed = self._first(game), self._game_seed(game)
        seats = (self.entrants[first], self.entrants[1 - first])
        players = [each.player(Rng(seed, seat), time_factor=self.time_factor) for seat, each in enumerate(seats)]
        decks = None if self.decks is None else (self.decks[first], self.decks[1 - first])
        return play_game(new_game(seed=seed, format=self.format, decks=decks, edition=self.edition), players)

    def _row(self, game: int, outcome: GameOutcome) -> Columns:
        first, final = self._first(game), outcome.final
        started = final.in_battle
        values: dict[str, int | list[int]] = {
            "seed": self._game_seed(game),
            "first": first,
            "winner": outcome.winner ^ first,
            "turns": final.turn + 1 if started else 0,
            "actions": outcome.decisions,
            "final_hash": final.battle_hash,
        }
        sides = [final.side(seat) for seat in (first, 1 - first)]
        hands = [{card.instance for card in side.hand} for side in sides]
        values["health"] = [side.health for side in sides]
        values["cards_drawn"] = [side.drawn for side in sides]
        values["cards_played"] = [side.drawn - len(hand) for side, hand in zip(sides, hands, strict=True)]
        values["mana_spent"] = [
            sum(
                cards_in(final)[card - 1].cost
                for position, card in enumerate(final.deck(seat)[: side.drawn])
                if 2 * position + seat + 1 not in hand
            )
            for seat, side, hand in zip((first, 1 - first), sides, hands, strict=True)
        ]
        return {name: np.array([values[name]], dtype) for name, dtype in _DTYPES.items()}
