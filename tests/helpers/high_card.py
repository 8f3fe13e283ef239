"""A tiny game in Python alone, for tests: whoever lays the higher card takes the trick; most tricks win."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deckatlas.games.python_game import NOBODY, PythonGame
from deckatlas.play.spec import Entry, whole_number_option

CARDS = {"two": 2, "five": 5, "nine": 9}
DECKS = {"low": "3 two, five", "high": "2 five, 2 nine", "even": "2 two, 2 nine"}


@dataclass
class Table:
    hands: list[list[int]]
    laid: list[int]
    tricks: list[int]
    leader: int = 0


class HighCard(PythonGame[Table, int]):
    """Hands are the decks, shuffled; the leader lays a card, then the other, and the winner of the trick leads."""

    name = "high-card"
    title = "High Card"
    deck_size = 4
    most_copies = 3

    def cards(self) -> Mapping[str, int]:
        return CARDS

    def decks(self) -> Mapping[str, str]:
        return DECKS

    def new_game(self, first: tuple[int, ...], second: tuple[int, ...], rng: random.Random) -> Table:
        hands = [list(first), list(second)]
        for hand in hands:
            rng.shuffle(hand)
        return Table(hands, laid=[], tricks=[0, 0])

    def player_to_move(self, state: Table) -> int:
        return state.leader ^ len(state.laid)

    def legal_actions(self, state: Table) -> list[int]:
        return sorted(set(state.hands[self.player_to_move(state)]))

    def apply(self, state: Table, action: int, rng: random.Random) -> None:
        state.hands[self.player_to_move(state)].remove(action)
        state.laid.append(action)
        if len(state.laid) == 2:
            if state.laid[0] != state.laid[1]:
                state.leader ^= state.laid[1] > state.laid[0]
                state.tricks[state.leader] += 1
            state.laid = []

    def winner(self, state: Table) -> int | None:
        if any(state.hands):
            return None
        a, b = state.tricks
        return NOBODY if a == b else int(b > a)

    def pilots(self) -> Mapping[str, Any]:
        return {
            "highest": highest,
            "random": any_card,
            "nth": Entry(nth, "lays a card by its place", {"n": whole_number_option("which one", 0)}),
        }

    def card_numbers(self) -> Mapping[str, Any]:
        return {"value": lambda card: card}

    def measured(self) -> Mapping[str, Any]:
        return {"tricks": lambda state, player: state.tricks[player]}


def highest(state: Table, actions: list[int], rng: random.Random) -> int:
    """Lays its highest card.

    And nothing else.
    """
    return actions[-1]


def any_card(state: Table, actions: list[int], rng: random.Random) -> int:
    """Lays any card."""
    return rng.choice(actions)


def nth(n: int) -> Any:
    return lambda state, actions, rng: actions[n % len(actions)]
