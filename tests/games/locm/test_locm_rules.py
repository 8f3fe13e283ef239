"""What actions do in Legends of Code and Magic: one row a fact, worked out by hand and played from both seats.

Whatever a row does not mention must stay as it was. `helpers.locm_boards` explains how boards are written.
"""

from typing import Any, NamedTuple

import pytest

from deckatlas.games.locm.cards import cards
from helpers.locm_boards import Player, action_from, seen, set_up

SEATS = pytest.mark.parametrize("seat", [0, 1], ids=["first", "second"])


def play(me: Player, foe: Player, action: str, me_after: Player, foe_after: Player, seat: int) -> int | None:
    """Plays one action, compares everything, and returns who won: 0 is me, 1 the enemy."""
    state = set_up(me, foe, seat=seat)
    expected = [{**seen(state, seat), **me_after}, {**seen(state, 1 - seat), **foe_after}]
    state.apply(action_from(seat, action))
    assert [seen(state, seat), seen(state, 1 - seat)] == expected
    return None if state.winner is None else state.winner ^ seat


# ---- attacks -----------------------------------------------------------------------------------------------------


class Fight(NamedTuple):
    """My creature attacks the enemy's; `None` is a creature that died."""

    fact: str
    attacker: str
    defender: str
    attacker_after: str | None
    defender_after: str | None
    my_health: int = 30
    enemy_health: int = 30


FIGHTS = [
    Fight("both strike at once", "3/4*", "2/5", "3/2!", "2/2"),
    Fight("damage equal to the defence kills", "5/2*", "2/5", None, None),
    Fight("one who dies has struck back", "9/3*", "2/1", "9/1!", None),
    Fight("attack 0 is allowed and harms nobody", "0/4*", "0/5", "0/4!", "0/5"),
    Fight("attack 0 is struck back", "0/4*", "2/5", "0/2!", "2/5"),
    Fight("Charge and Guard change nothing in a fight", "3/4 CG*", "2/5 CG", "3/2 CG!", "2/2 CG"),
    # Ward
    Fight("Ward of the defender stops all damage and is lost", "3/4*", "2/5 W", "3/2!", "2/5"),
    Fight("Ward of the attacker stops all damage and is lost", "3/4 W*", "2/5", "3/4!", "2/2"),
    Fight("Ward against Ward: both are lost", "3/4 W*", "2/5 W", "3/4!", "2/5"),
    Fight("attack 0 leaves the defender's Ward", "0/4*", "2/5 W", "0/2!", "2/5 W"),
    Fight("a defender with attack 0 leaves the attacker's Ward", "3/4 W*", "0/5", "3/4 W!", "0/2"),
    Fight("only Ward is lost of all keywords", "3/4 W*", "2/5 BCDGLW", "3/4!", "2/5 BCDGL"),
    # Lethal
    Fight("Lethal kills whatever the defence", "1/4 L*", "0/9", "1/4 L!", None),
    Fight("Lethal of the defender kills the attacker", "1/9*", "1/9 L", None, "1/8 L"),
    Fight("Lethal on both sides kills both", "1/9 L*", "1/9 L", None, None),
    Fight("Lethal with attack 0 does not kill", "0/4 L*", "0/9", "0/4 L!", "0/9"),
    Fight("Lethal with attack 0 does not kill when struck either", "1/9*", "0/9 L", "1/9!", "0/8 L"),
    Fight("Lethal does not pass Ward", "1/4 L*", "0/9 W", "1/4 L!", "0/9"),
    Fight("Lethal of the defender does not pass Ward", "1/9 W*", "1/9 L", "1/9!", "1/8 L"),
    # Breakthrough
    Fight("Breakthrough: what is left over hits the enemy", "7/9 B*", "0/3", "7/9 B!", None, enemy_health=26),
    Fight("Breakthrough: nothing is left over of an exact kill", "3/9 B*", "0/3", "3/9 B!", None),
    Fight("Breakthrough: nothing without a kill", "2/9 B*", "0/3", "2/9 B!", "0/1"),
    Fight("Breakthrough does not pass Ward", "7/9 B*", "0/3 W", "7/9 B!", "0/3"),
    Fight("Breakthrough: nothing when only Lethal killed", "2/9 BL*", "0/3", "2/9 BL!", None),
    Fight("Breakthrough: Lethal does not lessen what is left over", "7/9 BL*", "0/3", "7/9 BL!", None, enemy_health=26),
    Fight("Breakthrough works when the attacker dies", "7/1 B*", "3/3", None, None, enemy_health=26),
    Fight("Breakthrough of the defender does nothing", "1/1*", "7/9 B", None, "7/8 B"),
    # Drain
    Fight("Drain heals by the damage", "4/9 D*", "0/9", "4/9 D!", "0/5", my_health=34),
    Fight("Drain heals by the whole attack, not by the defence left", "5/9 D*", "0/1", "5/9 D!", None, my_health=35),
    Fight("Drain heals even if the attacker dies", "4/1 D*", "9/9", None, "9/5", my_health=34),
    Fight("Drain heals nothing through Ward", "4/9 D*", "0/9 W", "4/9 D!", "0/9"),
    Fight("Drain with attack 0 heals nothing", "0/9 D*", "0/9", "0/9 D!", "0/9"),
    Fight("Drain of the defender heals nothing", "1/9*", "4/9 D", "1/5!", "4/8 D"),
    Fight("Drain and Breakthrough together", "7/9 BD*", "0/3", "7/9 BD!", None, my_health=37, enemy_health=26),
]


