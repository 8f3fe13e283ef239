"""Hearthstone cards as the core gets them: a dozen of them by hand, and what holds for all tables."""

import re
import time
from enum import EnumType
from pathlib import Path

import numpy as np
import pytest

from deckatlas.games.hearthstone.cards import codes
from deckatlas.games.hearthstone.cards.codes import (
    Base,
    CardType,
    Choice,
    ConditionKind,
    CostChange,
    Duration,
    Event,
    Except,
    FilterKind,
    HeroClass,
    Keyword,
    NumberKind,
    Op,
    Pick,
    Race,
    Requirement,
    RuleFlag,
    Side,
    Source,
)
from deckatlas.games.hearthstone.cards.compile import compile_cards
from deckatlas.games.hearthstone.cards.editions import EDITIONS, NO_RULES, declared_cards, edition
from deckatlas.games.hearthstone.cards.language import VOCABULARY
from deckatlas.games.hearthstone.cards.table import MARKS, PRINTED
from helpers.hearthstone_tables import PlayRow, Reader

CORE = Path(__file__).parents[3] / "core" / "hearthstone"
CODES = [name for name, value in vars(codes).items() if isinstance(value, EnumType) and len(value)]
READ = Reader(edition("2018-12").compiled)
INDEX = READ.compiled.index

NOBODY = (Base.none, 0, 0, 0, 1, 0, 0, 0, 0)
TARGET = (Base.target, Side.mine, Except.nothing, Pick.all, 1, 0, 0, 0, 0)
SELF = (Base.self, Side.mine, Except.nothing, Pick.all, 1, 0, 0, 0, 0)
ENEMY_MINIONS = (Base.minions, Side.enemy, Except.nothing, Pick.all, 1, 0, 0, 0, 0)
ALWAYS = (ConditionKind.always, 0, 0, 1)


def constant(value: int) -> tuple[int, ...]:
    return (NumberKind.constant, 0, 0, 1, value)


def test_frostbolt_damages_its_target_as_a_spell_and_freezes_it() -> None:
    play = READ.play("CS2_024")
    assert play[:10] == (1, 1, 1, Side.all, 0, 0, 0, 0, Requirement.nothing, 0)
    damage, freeze = READ.program(play.program)
    assert (damage.op, damage.source, damage.selector, damage.amount) == (Op.damage, Source.spell, TARGET, constant(3))
    assert (freeze.op, freeze.selector) == (Op.freeze, TARGET)


def test_elven_archer_may_be_played_without_a_target_and_is_no_spell() -> None:
    play = READ.play("CS2_189")
    assert (play.minions, play.heroes, play.required) == (1, 1, 0)
    (damage,) = READ.program(play.program)
    assert (damage.op, damage.source, damage.amount) == (Op.damage, Source.other, constant(1))


def test_fireblast_is_the_damage_of_a_power() -> None:
    play = READ.play("CS2_034")
    assert play.required == 1
    assert READ.program(play.program)[0].source == Source.power


def test_houndmaster_wants_a_friendly_beast() -> None:
    assert READ.play("DS1_070")[:8] == (1, 0, 0, Side.mine, FilterKind.race, Race.beast, 0, 0)
    (buff,) = READ.program(READ.play("DS1_070").program)
    assert (buff.amount, buff.amount2, buff.keywords) == (constant(2), constant(2), Keyword.taunt)
    assert buff.duration == Duration.permanent


def test_scavenging_hyena_waits_for_other_beasts_of_its_side() -> None:
    (trigger,) = READ.range("EX1_531", "triggers")
    event, whose, own_source, own_target, casters, source, target, condition, program = trigger
    assert (event, whose, own_source, own_target, casters) == (Event.dies, Side.mine, 0, 0, 0)
    assert (source, condition) == (0, 0)
    expected = (Base.minions, Side.mine, Except.self, Pick.all, 1, FilterKind.race, Race.beast, 0, 0)
    assert READ.entry("selectors", target) == expected
    (buff,) = READ.program(program)
    assert (buff.op, buff.selector, buff.amount, buff.amount2) == (Op.buff, SELF, constant(2), constant(1))
    assert READ.card("EX1_531")[14] == 1 << Event.dies


def test_acolyte_of_pain_waits_for_damage_to_itself() -> None:
    (trigger,) = READ.range("EX1_007", "triggers")
    assert trigger[:8] == (Event.damaged, Side.all, 0, 1, 0, 0, 0, 0)


def test_dire_wolf_gives_its_neighbours_attack() -> None:
    (aura,) = READ.range("EX1_162", "auras")
    selector, attack, health, condition, keywords = aura
    assert READ.entry("selectors", selector)[0] == Base.adjacent_to_self
    assert (READ.entry("numbers", attack), health, condition, keywords) == (constant(1), 0, 0, 0)


