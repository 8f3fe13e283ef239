"""Facts can fail: what the form of the tables in this folder finds, and what it refuses."""

import pytest

from deckatlas.errors import CardError, TraceError
from helpers.hearthstone_facts import either, end_turn, fact, me, one_of, op, play


def test_what_does_not_hold_is_told() -> None:
    wrong = fact("Wisp", play("Wisp"), {"me.board.0": "2/1"}, end_turn(), {"me.board": ["Boar"], "me.hand": 0})
    assert wrong.problems() == [
        "seed 0: after action 1: me.board.0.attack is 1, not 2",
        "seed 0: me.board.ids is ['Wisp'], not ['Boar']",
    ]


def test_what_cannot_be_done_is_told() -> None:
    assert "not legal" in fact("Wisp", me(hand=[]), play("Wisp"), {"me.board": 1}).problems()[0]


def test_an_outcome_that_was_not_foreseen_is_told() -> None:
    bomber = fact("Mad Bomber", play("Mad Bomber"), one_of("op.hero.health", 28, 29))
    assert any(problem.endswith(("is 27, not 28", "is 30, not 28")) for problem in bomber.problems())


def test_an_outcome_that_never_comes_is_told() -> None:
    juggler = fact(
        "Knife Juggler",
        me(board=["Knife Juggler"]),
        play("Wisp"),
        either({"op.hero.health": 29}, {"op.hero.health": 28}),
    )
    assert juggler.problems() == ["never {'op.hero.health': 28}"]


def test_what_no_card_or_path_is_called_is_refused() -> None:
    with pytest.raises(CardError, match="'Whisp' is the name of no card"):
        fact("Whisp", {"me.board": 0})
    with pytest.raises(CardError, match="'Whelp' is the name of EX1_116t, ds1_whelptoken"):
        fact("Onyxia", op(board=["Whelp"]), {"op.board": 1}).problems()
    with pytest.raises(TraceError, match="unknown fact"):
        fact("Wisp", {"me.bord": 0}).problems()
    with pytest.raises(ValueError, match="a side has no bord"):
        me(bord=["Wisp"])