@SEATS
@pytest.mark.parametrize("row", FIGHTS, ids=lambda row: row.fact)
def test_fight(row: Fight, seat: int) -> None:
    me_after = {"left": [row.attacker_after] if row.attacker_after else [], "hp": row.my_health}
    foe_after = {"left": [row.defender_after] if row.defender_after else [], "hp": row.enemy_health}
    play({"left": [row.attacker]}, {"left": [row.defender]}, "ATTACK 21 22", me_after, foe_after, seat)


class Fact(NamedTuple):
    """One action and all it changes; `winner` is 0 for me and 1 for the enemy."""

    fact: str
    me: Player
    foe: Player
    action: str
    me_after: Player
    foe_after: Player
    winner: int | None = None


def hit_face(fact: str, attacker: str, me_after: Player, foe_after: Player) -> Fact:
    return Fact(fact, {"right": [attacker]}, {}, "ATTACK 31 -1", me_after, foe_after)


HITS_ON_THE_PLAYER = [
    hit_face("the attack is lost as health", "4/1*", {"right": ["4/1!"]}, {"hp": 26}),
    hit_face("attack 0 does nothing", "0/1*", {"right": ["0/1!"]}, {}),
    hit_face("Drain heals", "4/1 D*", {"right": ["4/1 D!"], "hp": 34}, {"hp": 26}),
    hit_face("other keywords do nothing", "4/1 BCGLW*", {"right": ["4/1 BCGLW!"]}, {"hp": 26}),
    Fact(
        "others of the lane may have been summoned before or after",
        {"left": ["1/1*", "2/2*", "3/3*"]},
        {"left": ["1/1", "2/2", "3/3"]},
        "ATTACK 23 24",
        {"left": ["1/1*", "3/3*"]},
        {"left": ["1/1", "3/3"]},
    ),
]


# ---- health and runes --------------------------------------------------------------------------------------------


class Damage(NamedTuple):
    """Damage to a player, and the health, runes and cards to draw after it."""

    fact: str
    health: int
    runes: int
    damage: int
    health_after: int
    runes_after: int
    draw_after: int


DAMAGE = [
    Damage("a rune below the health stands", 30, 5, 4, 26, 5, 1),
    Damage("a rune that is reached breaks and gives a card", 30, 5, 5, 25, 4, 2),
    Damage("a rune that is passed breaks and gives a card", 30, 5, 6, 24, 4, 2),
    Damage("one hit can break several", 30, 5, 16, 14, 2, 4),
    Damage("from one rune exactly to the next", 21, 4, 6, 15, 2, 3),
    Damage("the last rune", 6, 1, 1, 5, 0, 2),
    Damage("without a rune there is no card", 5, 0, 4, 1, 0, 1),
    Damage("after healing, broken runes stay broken", 28, 2, 17, 11, 2, 1),
    Damage("and the next one breaks where it stands", 28, 2, 18, 10, 1, 2),
    Damage("death breaks all", 30, 5, 30, 0, 0, 6),
    Damage("health may fall below zero", 3, 0, 10, -7, 0, 1),
]


