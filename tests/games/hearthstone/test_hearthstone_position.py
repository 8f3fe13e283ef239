"""Positions of Hearthstone by hand, in the form of the scenario files, and scenarios carried out."""

from typing import Any

import pytest

from deckatlas import hearthstone
from deckatlas.errors import CardError, StateError, TraceError

FIREBALL, YETI, WISP, SNIPE = "CS2_029", "CS2_182", "CS2_231", "EX1_609"


def sides(me: dict[str, Any] | None = None, op: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"me": {"class": "MAGE", **(me or {})}, "op": {"class": "HUNTER", **(op or {})}, **more}


# ---- positions -------------------------------------------------------------------------------------------------------


def test_only_the_classes_must_be_given() -> None:
    state = hearthstone.scenario(sides())
    me, op = state.side(0), state.side(1)
    assert (me.hero_class, op.hero_class) == ("mage", "hunter")
    assert (me.health, me.armor, me.mana, me.crystals, me.fatigue) == (30, 0, 10, 10, 0)
    assert (me.hand, me.board, me.weapon, me.secrets) == ([], [], None, [])
    assert me.deck == [WISP] * 10
    assert (state.player_to_move, state.phase) == (0, "main")


def test_everything_that_is_given_is_there() -> None:
    me = {
        "mana": 3,
        "max_mana": 8,
        "health": 11,
        "armor": 5,
        "fatigue": 2,
        "hand": [FIREBALL, WISP],
        "board": [YETI, {"id": WISP, "sick": True}, {"id": YETI, "damage": 3}],
        "deck": [YETI, FIREBALL],
        "weapon": "EX1_536",
        "secrets": [SNIPE],
    }
    side = hearthstone.scenario(sides(me | {"class": "HUNTER"})).side(0)
    assert (side.mana, side.crystals, side.health, side.armor, side.fatigue) == (3, 8, 11, 5, 2)
    assert [card.card for card in side.hand] == [FIREBALL, WISP]
    assert [(minion.card, minion.health, minion.can_attack) for minion in side.board] == [
        (YETI, 5, True),
        (WISP, 1, False),
        (YETI, 2, True),
    ]
    assert side.deck == [YETI, FIREBALL]
    assert side.weapon is not None
    assert side.weapon.card == "EX1_536"
    assert side.secrets == [SNIPE]


def test_cards_can_be_named_by_their_names() -> None:
    by_name = hearthstone.scenario(sides({"hand": ["Fireball"], "board": [{"id": "Chillwind Yeti", "damage": 1}]}))
    by_id = hearthstone.scenario(sides({"hand": [FIREBALL], "board": [{"id": YETI, "damage": 1}]}))
    assert by_name == by_id


def test_health_above_thirty_is_the_new_most() -> None:
    side = hearthstone.scenario(sides({"health": 40})).side(0)
    assert (side.health, side.max_health) == (40, 40)


def test_the_edition_decides_what_cards_are() -> None:
    hand = {"hand": ["EX1_130a"]}
    assert hearthstone.scenario(sides({"hand": [FIREBALL]}), edition="2019-12").cards.edition == "2019-12"
    own = hearthstone.edition().patched(hearthstone.Patch("dear", cards={FIREBALL: {"cost": 9}}))
    assert hearthstone.scenario(sides({"hand": ["Fireball"]}), edition=own).side(0).hand[0].cost == 9
    with pytest.raises(CardError, match="unknown edition '2017'"):
        hearthstone.scenario(sides(hand), edition="2017")


def test_a_class_is_written_in_any_case_and_remarks_of_files_may_stay() -> None:
    remarks = {"name": "one", "note": "a note", "status": "disputed", "random": True}
    described = {**sides({"class": "mage"}, {"class": "Mage"}), **remarks}
    assert hearthstone.scenario(described) == hearthstone.scenario(sides({"class": "MAGE"}, {"class": "MAGE"}))


def test_what_a_scenario_does_is_not_done_by_its_position() -> None:
    description = sides({"hand": [FIREBALL]}, do=[{"play": FIREBALL, "target": "op.hero"}], expect={})
    assert hearthstone.scenario(description).side(1).health == 30


