"""One game of Hearthstone at a time, between any two players, action by action."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.players import Player
from deckatlas.games.hearthstone.setup import deal
from deckatlas.games.hearthstone.state import Action, ActionKind, State
from deckatlas.games.locm.players import Forfeit
from deckatlas.games.locm.table import clock_of

# An action and, if its player made a plan before it, how it rates what that leads to.
PlayedAction = tuple[Action, int | None]


@dataclass(frozen=True)
class GameOutcome:
    """How a game went and ended.

    Attributes:
        start: The state with hands dealt.
        draws: Where the stream of random draws was at the start.
        played: All actions of both players in order, those of the mulligan included.
        final: The last state.
        winner: The seat that won, or None if nobody did.
        forfeit: Why the other one lost, if by breaking the rules.
        nodes: States that the searches of each seat made.
        turn_seconds: What turns took, for the first seat and for the second.
    """

    start: State
    draws: int
    played: tuple[PlayedAction, ...]
    final: State
    winner: int | None
    forfeit: str | None
    nodes: tuple[int, int]
    turn_seconds: tuple[tuple[float, ...], tuple[float, ...]]

    @property
    def loser(self) -> int | None:
        """The seat that lost, if one did."""
        return None if self.winner is None else 1 - self.winner

    @property
    def actions(self) -> tuple[Action, ...]:
        """What was done."""
        return tuple(action for action, _ in self.played)


def play_game(
    cards: core.CardSet, decks: npt.NDArray[np.int32], players: Sequence[Player], *, seed: int
) -> GameOutcome:
    """Plays the game of a seed to its end.

    Args:
        cards: The edition of the cards, compiled.
        decks: The decks of both seats: see `deckatlas.games.hearthstone.setup.deck_rows`.
        players: Who sits in the first and the second seat. They are closed in any case.
        seed: Seed of the game.
    """
    with ExitStack() as stack:
        for player in players:
            stack.callback(player.close)
        return _play_out(cards, decks, players, seed)


def _play_out(cards: core.CardSet, decks: npt.NDArray[np.int32], players: Sequence[Player], seed: int) -> GameOutcome:
    state, rng = deal(cards, decks, seed)
    start, draws = state.copy(), rng.state
    played: list[PlayedAction] = []
    turn_seconds: tuple[dict[int, float], dict[int, float]] = ({}, {})
    forfeit = None
    loser = 0
    turn_begins = True
    while not state.is_over:
        mover = state.player_to_move
        player, in_turn = players[mover], state.phase != "mulligan"
        clock = clock_of(player)
        asked = clock()
        try:
            action = player.choose(state)
        except Forfeit as reason:
            forfeit, loser = str(reason), mover
            break
        finally:
            if in_turn:
                times, taken = turn_seconds[mover], clock() - asked
                times[state.turn] = times.get(state.turn, 0.0) + taken
        played.append((action, player.planned(turn_begins=turn_begins) if in_turn else None))
        before = rng.state
        state.apply(action, rng)
        if in_turn:
            player.after_action(random=rng.state != before)
            turn_begins = action.kind == ActionKind.end_turn
    return GameOutcome(
        start=start,
        draws=draws,
        played=tuple(played),
        final=state,
        winner=state.winner if forfeit is None else 1 - loser,
        forfeit=forfeit,
        nodes=(players[0].nodes, players[1].nodes),
        turn_seconds=(tuple(turn_seconds[0].values()), tuple(turn_seconds[1].values())),
    )