@SEATS
@pytest.mark.parametrize("row", DAMAGE, ids=lambda row: row.fact)
def test_damage(row: Damage, seat: int) -> None:
    foe = {"hp": row.health, "runes": row.runes}
    foe_after = {"hp": row.health_after, "runes": row.runes_after, "draw": row.draw_after}
    winner = play({"left": [f"{row.damage}/1*"]}, foe, "ATTACK 21 -1", {"left": [f"{row.damage}/1!"]}, foe_after, seat)
    assert winner == (0 if row.health_after <= 0 else None)


BROKEN_RUNES = [
    Fact(
        "Breakthrough breaks runes",
        {"left": ["9/9 B*"]},
        {"left": ["0/2"]},
        "ATTACK 21 22",
        {"left": ["9/9 B!"]},
        {"left": [], "hp": 23, "runes": 4, "draw": 2},
    ),
    Fact(
        "healing restores no rune",
        {"hp": 24, "runes": 4, "hand": [27]},
        {},
        "SUMMON 1 0",
        {"hp": 26, "hand": [], "mana": 10, "left": ["2/2"]},
        {},
    ),
    Fact(
        "Drain restores no rune",
        {"hp": 24, "runes": 4, "left": ["3/9 D*"]},
        {},
        "ATTACK 21 -1",
        {"hp": 27, "left": ["3/9 D!"]},
        {"hp": 27},
    ),
    Fact(
        "card 25 harms both, breaks runes of both and gives both their cards",
        {"hp": 27, "hand": [25]},
        {"hp": 26},
        "SUMMON 1 0",
        {"hp": 25, "runes": 4, "draw": 2, "hand": [], "mana": 10, "left": ["3/1"]},
        {"hp": 24, "runes": 4, "draw": 2},
    ),
    Fact(
        "card 45 breaks an own rune",
        {"hp": 23, "runes": 4, "hand": [45]},
        {},
        "SUMMON 1 1",
        {"hp": 20, "runes": 3, "draw": 2, "hand": [], "mana": 6, "right": ["6/5 BD"]},
        {},
    ),
    Fact(
        "card 25 just above a rune breaks none",
        {"hp": 28, "hand": [25]},
        {"hp": 28},
        "SUMMON 1 0",
        {"hp": 26, "hand": [], "mana": 10, "left": ["3/1"]},
        {"hp": 26},
    ),
]


# ---- summoning ---------------------------------------------------------------------------------------------------


def summon(
    fact: str, card: int, creature: str, me_after: Player | None = None, foe_after: Player | None = None
) -> Fact:
    paid = {"hand": [], "mana": 12 - cards()[card - 1].cost, "left": ["9/9", creature]}
    me = {"hand": [card], "left": ["9/9"]}
    return Fact(fact, me, {}, "SUMMON 1 0", {**paid, **(me_after or {})}, foe_after or {})


SUMMONS = [
    summon("card 3 joins its lane last and cannot attack yet", 3, "2/2"),
    summon("Charge can attack at once", 90, "5/5 C*"),
    summon("all keywords of card 116", 116, "8/8 BCDGLW*"),
    summon("card 1 heals its owner", 1, "2/1", me_after={"hp": 31}),
    summon("card 2 harms the enemy", 2, "1/2", foe_after={"hp": 29}),
    summon("card 91 heals the enemy", 91, "1/2 G", foe_after={"hp": 31}),
    summon("card 28 gives a card at the next turn, not now", 28, "1/2", me_after={"draw": 2}),
    summon("card 36 gives two", 36, "4/4", me_after={"draw": 3}),
]


# ---- items -------------------------------------------------------------------------------------------------------


class Item(NamedTuple):
    """An item on a creature: mine for green items, the enemy's for others; `None` is a creature that died."""

    fact: str
    card: int
    before: str
    after: str | None
    me: Player | None = None  # what else changes
    foe: Player | None = None


