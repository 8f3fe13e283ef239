"""The table: how two players play one game of any game, and what happens when one breaks the rules."""

from collections.abc import Sequence

import pytest

from deckatlas.play.players import Forfeit, Player
from deckatlas.play.table import Table


class Countdown(Table[list[int], int]):
    """Players take 1 or 2 from a number in turn; whoever takes the last wins. The first action is not timed."""

    @property
    def is_over(self) -> bool:
        return self.state[0] == 0

    @property
    def winner(self) -> int | None:
        return (len(self.state) - 2) % 2 if self.is_over else None

    @property
    def player_to_move(self) -> int:
        return (len(self.state) - 1) % 2

    @property
    def turn(self) -> int | None:
        return len(self.state) - 1 or None

    def apply(self, action: int) -> None:
        self.state[0] -= action
        self.state.append(action)


class Taker(Player[list[int], int]):
    """Takes a fixed number; its clock is one second further each time it is read."""

    def __init__(self, takes: int, seconds: float = 1.0) -> None:
        self.takes, self.time, self.step = takes, 0.0, seconds
        self.closed = False
        self.seen: list[tuple[int, int]] = []

    def clock(self) -> float:
        self.time += self.step
        return self.time

    def choose(self, state: list[int]) -> int:
        if self.takes not in (1, 2):
            raise Forfeit(f"took {self.takes}")
        if self.takes > state[0]:
            raise ZeroDivisionError("a mistake of its own")
        return self.takes

    def watch(self, state: list[int], action: int) -> None:
        self.seen.append((state[0], action))

    def close(self) -> None:
        self.closed = True


def players(*takes: int) -> Sequence[Taker]:
    return [Taker(number, seconds) for number, seconds in zip(takes, (1.0, 10.0), strict=True)]


def test_players_take_turns_until_the_game_is_over() -> None:
    pair = players(1, 2)
    outcome = Countdown([6], pair).play()
    assert outcome.actions == (1, 2, 1, 2)
    assert (outcome.winner, outcome.loser, outcome.forfeit) == (1, 0, None)
    assert outcome.final == [0, 1, 2, 1, 2]
    assert all(player.closed for player in pair)


def test_both_players_see_every_action_before_it_changes_the_state() -> None:
    pair = players(1, 2)
    Countdown([6], pair).play()
    assert pair[0].seen == pair[1].seen == [(6, 1), (5, 2), (3, 1), (2, 2)]


def test_turns_are_measured_by_the_clocks_of_their_players() -> None:
    assert Countdown([6], players(1, 2)).play().turn_seconds == ((1.0,), (10.0, 10.0))  # but for the first action


def test_a_player_that_breaks_the_rules_loses_where_the_game_stands() -> None:
    pair = players(1, 7)
    outcome = Countdown([6], pair).play()
    assert outcome.actions == (1,)
    assert (outcome.winner, outcome.loser, outcome.forfeit) == (0, 1, "took 7")
    assert outcome.turn_seconds == ((), (10.0,))  # what it thought about counts
    assert all(player.closed for player in pair)


def test_a_mistake_inside_a_player_comes_out_and_closes_both() -> None:
    pair = players(2, 2)
    with pytest.raises(ZeroDivisionError, match="a mistake of its own"):
        Countdown([3], pair).play()
    assert all(player.closed for player in pair)


def test_a_game_that_is_over_is_not_played() -> None:
    outcome = Countdown([0], players(1, 1)).play()
    assert outcome.actions == ()
