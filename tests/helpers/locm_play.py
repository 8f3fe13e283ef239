"""Random games of Legends of Code and Magic in Python, and what must hold in each of their states."""

import random
from collections.abc import Iterator

from deckatlas.games.locm.state import State, new_game

STARTS = ("referee", "distinct", "given")


def start(kind: str, seed: int) -> State:
    """A new game with one of the draft formats, or from two random decks."""
    if kind != "given":
        return new_game(seed=seed, format=kind)
    rng = random.Random(seed)
    first, second = ([rng.randint(1, 160) for _ in range(30)] for _ in range(2))
    return new_game(seed=seed, decks=(first, second))


def random_states(kind: str, seed: int, *, passes: float | None = None) -> Iterator[State]:
    """All states of one random game, the same object again and again; `passes` is how often to pass (else uniform)."""
    rng = random.Random(seed)
    state = start(kind, seed)
    yield state
    while not state.is_over:
        actions = state.legal_actions()
        if passes is not None and state.in_battle:
            actions = actions[:1] if len(actions) == 1 or rng.random() < passes else actions[1:]
        state.apply(rng.choice(actions))
        yield state


def some_state(kind: str, seed: int, *, battle: bool = False) -> State:
    """A state at a random moment of a random game."""
    states = (state.copy() for state in random_states(kind, seed))
    candidates = [state for state in states if not state.is_over and (state.in_battle or not battle)]
    return random.Random(seed).choice(candidates)


def check_invariants(state: State) -> None:
    """What is true in every state of every game."""
    if not state.in_battle:
        made = [len(state.chosen(player)) for player in (0, 1)]
        assert made[0] - made[1] == state.player_to_move
        return
    assert state.turn < 120
    assert state.player_to_move == state.turn % 2
    alive = [state.side(player).health > 0 for player in (0, 1)]
    assert state.is_over == (not all(alive))
    for player in (0, 1):
        side = state.side(player)
        assert 0 <= side.runes <= 5
        assert side.runes == 0 or 5 * side.runes < side.health
        assert 0 <= side.mana <= side.max_mana <= 12 + side.bonus_mana <= 12 + player
        assert len(side.hand) <= 8
        assert side.next_draw >= 1
        lanes = [creature.lane for creature in side.creatures]
        assert lanes.count(0) <= 3
        assert lanes.count(1) <= 3
        assert len(lanes) == lanes.count(0) + lanes.count(1)
        in_play = [card.instance for card in side.hand] + [creature.instance for creature in side.creatures]
        assert len(set(in_play)) == len(in_play)
        assert all(instance % 2 == (player + 1) % 2 and instance <= 2 * side.drawn for instance in in_play)
        assert side.drawn + side.deck_left == 30
        for creature in side.creatures:
            assert creature.attack >= 0
            assert creature.defense >= 1
            assert not (creature.can_attack and creature.has_attacked)
            assert not (creature.can_attack and player != state.player_to_move)
