"""What agents of Legends of Code and Magic compare before they act, in words: see `deckatlas.play.replays`."""

from collections.abc import Mapping, Sequence

from deckatlas._core import locm as core
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.record import deed_in_words
from deckatlas.games.locm.state import Action, Rng, State
from deckatlas.play.replays import MOST_LINES, Line

# Agents that can be asked what they would do in any game: they compare whole turns.
COACHES = ("planner",)


def own_lines(
    states: Sequence[State], actions: Sequence[Action], agents: Sequence[object], seed: int
) -> Mapping[int, tuple[Line, ...]]:
    """What each player compared before its turns, by the number of the action that begins the turn.

    Args:
        states: The state before each action of a battle, and the last one.
        actions: The actions.
        agents: The battle agents; only those of the core say what they compare.
        seed: The seed of the game.
    """
    found = {}
    for number, state in enumerate(states[: len(actions)]):
        agent = agents[state.player_to_move]
        begins = number == 0 or actions[number - 1].verb == "PASS"
        if begins and isinstance(agent, core.BattleAgent) and (lines := _lines(state, agent, seed)):
            found[number] = lines
    return found


def lines_of_coach(
    states: Sequence[State], actions: Sequence[Action], coach: str, seed: int
) -> Mapping[int, tuple[Line, ...]]:
    """What another agent, one of `COACHES`, would compare before each action."""
    agent = battle_agent(coach)
    return {number: _lines(state, agent, seed) for number, state in enumerate(states[: len(actions)])}


def _lines(state: State, agent: core.BattleAgent, seed: int) -> tuple[Line, ...]:
    found = agent.fresh().explain(state, Rng(seed, state.player_to_move))
    # Turns that differ only in which of two equal cards they use have the same words.
    distinct: dict[str, Line] = {}
    for each in found:
        line = _line(state.copy(), *each)
        distinct.setdefault(line.words, line)
        if len(distinct) == MOST_LINES:
            break
    return tuple(distinct.values())


def _line(state: State, wins: bool, rating: int, actions: Sequence[Action]) -> Line:
    deeds = []
    for action in actions:
        deeds.append(deed_in_words(state, action))
        state.apply(action)
    words = "; ".join(deeds) or "ends the turn"
    return Line(words, chance=1.0) if wins else Line(words, rating=rating)
