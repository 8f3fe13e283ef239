"""Pilots of Hearthstone from outside of the core: what they see, what they may answer, and that games stay the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas.errors import DeckError, IllegalActionError, MatchError, StateError
from deckatlas.games.hearthstone.agents import agent
from deckatlas.games.hearthstone.pilots import Pilot
from deckatlas.games.hearthstone.setup import deck_rows
from deckatlas.games.hearthstone.state import Action, Rng, State
from helpers.hearthstone_play import thieves
from helpers.locm_matches import column_bytes

Legal = list[Action]
DECKS = ("Control Paladin", "Aggro Warlock")


def passes(view: State, actions: Legal) -> Action:
    """What `pass` does with a cheap opening hand."""
    if view.phase == "mulligan":
        return core.choose_kept(view, core.Mulligan.cheap)
    return next((action for action in actions if str(action) == "end"), actions[0])


def last_action(view: State, actions: Legal) -> Action:
    return actions[-1]


class AsAgent:
    """Chooses as an agent of the core does that is given the same random stream."""

    def __init__(self, spec: str, rng: Rng) -> None:
        self._agent, self._rng = agent(spec), rng

    def __call__(self, view: State, actions: Legal) -> Action:
        if view.phase == "mulligan":
            return core.choose_kept(view, core.Mulligan.cheap)
        return self._agent.choose(view, self._rng)


@pytest.fixture
def at_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets agents of the core play at the table as if they were from outside."""
    monkeypatch.setattr(Pilot, "agent_of_core", lambda pilot: None)


# ---- the same games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["random", "random:active", "pass"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_callable_that_makes_the_choices_of_an_agent_plays_its_game(spec: str, seat: int) -> None:
    for seed in range(3):
        pilots: list[Any] = ["random", "random"]
        pilots[seat] = spec
        built_in = hearthstone.play_one(*pilots, decks=DECKS, seed=seed)
        pilots[seat] = AsAgent(spec, Rng(seed, seat))
        record = hearthstone.play_one(*pilots, decks=DECKS, seed=seed)
        assert (record.start, record.draws, record.actions) == (built_in.start, built_in.draws, built_in.actions)
        assert record.players[seat] == "AsAgent"


def test_a_callable_gives_the_columns_of_the_agent_whose_choices_it_makes() -> None:
    built_in = hearthstone.play("pass", "planner:score=control", decks=DECKS, games=11, seed=3)
    in_python = hearthstone.play(passes, "planner:score=control", decks=DECKS, games=11, seed=3)
    assert column_bytes(in_python) == column_bytes(built_in)
    assert (in_python.a, in_python.b, in_python.forfeits) == ("passes", "planner:score=control", {})


MATCHES = [
    ("random", "random:active"),
    ("planner:score=control", "planner:score=aggro,information=perfect"),
    ("planner:score=midrange,replan=false", "random"),
]


@pytest.mark.parametrize(("a", "b"), MATCHES)
@pytest.mark.parametrize("swap_seats", [True, False])
def test_agents_play_the_same_games_at_the_table_as_in_the_core(
    a: str, b: str, swap_seats: bool, request: pytest.FixtureRequest
) -> None:
    decks = (["Starter Mage", "Control Warlock"], ["Starter Hunter", "Classic Miracle Rogue", "Starter Druid"])
    options: dict[str, Any] = {"decks": decks, "games": 13, "seed": 5, "mulligan": "inverted", "swap_seats": swap_seats}
    in_core = hearthstone.play(a, b, **options)
    request.getfixturevalue("at_table")
    assert column_bytes(hearthstone.play(a, b, **options, threads=2)) == column_bytes(in_core)


@pytest.mark.parametrize(
    ("a", "b", "games"),
    [
        ("search", "planner:score=aggro", 200),
        ("planner:score=midrange", "search", 100),
        ("planner:score=control,information=perfect", "planner:score=midrange,replan=false", 40),
        ("mcts:playouts=5", "random:active", 20),
    ],
)
def test_agents_do_so_when_they_copy_what_they_could_not_see(
    a: str, b: str, games: int, request: pytest.FixtureRequest
) -> None:
    options: dict[str, Any] = {"decks": (thieves(20), ["Aggro Hunter", "Aggro Warlock"]), "games": games, "seed": 3}
    in_core = hearthstone.play(a, b, **options)
    request.getfixturevalue("at_table")
    assert column_bytes(hearthstone.play(a, b, **options)) == column_bytes(in_core)


@pytest.mark.parametrize("profile", ["fair", "evostone"])
@pytest.mark.parametrize("pilot", ["planner:score=aggro", "random"])
def test_evaluations_at_the_table_are_those_of_the_core(
    profile: str, pilot: str, request: pytest.FixtureRequest
) -> None:
    options: dict[str, Any] = {"pilot": pilot, "games": 8, "seed": 2, "profile": profile, "keep_games": True}
    in_core = hearthstone.evaluate(DECKS, **options)
    request.getfixturevalue("at_table")
    outside = hearthstone.evaluate(DECKS, **options, threads=2)
    assert in_core.games is not None
    assert outside.games is not None
    for name, noted in in_core.games.noted.items():
        assert np.array_equal(outside.games.noted[name], noted), name
    assert np.array_equal(outside.card_plays, in_core.card_plays)
    assert outside.forfeits == {}


def test_turns_are_timed_at_the_table(at_table: None) -> None:
    match = hearthstone.play("planner:score=control", "pass", decks=DECKS, games=4, threads=1, timed_games=4)
    assert (match.times.turns.sum(axis=1) == match["turns"]).all()
    planning, passing = match.times.ms_per_turn(0), match.times.ms_per_turn(1)
    assert planning is not None
    assert passing is not None
    assert 0 < passing < planning


