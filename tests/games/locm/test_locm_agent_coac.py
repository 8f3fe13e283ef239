"""Coac against a plain description of what it does, and on positions worked by hand."""

from collections.abc import Iterator
from itertools import islice

import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import battle_agent, draft_policy
from deckatlas.games.locm.state import Rng, State
from helpers.locm_boards import Player, action_from, set_up
from helpers.locm_coac import Searcher, moves, read, text, whole_turn

NODES = 200_000
BOTH = pytest.mark.parametrize("original", [False, True], ids=["coac", "coac:original"])


def play_turn(agent: core.BattleAgent, state: State, seconds: float | None = None) -> list[core.Action]:
    """Plays the turn out in `state` and returns the actions before PASS; an illegal one raises."""
    actions: list[core.Action] = []
    turn, rng = state.turn, Rng(0, 0)
    while not state.is_over and state.turn == turn:
        action = agent.choose(state, rng, seconds)
        state.apply(action)
        if action.verb != "PASS":
            actions.append(action)
    return actions


def turns_of_games(seed: int, *, original: bool) -> Iterator[State]:
    """The states at the beginning of the turns of a game of Coac against itself or (every third) the greedy agent."""
    rng = Rng(seed, 0)
    state = locm.new_game(seed=seed)
    draft = draft_policy("random" if seed % 2 else "coac-first")
    while not state.in_battle:
        state.apply(draft.choose(state, rng))
    agents = [
        core.coac_agent(NODES, original),
        core.greedy_agent() if seed % 3 == 0 else core.coac_agent(NODES, original),
    ]
    while not state.is_over:
        yield state.copy()
        play_turn(agents[state.player_to_move], state)


def at_face(action: str) -> bool:
    """Whether an action is a strike at the face."""
    return action.startswith("ATTACK") and action.endswith(" -1")


@BOTH
@pytest.mark.parametrize("seed", range(6))
def test_coac_plays_as_described(seed: int, original: bool) -> None:
    compared = 0
    for state in turns_of_games(seed, original=original):
        if len(list(moves(read(state, original=original)))) > 9:
            continue
        expected = whole_turn(state, original=original)
        actions = [str(action) for action in play_turn(core.coac_agent(NODES, original), state)]
        last = sum(at_face(action) for action in actions)
        head = len(actions) - last
        assert actions[:head] == expected[:head]
        assert all(at_face(action) for action in expected[head:])
        assert set(actions[head:]) <= set(expected[head:])
        assert state.is_over or len(actions) == len(expected)  # a game may be won before the last strike
        compared += 1
    assert compared >= 3


@BOTH
def test_with_many_actions_it_looks_one_action_less_ahead(original: bool) -> None:
    # Three actions ahead it would begin with the card of instance 5.
    me = {"hand": [150, 159, 144, 159, 157, 150, 145, 158], "mana": 3, "left": ["3/2*"]}
    foe = {"left": ["2/1 G", "0/2 G"], "right": ["0/3 G", "2/2 G"], "hp": 20, "runes": 3}
    state = set_up(me, foe)
    mind = read(state, original=original)
    assert len(list(moves(mind))) >= 35
    _, move = Searcher().search(mind, 3)
    assert move is not None
    assert text(mind, move) == "USE 1 22"
    assert str(core.coac_agent(NODES, original).choose(state, Rng(0, 0))) == text(mind, move)


