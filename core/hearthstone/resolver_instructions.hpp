// Hearthstone: runs single instructions. Part of resolver.hpp.
#pragma once

#include "hearthstone/resolver.hpp"

namespace deckatlas::hearthstone {

template <class Random>
void Resolver<Random>::execute(const Instruction& instruction, Frame& frame) {
    Scope& scope = frame.scope;
    if (instruction.op == Op::split_damage) return do_split(instruction, frame);
    if (instruction.op == Op::summon || instruction.op == Op::summon_around || instruction.op == Op::summon_at_end)
        return do_summon(instruction, frame);
    ++frame.program;
    const auto each_minion = [&](const auto& act) {
        Selection targets;
        choose(cards_.selectors[instruction.selector], scope, targets);
        for (const Ref target : targets) {
            if (target.is_minion() && state_.minions[target.place()].zone == Zone::board)
                act(state_.minions[target.place()]);
        }
    };
    Player& side = state_.players[player_of(instruction.side, scope)];
    switch (instruction.op) {
        case Op::end:
        case Op::split_damage:
        case Op::summon:
        case Op::summon_around:
        case Op::summon_at_end: break;
        case Op::jump: frame.program = static_cast<ProgramCounter>(frame.program + instruction.skip); break;
        case Op::skip_unless:
            if (!condition_holds(cards_.conditions[instruction.condition], scope))
                frame.program = static_cast<ProgramCounter>(frame.program + instruction.skip);
            break;
        case Op::damage:
        case Op::damage_from:
            if (has_rule(kNoDamageEndsEffect) && is_nothing(instruction.amount, scope)) {
                frame.program = 0;
                break;
            }
            do_damage(instruction, scope);
            break;
        case Op::heal:
        case Op::heal_fully: do_heal(instruction, scope); break;
        case Op::set_current_health: {
            Selection targets;
            choose(cards_.selectors[instruction.selector], scope, targets);
            const int health = amount(instruction.amount, scope);
            for (const Ref target : targets) {
                if (target.is_hero()) {
                    Player& owner = state_.players[target.player()];
                    owner.health = fit(health);
                } else if (target.is_minion()) {
                    Minion& minion = state_.minions[target.place()];
                    minion.damage = fit(std::max(0, minion.max_health() - health));
                }
            }
            break;
        }
        case Op::buff: do_buff(instruction, scope); break;
        case Op::set_attack: {
            const auto value = fit(amount(instruction.amount, scope));
            each_minion([&](Minion& minion) {
                minion.attack = value;
                minion.attack_this_turn = 0;
            });
            break;
        }
        case Op::set_health: {
            const auto value = fit(amount(instruction.amount, scope));
            Selection targets;
            choose(cards_.selectors[instruction.selector], scope, targets);
            for (const Ref target : targets) {
                if (target.is_hero()) {
                    state_.players[target.player()].health = value;
                    state_.players[target.player()].max_health = value;
                } else if (target.is_minion() && state_.minions[target.place()].zone == Zone::board) {
                    state_.minions[target.place()].health = value;
                    state_.minions[target.place()].damage = 0;
                }
            }
            break;
        }
        case Op::swap_stats:
            each_minion([&](Minion& minion) {
                const auto attack = fit(minion.current_attack());
                minion.attack = fit(minion.current_health());
                minion.attack_this_turn = 0;
                minion.health = attack;
                minion.damage = 0;
                if (attack <= 0 && has_rule(kMortalWoundsAreFinal)) minion.destroyed = true;
            });
            break;
        case Op::remove_keywords:
            each_minion([&](Minion& minion) {
                minion.keywords &= ~instruction.keywords;
                minion.keywords_this_turn &= ~instruction.keywords;
            });
            break;
        case Op::freeze: {
            Selection targets;
            choose(cards_.selectors[instruction.selector], scope, targets);
            for (const Ref target : targets) {
                if (target.is_hero()) state_.players[target.player()].frozen = true;
                if (target.is_minion()) state_.minions[target.place()].keywords |= kFrozen;
            }
            break;
        }
        case Op::silence: each_minion([&](Minion& minion) { silence(minion); }); break;
        case Op::destroy: do_destroy(instruction, scope); break;
        case Op::bounce: do_bounce(instruction, scope); break;
        case Op::transform: do_transform(instruction, scope); break;
        case Op::take_control: {
            Selection targets;
            choose(cards_.selectors[instruction.selector], scope, targets);
            for (const Ref target : targets) {
                if (target.is_minion())
                    take_control(target.place(), scope.controller, instruction.duration == Duration::this_turn);
            }
            break;
        }
        case Op::equip: {
            const CardId card = card_for(instruction, scope);
            if (cards_[card].type == CardType::weapon) equip(player_of(instruction.side, scope), card);
            break;
        }
        case Op::buff_weapon:
            if (side.weapon.card != 0) {
                side.weapon.attack = fit(side.weapon.attack + amount(instruction.amount, scope));
                side.weapon.durability = fit(side.weapon.durability + amount(instruction.amount2, scope));
            }
            break;
        case Op::lose_durability:
            lose_durability(player_of(instruction.side, scope), amount(instruction.amount, scope));
            break;
        case Op::draw: {
            const bool fixed = cards_.numbers[instruction.amount].kind == NumberKind::constant;
            draw(player_of(instruction.side, scope), amount(instruction.amount, scope), &scope,
                 fixed && instruction.side == Side::mine && has_rule(kDrawStopsAtFatigue));
            break;
        }
        case Op::draw_filtered: draw_filtered(instruction, scope); break;
        case Op::discard: do_discard(instruction, scope); break;
        case Op::add_to_hand:
            for (int left = amount(instruction.amount, scope); left > 0 && take_step(); --left) {
                const CardId card = card_for(instruction, scope);
                // Both players know a card that is always the same.
                const Origin origin = instruction.choice == Choice::card ? Origin::revealed : Origin::made;
                if (is_for_hand(cards_[card].type))
                    add_to_hand(player_of(instruction.side, scope), card, 0, &scope, origin);
            }
            break;
        case Op::copy_to_hand: do_copy_to_hand(instruction, scope); break;
        case Op::change_cost: {
            CardSelection chosen;
            choose_cards(cards_.selectors[instruction.selector], scope, chosen);
            for (const CardPlace place : chosen) {
                HandCard& held = state_.players[place.player].hand[place.index];
                held.cost_change = fit<std::int8_t>(held.cost_change + amount(instruction.amount, scope));
            }
            break;
        }
        case Op::gain_armor: side.armor = fit(std::max(0, side.armor + amount(instruction.amount, scope))); break;
        case Op::gain_crystals:
        case Op::gain_empty_crystals: {
            const int before = side.crystals;
            const int after = std::clamp(before + amount(instruction.amount, scope), 0, kCrystalLimit);
            side.crystals = static_cast<std::uint8_t>(after);
            const int used = side.used + (instruction.op == Op::gain_empty_crystals ? after - before : 0);
            side.used = static_cast<std::uint8_t>(std::clamp(used, 0, after));
            break;
        }
        case Op::gain_mana: {
            const int room = kCrystalLimit - side.mana();
            const int gained = std::clamp(amount(instruction.amount, scope), 0, std::max(0, room));
            side.extra = fit<std::uint8_t>(side.extra + gained);
            break;
        }
        case Op::set_power:
            side.power = instruction.card;
            side.power_used = false;
            break;
        case Op::replace_hero: {
            side.hero = instruction.card;
            side.health = cards_[instruction.card].health;
            side.max_health = side.health;
            side.armor = 0;
            side.frozen = false;
            side.hero_class = cards_[instruction.card].hero_class;
            if (has_rule(kNewHeroIsFresh)) {
                side.hero_exhausted = false;
                side.attacks = 0;
                side.attack_this_turn = 0;
                side.hero_keywords_this_turn = 0;
                side.fatigue = 0;
            }
            if (scope.self.is_minion()) take_to_grave(scope.self.place());
            scope.event_target = Ref::hero(scope.controller);
            break;
        }
        case Op::enchant_player: do_enchant_player(instruction, scope); break;
        case Op::attach: do_attach(instruction, scope); break;
        case Op::redirect_attack: {
            Selection targets;
            choose(cards_.selectors[instruction.selector], scope, targets);
            if (!targets.empty()) defender_ = targets[0];
            break;
        }
        case Op::redirect_spell: {
            Selection targets;
            choose(cards_.selectors[instruction.selector], scope, targets);
            if (!targets.empty()) spell_target_ = targets[0];
            break;
        }
        case Op::counter: countered_ = true; break;
        case Op::prevent_damage: break;  // listening to the event prevents it
        case Op::look_at_top: do_look(instruction, scope); break;
        case Op::swap_with_hand: do_swap_with_hand(instruction, scope); break;
        case Op::return_later:
            if (side.return_count == kReturns) return give_up();
            side.returns[side.return_count++] = instruction.card;
            break;
    }
    refresh();
}

}  // namespace deckatlas::hearthstone
