"""The research players of Legends of Code and Magic: best turns by exhaustive search, and what each looks at."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.state import Action, Rng, State
from helpers.locm_boards import action_from, set_up
from helpers.locm_play import random_states

RESEARCH = ["fmc", "dfs", "mcts0", "mcts", "mctsp", "bbmcts"]
MOST_STATES = 400  # of turns that Python searches through


def simple_rating(state: State, player: int) -> int:
    """Death, health, number and size of creatures."""
    worth = []
    for side in (state.side(player), state.side(1 - player)):
        worth.append(2 * side.health + sum(10 + c.attack + c.defense for c in side.creatures))
    own_death, enemy_death = (state.side(seat).health <= 0 for seat in (player, 1 - player))
    return worth[0] - worth[1] + 1000 * enemy_death - 1000 * own_death


def ends_of_turn(start: State) -> list[State]:
    """All states that the turn can end in, or the first so many."""
    ends = {start.battle_hash: start}
    waiting = [start]
    while waiting and len(ends) <= MOST_STATES:
        state = waiting.pop()
        for action in state.legal_actions()[1:]:
            after = state.copy()
            after.apply(action)
            if after.battle_hash not in ends:
                ends[after.battle_hash] = after
                waiting.append(after)
    return list(ends.values())


def turn_of(agent: core.BattleAgent, start: State) -> tuple[list[Action], State]:
    """The turn that the agent plays, and the state before it passes."""
    state, rng = start.copy(), Rng(1, start.player_to_move)
    actions: list[Action] = []
    while not state.is_over:
        action = agent.choose(state, rng)
        if action.verb == "PASS":
            break
        state.apply(action)
        actions.append(action)
    return actions, state


def starts_of_turns(seeds: range) -> Iterator[State]:
    for seed in seeds:
        turn = -1
        for state in random_states("referee", seed, passes=0.1):
            if state.in_battle and state.turn != turn and not state.is_over:
                turn = state.turn
                yield state.copy()


def small_turns(seeds: range) -> Iterator[tuple[State, int]]:
    """Starts of turns that Python can search through, with the best rating that can be reached."""
    for state in starts_of_turns(seeds):
        ends = ends_of_turn(state)
        if 10 < len(ends) <= MOST_STATES and not any(end.is_over for end in ends):
            yield state, max(simple_rating(end, state.player_to_move) for end in ends)


def test_depth_first_search_finds_the_best_end_of_the_turn() -> None:
    turns = list(small_turns(range(4)))
    assert len(turns) > 20
    for state, best in turns:
        _, end = turn_of(battle_agent("dfs"), state)
        assert simple_rating(end, state.player_to_move) == best


def test_random_turns_come_near_the_best_end_and_never_below_doing_nothing() -> None:
    found = 0
    turns = list(small_turns(range(4)))
    for state, best in turns:
        _, end = turn_of(battle_agent("fmc"), state)
        value = simple_rating(end, state.player_to_move)
        assert simple_rating(state, state.player_to_move) <= value <= best
        found += value == best
    assert found > 0.8 * len(turns)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", RESEARCH)
@pytest.mark.parametrize(
    ("me", "foe"),
    [
        ({"left": ["4/4*"], "right": ["1/1*"]}, {"hp": 5, "runes": 0}),
        # The Guard must fall to the small creature first.
        ({"left": ["2/1*", "5/5*"]}, {"hp": 5, "runes": 0, "left": ["9/2 G"]}),
        # Card 155 (blue) takes 3 defence from the Guard, or 3 health.
        ({"left": ["5/5*"], "hand": [155], "mana": 3}, {"hp": 5, "runes": 0, "left": ["9/3 G"]}),
    ],
)
def test_a_win_within_the_turn_is_taken(name: str, me: dict[str, object], foe: dict[str, object], seat: int) -> None:
    _, end = turn_of(battle_agent(name), set_up(me, foe, seat=seat))
    assert end.winner == seat


@pytest.mark.parametrize("name", ["mcts", "mctsp", "bbmcts"])
@pytest.mark.parametrize("seat", [0, 1])
def test_only_searches_that_imagine_a_reply_stop_a_deadly_attacker(name: str, seat: int) -> None:
    state = set_up({"hp": 2, "runes": 0, "left": ["1/1*"]}, {"left": ["3/1"]}, seat=seat)
    face, trade = (action_from(seat, text) for text in ("ATTACK 21 -1", "ATTACK 21 22"))
    assert turn_of(battle_agent("greedy"), state)[0] == [face]  # as good as the trade, and listed first
    assert turn_of(battle_agent("dfs"), state)[0] == [face]
    assert turn_of(battle_agent(name), state)[0] == [trade]


def test_ordered_search_summons_then_uses_items_then_attacks() -> None:
    phases = {"SUMMON": 0, "USE": 1, "ATTACK": 2}
    mixed = 0
    for state in starts_of_turns(range(6)):
        actions, _ = turn_of(battle_agent("mctsp:playouts=60,c=30"), state)
        order = [phases[action.verb] for action in actions]
        assert order == sorted(order)
        mixed += len(set(order)) > 1
    assert mixed > 10


@pytest.mark.parametrize("bad", ["x", "-1", "nan", "inf", ""])
@pytest.mark.parametrize("name", ["mcts0", "mcts", "mctsp", "bbmcts"])
def test_exploration_is_a_number_that_is_not_negative(name: str, bad: str) -> None:
    with pytest.raises(AgentError, match="c"):
        battle_agent(f"{name}:c={bad}")


@pytest.mark.parametrize("text", ["-1e-07", "-0.25", "2500000000.0", "inf", "nan"])
def test_exploration_out_of_range_is_told_as_it_was_given(text: str) -> None:
    with pytest.raises(AgentError) as raised:
        battle_agent(f"mcts:c={text}")
    assert str(raised.value) == f"c must be between 0.0 and 1000000000.0, not {text}"


@given(st.floats(max_value=-1e-320) | st.floats(min_value=1.5e9) | st.integers(2 * 10**9, 10**18).map(float))
@example(-0.0001)
@example(-0.00001)
@example(1e16)
@example(9999999999999998.0)
@example(-5e-324)
def test_numbers_in_messages_are_told_as_python_does(number: float) -> None:
    with pytest.raises(AgentError) as raised:
        core.mcts_agent(playouts=10, c=number)
    assert str(raised.value).endswith(f"not {number!r}")


@pytest.mark.parametrize("name", ["dfs", "mcts"])
def test_looking_over_the_whole_turn_beats_greedy(name: str) -> None:
    assert locm.play(f"icebox/{name}", "icebox/greedy", games=500, seed=1, threads=1).rate.low > 0.55
