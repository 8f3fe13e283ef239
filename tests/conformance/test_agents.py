"""What every agent of every game owes: each name in the registries is held to it, new ones included."""

import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm import agents
from deckatlas.games.locm.agents import battle_agent, draft_policy
from deckatlas.games.locm.genomes import write_policy
from deckatlas.games.locm.state import Rng, new_game
from helpers.agent_games import GAMES, AgentGame, budgets, specs

CHANCE = 2  # the seat whose stream is the game's own

AGENTS = [(name, spec) for name, game in GAMES.items() for spec in specs(game)]
HONEST = [(name, spec) for name, spec in AGENTS if GAMES[name].is_honest(spec)]
NAMES = [(name, each) for name, game in GAMES.items() for each in game.entries]
BUDGETS = [(name, *each) for name, game in GAMES.items() for each in budgets(game)]
CLOCKED = [each for each in BUDGETS if GAMES[each[0]].has_clock]

every_agent = pytest.mark.parametrize(("game", "spec"), AGENTS, indirect=["game"])
both_seats = pytest.mark.parametrize("seat", [0, 1])


@pytest.fixture
def game(request: pytest.FixtureRequest) -> AgentGame:
    """The game of a name."""
    return GAMES[str(request.param)]


def play_turn(game: AgentGame, agent: Any, state: Any, rng: Rng, chance: Rng) -> list[Any]:
    """Plays a turn out on `state` and returns it; every action is checked, and that there is an end."""
    turn = state.turn
    actions: list[Any] = []
    while not state.is_over and state.turn == turn:
        before = state.copy()
        action = agent.choose(state, rng)
        assert state == before, "the agent has changed the state it was given"
        game.apply(state, action, chance)  # refuses what is not legal
        actions.append(action)
        assert len(actions) <= game.most_actions
    return actions


def turn_starts(game: AgentGame, seed: int, players: list[Any], state: Any) -> list[Any]:
    """The states in which the turns of a game began."""
    streams, chance = [Rng(seed, seat) for seat in (0, 1)], Rng(seed, CHANCE)
    starts = []
    while not state.is_over:
        starts.append(state.copy())
        player = state.player_to_move
        play_turn(game, players[player], state, streams[player], chance)
    return starts


def opponents(game: AgentGame) -> list[Any]:
    return [game.make(game.opponent), game.make(game.opponent)]


# ---- agents ----------------------------------------------------------------------------------------------------------


@both_seats
@every_agent
def test_only_legal_actions_and_every_turn_ends(game: AgentGame, spec: str, seat: int) -> None:
    for seed in range(game.seeds):
        for start in game.starts(seed):
            players = opponents(game)
            players[seat] = game.make(spec)
            assert turn_starts(game, seed, players, start)


@both_seats
@every_agent
def test_positions_built_by_hand_are_played(game: AgentGame, spec: str, seat: int) -> None:
    for state in game.positions(seat).values():
        for _ in range(4):
            if not state.is_over:
                play_turn(game, game.make(spec), state, Rng(1, state.player_to_move), Rng(1, CHANCE))


@every_agent
def test_an_agent_can_be_asked_out_of_order(game: AgentGame, spec: str) -> None:
    agent = game.make(spec)
    states = turn_starts(game, 4, opponents(game), next(game.starts(4)))
    for state in random.Random(1).sample(states, min(8, len(states))):
        for _ in range(2):  # and twice the same
            game.apply(state.copy(), agent.choose(state, Rng(1, 0)), Rng(1, CHANCE))


@every_agent
def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(game: AgentGame, spec: str) -> None:
    one, again, three = (game.match(spec, games=game.games, seed=5, threads=threads) for threads in (1, 1, 3))
    for column, values in one.columns.items():
        assert np.array_equal(values, again[column]), column
        assert np.array_equal(values, three[column]), column


@every_agent
def test_games_played_one_action_at_a_time_are_the_same(game: AgentGame, spec: str) -> None:
    match = game.match(spec, games=4, seed=6, threads=1)
    for seed, first, final_hash in zip(match["seed"], match["first"], match["final_hash"], strict=True):
        assert game.final_hash(spec, seed=int(seed), first=int(first)) == final_hash


