"""The codes in the core's tables, in the order of core/hearthstone/program.hpp and cards.hpp."""

from enum import IntEnum, IntFlag


class Keyword(IntFlag):
    """What a character, weapon or player can have."""

    taunt = 1 << 0
    divine_shield = 1 << 1
    stealth = 1 << 2
    windfury = 1 << 3
    charge = 1 << 4
    poisonous = 1 << 5
    cant_attack = 1 << 7
    elusive = 1 << 8
    immune = 1 << 9
    cant_attack_heroes = 1 << 10
    immune_while_attacking = 1 << 11
    attack_equals_health = 1 << 12
    spell_damage = 1 << 13
    minimum_health_one = 1 << 14
    spends_attack = 1 << 15
    healing_is_damage = 1 << 16
    double_magic = 1 << 17
    freezes = 1 << 18
    frozen = 1 << 24
    silenced = 1 << 25
    stealth_until_turn = 1 << 26
    speaks = 1 << 27
    summon_unheard = 1 << 28
    rattle_mark = 1 << 29


class Duration(IntEnum):
    """How long something given by an effect lasts."""

    permanent = 0
    this_turn = 1
    until_my_next_turn = 2
    until_next_spell = 3
    until_next_secret = 4
    opponents_next_turn = 5


class Side(IntEnum):
    """A player, seen from the controller of the effect."""

    mine = 0
    enemy = 1
    all = 2


class Base(IntEnum):
    """What a selector starts from."""

    none = 0
    self = 1
    target = 2
    event_source = 3
    event_target = 4
    last_summoned = 5
    last_drawn = 6
    minions = 7
    characters = 8
    hero = 9
    weapon = 10
    hand = 11
    deck = 12
    secrets = 13
    adjacent_to_self = 14
    adjacent_to_target = 15
    target_and_adjacent = 16
    died_this_turn = 17
    each = 18


class Except(IntEnum):
    """What a selector leaves out."""

    nothing = 0
    self = 1
    target = 2
    attacker_and_defender = 3


class Pick(IntEnum):
    """Which of the selected ones are used."""

    all = 0
    random = 1
    all_but_one_random = 2


class FilterKind(IntEnum):
    """What a filter tests."""

    anything = 0
    race = 1
    type = 2
    secret = 3
    damaged = 4
    undamaged = 5
    attack_at_most = 6
    attack_at_least = 7
    health_at_most = 8
    has_keyword = 9
    alive = 10
    has_overload = 11
    not_card = 12
    friendly = 13
    odd_cost = 14
    even_cost = 15


class NumberKind(IntEnum):
    """What a number counts."""

    constant = 0
    count = 1
    attack = 2
    health = 3
    drawn_cost = 4
    armor = 5
    durability = 6
    hand_size = 7
    played_before = 8
    free_slots = 9
    event_amount = 10
    damage_taken = 11
    random_between = 12
    max_health = 13
    hand_difference = 14
    base_cost = 15
    own_attack = 16


class ConditionKind(IntEnum):
    """What a condition tests."""

    always = 0
    at_least = 1
    board_space = 2
    full_mana = 3
    power_is = 4
    no_minion_played = 5
    coin_flip = 6
    holding_weapon = 7
    nobody_played_minion = 8


class Choice(IntEnum):
    """How a card is chosen."""

    card = 0
    random_of_list = 1
    random_for_my_class = 2
    random_for_enemy_class = 3
    random_not_in_play = 4
    copy_of_selected = 5
    fresh_copy_of_selected = 6


