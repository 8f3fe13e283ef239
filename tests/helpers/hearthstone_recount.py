"""What the core notes of a game of an evaluation, counted once more and slowly: from every state of a replayed game."""

from typing import Any

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.record import GameRecord

CHOICE, OVER = 2, 3
OPENING_HANDS = (3, 4)

State = dict[str, Any]


class Recount:
    """Counts what the player in a seat does, in a game where every turn is one plan."""

    def __init__(self, edition: Edition, seat: int) -> None:
        self.edition, self.seat = edition, seat
        self.notes = dict.fromkeys(core.NOTED, 0)
        self.sure_of_damage = True  # whether every attacker could be found again
        self._deck_before_turn = 0
        self._drawn = self._looked_at = 0

    def replay(self, record: GameRecord) -> None:
        """Replays a recorded game."""
        states = (state.describe() for state in record.replay())
        before, turn = next(states), 0
        for action, after in zip(record.actions, states, strict=True):
            if action.kind is not core.ActionKind.keep and before["active"] == self.seat:
                if before["turn"] != turn:
                    turn = before["turn"]
                    self._begin_turn(before)
                self._count(before, action, after)
            elif after["active"] == self.seat or action.kind is core.ActionKind.keep:
                self._deck_before_turn = len(before["players"][self.seat]["deck"])
            before = after
        self._end(before)

    def _begin_turn(self, state: State) -> None:
        self.notes["hands_before"] += len(state["players"][self.seat]["hand"])
        self._drawn, self._looked_at = 1, 0

    def _count(self, before: State, action: core.Action, after: State) -> None:
        old, new = before["players"][self.seat], after["players"][self.seat]
        self._drawn = max(self._drawn, self._deck_before_turn - len(old["deck"]) - self._looked_at)
        if action.kind is core.ActionKind.play:
            self.notes["cards_played"] += 1
            self.notes["mana_spent"] += old["hand"][action.source][1]
        if action.kind is core.ActionKind.power:
            self.notes["mana_spent"] += old["power_cost"]
        if action.kind is core.ActionKind.attack and action.source > 0:
            self._count_attack(old["board"][action.source - 1], old["board"], new["board"])
        if action.kind is core.ActionKind.end_turn:
            self.notes["mana_wasted"] += old["mana"]
        if after["phase"] == CHOICE:
            self._looked_at += len(old["deck"]) - len(new["deck"])
        if action.kind is core.ActionKind.end_turn or after["phase"] == OVER:
            self.notes["hands_after"] += len(new["hand"])
            self.notes["draws_seen"] += self._drawn
            self.notes["plan_mana_spent"] += new["used"]
            self.notes["plan_mana_wasted"] += new["crystals"] - new["used"]

    def _count_attack(self, attacker: State, board: list[State], board_after: list[State]) -> None:
        printed = self.edition.by_id[self.edition.id_of(attacker["card"])].attack
        twins = sum(minion["card"] == attacker["card"] for minion in board) > 1
        after = {minion["attack"] for minion in board_after if minion["card"] == attacker["card"]}
        possible = after | {printed} if twins or not after else after
        self.sure_of_damage &= len(possible) == 1
        self.notes["minion_damage"] += attacker["attack"]
        self.notes["damage_after"] += min(possible)

    def _end(self, last: State) -> None:
        own, other = last["players"][self.seat], last["players"][1 - self.seat]
        self.notes["won"] = int(last["winner"] == self.seat)
        self.notes["outcome"] = 2 if last["winner"] not in (0, 1) else self.notes["won"]
        self.notes["health_difference"] = own["health"] - other["health"]
        self.notes["half_turns"] = last["turn"]
        self.notes["own_turns"] = len(range(1 + self.seat, last["turn"] + 1, 2))
        self.notes["cards_drawn"] = 30 - OPENING_HANDS[self.seat] - len(own["deck"])