ITEMS = [
    # Green
    Item("117 adds numbers and Breakthrough", 117, "2/3*", "3/4 B*"),
    Item("117 does not make a creature ready", 117, "2/3", "3/4 B"),
    Item("118 does not make a creature with Charge ready", 118, "2/3 C", "2/6 C"),
    Item("121 gives a card at the next turn", 121, "2/3", "2/6", me={"draw": 2}),
    Item("122 adds Guard", 122, "2/3", "3/6 G"),
    Item("124 adds Drain", 124, "2/3 W", "4/4 DW"),
    Item("130 heals its owner", 130, "2/3", "2/9", me={"hp": 34}),
    Item("133 adds Ward", 133, "2/3", "6/3 W"),
    Item("137 on a creature with Ward is useless but legal", 137, "2/3 W", "2/3 W"),
    Item("138 adds Guard and gives a card", 138, "2/3", "2/3 G", me={"draw": 2}),
    Item("139 adds Lethal and Ward", 139, "2/3 B", "2/3 BLW"),
    Item("140 lets a creature of this turn attack", 140, "2/3", "2/3 C*"),
    Item("140 gives no second attack", 140, "2/3!", "2/3 C!"),
    Item("140 on a creature that can attack anyway", 140, "2/3*", "2/3 C*"),
    Item("140 on a creature with Charge that has attacked", 140, "2/3 C!", "2/3 C!"),
    # Red
    Item("141 lowers attack and defence", 141, "3/3", "2/2"),
    Item("141 kills", 141, "3/1", None),
    Item("141: attack stays at 0", 141, "0/3", "0/2"),
    Item("141: Ward stops the damage, is lost, and does not save the attack", 141, "3/3 W", "2/3"),
    Item("141: Ward saves a life", 141, "3/1 W", "2/1"),
    Item("142 takes all keywords and does no damage", 142, "3/3 BCDGLW", "3/3"),
    Item("142 takes Charge but not the right to attack", 142, "3/3 C*", "3/3*"),
    Item("142 on a creature without keywords is useless but legal", 142, "3/3", "3/3"),
    Item("143 takes Guard only", 143, "3/3 BCDGLW", "3/3 BCDLW"),
    Item("143 leaves Ward: it does no damage", 143, "3/3 W", "3/3 W"),
    Item("144 is stopped by Ward", 144, "3/2 W", "3/2"),
    Item("144 kills what it reduces to 0", 144, "3/2", None),
    Item("145: attack never falls below 0, Ward or not", 145, "1/3 W", "0/3"),
    Item("146 harms the enemy as well", 146, "3/3", "1/1", foe={"hp": 28}),
    Item("146 harms the enemy even if Ward stops it", 146, "3/3 W", "1/3", foe={"hp": 28}),
    Item("147 gives a card even if it kills", 147, "3/1", None, me={"draw": 2}),
    Item("148 takes Ward first and then hurts", 148, "3/3 BCDGLW", "3/1"),
    Item("148 kills through Ward", 148, "3/2 W", None),
    Item("149 takes all keywords, hurts nobody and gives a card", 149, "3/3 BCDGLW", "3/3", me={"draw": 2}),
    Item("150 is stopped by Ward but only by Ward", 150, "3/4 BCDGL", "3/1 BCDGL"),
    Item("151 kills", 151, "9/99", None),
    Item("151 kills through Ward", 151, "9/99 W", None),
    Item("152 gives a card", 152, "3/8", "3/1", me={"draw": 2}),
    # Blue
    Item("153 leaves the creature alone and heals its owner", 153, "3/3 W", "3/3 W", me={"hp": 35}),
    Item("154 harms the enemy, not the creature", 154, "3/3 W", "3/3 W", me={"draw": 2}, foe={"hp": 28}),
    Item("155 harms both creature and enemy", 155, "3/4", "3/1", foe={"hp": 29}),
    Item("155: Ward protects the creature only", 155, "3/1 W", "3/1", foe={"hp": 29}),
    Item("156 moves health between the players", 156, "3/3", "3/3", me={"hp": 33}, foe={"hp": 27}),
    Item("157 does three things", 157, "3/3", "3/2", me={"hp": 31, "draw": 2}),
    Item("158 kills", 158, "3/4 G", None),
    Item("159 heals even if it kills", 159, "3/3", None, me={"hp": 33}),
    Item("160 moves health between the players", 160, "3/3", "3/3", me={"hp": 32}, foe={"hp": 28}),
]


