// Hearthstone: what a compiled effect does, as small whole numbers.
//
// Every instruction adds to a few of them: how much damage to whom, how many cards drawn, the stats of what is
// summoned. Amounts that depend on the game are estimated, and marked as variable. Both branches of a condition count.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hearthstone/cards.hpp"

namespace deckatlas::hearthstone {

enum class EffectAttribute : std::uint8_t {
    damage_target,
    damage_enemy,  // chosen at random, times their number
    damage_enemies,
    damage_own,
    damage_enemy_hero,
    damage_own_hero,
    destroy_target,
    destroy_enemy,
    destroy_own,
    bounce_enemy,
    bounce_own,
    silence,
    freeze,
    transform,
    take_control,
    set_stats,
    heal_one,
    heal_many,
    buff_attack,
    buff_health,
    buff_attack_of_many,
    buff_health_of_many,
    buff_attack_this_turn,
    buff_own_attack,  // of the card itself
    buff_own_health,
    weaken_enemy,
    give_keywords,
    summon,
    summon_attack,
    summon_health,
    summon_for_enemy,
    equip_attack,
    equip_durability,
    buff_weapon,
    harm_weapon,
    draw,
    enemy_draws,
    discard,
    enemy_discards,
    add_to_hand,
    add_to_enemy_hand,
    change_cost,
    gain_armor,
    gain_crystals,
    enemy_gains_crystals,
    gain_mana,
    new_power,
    enchant_player,
    attach,
    interrupt,
    other,
    at_random,
    on_condition,
    variable,
    instructions,
};
inline constexpr std::size_t kEffectAttributes = static_cast<std::size_t>(EffectAttribute::instructions) + 1;
inline constexpr const char* kEffectAttributeNames[kEffectAttributes] = {"damage to a target",
                                                                         "damage to a random enemy",
                                                                         "damage to enemies",
                                                                         "damage to own side",
                                                                         "damage to enemy hero",
                                                                         "damage to own hero",
                                                                         "destroy a target",
                                                                         "destroy enemies",
                                                                         "destroy own",
                                                                         "bounce enemies",
                                                                         "bounce own",
                                                                         "silence",
                                                                         "freeze",
                                                                         "transform",
                                                                         "take control",
                                                                         "set stats",
                                                                         "heal one",
                                                                         "heal many",
                                                                         "buff attack",
                                                                         "buff health",
                                                                         "buff attack of many",
                                                                         "buff health of many",
                                                                         "buff attack this turn",
                                                                         "buff own attack",
                                                                         "buff own health",
                                                                         "weaken enemy",
                                                                         "give keywords",
                                                                         "summon",
                                                                         "summoned attack",
                                                                         "summoned health",
                                                                         "summon for enemy",
                                                                         "equip attack",
                                                                         "equip durability",
                                                                         "buff weapon",
                                                                         "harm weapon",
                                                                         "draw",
                                                                         "enemy draws",
                                                                         "discard",
                                                                         "enemy discards",
                                                                         "add to hand",
                                                                         "add to enemy hand",
                                                                         "change cost",
                                                                         "gain armor",
                                                                         "gain crystals",
                                                                         "enemy gains crystals",
                                                                         "gain mana",
                                                                         "new power",
                                                                         "enchant player",
                                                                         "attach",
                                                                         "interrupt",
                                                                         "other",
                                                                         "at random",
                                                                         "on condition",
                                                                         "variable",
                                                                         "instructions"};

inline constexpr int kMostAttribute = 127;

// Adds to an attribute, within its limits.
inline void add_attribute(std::int8_t& attribute, int value) {
    attribute = static_cast<std::int8_t>(std::clamp(attribute + value, -kMostAttribute, kMostAttribute));
}

// Adds up the effects of programs into one set of attributes.
class EffectAttributes {
public:
    // `to` has kEffectAttributes numbers.
    EffectAttributes(const CardSet& cards, std::int8_t* to) : cards_(cards), to_(to) {}

