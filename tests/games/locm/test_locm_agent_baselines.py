"""The contest's two baselines: hand-worked turns, and whole games against a plain description of each program."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.games.locm.state import Rng
from helpers.locm_boards import action_from, set_up

AGENTS: dict[str, Callable[[], core.BattleAgent]] = {
    "baseline1": core.baseline1_agent,
    "baseline2": core.baseline2_agent,
}


def turn_of(agent: core.BattleAgent, state: locm.State) -> list[str]:
    """What the agent does in this turn, PASS left out."""
    played = []
    player, turn = state.player_to_move, state.turn
    while not state.is_over and state.turn == turn:
        action = agent.choose(state, Rng(0, player))
        assert state.is_legal(action)
        if action.verb != "PASS":
            played.append(str(action))
        state.apply(action)
    return played


# ---- hand-worked turns -------------------------------------------------------------------------------------------

# Creatures: 1 and 3 have attack 2 for 1 mana, 68 has 7 for 6. Items: 117 green for 1, 141 red for 0, 160 blue for 2,
# 157 blue for 3.
CHARGE = 41
TURNS: list[tuple[str, str, Mapping[str, Any], Mapping[str, Any], list[str]]] = [
    ("all summons of a pass go to one lane", "baseline1", {"hand": [3, 3]}, {}, ["SUMMON 1 0", "SUMMON 3 0"]),
    (
        "what it cannot pay is left, what follows is played",
        "baseline1",
        {"hand": [3, 68, 3], "mana": 2},
        {},
        ["SUMMON 1 0", "SUMMON 5 0"],
    ),
    (
        "the fourth summon in a lane fails, and its mana is set aside all the same",
        "baseline1",
        {"hand": [3, 3, 3, 3, 157], "mana": 6},
        {},
        ["SUMMON 1 0", "SUMMON 3 0", "SUMMON 5 0"],
    ),
    ("no Guard: the face", "baseline1", {"left": ["3/3*"]}, {"left": ["2/2"]}, ["ATTACK 21 -1"]),
    ("a Guard first", "baseline1", {"left": ["3/3*"]}, {"left": ["2/2", "1/4 G"]}, ["ATTACK 21 24"]),
    ("a Guard in the other lane", "baseline1", {"left": ["3/3*"]}, {"right": ["1/4 G"]}, ["ATTACK 21 -1"]),
    (
        "a Guard that died is attacked again, in vain",
        "baseline1",
        {"left": ["3/3*", "3/3*"]},
        {"left": ["1/3 G"]},
        ["ATTACK 21 22"],
    ),
    ("one item a turn", "baseline1", {"hand": [160, 3, 160]}, {}, ["USE 1 -1"]),
    (
        "a used item hides the card behind it",
        "baseline1",
        {"hand": [160, 3, 3]},
        {"left": ["1/1"]},
        ["USE 1 -1", "SUMMON 5 0"],
    ),
    (
        "green on its first creature, which it then overlooks",
        "baseline1",
        {"hand": [117], "left": ["1/1*", "2/2*"]},
        {"left": ["1/1"]},
        ["USE 1 21", "ATTACK 23 -1"],
    ),
    (
        "without an enemy in sight a second pass finds it",
        "baseline1",
        {"hand": [117], "left": ["1/1*", "2/2*"]},
        {},
        ["USE 1 21", "ATTACK 23 -1", "ATTACK 21 -1"],
    ),
    ("green needs a creature on the board", "baseline1", {"hand": [117]}, {}, []),
    ("red on the enemy's first", "baseline1", {"hand": [141]}, {"left": ["1/9", "5/9"]}, ["USE 1 22"]),
    ("one pass: Charge does not attack", "baseline1", {"hand": [CHARGE]}, {"right": ["1/1"]}, ["SUMMON 1 0"]),
    ("a second pass: Charge hits the face", "baseline1", {"hand": [CHARGE]}, {}, ["SUMMON 1 0", "ATTACK 1 -1"]),
    ("no card in sight", "baseline1", {}, {}, []),
    ("its only card is an item", "baseline1", {"hand": [160]}, {}, ["USE 1 -1"]),
    (
        "attacks before summons, the strongest first, the first listed on ties",
        "baseline2",
        {"hand": [3, 68, 1], "left": ["1/1*", "4/4*"], "right": ["4/1*"]},
        {},
        ["ATTACK 23 -1", "ATTACK 31 -1", "ATTACK 21 -1", "SUMMON 3 0", "SUMMON 1 1", "SUMMON 5 1"],
    ),
    (
        "the toughest Guard first",
        "baseline2",
        {"left": ["5/9*", "4/9*"]},
        {"left": ["1/1 G", "1/4 G"], "right": ["1/9 G"]},
        ["ATTACK 21 24", "ATTACK 23 22"],
    ),
    (
        "the face once the Guard is dead",
        "baseline2",
        {"left": ["5/9*", "4/9*"]},
        {"left": ["1/1 G"]},
        ["ATTACK 21 22", "ATTACK 23 -1"],
    ),
    (
        "the left lane until it is full",
        "baseline2",
        {"hand": [3, 3, 3, 3]},
        {},
        ["SUMMON 1 0", "SUMMON 3 0", "SUMMON 5 0", "SUMMON 7 1"],
    ),
    ("no items", "baseline2", {"hand": [160, 117, 141], "left": ["1/1"]}, {"left": ["1/1"]}, []),
    ("a Charge creature waits", "baseline2", {"hand": [CHARGE]}, {}, ["SUMMON 1 0"]),
]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("agent", "me", "foe", "expected"), [row[1:] for row in TURNS], ids=[row[0] for row in TURNS])
def test_a_turn(agent: str, me: Mapping[str, Any], foe: Mapping[str, Any], expected: list[str], seat: int) -> None:
    played = turn_of(AGENTS[agent](), set_up(me, foe, seat=seat))
    assert played == [str(action_from(seat, text)) for text in expected]


def test_baseline1_alternates_lanes_from_turn_to_turn() -> None:
    agent, lanes = core.baseline1_agent(), []
    for turn in (0, 2, 4):
        (action,) = turn_of(agent, set_up({"hand": [3, 68], "mana": 1}, {}, turn=turn))
        lanes.append(action[-1])
    assert lanes == ["0", "1", "0"]


# ---- whole games -------------------------------------------------------------------------------------------------


def baseline1_commands(state: locm.State, passes: int) -> tuple[list[str], int]:
    """What the first program prints, and how many passes it has counted by then."""
    player = state.player_to_move
    own, enemy = state.side(player), state.side(1 - player)
    printed: list[str] = []
    mana, item_free = own.mana, True
    guards = [(creature.lane, creature.instance) for creature in enemy.creatures if "G" in creature.keywords]
    hand = {held.instance: locm.cards()[held.card - 1] for held in own.hand}
    lanes = {creature.instance: creature.lane for creature in own.creatures}
    idle = set(lanes)
    board = list(lanes)
    foes = [creature.instance for creature in enemy.creatures]
    listed = [*hand, *board, *foes]
    useless = False
    while listed and not useless:
        passes += 1
        targets = {"green": board[:1], "red": foes[:1], "blue": [-1]}
        at = 0
        while at < len(listed):
            instance = listed[at]
            at += 1
            card = hand.get(instance)
            if card and instance not in board and card.cost <= mana and card.type == "creature":
                printed.append(f"SUMMON {instance} {passes % 2}")
                mana -= card.cost
                board.append(instance)
                if "C" in card.keywords:
                    idle.add(instance)
            elif instance in idle:
                in_lane = [guard for lane, guard in guards if lane == lanes.get(instance)]
                printed.append(f"ATTACK {instance} {in_lane[0] if in_lane else -1}")
                idle.remove(instance)
            elif card and card.cost <= mana and item_free and targets.get(card.type):
                printed.append(f"USE {instance} {targets[card.type][0]}")
                mana -= card.cost
                item_free = False
                listed.remove(instance)  # the card behind it moves up to where the program has been
            else:
                useless = True
    return printed, passes


def baseline2_commands(state: locm.State) -> list[str]:
    """What the second program prints."""
    player = state.player_to_move
    own, enemy = state.side(player), state.side(1 - player)
    guards = sorted((c for c in enemy.creatures if "G" in c.keywords), key=lambda c: -c.defense)
    hand = [(held.instance, locm.cards()[held.card - 1]) for held in own.hand]
    printed = []
    for creature in sorted(own.creatures, key=lambda c: -c.attack):
        printed += [f"ATTACK {creature.instance} {target}" for target in (-1, *(guard.instance for guard in guards))]
    for instance, card in sorted(hand, key=lambda pair: -pair[1].attack):
        if card.type == "creature":
            printed += [f"SUMMON {instance} 0", f"SUMMON {instance} 1"]
    return printed


def legal_part(state: locm.State, commands: Iterable[str]) -> list[str]:
    """What the referee carries out of a list, in which it skips what is illegal."""
    state, played = state.copy(), []
    for text in commands:
        action = locm.Action.from_text(text)
        if not state.is_over and state.is_legal(action):
            state.apply(action)
            played.append(text)
    return played


def passes_after_draft(state: locm.State) -> int:
    """The first program's counter after the draft, whose loop over the second and third card uses it too."""
    second = locm.cards()[state.offers[-1][1] - 1]
    return 1 if second.type == "creature" and "G" in second.keywords else 2