def test_raging_worgen_has_more_only_while_it_is_damaged() -> None:
    (aura,) = READ.range("EX1_412", "auras")
    kind, negated, selector, value = READ.entry("conditions", aura[3])
    assert (kind, negated, value) == (ConditionKind.at_least, 0, 1)
    assert READ.entry("selectors", selector) == (*SELF[:5], FilterKind.damaged, 0, 0, 0)
    assert aura[4] == Keyword.windfury


def test_summoning_portal_does_not_go_below_one() -> None:
    expected = (Side.mine, CostChange.add_not_below_one, FilterKind.type, CardType.minion, -2, 0)
    assert READ.range("EX1_315", "cost_auras") == [expected]


def test_kill_command_branches_over_its_two_damages() -> None:
    skip, more, jump, less = READ.program(READ.play("EX1_539").program)
    assert (skip.op, skip.skip) == (Op.skip_unless, 2)
    assert skip.condition[0] == ConditionKind.at_least
    assert (more.op, more.amount) == (Op.damage, constant(5))
    assert (jump.op, jump.skip) == (Op.jump, 1)
    assert (less.op, less.amount) == (Op.damage, constant(3))


def test_wrath_has_two_plays_and_none_of_its_own() -> None:
    card = READ.card("EX1_154")
    assert card[7] == 2
    assert card[15:17] == (INDEX["EX1_154a"], INDEX["EX1_154b"])
    assert READ.play("EX1_154") == PlayRow(*(0,) * 11)
    first, second = (READ.program(READ.play("EX1_154", which).program) for which in ("first", "second"))
    assert [(step.op, step.source) for step in first] == [(Op.damage, Source.spell)]
    assert [step.op for step in second] == [Op.damage, Op.draw]


def test_an_option_of_a_minion_does_no_spell_damage_and_needs_no_target() -> None:
    play = READ.play("EX1_166", "first")
    assert play.required == 0
    assert READ.program(play.program)[0].source == Source.other


def test_eviscerate_has_a_combo_with_a_target_of_its_own() -> None:
    assert READ.card("EX1_124")[6] == 1
    assert [READ.program(READ.play("EX1_124", which).program)[0].amount for which in ("play", "combo")] == [
        constant(2),
        constant(4),
    ]
    assert READ.play("EX1_134")[:3] == (0, 0, 0)
    assert READ.play("EX1_134", "combo")[:3] == (1, 1, 0)


def test_savannah_highmane_leaves_two_hyenas() -> None:
    (summon,) = READ.deathrattle("EX1_534")
    assert (summon.op, summon.choice, summon.card) == (Op.summon, Choice.card, INDEX["EX1_534t"])
    assert summon.amount == constant(2)


def test_corruption_attaches_a_trigger_of_its_caster() -> None:
    (attach,) = READ.program(READ.play("CS2_063").program)
    trigger, deathrattle = READ.entry("attachments", attach.card)
    assert (attach.op, attach.selector, deathrattle) == (Op.attach, TARGET, 0)
    assert READ.entry("triggers", trigger)[:5] == (Event.turn_start, Side.mine, 0, 0, 1)


def test_soul_of_the_forest_attaches_a_deathrattle() -> None:
    (attach,) = READ.program(READ.play("EX1_158").program)
    trigger, deathrattle = READ.entry("attachments", attach.card)
    assert trigger == 0
    assert READ.program(deathrattle)[0].card == INDEX["EX1_158t"]


def test_millhouse_enchants_his_opponent() -> None:
    (enchant,) = READ.program(READ.play("NEW1_029").program)
    assert (enchant.op, enchant.side, enchant.duration) == (
        Op.enchant_player,
        Side.enemy,
        Duration.opponents_next_turn,
    )
    expected = (Side.mine, CostChange.set, FilterKind.type, CardType.spell, 0, 0, 0)
    assert READ.entry("player_enchantments", enchant.card) == expected


def test_eye_for_an_eye_deals_what_was_dealt_and_spell_damage_adds_nothing() -> None:
    assert READ.card("EX1_132")[5] == 1
    (trigger,) = READ.range("EX1_132", "triggers")
    (damage,) = READ.program(trigger[8])
    assert (damage.source, damage.amount[0]) == (Source.other, NumberKind.event_amount)


def test_unleash_the_hounds_needs_an_enemy_minion_and_space() -> None:
    play = READ.play("EX1_538")
    assert (play.requirement, play.requirement_value) == (Requirement.enemy_minions_and_space, 1)
    (summon,) = READ.program(play.program)
    kind, _, selector, factor, offset = summon.amount
    assert (kind, factor, offset) == (NumberKind.count, 1, 0)
    assert READ.entry("selectors", selector) == ENEMY_MINIONS


def test_totemic_call_takes_totems_that_are_not_there() -> None:
    play = READ.play("CS2_049")
    (summon,) = READ.program(play.program)
    assert (play.requirement, play.requirement_value) == (Requirement.one_not_in_play, summon.card)
    assert summon.choice == Choice.random_not_in_play
    names = [READ.compiled.ids[number] for number in READ.compiled.lists[summon.card]]
    assert names == ["CS2_050", "CS2_051", "CS2_052", "NEW1_009"]