    // `target` is the side of what can be chosen when the card is played.
    void add_program(ProgramCounter start, Side target) {
        for (std::size_t at = start; start != 0 && cards_.instructions[at].op != Op::end; ++at)
            add_instruction(cards_.instructions[at], target);
    }

    // The value of a number, estimated if it depends on the game.
    static int estimate(const Number& number) {
        switch (number.kind) {
            case NumberKind::constant: return number.offset;
            case NumberKind::random_between: return (number.factor + number.offset) / 2;
            default: return number.factor * kTypicalQuantity + number.offset;
        }
    }

private:
    static constexpr int kTypicalQuantity = 3;
    static constexpr int kMany = 3;      // minions of a side
    static constexpr int kFullHeal = 8;  // points of a full healing

    enum class Whom : std::uint8_t { target, own, enemy, both, self };

    void add(EffectAttribute attribute, int value) { add_attribute(to_[static_cast<std::size_t>(attribute)], value); }

    Whom whom(const Selector& selector, Side target) const {
        const Side side = is_target(selector.base) ? target : selector.side;
        switch (selector.base) {
            case Base::self: return Whom::self;
            case Base::adjacent_to_self:
            case Base::last_summoned:
            case Base::last_drawn: return Whom::own;
            case Base::event_source:
            case Base::event_target:
            case Base::none:
            case Base::each: return Whom::target;
            default: break;
        }
        if (side == Side::mine) return Whom::own;
        if (side == Side::enemy) return Whom::enemy;
        return is_target(selector.base) ? Whom::target : Whom::both;
    }
    static bool is_target(Base base) {
        return base == Base::target || base == Base::target_and_adjacent || base == Base::adjacent_to_target;
    }
    static bool is_of_many(const Selector& selector) {
        const bool several = selector.base == Base::minions || selector.base == Base::characters ||
                             selector.base == Base::target_and_adjacent || selector.base == Base::adjacent_to_target ||
                             selector.base == Base::adjacent_to_self || selector.base == Base::hand ||
                             selector.base == Base::deck || selector.base == Base::secrets;
        return several && selector.pick != Pick::random;
    }
    static int number_of(const Selector& selector) {
        return is_of_many(selector) ? kMany : selector.pick == Pick::random ? selector.count : 1;
    }

    void add_instruction(const Instruction& instruction, Side target) {
        if (instruction.op == Op::jump) return;
        const Selector& selector = cards_.selectors[instruction.selector];
        add(EffectAttribute::instructions, 1);
        if (selector.pick != Pick::all || is_random(instruction.choice)) add(EffectAttribute::at_random, 1);
        if (is_variable(instruction.amount) || is_variable(instruction.amount2)) add(EffectAttribute::variable, 1);
        add_deed(instruction, selector, whom(selector, target));
    }
    bool is_variable(TableIndex number) const { return cards_.numbers[number].kind != NumberKind::constant; }
    static bool is_random(Choice choice) {
        return choice != Choice::card && choice != Choice::copy_of_selected && choice != Choice::fresh_copy_of_selected;
    }