@SEATS
@pytest.mark.parametrize("row", ITEMS, ids=lambda row: row.fact)
def test_item_on_a_creature(row: Item, seat: int) -> None:
    card = cards()[row.card - 1]
    lane = {"right": [row.before, "9/9"]}
    lane_after = {"right": ([row.after] if row.after else []) + ["9/9"]}
    me: dict[str, Any] = {"hand": [row.card]}
    me_after = {"hand": [], "mana": 12 - card.cost, **(row.me or {})}
    foe_after = row.foe or {}
    if card.type == "green":
        play({**me, **lane}, {}, "USE 1 31", {**me_after, **lane_after}, foe_after, seat)
    else:
        play(me, lane, "USE 1 32", me_after, {**lane_after, **foe_after}, seat)


def drink(card: int, me_after: Player, foe_after: Player) -> Fact:
    paid = {"hand": [], "mana": 12 - cards()[card - 1].cost}
    return Fact(f"{card} on the player", {"hand": [card]}, {}, "USE 1 -1", {**paid, **me_after}, foe_after)


BLUE_ITEMS_ON_THE_PLAYER = [
    drink(153, {"hp": 35}, {}),
    drink(154, {"draw": 2}, {"hp": 28}),
    drink(155, {}, {"hp": 26}),
    drink(156, {"hp": 33}, {"hp": 27}),
    drink(157, {"hp": 31, "draw": 2}, {"hp": 29}),
    drink(158, {}, {"hp": 26}),
    drink(159, {"hp": 33}, {"hp": 27}),
    drink(160, {"hp": 32}, {"hp": 28}),
    Fact(
        "defence and enemy health of 155 are one hit that breaks one rune",
        {"hand": [155]},
        {"hp": 27},
        "USE 1 -1",
        {"hand": [], "mana": 9},
        {"hp": 23, "runes": 4, "draw": 2},
    ),
]


# ---- the end -----------------------------------------------------------------------------------------------------

SUMMONED_25 = {"hand": [], "mana": 10, "left": ["3/1"]}

ENDINGS = [
    Fact(
        "health 0 is death",
        {"left": ["4/1*"]},
        {"hp": 4, "runes": 0},
        "ATTACK 21 -1",
        {"left": ["4/1!"]},
        {"hp": 0},
        winner=0,
    ),
    Fact(
        "health 1 is not",
        {"left": ["4/1*"]},
        {"hp": 5, "runes": 0},
        "ATTACK 21 -1",
        {"left": ["4/1!"]},
        {"hp": 1},
    ),
    Fact(
        "who dies of an own card loses",
        {"hp": 2, "runes": 0, "hand": [25]},
        {"hp": 9, "runes": 1},
        "SUMMON 1 0",
        {"hp": 0, **SUMMONED_25},
        {"hp": 7},
        winner=1,
    ),
    Fact(
        "if both die, the player to move wins",
        {"hp": 1, "runes": 0, "hand": [25]},
        {"hp": 2, "runes": 0},
        "SUMMON 1 0",
        {"hp": -1, **SUMMONED_25},
        {"hp": 0},
        winner=0,
    ),
    Fact(
        "Breakthrough can win",
        {"left": ["7/1 B*"]},
        {"hp": 4, "runes": 0, "left": ["9/3"]},
        "ATTACK 21 22",
        {"left": []},
        {"hp": 0, "left": []},
        winner=0,
    ),
    Fact(
        "a blue item on a creature can win",
        {"hand": [156]},
        {"hp": 3, "runes": 0, "left": ["1/1 W"]},
        "USE 1 22",
        {"hand": [], "mana": 9, "hp": 33},
        {"hp": 0},
        winner=0,
    ),
]


@SEATS
@pytest.mark.parametrize(
    "row",
    HITS_ON_THE_PLAYER + BROKEN_RUNES + SUMMONS + BLUE_ITEMS_ON_THE_PLAYER + ENDINGS,
    ids=lambda row: row.fact,
)
def test_action(row: Fact, seat: int) -> None:
    assert play(row.me, row.foe, row.action, row.me_after, row.foe_after, seat) == row.winner


@SEATS
def test_after_the_end_nothing_is_legal(seat: int) -> None:
    state = set_up({"left": ["4/1*"], "hand": [3]}, {"hp": 4, "runes": 0}, seat=seat)
    state.apply(action_from(seat, "ATTACK 21 -1"))
    assert state.is_over
    assert state.legal_actions() == []
    assert not state.is_legal(action_from(seat, "PASS"))