# Hand, creatures and enemy; what it does with the real rules; and with the published program's, if that differs.
DECIMATE, TOME_OF_THUNDER, ENCHANTED_CLOTH, CREATURE = 151, 158, 128, 3
FACTS: list[tuple[str, Player, Player, list[str], list[str]]] = [
    ("a creature goes to the left lane on ties", {"hand": [CREATURE]}, {}, ["SUMMON 1 0"], ["SUMMON 1 0"]),
    (
        "a won game is won at once",
        {"hand": [CREATURE], "left": ["3/1*"]},
        {"hp": 3, "runes": 0},
        ["ATTACK 21 -1"],
        ["ATTACK 21 -1"],
    ),
    (
        "a Guard in the other lane hides the win, cards are played first",
        {"hand": [CREATURE], "left": ["3/1*"]},
        {"hp": 3, "runes": 0, "right": ["0/9 G"]},
        ["SUMMON 1 0", "ATTACK 21 -1"],
        ["SUMMON 1 0", "ATTACK 21 -1"],
    ),
    (
        "nothing more is done if the enemy dies drawing",
        {"hand": [CREATURE]},
        {"hp": 4, "runes": 0, "deck": []},
        [],
        [],
    ),
    (
        "a rune saves from one missing card, which the original overlooks",
        {"hand": [CREATURE]},
        {"hp": 7, "runes": 1, "deck": []},
        ["SUMMON 1 0"],
        [],
    ),
    ("an item is worth more than 8 damage points", {"hand": [TOME_OF_THUNDER]}, {}, [], []),
    (
        "but not more than a win",
        {"hand": [TOME_OF_THUNDER]},
        {"hp": 4, "runes": 0},
        ["USE 1 -1"],
        ["USE 1 -1"],
    ),
    ("a green item is for a creature", {"hand": [ENCHANTED_CLOTH], "left": ["3/3"]}, {}, ["USE 1 21"], ["USE 1 21"]),
    ("but not for one that has attacked", {"hand": [ENCHANTED_CLOTH], "left": ["3/3!"]}, {}, [], []),
    ("Decimate is not for a 3/3", {"hand": [DECIMATE]}, {"left": ["3/3"]}, [], []),
    ("Decimate is for attack 4", {"hand": [DECIMATE]}, {"left": ["4/1"]}, ["USE 1 22"], ["USE 1 22"]),
    ("Decimate is for Lethal", {"hand": [DECIMATE]}, {"left": ["1/1 L"]}, ["USE 1 22"], ["USE 1 22"]),
    (
        "Breakthrough hurts the enemy, for the original it heals",
        {"left": ["6/6 B*"]},
        {"left": ["0/1"]},
        ["ATTACK 21 22"],
        ["ATTACK 21 -1"],
    ),
    (
        "a creature that trades badly strikes the face",
        {"left": ["3/1*"]},
        {"left": ["1/9"]},
        ["ATTACK 21 -1"],
        ["ATTACK 21 -1"],
    ),
    (
        "a Guard is struck first, by the creature that survives",
        {"left": ["2/1*", "2/9*"]},
        {"left": ["2/2 G"]},
        ["ATTACK 23 22", "ATTACK 21 -1"],
        ["ATTACK 23 22", "ATTACK 21 -1"],
    ),
]


@BOTH
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("me", "foe", "real", "published"), [row[1:] for row in FACTS], ids=[row[0] for row in FACTS])
def test_facts(me: Player, foe: Player, real: list[str], published: list[str], seat: int, original: bool) -> None:
    state = set_up(me, foe, seat=seat)
    expected = [action_from(seat, action) for action in (published if original else real)]
    assert play_turn(core.coac_agent(NODES, original), state) == expected


@BOTH
@pytest.mark.parametrize("nodes", [1, 300])
def test_past_its_limits_it_still_plays_legally_and_ends_its_turn(nodes: int, original: bool) -> None:
    for seconds in (None, 0.0):
        for state in turns_of_games(4, original=original):
            play_turn(core.coac_agent(nodes, original), state, seconds)


@BOTH
def test_what_it_cannot_see_changes_nothing(original: bool) -> None:
    for seed in range(4):
        for state in turns_of_games(seed, original=original):
            player = state.player_to_move
            action = core.coac_agent(NODES, original).choose(state, Rng(1, 0))
            for other in (state.view(player), state.resample(player, seed), state.resample(player, seed + 100)):
                assert core.coac_agent(NODES, original).choose(other, Rng(1, 0)) == action


@BOTH
def test_a_plan_is_dropped_when_the_position_is_another_one(original: bool) -> None:
    agent = core.coac_agent(NODES, original)
    for state in islice(turns_of_games(7, original=original), 12):
        assert agent.choose(state, Rng(1, 0)) == core.coac_agent(NODES, original).choose(state, Rng(1, 0))


def test_the_same_seed_gives_the_same_games() -> None:
    first, second = (locm.play("coac-first/coac", "random/coac:original", games=8, seed=3) for _ in range(2))
    assert (first["final_hash"] == second["final_hash"]).all()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("coac:original=1", "takes no value"),
        ("coac:nodes=many", "whole number"),
        ("coac:nodes=-1", "between 1 and"),
        ("coac:node=1", "did you mean 'nodes'"),
    ],
)
def test_a_bad_option_is_refused(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        battle_agent(spec)
