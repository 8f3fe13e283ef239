"""What the core does with cards that nobody printed: effects that no real card has."""

from deckatlas._core import hearthstone as core
from deckatlas._core.locm import Rng
from helpers.hearthstone_made import WISP, play, position, with_new

HERO, ENEMY_HERO = 0, 9  # as the source of an attack, and as a target
LONGBOW = "DS1_188"
EXPLOSIVE_TRAP = "EX1_610"


def attack_hero(state: core.State) -> dict[str, object]:
    state.apply(core.Action(core.ActionKind.attack, source=HERO, target=ENEMY_HERO), Rng(1, 2))
    return state.describe()


def test_a_hero_keeps_what_it_is_given_by_its_own_attack() -> None:
    guard = {
        "type": "minion",
        "attack": 1,
        "health": 1,
        "effect": "on(attack(MY_HERO), give(MY_HERO, IMMUNE, THIS_TURN))",
    }
    cards = with_new(GUARD=guard, HIT="spell(deal(5, MY_HERO))")
    state = position(cards, me={"board": ["GUARD"], "weapon": cards.number_of("CS2_106"), "hand": ["HIT"]})
    assert attack_hero(state)["players"][0]["immune"]  # type: ignore[index]
    assert play(state, Rng(1, 2))["players"][0]["health"] == 30


def test_a_hero_that_its_weapon_protects_is_so_during_its_attack_alone() -> None:
    cards = with_new(HIT="spell(deal(5, MY_HERO))")
    state = position(
        cards,
        me={"weapon": cards.number_of(LONGBOW), "hand": ["HIT"]},
        op={"secrets": [cards.number_of(EXPLOSIVE_TRAP)], "board": [WISP]},
    )
    told = attack_hero(state)["players"][0]  # type: ignore[index]
    assert (told["health"], told["immune"]) == (30, False)
    assert play(state, Rng(1, 2))["players"][0]["health"] == 25


def test_crystals_that_go_take_their_use_with_them() -> None:
    cards = with_new(ONE="spell(gain_crystals(-8), gain_empty_crystals(8), gain_crystals(-8), gain_empty_crystals(8))")
    state = position(cards, me={"hand": ["ONE"], "used": 9})
    told = play(state, Rng(1, 2))["players"][0]
    assert (told["crystals"], told["used"], told["mana"]) == (10, 10, 0)
    assert core.State.from_text(cards.card_set, state.to_text()) == state
