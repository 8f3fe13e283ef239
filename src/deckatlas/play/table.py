"""One game at a time, between any two players, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass

from deckatlas.agents.players import Forfeit, LoggedAction, Player
from deckatlas.games.locm import Action, State


@dataclass(frozen=True)
class GameOutcome:
    """How a game ended: its last state, its actions, who won, and why if somebody forfeited."""

    final: State
    actions: tuple[Action, ...]
    decisions: int
    winner: int
    forfeit: str | None


def acting_card(state: State, action: Action) -> int:
    """Card id behind an action of the battle, 0 for PASS."""
    side = state.side(state.player_to_move)
    cards = {card.instance: card.card for card in side.hand} | {c.instance: c.card for c in side.creatures}
    return 0 if action.verb == "PASS" else cards[action.id]


def play_game(start: State, players: Sequence[Player]) -> GameOutcome:
    """Plays a game to its end.

    Args:
        start: Where to begin; it is not changed.
        players: Who sits in the first and the second seat. They are closed in any case.
    """
    state = start.copy()
    log: list[LoggedAction] = []
    actions: list[Action] = []
    decisions = 0
    forfeit = None
    winner = state.winner
    try:
        while winner is None:
            player = state.player_to_move
            try:
                action = players[player].choose(state, log)
            except Forfeit as reason:
                winner, forfeit = 1 - player, str(reason)
                break
            if state.in_battle:
                decisions += 1
                log.append(LoggedAction(state.turn, player, acting_card(state, action), action))
            actions.append(action)
            state.apply(action)
            winner = state.winner
    finally:
        for each in players:
            each.close()
    return GameOutcome(state, tuple(actions), decisions, winner, forfeit)
