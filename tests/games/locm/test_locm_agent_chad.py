"""Chad: its kill chain, what its search prefers, and what every agent holds to."""

import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import battle_agent
from helpers.locm_boards import Player, action_from, set_up
from helpers.locm_turns import check_sees_no_hidden_card, play_turn, turn_starts

CHAD = battle_agent("chad")
QUICK = core.chad_agent(480)
POISON, FIREBOLT, THUNDER = 154, 155, 158

# The smallest budget there is: one leaf says nothing, so what is found is the kill chain's.
KILLS: list[tuple[str, Player, Player, list[str]]] = [
    ("all attacks on the face", {"left": ["2/1*"], "right": ["3/1*"]}, {"hp": 5, "runes": 0},
     ["ATTACK 21 -1", "ATTACK 31 -1"]),
    ("blue items on the player after them", {"left": ["2/1*"], "hand": [THUNDER]}, {"hp": 6, "runes": 0},
     ["ATTACK 21 -1", "USE 1 -1"]),
    ("of blue items the most damage for its cost", {"hand": [POISON, FIREBOLT], "mana": 3}, {"hp": 4, "runes": 0},
     ["USE 3 -1"]),
    ("a Guard that stands in the way", {"left": ["2/1*", "5/5*"]}, {"hp": 5, "runes": 0, "left": ["0/2 G"]},
     ["ATTACK 21 22", "ATTACK 23 -1"]),
    ("the attacker that fits the Guard best", {"left": ["6/6*", "3/5*"]}, {"hp": 6, "runes": 0, "left": ["0/2 G"]},
     ["ATTACK 23 22", "ATTACK 21 -1"]),
]  # fmt: skip


@pytest.mark.parametrize(("me", "foe", "expected"), [row[1:] for row in KILLS], ids=[row[0] for row in KILLS])
def test_the_kill_chain_uses(me: Player, foe: Player, expected: list[str]) -> None:
    actions, end = play_turn(core.chad_agent(1), set_up(me, foe))
    assert [str(action) for action in actions] == expected
    assert end.is_over


DECIMATE, HURTS_ITS_OWNER = 151, 25
TURNS: list[tuple[str, Player, Player, set[str]]] = [
    ("free creatures hit the face", {"left": ["3/3*"]}, {}, {"ATTACK 21 -1"}),
    ("a safe kill comes before the face", {"left": ["5/5*"]}, {"left": ["4/4"]}, {"ATTACK 21 22"}),
    ("a large creature is removed", {"hand": [DECIMATE]}, {"left": ["9/9"]}, {"USE 1 22"}),
    ("nobody summons its own death", {"hp": 2, "runes": 0, "hand": [HURTS_ITS_OWNER]}, {}, set()),
]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("me", "foe", "expected"), [row[1:] for row in TURNS], ids=[row[0] for row in TURNS])
def test_a_turn(me: Player, foe: Player, expected: set[str], seat: int) -> None:
    actions, _ = play_turn(CHAD, set_up(me, foe, seat=seat))
    assert set(actions) == {action_from(seat, text) for text in expected}


def test_a_creature_that_could_attack_never_stays_idle_before_an_open_face() -> None:
    for state in turn_starts(5):
        _, end = play_turn(QUICK, state)
        if end.is_over:
            continue
        strong = {creature.instance for creature in end.side(state.player_to_move).creatures if creature.attack > 0}
        attacks = [str(action).split() for action in end.legal_actions() if action.verb == "ATTACK"]
        assert not [attack for attack in attacks if int(attack[1]) in strong and attack[2] == "-1"]


# ---- what every agent holds to -----------------------------------------------------------------------------------


@pytest.mark.parametrize("playouts", [1, 100, 4000])
def test_every_turn_is_legal_and_ends_with_any_budget(playouts: int) -> None:
    for state in turn_starts(playouts):
        play_turn(core.chad_agent(playouts), state)


def test_no_time_left_still_gives_an_action() -> None:
    state = set_up({"left": ["3/3*"] * 3}, {"left": ["3/3"] * 3})
    assert state.is_legal(CHAD.fresh().choose(state, core.Rng(1, 0), 0.0))


@pytest.mark.parametrize("seed", range(8))
def test_it_sees_no_hidden_card(seed: int) -> None:
    check_sees_no_hidden_card(QUICK, seed)


def test_the_same_seed_gives_the_same_games() -> None:
    first, second = (locm.play("chad-first/chad:playouts=480", "coac-first/greedy", games=20, seed=3) for _ in range(2))
    assert (first["final_hash"] == second["final_hash"]).all()


def test_it_beats_greedy_with_the_same_draft() -> None:
    assert locm.play("chad-first/chad:playouts=1600", "chad-first/greedy", games=100, seed=1).rate.low > 0.5


@pytest.mark.parametrize("text", ["0", "-5", "many", "", "1.5", "10000000000"])
def test_a_bad_budget_is_refused(text: str) -> None:
    with pytest.raises(AgentError):
        locm.play(f"icebox/chad:playouts={text}", "icebox/greedy", games=2)