# ---- what a callable sees --------------------------------------------------------------------------------------------


def test_a_callable_sees_its_own_view_and_the_legal_actions() -> None:
    seats, phases = set(), set()

    def look(view: State, actions: Legal) -> Action:
        me = view.player_to_move
        seats.add(me)
        phases.add(view.phase)
        assert view.viewer == me
        assert actions == view.legal_actions()
        assert all(card.card != "?" for card in view.side(me).hand)
        assert all(card.card == "?" or card.revealed for card in view.side(1 - me).hand)
        assert set(view.side(1 - me).deck) <= {"?"}
        return actions[-1]

    assert not hearthstone.play(look, "random", decks=DECKS, games=6, seed=1).forfeits
    assert seats == {0, 1}
    assert {"mulligan", "main"} <= phases


def test_what_a_callable_does_to_its_view_and_its_list_changes_nothing() -> None:
    def meddle(view: State, actions: Legal) -> Action:
        action = actions.pop()
        actions.clear()
        view.resample(view.player_to_move, 1).apply(action, Rng(1, 0))
        return action

    plain = hearthstone.play(last_action, "random", decks=DECKS, games=4, seed=2)
    assert column_bytes(hearthstone.play(meddle, "random", decks=DECKS, games=4, seed=2)) == column_bytes(plain)


# ---- breaking the rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (lambda: None, "None, which is not an action"),
        (lambda: "end", "'end', which is not an action"),
        (lambda: Action.from_text("choose 2"), "choose 2, which is not a legal action"),
    ],
)
def test_an_answer_that_is_no_legal_action_loses_the_game_with_the_reason_counted(
    answer: Callable[[], Any], shown: str
) -> None:
    def strange(view: State, actions: Legal) -> Any:
        return answer() if view.turn >= 3 else passes(view, actions)

    result = hearthstone.play("pass", strange, decks=DECKS, games=4)
    assert (result.wins, result.losses) == (4, 0)
    assert result.forfeits == {f"strange: answered {shown}": 4}
    assert result["turns"].tolist() == [4, 3, 4, 3]
    assert (result["health"] > 0).all()


def test_an_answer_in_the_mulligan_can_lose_the_game() -> None:
    record = hearthstone.play_one("random", lambda view, actions: Action.from_text("end"), decks=DECKS, seed=1)
    assert (record.winner, record.forfeit) == (0, "answered end, which is not a legal action")
    assert len(record.actions) == 1
    again = hearthstone.GameRecord.from_text(record.to_text())
    assert again == record
    assert [state.to_text() for state in again.replay()] == [state.to_text() for state in record.replay()]
    ending = hearthstone.narrate(record).splitlines()[-1]
    assert ending == "second (<lambda>) forfeits: answered end, which is not a legal action. first (random) wins."


def test_a_forfeit_in_an_evaluation_is_a_game_that_was_not_won() -> None:
    def gives_up(view: State, actions: Legal) -> Action:
        return Action.from_text("choose 0") if view.turn > 4 else passes(view, actions)

    lost = hearthstone.evaluate(["Starter Mage"], pilot=gives_up, games=6, seed=1)
    assert lost.wins.tolist() == [0]
    assert lost.forfeits == {"gives_up: answered choose 0, which is not a legal action": 6}
    assert lost.pilot == "gives_up"
    assert lost.replay(1).forfeit == "answered choose 0, which is not a legal action"
    opponent = hearthstone.Opponent("weak", hearthstone.named_decks()["Starter Rogue"], "exec:true")
    won = hearthstone.evaluate(["Starter Mage"], pilot="pass", games=4, suite=hearthstone.Suite("weak", (opponent,)))
    assert won.wins.tolist() == [4]
    assert sum(won.forfeits.values()) == 4


def test_an_exception_of_a_callable_comes_out_as_it_is() -> None:
    mistake = ZeroDivisionError("mine")

    def broken(view: State, actions: Legal) -> Action:
        raise mistake

    with pytest.raises(ZeroDivisionError) as raised:
        hearthstone.play(broken, "random", decks=DECKS, games=2)
    assert raised.value is mistake


# ---- the border ------------------------------------------------------------------------------------------------------


def test_the_core_counts_no_game_that_cannot_be() -> None:
    edition = hearthstone.edition()
    cards, (a, b) = edition.card_set, (deck_rows([deck], edition) for deck in DECKS)
    end = Action.from_text("end")
    record = hearthstone.play_one("random", "random", decks=DECKS, seed=core.game_seed(1, 0, True))
    for actions in ([end], [*record.actions, end]):
        with pytest.raises(IllegalActionError):
            core.count_game(cards, a, b, actions, game=0, seed=1, swap_seats=True)
    with pytest.raises(DeckError, match="is not a hero"):
        core.count_game(cards, a[:, 1:], b, [], game=0, seed=1, swap_seats=True)
    with pytest.raises(MatchError, match="the first game cannot be -1"):
        core.count_game(cards, a, b, [], game=-1, seed=1, swap_seats=True)
    with pytest.raises(StateError, match="a player must be 0 or 1, not 2"):
        core.note_game(cards, np.concatenate([a, b]), [], seat=2, seed=1, retries=0)
    with pytest.raises(DeckError, match="two decks, not 1"):
        core.note_game(cards, a, [], seat=0, seed=1, retries=0)
    with pytest.raises(StateError, match="no opening hand"):
        core.choose_kept(list(record.replay())[-1], core.Mulligan.all)
