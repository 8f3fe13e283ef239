"""What every agent of Legends of Code and Magic owes: each name in the registries is held to it, new ones included."""

import random
import time
from pathlib import Path

import numpy as np
import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm import agents
from deckatlas.games.locm.agents import battle_agent, draft_policy
from deckatlas.games.locm.cards import DECK_SIZE
from deckatlas.games.locm.genomes import write_policy
from deckatlas.games.locm.state import Action, Rng, State, new_game
from helpers.locm_agents import (
    SMALL_BUDGETS,
    WRITE_GOLDEN,
    battle_specs,
    golden_file,
    golden_game,
    with_small_budget,
)
from helpers.locm_boards import Player, set_up

MOST_ACTIONS = 40  # a hand of eight, six creatures on the board and those summoned in the turn, with room to spare

BUDGETS = [(name, key) for name, entry in locm.BATTLE_AGENTS.items() for key in entry.options if key in SMALL_BUDGETS]

every_battle_agent = pytest.mark.parametrize("spec", battle_specs())
both_seats = pytest.mark.parametrize("seat", [0, 1])


def agent_of(spec: str) -> core.BattleAgent:
    return battle_agent(with_small_budget(spec))


def random_decks(seed: int) -> tuple[list[int], list[int]]:
    rng = random.Random(seed)
    return rng.sample(range(1, 161), DECK_SIZE), rng.sample(range(1, 161), DECK_SIZE)


def play_turn(agent: core.BattleAgent, state: State, rng: Rng) -> list[Action]:
    """Plays a turn out on `state` and returns it; every action is checked, and that there is an end."""
    turn = state.turn
    actions: list[Action] = []
    while not state.is_over and state.turn == turn:
        action = agent.choose(state, rng)
        assert action in state.legal_actions()
        state.apply(action)
        actions.append(action)
        assert len(actions) <= MOST_ACTIONS
    return actions


def turn_starts(seed: int, players: list[core.BattleAgent], *, decks: bool = False) -> list[State]:
    """The states in which the turns of a game began; picks are random."""
    state = new_game(seed=seed, decks=random_decks(seed)) if decks else new_game(seed=seed)
    streams = [Rng(seed, seat) for seat in (0, 1)]
    picks = core.random_draft()
    while not state.in_battle:
        state.apply(picks.choose(state, streams[state.player_to_move]))
    starts = []
    while not state.is_over:
        starts.append(state.copy())
        player = state.player_to_move
        play_turn(players[player], state, streams[player])
    return starts


# ---- battle agents -----------------------------------------------------------------------------------------------


@both_seats
@pytest.mark.parametrize("decks", [False, True], ids=["drafted", "given"])
@every_battle_agent
def test_only_legal_actions_and_every_turn_ends(spec: str, decks: bool, seat: int) -> None:
    for seed in range(3):
        players = [core.greedy_agent(), core.greedy_agent()]
        players[seat] = agent_of(spec)
        assert turn_starts(seed, players, decks=decks)


POSITIONS: dict[str, tuple[Player, Player]] = {
    "nothing to do": ({}, {}),
    "a full board and hand": (
        {"hand": [116, 120, 125, 141, 150, 153, 158, 7], "left": ["1/9 W*", "2/3*", "3/1*"], "right": ["4/4 G*"] * 3},
        {"hand": [1] * 8, "left": ["2/2 G", "1/1 L", "5/5"], "right": ["9/9 BCDGLW"] * 3},
    ),
    "the last point of health": ({"hp": 1, "runes": 0, "left": ["1/1*"]}, {"hp": 1, "runes": 0, "left": ["12/12"]}),
    "no card left": ({"hand": [3], "deck": []}, {"deck": [], "right": ["3/3"]}),
    "in the middle of a turn": (
        {"mana": 3, "hand": [3, 18], "left": ["3/3!", "2/2*"], "right": ["4/1"]},
        {"left": ["2/2"], "right": ["1/5"]},
    ),
    "big numbers": ({"hp": 500, "left": ["99/99*"]}, {"hp": 500, "left": ["99/99 G"]}),
}


@both_seats
@pytest.mark.parametrize("place", POSITIONS)
@every_battle_agent
def test_positions_built_by_hand_are_played(spec: str, place: str, seat: int) -> None:
    me, foe = POSITIONS[place]
    state = set_up(me, foe, seat=seat)
    for _ in range(4):
        if not state.is_over:
            play_turn(agent_of(spec), state, Rng(1, state.player_to_move))