BAD: dict[str, tuple[Any, str]] = {
    "no mapping": (7, "expected a dictionary, not 7"),
    "one side": ({"me": {"class": "MAGE"}}, "op: missing"),
    "no class": ({"me": {}, "op": {"class": "MAGE"}}, "me.class: missing"),
    "an unknown class": (sides({"class": "MONK"}), "me.class: unknown hero class 'MONK': known: DRUID"),
    "an unknown key": (sides({"life": 3}), "me: unknown key 'life': known: armor, board"),
    "a key that is misspelt": (sides({"helth": 3}), "me: unknown key 'helth': did you mean 'health'"),
    "a misspelt part": ({**sides(), "expct": {}}, "unknown key 'expct': did you mean 'expect'"),
    "a misspelt option": (sides(do=[{"play": WISP, "traget": "op.hero"}]), r"do\[0\]: unknown key 'traget': did you"),
    "too much mana": (sides({"mana": 11}), "me.mana: 11 is not between 0 and 10"),
    "more mana than crystals": (sides({"mana": 5, "max_mana": 4}), "me.mana: 5 of 4 crystals"),
    "a dead hero": (sides(None, {"health": 0}), "op.health: 0 is not between 1 and 1000"),
    "a fraction": (sides({"armor": 1.5}), "me.armor: expected a whole number"),
    "an unknown card": (
        sides({"hand": ["Fireballs"]}),
        r"me.hand\[0\]: edition '2018-12' has no card 'Fireballs': did you mean 'Fireball'",
    ),
    "a card that is none": (sides({"hand": [7]}), r"me.hand\[0\]: expected text, not 7"),
    "eleven cards in hand": (sides({"hand": [WISP] * 11}), "me.hand: expected at most 10 entries, not 11"),
    "eight minions": (sides({"board": [WISP] * 8}), "me.board: expected at most 7 entries, not 8"),
    "a hero in hand": (sides({"hand": ["HERO_08"]}), r"me.hand\[0\]: Jaina Proudmoore \(HERO_08\) is not a card for"),
    "a spell on the board": (sides({"board": [FIREBALL]}), r"me.board\[0\]: Fireball \(CS2_029\) is not a minion"),
    "a minion without id": (sides({"board": [{"damage": 1}]}), r"me.board\[0\].id: missing"),
    "a dead minion": (sides(None, {"board": [{"id": WISP, "damage": 1}]}), "op.board: a minion is dead"),
    "a spell as a weapon": (sides({"weapon": FIREBALL}), "me.weapon: .* is not a weapon"),
    "a spell as a secret": (sides({"secrets": [FIREBALL]}), r"me.secrets\[0\]: .* is not a secret"),
    "the same secret is listed twice": (
        sides({"secrets": [SNIPE, "Snipe"]}),
        "me.secrets: the same secret is listed twice",
    ),
    "an unknown action": (sides(do=[{"dance": True}]), r"do\[0\]: expected an action with one of"),
    "an action with an unknown card": (sides(do=[{"play": "Fry"}]), r"do\[0\].play: edition '2018-12' has no card"),
    "facts that are none": (sides(expect=[1]), "expect: expected a dictionary"),
}


@pytest.mark.parametrize(("description", "message"), BAD.values(), ids=BAD)
def test_a_description_that_makes_no_sense_is_refused_naming_the_place(description: Any, message: str) -> None:
    for use in (hearthstone.scenario, hearthstone.run_scenario):
        with pytest.raises(StateError, match=message) as error:
            use(description)
        assert str(error.value).isprintable()


# ---- scenarios -------------------------------------------------------------------------------------------------------


def test_a_scenario_that_holds_says_so() -> None:
    result = hearthstone.run_scenario(
        sides(
            {"hand": ["Fireball"], "board": [YETI]},
            {"board": [WISP]},
            do=[
                {"play": "Fireball", "target": "op.hero"},
                {"check": {"op.hero.health": 24, "me.mana": 6}},
                {"illegal": {"play": "Fireball", "target": "op.hero"}},
                {"attack": "me.board.0", "target": "op.board.0"},
                {"end_turn": True},
            ],
            expect={"turn_of": "op", "op.board.length": 0, "me.board.0.health": {"min": 1, "max": 4}},
        )
    )
    assert result.holds
    assert result.problems == ()
    assert str(result) == "holds"
    assert result.state.side(1).health == 24


def test_each_fact_that_does_not_hold_is_told() -> None:
    result = hearthstone.run_scenario(
        sides(
            {"hand": [FIREBALL]},
            do=[{"play": FIREBALL, "target": "op.hero"}, {"check": {"op.hero.health": 25}}],
            expect={"me.hand.length": 1, "op.hero.health": {"in": [24]}},
        )
    )
    assert not result.holds
    assert result.problems == ("after action 1: op.hero.health is 24, not 25", "me.hand.length is 0, not 1")
    assert str(result) == "\n".join(result.problems)


def test_an_illegal_action_ends_a_scenario_and_a_legal_one_that_should_not_be_is_told() -> None:
    result = hearthstone.run_scenario(sides({"mana": 3, "hand": [FIREBALL]}, do=[{"play": FIREBALL}]))
    assert len(result.problems) == 1
    assert result.problems[0].startswith("action 0 is not legal: ")
    assert "{" not in result.problems[0]
    result = hearthstone.run_scenario(sides(do=[{"illegal": {"end_turn": True}}]))
    assert result.problems == ("action 0 is legal",)


def test_what_is_random_comes_from_the_seed() -> None:
    missiles = sides({"hand": ["Arcane Missiles"]}, {"board": [YETI]}, do=[{"play": "Arcane Missiles"}])
    healths = {
        seed: hearthstone.run_scenario(missiles, seed=seed).state.side(1).health for seed in [*range(10), *range(10)]
    }
    assert len(set(healths.values())) > 1
    assert healths[3] == hearthstone.run_scenario(missiles, seed=3).state.side(1).health


def test_unknown_facts_and_places_are_refused() -> None:
    with pytest.raises(TraceError, match=r"unknown fact 'me\.luck'"):
        hearthstone.run_scenario(sides(expect={"me.luck": 7}))
    with pytest.raises(TraceError, match=r"expected a reference such as me\.hero"):
        hearthstone.run_scenario(sides({"hand": [FIREBALL]}, do=[{"play": FIREBALL, "target": "him"}]))
