"""What neutral cards do, a fact a row."""

import pytest

from helpers.hearthstone_facts import Fact, either, end_turn, fact, me, minion, op, play

# fmt: off
FACTS = [
    fact("Abusive Sergeant", me(board=["Wisp"]), play("Abusive Sergeant", at="me.board.0"),
         {"me.board.0": "3/1"}, end_turn(), {"me.board.0": "1/1"}, why="for this turn only"),
    fact("Knife Juggler", me(board=["Knife Juggler"]), op(board=["Bloodfen Raptor"]), play("Wisp"),
         either({"op.hero.health": 29}, {"op.board.0.health": 1})),
    minion("Wisp", 0, 1, 1),
]
# fmt: on


@pytest.mark.parametrize("fact", FACTS, ids=str)
def test_neutral(fact: Fact) -> None:
    assert fact.problems() == []
