"""OneLaneIsEnough: hand-worked positions, and its search against a plain one without any shortcut."""

import random
from collections.abc import Iterator

import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.state import Action, State
from helpers.locm_boards import Player, set_up
from helpers.locm_turns import check_sees_no_hidden_card, play_turn, turn_starts

ONELANE = battle_agent("onelane")
CHARGE = {card.id for card in locm.cards() if "C" in card.keywords}


# ---- a plain description -----------------------------------------------------------------------------------------


def creature_value(creature: locm.Creature) -> int:
    ward, guard = "W" in creature.keywords, "G" in creature.keywords
    return creature.attack * (3 if ward else 2) + creature.defense + 2 * guard


def rating(state: State, player: int) -> int:
    """In hundredths."""
    own, enemy = state.side(player), state.side(1 - player)
    score = 100 * sum(map(creature_value, own.creatures)) - 125 * sum(map(creature_value, enemy.creatures))
    score += 2 * len(own.hand) + 10 * (own.health - enemy.health)
    return score + 100_000 * ((enemy.health <= 0) - (own.health <= 0))


def after(state: State, *actions: str) -> State:
    state = state.copy()
    for action in actions:
        state.apply(Action.from_text(action))
    return state


def legal(state: State, verb: str) -> list[str]:
    return [str(action) for action in state.legal_actions() if action.verb == verb]


def attack_choices(state: State, attackers: list[int]) -> Iterator[State]:
    """Each attacker in turn strikes a creature or none."""
    if not attackers or state.is_over:
        yield state
        return
    first, *others = attackers
    yield from attack_choices(state, others)
    for action in legal(state, "ATTACK"):
        _, attacker, target = action.split()
        if int(attacker) == first and target != "-1":
            yield from attack_choices(after(state, action), others)


def attackers(state: State) -> list[int]:
    """Creatures that can attack and do damage, the weakest first."""
    ready = [c for c in state.side(state.player_to_move).creatures if c.can_attack and c.attack > 0]
    return [c.instance for c in sorted(ready, key=lambda c: (c.attack, c.lane))]


def all_face(state: State) -> State:
    for instance in attackers(state):
        if f"ATTACK {instance} -1" in legal(state, "ATTACK"):
            state = after(state, f"ATTACK {instance} -1")
    return state


def item_choices(state: State, kind: str, left: list[locm.HandCard]) -> Iterator[State]:
    """Each item, the cheapest first, is used on a creature or not at all."""
    if not left or state.is_over:
        yield state
        return
    first, *others = left
    yield from item_choices(state, kind, others)
    for action in legal(state, "USE"):
        if int(action.split()[1]) == first.instance:
            yield from item_choices(after(state, action), kind, others)


def items(state: State, kind: str) -> list[locm.HandCard]:
    hand = [c for c in state.side(state.player_to_move).hand if locm.cards()[c.card - 1].type == kind]
    return sorted(hand, key=lambda c: locm.cards()[c.card - 1].cost)


def summon_choices(state: State, lane: int, *, charge: bool) -> Iterator[State]:
    """The costliest creatures that fit, beginning with each; or none."""
    yield state
    hand = [
        c
        for c in state.side(state.player_to_move).hand
        if locm.cards()[c.card - 1].type == "creature" and (c.card in CHARGE) == charge
    ]
    hand.sort(key=lambda c: -locm.cards()[c.card - 1].cost)
    for first in range(len(hand)):
        filled = state
        for card in hand[first:]:
            if f"SUMMON {card.instance} {lane}" in legal(filled, "SUMMON"):
                filled = after(filled, f"SUMMON {card.instance} {lane}")
        yield filled


def ends_of_turn(state: State) -> Iterator[State]:
    for left in summon_choices(state, 0, charge=True):
        for right in summon_choices(left, 1, charge=True):
            for green in item_choices(right, "green", items(right, "green")):
                for red in item_choices(green, "red", items(green, "red")):
                    for fought in attack_choices(red, attackers(red)):
                        for filled in summon_choices(fought, 0, charge=False):
                            for full in summon_choices(filled, 1, charge=False):
                                for end in item_choices(full, "green", items(full, "green")):
                                    yield all_face(end)


def worst_reply(end: State, player: int) -> int:
    """The lowest rating the enemy's attacks lead to."""
    if end.is_over:
        return rating(end, player)
    reply = after(end, "PASS")
    hand = 2 * (len(reply.side(player).hand) - len(end.side(player).hand))
    return min(rating(all_face(last), player) for last in attack_choices(reply, attackers(reply))) - hand


def value(end: State, player: int) -> int:
    """What a turn's end is worth; how badly a game is lost does not matter."""
    return 10**6 if end.side(1 - player).health <= 0 else max(-50_000, worst_reply(end, player))


def best_value(state: State) -> int:
    player, values = state.player_to_move, {}
    for end in ends_of_turn(state):
        if end.hash not in values:
            values[end.hash] = value(end, player)
    return max(values.values())