    void add_deed(const Instruction& instruction, const Selector& selector, Whom whom) {
        const int amount = estimate(cards_.numbers[instruction.amount]);
        const int number = number_of(selector);
        const bool enemy = instruction.side == Side::enemy;
        const bool own_side = whom == Whom::own || whom == Whom::self;
        switch (instruction.op) {
            case Op::end:
            case Op::jump: break;
            case Op::skip_unless: add(EffectAttribute::on_condition, 1); break;
            case Op::damage:
            case Op::damage_from: add_damage(selector, whom, amount); break;
            case Op::split_damage:
                add(EffectAttribute::at_random, 1);
                add(whom == Whom::enemy ? EffectAttribute::damage_enemy : EffectAttribute::damage_own, amount);
                break;
            case Op::heal: add_healing(selector, amount); break;
            case Op::heal_fully: add_healing(selector, kFullHeal); break;
            case Op::buff: add_buff(instruction, selector, whom); break;
            case Op::set_current_health:
            case Op::set_attack:
            case Op::set_health:
            case Op::swap_stats: add(EffectAttribute::set_stats, number); break;
            case Op::remove_keywords: add(EffectAttribute::weaken_enemy, number); break;
            case Op::freeze: add(EffectAttribute::freeze, number); break;
            case Op::silence: add(EffectAttribute::silence, number); break;
            case Op::destroy: add_destruction(selector, whom, number); break;
            case Op::bounce: add(own_side ? EffectAttribute::bounce_own : EffectAttribute::bounce_enemy, number); break;
            case Op::transform: add(EffectAttribute::transform, number); break;
            case Op::take_control: add(EffectAttribute::take_control, number); break;
            case Op::summon:
            case Op::summon_around:
            case Op::summon_at_end: add_summon(instruction, amount); break;
            case Op::equip: {
                const Card& weapon = cards_[instruction.choice == Choice::card ? instruction.card : kUnknownCard];
                add(EffectAttribute::equip_attack, enemy ? -weapon.attack : weapon.attack);
                add(EffectAttribute::equip_durability, enemy ? -weapon.health : weapon.health);
                break;
            }
            case Op::buff_weapon:
                add(EffectAttribute::buff_weapon, amount + estimate(cards_.numbers[instruction.amount2]));
                break;
            case Op::lose_durability: add(EffectAttribute::harm_weapon, enemy ? amount : -amount); break;
            case Op::draw: add(enemy ? EffectAttribute::enemy_draws : EffectAttribute::draw, amount); break;
            case Op::draw_filtered:
            case Op::look_at_top: add(EffectAttribute::draw, 1); break;
            case Op::discard:
                add(selector.side == Side::enemy ? EffectAttribute::enemy_discards : EffectAttribute::discard, number);
                break;
            case Op::add_to_hand:
                add(enemy ? EffectAttribute::add_to_enemy_hand : EffectAttribute::add_to_hand, amount);
                break;
            case Op::copy_to_hand: add(EffectAttribute::add_to_hand, number); break;
            case Op::return_later: add(EffectAttribute::add_to_hand, 1); break;
            case Op::change_cost: add(EffectAttribute::change_cost, amount); break;
            case Op::gain_armor: add(EffectAttribute::gain_armor, enemy ? -amount : amount); break;
            case Op::gain_crystals:
            case Op::gain_empty_crystals:
                add(enemy ? EffectAttribute::enemy_gains_crystals : EffectAttribute::gain_crystals, amount);
                break;
            case Op::gain_mana: add(EffectAttribute::gain_mana, enemy ? -amount : amount); break;
            case Op::set_power:
            case Op::replace_hero: add(EffectAttribute::new_power, 1); break;
            case Op::enchant_player:
                add_enchantment(cards_.player_enchantments[instruction.card], enemy ? -1 : 1);
                break;
            case Op::attach: add(EffectAttribute::attach, number); break;
            case Op::redirect_attack:
            case Op::redirect_spell:
            case Op::counter:
            case Op::prevent_damage: add(EffectAttribute::interrupt, 1); break;
            case Op::swap_with_hand: add(EffectAttribute::other, 1); break;
        }
    }

    void add_damage(const Selector& selector, Whom whom, int amount) {
        const bool on_hero = selector.base == Base::hero || selector.base == Base::characters;
        const bool many = is_of_many(selector);
        if (whom == Whom::target) return add(EffectAttribute::damage_target, amount);
        if (whom == Whom::self) return add(EffectAttribute::damage_own, amount);
        const bool on_own = whom == Whom::own || whom == Whom::both;
        const bool on_enemy = whom == Whom::enemy || whom == Whom::both;
        if (on_hero && (many || selector.base == Base::hero)) {
            if (on_own) add(EffectAttribute::damage_own_hero, amount);
            if (on_enemy) add(EffectAttribute::damage_enemy_hero, amount);
        }
        if (selector.base == Base::hero) return;
        if (on_own) add(EffectAttribute::damage_own, amount);
        if (!on_enemy) return;
        if (many) return add(EffectAttribute::damage_enemies, amount);
        add(selector.pick == Pick::random ? EffectAttribute::damage_enemy : EffectAttribute::damage_target,
            amount * number_of(selector));
    }

