// Hearthstone: the compiled form of card effects that the core interprets.
//
// Cards are declared in Python and compiled once into tables of these plain values; the core knows no card by name. A
// program is a sequence of instructions that ends with Op::end. Selectors say what an instruction acts on, numbers how
// much, and conditions skip parts; all of these are entries of tables in the CardSet, shared by all cards.
#pragma once

#include <cstdint>

namespace deckatlas::hearthstone {

using CardId = std::uint16_t;  // index into the card table; 0 is no card
using TableIndex = std::uint16_t;
using ProgramCounter = std::uint16_t;  // 0: no program; programs start at 1

// ---- keywords ----------------------------------------------------------------------------------------------------

enum Keyword : std::uint32_t {
    kTaunt = 1u << 0,
    kDivineShield = 1u << 1,
    kStealth = 1u << 2,
    kWindfury = 1u << 3,
    kCharge = 1u << 4,
    kPoisonous = 1u << 5,
    kCantAttack = 1u << 7,
    kElusive = 1u << 8,  // cannot be the target of spells and hero powers
    kImmune = 1u << 9,
    kCantAttackHeroes = 1u << 10,
    kImmuneWhileAttacking = 1u << 11,
    kAttackEqualsHealth = 1u << 12,
    kSpellDamage = 1u << 13,       // one point, granted by an effect; printed spell damage is a number of the card
    kMinimumHealthOne = 1u << 14,  // damage leaves one health
    kSpendsAttack = 1u << 15,      // a weapon that loses attack instead of durability when it hits a minion
    kHealingIsDamage = 1u << 16,   // rules for the controller of an aura
    kDoubleMagic = 1u << 17,       // spells and hero powers of the controller deal and heal twice as much
    kFreezes = 1u << 18,           // what it damages
    // States that only a minion in play has.
    kFrozen = 1u << 24,
    kSilenced = 1u << 25,
    kStealthUntilTurn = 1u << 26,  // stealth that ends at the start of its caster's next turn
    kSpeaks = 1u << 27,            // silenced in name only: its triggers and auras work
    kSummonUnheard = 1u << 28,     // was summoned; its event comes at the end of the phase
    kRattleMark = 1u << 29,  // was given a deathrattle; under one rule the mark outlives it and revives a silenced one
};
inline constexpr std::uint32_t kMarks = kSpeaks | kSummonUnheard | kRattleMark;  // not shown to users

// How long something given by an effect lasts.
enum class Duration : std::uint8_t {
    permanent,
    this_turn,
    until_my_next_turn,
    until_next_spell,     // of the player, and no longer than the turn
    until_next_secret,    // the same
    opponents_next_turn,  // starts and ends with it
};

// ---- what is acted on --------------------------------------------------------------------------------------------

enum class Side : std::uint8_t { mine, enemy, all };  // seen from the controller of the effect

enum class Base : std::uint8_t {
    none,
    self,          // the source; for an enchantment, its host
    target,        // chosen when the card was played
    event_source,  // the attacker, the spell or card played, the dealer of damage
    event_target,  // the defender; the damaged, healed, summoned or dead character
    last_summoned,
    last_drawn,  // the card that this effect last drew or returned to a hand
    minions,     // order: mine from the left, then the enemy's
    characters,  // one side: hero, then minions; both: all minions, then my hero, then the enemy's
    hero,
    weapon,
    hand,
    deck,
    secrets,
    adjacent_to_self,
    adjacent_to_target,
    target_and_adjacent,
    died_this_turn,  // cards of minions of `side` that died this turn
    each,            // in numbers: the one that the instruction acts on now
};

enum class Except : std::uint8_t { nothing, self, target, attacker_and_defender };

enum class Pick : std::uint8_t {
    all,
    random,  // `count` different ones, or all if there are fewer
    all_but_one_random,
};

enum class FilterKind : std::uint8_t {
    anything,
    race,  // value: Race
    type,  // value: CardType
    secret,
    damaged,
    undamaged,
    attack_at_most,
    attack_at_least,
    health_at_most,
    has_keyword,  // value: number of the keyword's bit
    alive,        // in play and not mortally wounded or marked for destruction
    has_overload,
    not_card,  // value: CardId
    friendly,
    odd_cost,
    even_cost,
};

struct Filter {
    FilterKind kind = FilterKind::anything;
    std::int16_t value = 0;
};

struct Selector {
    Base base = Base::none;
    Side side = Side::mine;
    Except except = Except::nothing;
    Pick pick = Pick::all;
    std::uint8_t count = 1;  // of Pick::random
    Filter filters[2];       // both must be true
};

// ---- how much ----------------------------------------------------------------------------------------------------

enum class NumberKind : std::uint8_t {
    constant,       // only the offset
    count,          // of the selected
    attack,         // sum over the selected; also of a weapon
    health,         // sum of current health over the selected
    drawn_cost,     // printed cost of the last drawn card, even if a full hand burnt it
    armor,          // of the hero of `side`
    durability,     // of the weapon of `side`
    hand_size,      // of `side`
    played_before,  // cards that the controller played this turn before this one
    free_slots,     // on the board of `side`
    event_amount,
    damage_taken,     // by the hero of `side`
    random_between,   // factor to offset, both included
    max_health,       // sum over the selected
    hand_difference,  // cards in the enemy's hand beyond mine
    base_cost,        // sum over selected cards in a hand, without changes by others
    own_attack,       // like attack, for minions, without auras
};

// factor * x + offset, where x is the value of the kind
struct Number {
    NumberKind kind = NumberKind::constant;
    Side side = Side::mine;
    TableIndex selector = 0;
    std::int16_t factor = 1;
    std::int16_t offset = 0;
};

// ---- whether -----------------------------------------------------------------------------------------------------

enum class ConditionKind : std::uint8_t {
    always,
    at_least,          // `value` or more are selected (1: something exists)
    board_space,       // on my board
    full_mana,         // ten crystals
    power_is,          // value: CardId of my hero power
    no_minion_played,  // by me this turn
    coin_flip,         // one of two, at random
    holding_weapon,
    nobody_played_minion,  // this turn, neither player
};

struct Condition {
    ConditionKind kind = ConditionKind::always;
    bool negated = false;
    TableIndex selector = 0;
    std::int16_t value = 1;
};

// ---- which card --------------------------------------------------------------------------------------------------

enum class Choice : std::uint8_t {
    card,                 // this one
    random_of_list,       // value: a list of cards
    random_for_my_class,  // value: the first of nine lists, one per class
    random_for_enemy_class,
    random_not_in_play,  // of a list, except cards on my board
    copy_of_selected,    // exact copy, with damage and enchantments
    fresh_copy_of_selected,
};

// ---- instructions ------------------------------------------------------------------------------------------------

enum class Op : std::uint8_t {
    end,
    jump,          // over `skip` instructions
    skip_unless,   // condition: if false, over `skip` instructions
    damage,        // selector, amount, damage kind
    split_damage,  // selector, amount: one point at a time at random
    damage_from,   // selector, amount; selector2 deals it
    heal,          // selector, amount, damage kind (for doubling)
    heal_fully,
    set_current_health,  // selector, amount
    buff,                // selector, amount attack, amount2 health, keywords, duration
    set_attack,
    set_health,  // and no damage
    swap_stats,
    remove_keywords,  // selector, keywords
    freeze,
    silence,
    destroy,  // minions, weapons, secrets
    bounce,
    transform,            // selector, choice, card, selector2 of a copy
    take_control,         // selector, duration
    summon,               // side, choice, card, selector2 of a copy, amount: how many
    equip,                // side, card
    buff_weapon,          // side, amount attack, amount2 durability
    lose_durability,      // side, amount
    draw,                 // side, amount
    draw_filtered,        // filter of selector: a random card of my deck that passes it
    discard,              // selector over a hand
    add_to_hand,          // side, choice, card, amount
    copy_to_hand,         // side, selector over hands, decks or a spell: copies
    change_cost,          // selector over cards in hands, amount
    gain_armor,           // side, amount
    gain_crystals,        // side, amount: full ones
    gain_empty_crystals,  // side, amount, may be negative
    gain_mana,            // side, amount: this turn only
    set_power,            // card
    replace_hero,         // card: the source becomes the hero
    enchant_player,       // side, card: index of a player enchantment, duration
    attach,               // selector, card: index of an attachment
    redirect_attack,      // selector
    redirect_spell,       // selector
    counter,              // the spell that is being cast
    prevent_damage,       // the damage that would kill the hero
    look_at_top,          // amount: choose one, the others are discarded
    swap_with_hand,       // the source changes places with a selected card
    return_later,         // card: into the hand at the start (or, by rule, the end) of a turn
    summon_around,        // like summon, right and left of the source, alternating
    summon_at_end,        // like summon, always at the right end
};

// The source of damage or healing: spell damage affects spells, doubling affects spells and hero powers.
enum class Source : std::uint8_t { other, spell, power };

struct Instruction {
    Op op = Op::end;
    Side side = Side::mine;
    Source source = Source::other;
    Choice choice = Choice::card;
    Duration duration = Duration::permanent;
    std::uint8_t skip = 0;
    TableIndex selector = 0;
    TableIndex selector2 = 0;
    TableIndex amount = 0;
    TableIndex amount2 = 0;
    TableIndex condition = 0;
    std::uint16_t card = 0;  // a CardId, a list, an attachment or a player enchantment, depending on the op
    std::uint32_t keywords = 0;
};

// ---- triggers ----------------------------------------------------------------------------------------------------

enum class Event : std::uint8_t {
    none,
    turn_start,
    turn_end,
    attack,      // declared; source attacks target
    cast_spell,  // before its effect; source is the spell
    after_spell,
    play_card,          // source is the card
    after_play_minion,  // target is the minion
    summon,             // target is the minion, which is in play already
    after_summon,
    damaged,               // target, amount, source
    deals_damage,          // source, target, amount
    healed,                // target
    dies,                  // target, which has left play
    spell_targets_minion,  // source is the spell, target the minion
    secret_revealed,
    fatal_damage,     // target is a hero that would die
    attack_proposed,  // before it is declared: secrets may still redirect or stop it
};

// The player an event belongs to: the player whose turn starts, who plays, casts or summons, or whose secret is
// revealed; the controller of the attacker; the controller of the character that is damaged, healed or dies.
struct Trigger {
    Event event = Event::none;
    Side whose = Side::all;
    bool own_source = false;  // only if the event's source is the holder
    bool own_target = false;  // only if the event's target is the holder
    bool casters = false;     // for an attachment: it belongs to its caster, whoever controls the host
    TableIndex source = 0;    // selector that the event's source must be in; 0: any
    TableIndex target = 0;    // the same for its target
    TableIndex condition = 0;
    ProgramCounter program = 0;
};

// ---- continuous effects ------------------------------------------------------------------------------------------

struct Aura {
    TableIndex selector = 0;
    TableIndex attack = 0;  // numbers
    TableIndex health = 0;
    TableIndex condition = 0;
    std::uint32_t keywords = 0;
};

enum class CostChange : std::uint8_t {
    add,
    add_not_below_one,
    set,
    // Like add_not_below_one, but only for the printed cost; a printed zero becomes one. When it ends, cards that it
    // did not affect pay back the change too, and a printed zero stays at one.
    add_to_printed,
};

struct CostAura {
    Side side = Side::mine;  // whose hand
    CostChange change = CostChange::add;
    Filter filter;
    std::int16_t amount = 0;
    TableIndex condition = 0;
};

// A temporary effect of a player: a change of costs or keywords for all its minions.
struct PlayerEnchantment {
    CostAura cost;
    std::uint32_t keywords = 0;  // for all its minions
};

// What an effect can attach to a minion: a trigger or a deathrattle.
struct Attachment {
    TableIndex trigger = 0;
    ProgramCounter deathrattle = 0;
};

}  // namespace deckatlas::hearthstone