@both_seats
@pytest.mark.parametrize(("game", "spec"), HONEST, indirect=["game"])
def test_what_a_player_cannot_see_changes_nothing(game: AgentGame, spec: str, seat: int) -> None:
    for seed in range(2):
        players = opponents(game)
        players[seat] = game.make(spec)
        for state in turn_starts(game, seed, players, next(game.starts(seed)))[seat::2]:
            turn = play_turn(game, game.make(spec), state.copy(), Rng(seed, seat), Rng(seed, CHANCE))
            others = [state.resample(seat, guess) for guess in (1, 2)]
            for other in [*others, state.view(seat)]:
                assert game.make(spec).choose(other, Rng(seed, seat)) == turn[0]
            if not game.draws_within_turns:
                for other in others:
                    assert play_turn(game, game.make(spec), other, Rng(seed, seat), Rng(seed, CHANCE)) == turn


@pytest.mark.parametrize(("game", "name", "budget"), CLOCKED, indirect=["game"])
def test_a_clock_is_kept_whatever_the_budget(game: AgentGame, name: str, budget: str) -> None:
    agent = game.make(f"{name}:{budget}={10**9}")
    state = game.positions(0)["a full board and hand"]
    start = time.process_time()
    assert agent.choose(state, Rng(1, 0), 0.02) in state.legal_actions()
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize(("game", "name"), NAMES, indirect=["game"])
def test_every_option_is_checked(game: AgentGame, name: str) -> None:
    for option in game.entries[name].options:
        with pytest.raises(AgentError):
            game.make(f"{name}:{option}=no number")


@pytest.mark.parametrize(("game", "name", "budget"), BUDGETS, indirect=["game"])
@pytest.mark.parametrize("amount", ["0", "-1", str(10**12), ""])
def test_a_budget_is_a_positive_number(game: AgentGame, name: str, budget: str, amount: str) -> None:
    with pytest.raises(AgentError, match=budget):
        game.make(f"{name}:{budget}={amount}")


# ---- draft policies ----------------------------------------------------------------------------------------------


@pytest.fixture(params=locm.DRAFT_POLICIES)
def policy(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Each draft policy's spec; one that needs a file gets it."""
    name = str(request.param)
    if name == "net":
        return f"net:file={Path(agents.__file__).with_name('rg_first.json')}"
    if name == "genome":
        file = tmp_path / "policy.json"
        write_policy(file, "attribute-pattern", np.arange(16.0), np.arange(16.0)[::-1] // 2)
        return f"genome:file={file}"
    if name != "ranking":
        return name
    file = tmp_path / "ranking.txt"
    file.write_text(" ".join(str(card % 7) for card in range(160)))
    return f"ranking:file={file}"


@both_seats
@pytest.mark.parametrize("format", ["referee", "distinct"])
def test_a_policy_picks_what_is_offered_and_only_by_what_it_sees(policy: str, format: str, seat: int) -> None:
    state, others = new_game(seed=8, format=format), Rng(8, 1 - seat)
    streams, policies = [Rng(8, seat) for _ in range(4)], [draft_policy(policy) for _ in range(4)]
    while not state.in_battle:
        if state.player_to_move != seat:
            state.apply(core.random_draft().choose(state, others))
            continue
        alike = [state, state.resample(seat, 1), state.resample(seat, 2), state.view(seat)]
        picks = [own.choose(each, rng) for own, each, rng in zip(policies, alike, streams, strict=True)]
        assert picks[0] in state.legal_actions()
        assert picks == picks[:1] * len(alike)
        state.apply(picks[0])


def test_drafts_are_the_same_on_any_number_of_threads(policy: str) -> None:
    one, two = (
        locm.play(f"{policy}/random", "random/random", games=132, seed=5, threads=threads) for threads in (1, 2)
    )
    assert np.array_equal(one["final_hash"], two["final_hash"])


@pytest.mark.parametrize("name", sorted(locm.BATTLE_AGENTS.keys() & locm.DRAFT_POLICIES.keys()))
def test_a_name_for_both_draft_and_battle_can_stand_alone(name: str) -> None:
    alone, both = (locm.play_one(entrant, "icebox/greedy", seed=1) for entrant in (name, f"{name}/{name}"))
    assert alone.actions == both.actions


def test_a_number_beyond_all_bounds_is_refused_like_any_other() -> None:
    with pytest.raises(AgentError, match="option 'playouts' is a whole number"):
        battle_agent(f"mcts:playouts={10**20}")
