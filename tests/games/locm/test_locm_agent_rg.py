"""ReinforcedGreediness's battler against a plain description of it, on hand-worked boards and in whole games."""

import heapq
from typing import Any

import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.state import Rng
from helpers.locm_boards import Player, action_from, set_up

KEYWORD_WEIGHTS = {"B": 2653632695, "D": 5596083779, "G": 711429871, "L": 1433951645, "W": 2955693950}
EMPTY: Player = {}


def rating(state: locm.State, player: int) -> float:
    """Death, health, hands and creatures; creatures in units of 1e-10, so that their order does not matter."""

    def board(side: locm.Side) -> int:
        return sum(
            9903654503 * creature.attack
            + 8807415489 * creature.defense
            + sum(KEYWORD_WEIGHTS.get(letter, 0) for letter in creature.keywords)
            for creature in side.creatures
        )

    own, enemy = state.side(player), state.side(1 - player)
    death = (100000.0 if enemy.health <= 0 else 0.0) - (100000.0 if own.health <= 0 else 0.0)
    health = 0.0156030631 * (own.health - enemy.health)
    hands = 0.0502277203 * (len(own.hand) - len(enemy.hand))
    return death + health + hands + 0.5381958101 * 0.9721034503 * 1e-10 * (board(own) - board(enemy))


def replay(root: locm.State, sequence: list[locm.Action]) -> locm.State:
    state = root.copy()
    for action in sequence:
        state.apply(action)
    return state


def planned_turn(root: locm.State, nodes: int, *, merge: bool = False) -> list[str]:
    """The best sequence of a best-first search that replays every sequence from the root."""
    player = root.player_to_move
    sequences: list[list[locm.Action]] = [[]]
    keys = [(-rating(root, player), 0, 0)]
    frontier = [keys[0]]
    seen = {root.battle_hash}
    while frontier and (len(sequences) == 1 or len(sequences) < nodes):
        sequence = sequences[heapq.heappop(frontier)[2]]
        for action in replay(root, sequence).legal_actions()[1:]:
            successor = replay(root, [*sequence, action])
            if merge and successor.battle_hash in seen:
                continue
            seen.add(successor.battle_hash)
            keys.append((-rating(successor, player), len(sequence) + 1, len(sequences)))
            sequences.append([*sequence, action])
            heapq.heappush(frontier, keys[-1])
    best = sequences[min(keys)[2]]
    end = replay(root, best)
    while frontier and (face := [a for a in end.legal_actions() if a.verb == "ATTACK" and a.target == -1]):
        best = [*best, face[0]]
        end.apply(face[0])
    return [str(action) for action in best]


def played_turn(root: locm.State, agent: core.BattleAgent) -> list[str]:
    """The actions of an agent until it passes or wins."""
    state, rng, actions = root.copy(), Rng(0, 0), []
    while not state.is_over:
        action = agent.choose(state, rng)
        if action.verb == "PASS":
            break
        state.apply(action)
        actions.append(str(action))
    return actions


def turn_starts(seed: int) -> list[locm.State]:
    """The starts of all turns of a game that two weak searches play after a random draft."""
    rng, state = Rng(seed, 0), locm.new_game(seed=seed)
    starts: list[locm.State] = []
    while not state.in_battle:
        state.apply(core.random_draft().choose(state, rng))
    agents = [core.rg_agent(60, False), core.rg_agent(60, True)]
    while not state.is_over:
        if not starts or starts[-1].turn != state.turn:
            starts.append(state.copy())
        state.apply(agents[state.player_to_move].choose(state, rng))
    return starts


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("nodes", [1, 40, 150])
@pytest.mark.parametrize("seed", range(3))
def test_rg_plays_the_best_sequence_of_a_best_first_search(seed: int, nodes: int, merge: bool) -> None:
    for state in turn_starts(seed)[seed::3]:
        assert played_turn(state, core.rg_agent(nodes, merge)) == planned_turn(state, nodes, merge=merge)