class Op(IntEnum):
    """What an instruction does."""

    end = 0
    jump = 1
    skip_unless = 2
    damage = 3
    split_damage = 4
    damage_from = 5
    heal = 6
    heal_fully = 7
    set_current_health = 8
    buff = 9
    set_attack = 10
    set_health = 11
    swap_stats = 12
    remove_keywords = 13
    freeze = 14
    silence = 15
    destroy = 16
    bounce = 17
    transform = 18
    take_control = 19
    summon = 20
    equip = 21
    buff_weapon = 22
    lose_durability = 23
    draw = 24
    draw_filtered = 25
    discard = 26
    add_to_hand = 27
    copy_to_hand = 28
    change_cost = 29
    gain_armor = 30
    gain_crystals = 31
    gain_empty_crystals = 32
    gain_mana = 33
    set_power = 34
    replace_hero = 35
    enchant_player = 36
    attach = 37
    redirect_attack = 38
    redirect_spell = 39
    counter = 40
    prevent_damage = 41
    look_at_top = 42
    swap_with_hand = 43
    return_later = 44
    summon_around = 45
    summon_at_end = 46


class Source(IntEnum):
    """What deals damage or heals: spell damage adds to spells, doubling to spells and powers."""

    other = 0
    spell = 1
    power = 2


class Event(IntEnum):
    """What a trigger listens to."""

    none = 0
    turn_start = 1
    turn_end = 2
    attack = 3
    cast_spell = 4
    after_spell = 5
    play_card = 6
    after_play_minion = 7
    summon = 8
    after_summon = 9
    damaged = 10
    deals_damage = 11
    healed = 12
    dies = 13
    spell_targets_minion = 14
    secret_revealed = 15
    fatal_damage = 16
    attack_proposed = 17


class CostChange(IntEnum):
    """How a cost aura changes a cost."""

    add = 0
    add_not_below_one = 1
    set = 2
    add_to_printed = 3


class CardType(IntEnum):
    """The type of a card."""

    none = 0
    minion = 1
    spell = 2
    weapon = 3
    hero = 4
    power = 5


class Race(IntEnum):
    """A minion's tribe."""

    none = 0
    beast = 1
    demon = 2
    dragon = 3
    elemental = 4
    mechanical = 5
    murloc = 6
    pirate = 7
    totem = 8


class HeroClass(IntEnum):
    """The class that a card belongs to."""

    neutral = 0
    druid = 1
    hunter = 2
    mage = 3
    paladin = 4
    priest = 5
    rogue = 6
    shaman = 7
    warlock = 8
    warrior = 9


class Requirement(IntEnum):
    """What else must be true for a card to be played."""

    nothing = 0
    board_space = 1
    enemy_minions = 2
    minions = 3
    weapon = 4
    one_not_in_play = 5
    enemy_minions_and_space = 6
    no_odd_cost_in_deck = 7
    no_even_cost_in_deck = 8


class RuleFlag(IntFlag):
    """Where editions differ in the rules themselves."""

    poisonous_kills_heroes = 1 << 0
    coin_before_mulligan = 1 << 1
    swap_is_summon = 1 << 2
    returns_at_end_of_same_turn = 1 << 3
    silence_keeps_restraint = 1 << 4
    exhaustion_is_mark = 1 << 5
    death_ends_action = 1 << 6
    mortal_wounds_are_final = 1 << 7
    draw_stops_at_fatigue = 1 << 8
    crowded_secret_stays = 1 << 9
    transform_keeps_state = 1 << 10
    copy_speaks = 1 << 11
    enchantments_follow = 1 << 12
    aura_charge_stays = 1 << 13
    spent_weapon_stays = 1 << 14
    rule_ends_with_any_holder = 1 << 15
    silence_counts_auras = 1 << 16
    control_renews_order = 1 << 17
    no_damage_ends_effect = 1 << 18
    card_before_room = 1 << 19
    enrage_is_given = 1 << 20
    spell_heard_first = 1 << 21
    turn_end_of_both_last = 1 << 22
    mulligan_puts_back_at_once = 1 << 23
    immune_to_blows_alone = 1 << 24
    armor_keeps_frost_off = 1 << 25
    auras_wait = 1 << 26
    full_hand_buries = 1 << 27
    copy_holds_still = 1 << 28
    death_heard_first = 1 << 29
    summons_heard_late = 1 << 30
    new_hero_is_fresh = 1 << 31
    no_turn_limit = 1 << 32
    overload_is_debt = 1 << 33