def drafted(seed: int) -> locm.State:
    """A battle about to begin, after drafts of mixed quality."""
    rng = Rng(seed, 0)
    state = locm.new_game(seed=seed)
    policies = [core.random_draft(), core.baseline1_draft() if seed % 2 else core.baseline2_draft()]
    while not state.in_battle:
        state.apply(policies[state.player_to_move].choose(state, rng))
    return state


@pytest.mark.parametrize("seed", range(40))
def test_whole_games_are_as_the_programs_would_play_them(seed: int) -> None:
    state = drafted(seed)
    seat = seed // 2 % 2  # of the first program
    agents = [core.baseline1_agent(), core.baseline2_agent()]
    if seat == 1:
        agents.reverse()
    passes = passes_after_draft(state)
    while not state.is_over:
        player = state.player_to_move
        if player == seat:
            commands, passes = baseline1_commands(state, passes)
        else:
            commands = baseline2_commands(state)
        expected = legal_part(state, commands)
        assert turn_of(agents[player], state) == expected


# ---- what holds for every agent ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AGENTS)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    games = [locm.play(f"random/{name}", "random/greedy", games=50, seed=3, threads=threads) for threads in (1, 2)]
    assert (games[0]["final_hash"] == games[1]["final_hash"]).all()


@pytest.mark.parametrize("name", AGENTS)
def test_hidden_cards_change_nothing(name: str) -> None:
    for seed in range(8):
        state = drafted(seed)
        while not state.is_over:
            player = state.player_to_move
            choice = AGENTS[name]().choose(state, Rng(seed, player))
            for guess in range(3):
                assert AGENTS[name]().choose(state.resample(player, guess), Rng(seed, player)) == choice
            state.apply(core.random_agent(active=True).choose(state, Rng(seed + state.turn, player)))


def test_baseline2_beats_baseline1_as_often_as_the_originals_did() -> None:
    rate = locm.play("baseline2", "baseline1", games=4000, seed=1, threads=1).rate.value
    assert 0.55 < rate < 0.70