    void add_healing(const Selector& selector, int amount) {
        add(is_of_many(selector) ? EffectAttribute::heal_many : EffectAttribute::heal_one,
            selector.side == Side::enemy && !is_target(selector.base) ? -amount : amount);
    }

    void add_destruction(const Selector& selector, Whom whom, int number) {
        if (selector.base == Base::weapon || selector.base == Base::secrets)
            return add(EffectAttribute::harm_weapon, whom == Whom::own ? -1 : 1);
        if (whom == Whom::target || (whom == Whom::enemy && is_target(selector.base)))
            return add(EffectAttribute::destroy_target, number);
        if (whom != Whom::enemy) add(EffectAttribute::destroy_own, number);
        if (whom == Whom::enemy || whom == Whom::both) add(EffectAttribute::destroy_enemy, number);
    }

    void add_buff(const Instruction& instruction, const Selector& selector, Whom whom) {
        const int attack = estimate(cards_.numbers[instruction.amount]);
        const int health = estimate(cards_.numbers[instruction.amount2]);
        const bool many = is_of_many(selector);
        if (instruction.keywords != 0) add(EffectAttribute::give_keywords, number_of(selector));
        if (whom == Whom::enemy) return add(EffectAttribute::weaken_enemy, -attack - health);
        if (instruction.duration == Duration::this_turn)
            return add(EffectAttribute::buff_attack_this_turn, attack * number_of(selector));
        if (whom == Whom::self) {
            add(EffectAttribute::buff_own_attack, attack);
            add(EffectAttribute::buff_own_health, health);
        } else {
            add(many ? EffectAttribute::buff_attack_of_many : EffectAttribute::buff_attack, attack);
            add(many ? EffectAttribute::buff_health_of_many : EffectAttribute::buff_health, health);
        }
    }

    void add_enchantment(const PlayerEnchantment& given, int sign) {
        add(EffectAttribute::enchant_player, sign);
        if (given.keywords != 0) add(EffectAttribute::give_keywords, sign * kMany);
        if (given.cost.filter.kind == FilterKind::anything) return;  // it changes no costs
        const int before = given.cost.change == CostChange::set ? kTypicalQuantity : 0;
        add(EffectAttribute::change_cost, sign * (given.cost.amount - before));
    }

    void add_summon(const Instruction& instruction, int amount) {
        int attack = 0;
        int health = 0;
        if (instruction.choice == Choice::card) {
            attack = cards_[instruction.card].attack;
            health = cards_[instruction.card].health;
        } else if (instruction.choice == Choice::copy_of_selected ||
                   instruction.choice == Choice::fresh_copy_of_selected) {
            attack = health = kTypicalQuantity;
        } else if (const std::vector<CardId>& list = cards_.lists[instruction.card]; !list.empty()) {
            for (const CardId card : list) {
                attack += cards_[card].attack;
                health += cards_[card].health;
            }
            attack /= static_cast<int>(list.size());
            health /= static_cast<int>(list.size());
        }
        if (instruction.side == Side::enemy) return add(EffectAttribute::summon_for_enemy, amount * (attack + health));
        add(EffectAttribute::summon, amount);
        add(EffectAttribute::summon_attack, amount * attack);
        add(EffectAttribute::summon_health, amount * health);
    }

    const CardSet& cards_;
    std::int8_t* const to_;
};

}  // namespace deckatlas::hearthstone
