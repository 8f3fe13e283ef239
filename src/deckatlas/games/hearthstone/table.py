"""One game of Hearthstone at a time, between any two players, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.explanation import Explanation
from deckatlas.games.hearthstone.players import HearthstonePlayer
from deckatlas.games.hearthstone.setup import dealt_game
from deckatlas.games.hearthstone.state import Action, ActionKind, Rng, State
from deckatlas.play.table import Table, TableOutcome

# An action and, if a plan begins with it, the player's rating of the plan.
PlayedAction = tuple[Action, int | None]


@dataclass(frozen=True)
class GameOutcome(TableOutcome[State, Action]):
    """How a game went and ended; actions include those of the mulligan, which is not timed.

    Attributes:
        start: The state with hands dealt.
        draws: The position of the random stream at the start.
        plans: For each action, the player's rating of the plan that begins with it; None if no plan does.
        nodes: States that the searches of each seat made.
        explanations: What the players considered before their actions, if it was asked for.
    """

    start: State
    draws: int
    plans: tuple[int | None, ...]
    nodes: tuple[int, int]
    explanations: tuple[Explanation, ...]

    @property
    def played(self) -> tuple[PlayedAction, ...]:
        """All actions, each with the rating of the plan that begins with it."""
        return tuple(zip(self.actions, self.plans, strict=True))


class HearthstoneTable(Table[State, Action]):
    """A game of Hearthstone, with its random stream and the plans of its players."""

    def __init__(self, state: State, rng: Rng, players: Sequence[HearthstonePlayer], *, explain: bool = False) -> None:
        """Takes the state with hands dealt, the random stream, the players, and whether these explain their actions."""
        super().__init__(state, players)
        self._rng = rng
        self._planners = players
        self._turn_begins = True
        self._explain = explain
        self.plans: list[int | None] = []
        self.explanations: list[Explanation] = []

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: with a winner, in a draw, or by exceeding a capacity of the core."""
        return self.state.is_over

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        return self.state.winner

    @property
    def player_to_move(self) -> int:
        """The seat that chooses the next action."""
        return self.state.player_to_move

    @property
    def turn(self) -> int | None:
        """The half-turn; None in the mulligan."""
        return None if self.state.phase == "mulligan" else self.state.turn

    def apply(self, action: Action) -> None:
        """Applies an action to the state, and records the plan behind it."""
        lines = self._planners[self.player_to_move].explain(self.state) if self._explain else ()
        if lines:
            self.explanations.append(Explanation(len(self.plans), lines))
        if self.turn is None:
            self.plans.append(None)
            self.state.apply(action, self._rng)
            return
        player = self._planners[self.player_to_move]
        self.plans.append(player.planned(turn_begins=self._turn_begins))
        before = self._rng.state
        self.state.apply(action, self._rng)
        player.after_action(random=self._rng.state != before)
        self._turn_begins = action.kind == ActionKind.end_turn


def play_game(
    cards: core.CardSet,
    decks: npt.NDArray[np.int32],
    players: Sequence[HearthstonePlayer],
    *,
    seed: int,
    explain: bool = False,
    most_seconds: float | None = None,
) -> GameOutcome:
    """Plays the game of a seed to its end.

    Args:
        cards: The compiled cards of the edition.
        decks: The decks of both seats: see `deckatlas.games.hearthstone.setup.deck_rows`.
        players: The players of the first and the second seat. They are closed in any case.
        seed: The seed of the game.
        explain: Whether the players say what they consider; this does not change the game.
        most_seconds: The time that the game may take.

    Raises:
        MatchError: If it takes longer.
    """
    state, rng = dealt_game(cards, decks, seed)
    start, draws = state.copy(), rng.state
    table = HearthstoneTable(state, rng, players, explain=explain)
    table.most_seconds = most_seconds
    ended = table.play()
    return GameOutcome(
        final=ended.final,
        actions=ended.actions,
        winner=ended.winner,
        forfeit=ended.forfeit,
        turn_seconds=ended.turn_seconds,
        start=start,
        draws=draws,
        plans=tuple(table.plans),
        nodes=(players[0].nodes, players[1].nodes),
        explanations=tuple(table.explanations),
    )