def random_position(seed: int) -> State:
    rng = random.Random(seed)

    def creature(mark: str) -> str:
        keywords = "".join(letter for letter in "BDGLW" if rng.random() < 0.2)
        return f"{rng.randint(0, 5)}/{rng.randint(1, 6)}{keywords and ' ' + keywords}{mark}"

    def side(mark: str) -> dict[str, object]:
        lanes = {lane: [creature(mark) for _ in range(rng.randint(0, 2))] for lane in ("left", "right")}
        return {"hp": rng.randint(2, 12), "runes": 0, **lanes}

    cards = [card.id for card in locm.cards() if card.type != "blue" and card.cost <= 6]
    me = {**side("*"), "hand": rng.sample(cards, 2), "mana": rng.randint(3, 9)}
    return set_up(me, side(""), seat=seed % 2)


@pytest.mark.parametrize("seed", range(60))
def test_it_finds_a_line_as_good_as_the_best_of_all(seed: int) -> None:
    state = random_position(seed)
    _, end = play_turn(ONELANE, state)
    assert value(end, state.player_to_move) == best_value(state)


# ---- positions worked out by hand --------------------------------------------------------------------------------

BEAVRAT, DECIMATE, THUNDER, HURTS_ITS_OWNER = 3, 151, 158, 25
TURNS: list[tuple[str, Player, Player, set[str]]] = [
    ("idle creatures hit the face", {"left": ["3/3*"]}, {}, {"ATTACK 21 -1"}),
    ("a Guard in the lane keeps a weak one back", {"left": ["1/1*"]}, {"left": ["2/9 G"]}, set()),
    ("a good trade comes before the face", {"left": ["3/4*"]}, {"left": ["3/3"]}, {"ATTACK 21 22"}),
    ("death of the enemy comes before a trade", {"left": ["3/4*"]}, {"hp": 3, "runes": 0, "left": ["3/3"]},
     {"ATTACK 21 -1"}),
    ("nobody attacks with nothing", {"left": ["0/4*"]}, {}, set()),
    ("blue items are never used", {"hand": [THUNDER]}, {"hp": 4, "runes": 0}, set()),
    ("red items are", {"hand": [DECIMATE]}, {"left": ["9/9"]}, {"USE 1 22"}),
    ("a Guard is broken for a blow that kills", {"left": ["2/1*", "7/7*"]}, {"hp": 7, "runes": 0, "left": ["0/2 G"]},
     {"ATTACK 21 22", "ATTACK 23 -1"}),
    ("nobody summons its own death", {"hp": 2, "runes": 0, "hand": [HURTS_ITS_OWNER]}, {}, set()),
]  # fmt: skip


@pytest.mark.parametrize(("me", "foe", "expected"), [row[1:] for row in TURNS], ids=[row[0] for row in TURNS])
def test_a_turn(me: Player, foe: Player, expected: set[str]) -> None:
    actions, _ = play_turn(ONELANE, set_up(me, foe))
    assert set(map(str, actions)) == expected


def test_both_lanes_are_filled_when_one_is_full() -> None:
    state = set_up({"left": ["1/1", "1/1", "1/1"], "hand": [BEAVRAT]}, {})
    assert [str(action) for action in play_turn(ONELANE, state)[0]] == ["SUMMON 1 1"]


# ---- what every agent holds to -----------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [1, 30, 50_000])
def test_every_turn_is_legal_and_ends_with_any_budget(nodes: int) -> None:
    for state in turn_starts(nodes, battle="onelane"):
        play_turn(core.onelane_agent(nodes), state)


def test_no_time_left_still_gives_a_whole_turn() -> None:
    state = set_up({"left": ["3/3*"] * 3, "right": ["2/2*"] * 3}, {"left": ["3/3"] * 3, "right": ["2/2"] * 3})
    assert state.is_legal(ONELANE.fresh().choose(state, core.Rng(1, 0), 0.0))


@pytest.mark.parametrize("seed", range(8))
def test_it_sees_no_hidden_card(seed: int) -> None:
    check_sees_no_hidden_card(ONELANE, seed)


def test_the_same_seed_gives_the_same_games() -> None:
    first, second = (locm.play("onelane-1/onelane", "coac-first/greedy", games=40, seed=3) for _ in range(2))
    assert (first["final_hash"] == second["final_hash"]).all()


def test_it_beats_greedy_with_the_same_draft() -> None:
    assert locm.play("onelane-1/onelane", "onelane-1/greedy", games=1000, seed=1).rate.low > 0.7


@pytest.mark.parametrize("text", ["0", "-5", "many", "", "1.5", "10000000000"])
def test_a_bad_budget_is_refused(text: str) -> None:
    with pytest.raises(AgentError):
        locm.play(f"icebox/onelane:nodes={text}", "icebox/greedy", games=2)