# What rg does on a board: mine, the enemy's, and all actions of the turn.
TURNS: list[tuple[str, Player, Player, list[str]]] = [
    ("nothing to do", EMPTY, EMPTY, []),
    ("kills the player", {"left": ["3/1*"]}, {"hp": 3, "runes": 0, "left": ["2/1"]}, ["ATTACK 21 -1"]),
    ("trades up", {"left": ["1/1 L*"]}, {"left": ["8/8"]}, ["ATTACK 21 22"]),
    ("does not trade down", {"left": ["5/2*"]}, {"left": ["2/1"]}, ["ATTACK 21 -1"]),
    ("takes what is free", {"left": ["3/3*"]}, {"left": ["1/3"]}, ["ATTACK 21 22"]),
    ("attacks the face where nothing stands", {"right": ["2/2*"]}, {"left": ["1/1"]}, ["ATTACK 31 -1"]),
    (
        "opens the way to the player",
        {"left": ["2/2*", "9/9*"]},
        {"hp": 9, "runes": 1, "left": ["1/2 G"]},
        ["ATTACK 21 22", "ATTACK 23 -1"],
    ),
    ("keeps from hitting a Guard it cannot hurt", {"left": ["0/4*"]}, {"left": ["4/4 G"]}, []),
]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("name", "me", "foe", "expected"), TURNS, ids=[row[0] for row in TURNS])
def test_rg_on_small_boards(name: str, me: Player, foe: Player, expected: list[str], seat: int) -> None:
    actions = played_turn(set_up(me, foe, seat=seat), battle_agent("rg"))
    assert actions == [str(action_from(seat, text)) for text in expected]


def test_out_of_nodes_the_face_attacks_that_are_left_are_appended() -> None:
    board: dict[str, Any] = {"left": ["1/1*", "2/2*", "3/3*"], "right": ["4/4*"]}
    actions = played_turn(set_up(board, EMPTY), core.rg_agent(1, False))
    assert actions == ["ATTACK 31 -1", "ATTACK 21 -1", "ATTACK 23 -1", "ATTACK 25 -1"]


def test_all_actions_are_legal_and_every_turn_ends() -> None:
    agent, rng = battle_agent("rg"), Rng(1, 0)
    state = locm.new_game(seed=9)
    while not state.in_battle:
        state.apply(core.random_draft().choose(state, rng))
    decisions = 0
    while not state.is_over:
        action = agent.choose(state, rng)
        assert action in state.legal_actions()
        state.apply(action)
        decisions += 1
    assert decisions < 1000


def test_the_same_seed_gives_the_same_games() -> None:
    once, again = (locm.play("random/rg", "random/rg:merge", games=10, seed=4, threads=n) for n in (1, 2))
    assert all((once[name] == again[name]).all() for name in once.columns)


@pytest.mark.parametrize("seed", range(4))
def test_rg_does_the_same_whatever_it_cannot_see(seed: int) -> None:
    for state in turn_starts(seed):
        for other in range(2):
            alike = state.resample(state.player_to_move, other)
            assert battle_agent("rg").choose(state, Rng(3, 0)) == battle_agent("rg").choose(alike, Rng(3, 0))


def test_under_a_clock_rg_answers_in_time() -> None:
    state = max(turn_starts(2), key=lambda s: len(s.legal_actions()))
    patient = core.rg_agent(10_000_000, False)
    assert patient.choose(state, Rng(0, 0), seconds=0.01) in state.legal_actions()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rg:nodes=0", "nodes must be between 1 and 1000000000, not 0"),
        ("rg:nodes=many", "option 'nodes' is a whole number, not 'many'"),
        ("rg:merge=yes", "option 'merge' takes no value, not 'yes'"),
        ("rg:node=5", "did you mean 'nodes'"),
    ],
)
def test_wrong_options_are_refused(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        battle_agent(spec)