@every_battle_agent
def test_an_agent_can_be_asked_out_of_order(spec: str) -> None:
    agent = agent_of(spec)
    states = turn_starts(4, [core.random_agent(active=True), core.greedy_agent()])
    for state in random.Random(1).sample(states, min(8, len(states))):
        for _ in range(2):  # and twice the same
            assert agent.choose(state, Rng(1, 0)) in state.legal_actions()


@every_battle_agent
def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(spec: str) -> None:
    entrant = f"random/{with_small_budget(spec)}"
    one, again, three = (
        locm.play(entrant, "random/greedy", games=132, seed=5, threads=threads) for threads in (1, 1, 3)
    )
    for column, values in one.columns.items():
        assert np.array_equal(values, again[column]), column
        assert np.array_equal(values, three[column]), column


@every_battle_agent
def test_games_played_one_action_at_a_time_are_the_same(spec: str) -> None:
    entrant = f"random/{with_small_budget(spec)}"
    match = locm.play(entrant, "random/greedy", games=4, seed=6, threads=1)
    for seed, first, final_hash in zip(match["seed"], match["first"], match["final_hash"], strict=True):
        seats = [entrant, "random/greedy"]
        record = locm.play_one(*seats[:: -1 if first else 1], seed=int(seed))
        *_, final = record.replay()
        assert final.battle_hash == final_hash


@both_seats
@every_battle_agent
def test_what_a_player_cannot_see_changes_nothing(spec: str, seat: int) -> None:
    for seed in range(2):
        players = [core.greedy_agent(), core.greedy_agent()]
        players[seat] = agent_of(spec)
        for state in turn_starts(seed, players)[seat::2]:
            turn = play_turn(agent_of(spec), state.copy(), Rng(seed, seat))
            for guess in (1, 2):
                other = state.resample(seat, guess)
                assert play_turn(agent_of(spec), other, Rng(seed, seat)) == turn
            assert agent_of(spec).choose(state.view(seat), Rng(seed, seat)) == turn[0]


@pytest.mark.parametrize(("name", "budget"), BUDGETS)
def test_a_clock_is_kept_whatever_the_budget(name: str, budget: str) -> None:
    agent = battle_agent(f"{name}:{budget}={10**9}")
    state = set_up(*POSITIONS["a full board and hand"])
    start = time.process_time()
    assert agent.choose(state, Rng(1, 0), 0.02) in state.legal_actions()
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize("name", locm.BATTLE_AGENTS)
def test_every_option_is_checked(name: str) -> None:
    for option in locm.BATTLE_AGENTS[name].options:
        with pytest.raises(AgentError):
            battle_agent(f"{name}:{option}=no number")


@pytest.mark.parametrize(("name", "budget"), BUDGETS)
@pytest.mark.parametrize("amount", ["0", "-1", str(10**12), ""])
def test_a_budget_is_a_positive_number(name: str, budget: str, amount: str) -> None:
    with pytest.raises(AgentError, match=budget):
        battle_agent(f"{name}:{budget}={amount}")


@every_battle_agent
def test_the_golden_game_is_played_again(spec: str) -> None:
    file = golden_file(spec)
    if not file.exists():
        pytest.fail(f"there is no golden game of '{spec}': make it with `{WRITE_GOLDEN} {spec}` and look at it")
    golden = file.read_text(encoding="utf-8")
    assert golden_game(spec) == golden, f"if the change is meant, write it with `{WRITE_GOLDEN} {spec}` and say why"
    list(locm.GameRecord.from_text(golden).replay())


def test_no_golden_game_is_left_of_an_agent_that_is_gone() -> None:
    assert set(golden_file("greedy").parent.iterdir()) == {golden_file(spec) for spec in battle_specs()}


# ---- draft policies ----------------------------------------------------------------------------------------------


@pytest.fixture(params=locm.DRAFT_POLICIES)
def policy(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Each draft policy's spec; one that needs a file gets it."""
    name = str(request.param)
    if name == "net":
        return f"net:file={Path(agents.__file__).with_name('locm_rg_first.json')}"
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
    streams = [Rng(8, seat) for _ in range(4)]
    while not state.in_battle:
        if state.player_to_move != seat:
            state.apply(core.random_draft().choose(state, others))
            continue
        alike = [state, state.resample(seat, 1), state.resample(seat, 2), state.view(seat)]
        picks = [draft_policy(policy).choose(each, rng) for each, rng in zip(alike, streams, strict=True)]
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
