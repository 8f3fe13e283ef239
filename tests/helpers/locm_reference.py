"""Reference traces and scenarios of Legends of Code and Magic, made from games of the core itself."""

import random
from typing import Any

from deckatlas.games.locm.position import position, to_dict
from deckatlas.games.locm.state import Action, State, new_game

PASS = Action.from_text("PASS")

Line = dict[str, Any]


def legal_without_pass(state: State) -> list[Action]:
    return [action for action in state.legal_actions() if action != PASS]


def played_turn(state: State, rng: random.Random) -> Line:
    """Plays one turn at random, illegal actions among it, and writes it down; PASS comes later."""
    side = state.side(state.player_to_move)
    turn: Line = {
        "turn": state.turn,
        "player": state.player_to_move,
        "n_legal_start": len(legal_without_pass(state)),
        "start": {"hp": side.health, "mana": side.mana, "hand": len(side.hand)},
        "actions": [],
        "legal": [],
        "n_legal": [],
    }
    while not state.is_over and (legal := legal_without_pass(state)):
        action = rng.choice([*legal, PASS, Action.from_text("USE 0 99")])
        turn["actions"].append(str(action))
        turn["legal"].append(int(action in legal))
        turn["n_legal"].append(len(legal))
        if action in legal:
            state.apply(action)
    return {**turn, "after": to_dict(state)}


def a_trace(seed: int) -> Line:
    """A game in the form of the reference traces; both players attack whenever they can, so nobody dies at a draw."""
    rng = random.Random(seed)
    state = new_game(seed=seed)
    draft = state.offers
    picks = [[rng.randrange(3) for _ in range(30)] for _ in (0, 1)]
    for pair in zip(*picks, strict=True):
        for choice in pair:
            state.apply(Action.from_text(f"PICK {choice}"))
    initial = to_dict(state)
    initial["players"][0].update(hand=initial["players"][0]["hand"][:4], deck_left=26, max_mana=0, mana=0)
    turns = [played_turn(state, rng)]
    while not state.is_over:
        state.apply(PASS)
        turns.append(played_turn(state, rng))
    return {
        "seed": seed,
        "draft": draft,
        "picks": picks,
        "decks": [state.deck(0), state.deck(1)],
        "initial": initial,
        "turns": turns,
        "winner": state.winner,
    }


def a_scenario() -> Line:
    players = [{"hp": 10, "hand": [{"id": 7}], "lanes": [[{"id": 3}], []]}, {"lanes": [[], [{"id": 3}]]}]
    state = position({"players": players})
    before, legal = to_dict(state), sorted(map(str, legal_without_pass(state)))
    state.apply(Action.from_text("ATTACK 3 -1"))
    return {
        "player": 0,
        "before": before,
        "legal": legal,
        "action": "ATTACK 3 -1",
        "after": to_dict(state),
        "winner": -1,
    }