def test_pilfer_has_a_list_for_each_class_of_the_opponent() -> None:
    (add,) = READ.program(READ.play("EX1_182").program)
    assert add.choice == Choice.random_for_enemy_class
    for offset, name in enumerate(hero_class.name for hero_class in HeroClass if hero_class):
        cards = [edition()[READ.compiled.ids[number]] for number in READ.compiled.lists[add.card + offset]]
        assert {card.hero_class.name for card in cards} == {name}
        assert len(cards) == 25


def test_numbers_of_the_tables_are_in_the_cards() -> None:
    card = READ.card("EX1_250")  # Earth Elemental
    assert card[:5] == (CardType.minion, HeroClass.shaman, Race.elemental, 0, 1)
    assert card[8:14] == (5, 7, 8, 3, 0, Keyword.taunt)
    assert READ.card("EX1_563")[3] == 1
    assert READ.card("EX1_563")[12] == 5


def test_heroes_have_their_powers_and_the_coin_is_known() -> None:
    assert READ.card("HERO_08")[-1] == INDEX["CS2_034"]
    assert READ.compiled.coin == INDEX["GAME_005"]


# ---- all tables ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EDITIONS)
def test_every_index_names_an_entry_and_every_skip_stays_in_its_program(name: str) -> None:
    compiled = edition(name).compiled
    size = {table: len(rows) for table, rows in compiled.tables.items()}
    instructions = np.array(compiled.tables["instructions"])
    for column, table in ((6, "selectors"), (7, "selectors"), (8, "numbers"), (9, "numbers"), (10, "conditions")):
        assert instructions[:, column].max() < size[table]
    assert instructions[0].tolist() == [0] * 13
    assert instructions[-1, 0] == Op.end
    ends = np.flatnonzero(instructions[:, 0] == Op.end)
    for at in np.flatnonzero(instructions[:, 5]):
        assert at + instructions[at, 5] < ends[ends > at][0]
    for table in ("selectors", "numbers", "conditions", "triggers", "auras", "attachments", "player_enchantments"):
        assert len(set(compiled.tables[table])) == size[table], f"{table} has an entry twice"
    for numbers in compiled.lists:
        assert all(1 <= number < size["cards"] for number in numbers)


@pytest.mark.parametrize("name", EDITIONS)
def test_compiling_again_gives_the_same_tables(name: str) -> None:
    one = edition(name)
    again = compile_cards(one.cards, one.rules)
    for table, rows in one.compiled.tables.items():
        assert rows == again.tables[table], table
    assert again.lists == one.compiled.lists


def test_all_cards_are_loaded_and_compiled_in_three_tenths_of_a_second() -> None:
    start = time.process_time()
    cards = declared_cards()
    compile_cards(cards, NO_RULES)
    assert time.process_time() - start < 0.3


def test_what_the_core_takes_is_complete() -> None:
    taken = edition().compiled.for_core
    assert {"cards", "instructions", "selectors", "lists", "rules", "coin"} <= set(taken)
    for rows in edition().compiled.tables.values():
        assert all(isinstance(value, int) for row in rows for value in row)
        assert {len(row) for row in rows} == {len(rows[0])}


def test_rules_of_the_peer_are_flags_of_its_edition() -> None:
    assert edition("2019-12").compiled.rules == 0
    peer = edition("sabberstone")
    assert RuleFlag.poisonous_kills_heroes | RuleFlag.coin_before_mulligan in peer.rules
    assert peer.compiled.rules == int(peer.rules)


@pytest.mark.parametrize("name", CODES)
def test_codes_are_those_of_the_core(name: str) -> None:
    headers = "".join((CORE / header).read_text(encoding="utf-8") for header in ("program.hpp", "cards.hpp"))
    body = re.search(rf"enum (?:class )?{name} : [^{{]+{{(.*?)}};", headers, re.DOTALL)
    assert body is not None
    members = [one.strip() for one in re.sub("//.*", "", body[1]).split(",") if one.strip()]
    expected = {}
    for value, member in enumerate(members):
        constant, _, shift = member.replace("1ull", "1u").partition(" = 1u << ")
        spelled = re.sub("(?<!^)([A-Z])", r"_\1", constant.removeprefix("k")).lower() if shift else constant
        expected[spelled] = 1 << int(shift) if shift else value
    assert {member.name: member.value for member in getattr(codes, name)} == expected


def test_every_token_can_be_made_by_a_card() -> None:
    cards = edition().by_id
    named = {"GAME_005", *re.findall(r"'(\w+)'", " ".join(str(card.effects) for card in cards.values()))}
    assert {card.id for card in cards.values() if card.set == "token"} <= named


def test_words_of_the_language_are_nouns_in_capitals_and_verbs() -> None:
    for word, value in VOCABULARY.items():
        assert callable(value) == word.islower(), word
    assert {"Base", "Op", "CardError", "replace"} & set(VOCABULARY) == set()
    assert set(PRINTED).isdisjoint(MARKS)
