"""What every battle agent of Legends of Code and Magic must hold to, and games to look at it with."""

from collections.abc import Iterator

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.games.locm.agents import battle_agent, draft_policy
from deckatlas.games.locm.state import Action, Rng, State

MOST_ACTIONS = 40  # more than a turn can hold


def turn_starts(seed: int, draft: str = "coac-first", battle: str = "greedy") -> Iterator[State]:
    """The states in which a turn begins, over one game of an agent against itself."""
    rng = Rng(seed, 0)
    policy, agent = draft_policy(draft), battle_agent(battle)
    state, turn = locm.new_game(seed=seed), -1
    while not state.is_over:
        if not state.in_battle:
            state.apply(policy.choose(state, rng))
            continue
        if state.turn != turn:
            turn = state.turn
            yield state.copy()
        state.apply(agent.choose(state, rng))


def play_turn(agent: core.BattleAgent, state: State, *, seed: int = 1) -> tuple[list[Action], State]:
    """What an agent does in one turn, PASS left out, and the state before it passes; every action must be legal."""
    agent, rng, state = agent.fresh(), Rng(seed, 0), state.copy()
    actions: list[Action] = []
    while not state.is_over:
        action = agent.choose(state, rng)
        assert state.is_legal(action)
        if action.verb == "PASS":
            break
        state.apply(action)
        actions.append(action)
        assert len(actions) < MOST_ACTIONS
    return actions, state


def check_sees_no_hidden_card(agent: core.BattleAgent, seed: int) -> None:
    """An agent does the same in states that differ only in what it cannot see."""
    for state in turn_starts(seed):
        other = state.resample(state.player_to_move, seed + 1)
        assert play_turn(agent, state)[0] == play_turn(agent, other)[0]
