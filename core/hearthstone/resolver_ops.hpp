// Hearthstone: what each instruction does. Part of resolver.hpp.
#pragma once

#include "hearthstone/resolver.hpp"

namespace deckatlas::hearthstone {

template <class Random>
bool Resolver<Random>::condition_holds(const Condition& condition, const Scope& scope) {
    if (condition.kind == ConditionKind::coin_flip) return (random_.below(2) == 0) != condition.negated;
    return look(scope).holds(condition);
}

template <class Random>
int Resolver<Random>::amount(TableIndex index, const Scope& scope) {
    const Number& number = cards_.numbers[index];
    if (number.kind == NumberKind::random_between) {
        const auto span = static_cast<std::uint32_t>(number.offset - number.factor + 1);
        return number.factor + static_cast<int>(random_.below(span));
    }
    return look(scope).value(number);
}

// The selected, after any random pick.
template <class Random>
void Resolver<Random>::choose(const Selector& selector, const Scope& scope, Selection& out) {
    Selection all;
    look(scope).select(selector, all);
    if (selector.pick == Pick::all) {
        out = all;
        return;
    }
    const auto drop = [&all](std::size_t at) {
        for (std::size_t i = at; i + 1 < all.size(); ++i) all[i] = all[i + 1];
        all.pop_back();
    };
    const auto draw_one = [&] {
        const Look sight = look(scope);
        return static_cast<std::size_t>(random_.pick(static_cast<std::uint32_t>(all.size()),
                                                     [&](std::uint32_t i) { return sight.card_of(all[i]); }));
    };
    if (selector.pick == Pick::all_but_one_random) {
        if (!all.empty()) drop(draw_one());
        out = all;
        return;
    }
    if (all.size() <= selector.count) {
        out = all;
        return;
    }
    // Drawn until so many are different; as likely as drawing without replacement.
    bool taken[kMostSelected] = {};
    while (out.size() < selector.count && !state_.is_void) {
        const std::size_t chosen = draw_one();
        if (!taken[chosen]) out.push_back(all[chosen]);
        taken[chosen] = true;
        if (++steps_ > kMostSteps) give_up();
    }
}

template <class Random>
void Resolver<Random>::choose_cards(const Selector& selector, const Scope& scope, CardSelection& out) {
    CardSelection all;
    look(scope).select_cards(selector, all);
    if (selector.pick == Pick::all) {
        out = all;
        return;
    }
    if (all.size() <= selector.count) {
        out = all;
        return;
    }
    bool taken[kMostCards] = {};
    while (out.size() < selector.count && !state_.is_void) {
        const Look sight = look(scope);
        const auto card_at = [&](std::uint32_t k) { return sight.card_at(selector.base, all[k]); };
        const auto chosen = static_cast<std::size_t>(random_.pick(static_cast<std::uint32_t>(all.size()), card_at));
        if (!taken[chosen]) out.push_back(all[chosen]);
        taken[chosen] = true;
        if (++steps_ > kMostSteps) give_up();
    }
}

template <class Random>
CardId Resolver<Random>::card_for(const Instruction& instruction, const Scope& scope, std::size_t which) {
    const auto from_list = [&](const std::vector<CardId>& list) -> CardId {
        if (list.empty()) return 0;
        return list[random_.pick(static_cast<std::uint32_t>(list.size()), [&](std::uint32_t i) { return list[i]; })];
    };
    const auto of_class = [&](int player) -> CardId {
        const int offset = static_cast<int>(state_.players[player].hero_class) - 1;
        return from_list(cards_.lists[static_cast<std::size_t>(instruction.card + offset)]);
    };
    switch (instruction.choice) {
        case Choice::card: return instruction.card;
        case Choice::random_of_list: return from_list(cards_.lists[instruction.card]);
        case Choice::random_for_my_class: return of_class(scope.controller);
        case Choice::random_for_enemy_class: return of_class(scope.controller ^ 1);
        case Choice::random_not_in_play: {
            FixedVector<CardId, kBoardLimit> left;
            const Player& owner = state_.players[scope.controller];
            for (const CardId card : cards_.lists[instruction.card]) {
                bool there = false;
                for (int i = 0; i < owner.board_size; ++i) there |= state_.on_board(scope.controller, i).card == card;
                if (!there && left.size() < kBoardLimit) left.push_back(card);
            }
            if (left.empty()) return 0;
            return left[random_.below(static_cast<std::uint32_t>(left.size()))];
        }
        case Choice::copy_of_selected:
        case Choice::fresh_copy_of_selected: {
            const Selector& selector = cards_.selectors[instruction.selector2];
            const Look sight = look(scope);
            if (sight.holds_cards(selector)) {
                CardSelection chosen;
                choose_cards(selector, scope, chosen);
                return which < chosen.size() ? sight.card_at(selector.base, chosen[which]) : CardId{0};
            }
            Selection chosen;
            choose(selector, scope, chosen);
            return chosen.empty() ? CardId{0} : sight.card_of(chosen[0]);
        }
    }
    return 0;
}

// Whether a number that is worked out comes to nothing.
template <class Random>
bool Resolver<Random>::is_nothing(TableIndex number, const Scope& scope) const {
    const NumberKind kind = cards_.numbers[number].kind;
    return kind != NumberKind::constant && kind != NumberKind::random_between &&
           look(scope).value(cards_.numbers[number]) <= 0;
}

template <class Random>
void Resolver<Random>::do_damage(const Instruction& instruction, Scope& scope) {
    Selection targets;
    choose(cards_.selectors[instruction.selector], scope, targets);
    Ref source = scope.self;
    if (instruction.op == Op::damage_from) {
        Selection sources;
        choose(cards_.selectors[instruction.selector2], scope, sources);
        if (!sources.empty()) source = sources[0];
    }
    for (const Ref target : targets) {
        scope.each = target;
        int points = amount(instruction.amount, scope);  // for each anew: it may be random
        if (instruction.source == Source::spell) points += spell_damage(scope.controller);
        if (instruction.source != Source::other) points <<= doublings(scope.controller);
        damage(target, points, source, instruction.source, scope);
    }
}

// One point at a time, each at somebody who is still alive.
template <class Random>
void Resolver<Random>::do_split(const Instruction& instruction, Frame& frame) {
    if (frame.repeats < 0) {
        int points = amount(instruction.amount, frame.scope);
        if (instruction.source == Source::spell) points += spell_damage(frame.scope.controller);
        if (instruction.source != Source::other) points <<= doublings(frame.scope.controller);
        frame.repeats = static_cast<std::int16_t>(points);
    }
    if (frame.repeats == 0) {
        frame.repeats = -1;
        ++frame.program;
        return;
    }
    --frame.repeats;
    Selection targets;
    Selection alive;
    const Look sight = look(frame.scope);
    sight.select(cards_.selectors[instruction.selector], targets);
    for (const Ref target : targets) {
        if (sight.is_alive(target)) alive.push_back(target);
    }
    if (alive.empty()) return;
    const std::uint32_t chosen = random_.pick(static_cast<std::uint32_t>(alive.size()),
                                              [&](std::uint32_t i) { return sight.card_of(alive[i]); });
    const Scope scope = frame.scope;
    damage(alive[chosen], 1, scope.self, instruction.source, scope);
}

template <class Random>
void Resolver<Random>::do_heal(const Instruction& instruction, Scope& scope) {
    Selection targets;
    choose(cards_.selectors[instruction.selector], scope, targets);
    for (const Ref target : targets) {
        int points = instruction.op == Op::heal_fully ? (target.is_minion() ? state_.minions[target.place()].damage : 0)
                                                      : amount(instruction.amount, scope);
        if (instruction.op == Op::heal && instruction.source != Source::other) points <<= doublings(scope.controller);
        heal(target, points, instruction.source, scope);
    }
}

template <class Random>
void Resolver<Random>::do_buff(const Instruction& instruction, Scope& scope) {
    Selection targets;
    choose(cards_.selectors[instruction.selector], scope, targets);
    const bool passing = instruction.duration == Duration::this_turn;
    for (const Ref target : targets) {
        scope.each = target;
        const auto attack = static_cast<std::int16_t>(amount(instruction.amount, scope));
        const auto health = static_cast<std::int16_t>(amount(instruction.amount2, scope));
        if (target.is_hero()) {
            Player& owner = state_.players[target.player()];
            owner.attack_this_turn = static_cast<std::int16_t>(owner.attack_this_turn + attack);
            owner.hero_keywords_this_turn |= instruction.keywords;
        } else if (target.is_minion()) {
            Minion& minion = state_.minions[target.place()];
            if (minion.zone != Zone::board) continue;
            std::int16_t& changed = passing ? minion.attack_this_turn : minion.attack;
            changed = static_cast<std::int16_t>(changed + attack);
            minion.health = static_cast<std::int16_t>(minion.health + health);
            gain(cards_, minion, instruction.keywords);
            (passing ? minion.keywords_this_turn : minion.keywords) |= instruction.keywords & ~kSpellDamage;
            if ((instruction.keywords & kSpellDamage) != 0) ++minion.spell_damage;
            if (instruction.duration == Duration::until_my_next_turn) minion.keywords |= kStealthUntilTurn;
        }
    }
}

template <class Random>
void Resolver<Random>::do_destroy(const Instruction& instruction, Scope& scope) {
    const Selector& selector = cards_.selectors[instruction.selector];
    if (selector.base == Base::secrets) return destroy_secrets(selector, scope);
    Selection targets;
    choose(selector, scope, targets);
    for (const Ref target : targets) {
        if (target.is_minion()) state_.minions[target.place()].destroyed = true;
        if (target.is_weapon()) state_.players[target.player()].weapon.destroyed = true;
        if (target.is_hero()) state_.players[target.player()].destroyed = true;
        if (target.is_held()) discard(target.player(), target.hand_index());
    }
}

template <class Random>
void Resolver<Random>::destroy_secrets(const Selector& selector, Scope& scope) {
    Player& owner = state_.players[player_of(selector.side, scope)];
    if (selector.pick == Pick::all || owner.secret_count <= 1) {
        owner.secret_count = 0;
        return;
    }
    const auto chosen =
        static_cast<int>(random_.pick(owner.secret_count, [&](std::uint32_t i) { return owner.secrets[i].card; }));
    --owner.secret_count;
    for (int i = chosen; i < owner.secret_count; ++i) owner.secrets[i] = owner.secrets[i + 1];
}

template <class Random>
void Resolver<Random>::discard(int player, int index) {
    Player& owner = state_.players[player];
    --owner.hand_size;
    for (int i = index; i < owner.hand_size; ++i) owner.hand[i] = owner.hand[i + 1];
}

template <class Random>
void Resolver<Random>::do_bounce(const Instruction& instruction, Scope& scope) {
    Selection targets;
    choose(cards_.selectors[instruction.selector], scope, targets);
    for (const Ref target : targets) {
        if (!target.is_minion()) continue;
        Minion& minion = state_.minions[target.place()];
        if (minion.zone != Zone::board) continue;
        if (state_.players[minion.owner].hand_size == kHandLimit) {
            minion.destroyed = true;
            scope.last_drawn = -1;
            continue;
        }
        minion.attack = cards_[minion.card].attack;
        minion.damage = 0;
        remove_from_board(target.place(), Zone::graveyard);
        add_to_hand(minion.owner, minion.card, 0, &scope);
        HandCard& held = state_.players[minion.owner].hand[scope.last_drawn];
        held.attack_change = static_cast<std::int8_t>(minion.attack - cards_[minion.card].attack);
        if (!has_rule(kEnchantmentsFollow)) continue;
        for (int i = 0; i < minion.attached && held.attached < kHeldAttachments; ++i) {
            const TableIndex index = cards_.attachments[minion.attachments[i] & kAttachmentIndex].trigger;
            const Trigger& trigger = cards_.triggers[index];
            if (!trigger.own_source && !trigger.own_target)
                held.attachments[held.attached++] = static_cast<std::uint8_t>(minion.attachments[i] | kFollowedBit);
        }
    }
}

template <class Random>
void Resolver<Random>::do_transform(const Instruction& instruction, Scope& scope) {
    Selection targets;
    choose(cards_.selectors[instruction.selector], scope, targets);
    for (const Ref target : targets) {
        if (!target.is_minion() || state_.minions[target.place()].zone != Zone::board) continue;
        Minion& minion = state_.minions[target.place()];
        if (instruction.choice == Choice::copy_of_selected) {
            Selection originals;
            choose(cards_.selectors[instruction.selector2], scope, originals);
            if (originals.empty() || !originals[0].is_minion()) continue;
            const Minion original = state_.minions[originals[0].place()];
            minion.stamp = state_.next_stamp++;
            become_copy(minion, original);
            continue;
        }
        const CardId card = card_for(instruction, scope);
        if (card != 0) transform(minion, card);
    }
}

template <class Random>
Ref Resolver<Random>::summon(int player, CardId card, int position, Scope& scope) {
    const Ref summoned = put_on_board(player, card, position);
    scope.last_summoned = summoned;
    if (!summoned.exists()) return summoned;
    Scope event = scope;
    event.event_target = summoned;
    event.event_source = scope.self;
    refresh();
    raise(Event::summon, player, event);
    raise(Event::after_summon, player, event);
    return summoned;
}

template <class Random>
void Resolver<Random>::do_summon(const Instruction& instruction, Frame& frame) {
    if (frame.repeats < 0)
        frame.repeats = static_cast<std::int16_t>(std::max(0, amount(instruction.amount, frame.scope)));
    if (frame.repeats == 0) {
        frame.repeats = -1;
        frame.done = 0;
        ++frame.program;
        return;
    }
    --frame.repeats;
    Scope& scope = frame.scope;
    const int player = player_of(instruction.side, scope);
    if (state_.players[player].board_size == kBoardLimit) {
        if (has_rule(kCrowdedSecretStays) && frame.holder == Holder::secret) hide_again(frame);
        if (has_rule(kCardBeforeRoom) && instruction.choice == Choice::random_of_list) card_for(instruction, scope);
        return;
    }
    Ref original;
    if (instruction.choice == Choice::copy_of_selected) {
        Selection originals;
        look(scope).select(cards_.selectors[instruction.selector2], originals);
        if (!originals.empty()) original = originals[0];
    }
    // A minion that became a hero is copied as the minion it was.
    const CardId card =
        original.is_hero() ? scope.played_card : card_for(instruction, scope, static_cast<std::size_t>(frame.done++));
    if (card == 0) return;
    int position = kBoardLimit;
    if (scope.self.is_minion() && state_.minions[scope.self.place()].owner == player &&
        instruction.op != Op::summon_at_end) {
        const Minion& self = state_.minions[scope.self.place()];
        if (self.zone == Zone::graveyard) {
            position = self.position;
        } else {
            const Player& owner = state_.players[player];
            for (int i = 0; i < owner.board_size; ++i) {
                if (owner.board[i] != scope.self.place()) continue;
                const bool left = instruction.op == Op::summon_around && frame.done % 2 == 0;
                position = left ? i : i + 1;
            }
        }
    }
    const Ref summoned = summon(player, card, position, scope);
    if (summoned.exists() && original.is_minion() && instruction.choice == Choice::copy_of_selected) {
        const Minion source = state_.minions[original.place()];
        become_copy(state_.minions[summoned.place()], source);
    }
}

// A secret that was revealed goes back to its place.
template <class Random>
void Resolver<Random>::hide_again(const Frame& frame) {
    Player& owner = state_.players[frame.scope.controller];
    int at = owner.secret_count;
    for (int i = 0; i < owner.secret_count; ++i) {
        if (owner.secrets[i].stamp == frame.holder_stamp) return;
    }
    while (at > 0 && owner.secrets[at - 1].stamp > frame.holder_stamp) --at;
    for (int i = owner.secret_count; i > at; --i) owner.secrets[i] = owner.secrets[i - 1];
    owner.secrets[at] = {frame.scope.card, frame.holder_stamp};
    ++owner.secret_count;
}

template <class Random>
void Resolver<Random>::do_discard(const Instruction& instruction, Scope& scope) {
    CardSelection chosen;
    choose_cards(cards_.selectors[instruction.selector], scope, chosen);
    std::sort(chosen.begin(), chosen.end(), [](CardPlace a, CardPlace b) { return a.index > b.index; });
    for (const CardPlace place : chosen) discard(place.player, place.index);
}

template <class Random>
void Resolver<Random>::do_copy_to_hand(const Instruction& instruction, Scope& scope) {
    const Selector& selector = cards_.selectors[instruction.selector];
    const int player = player_of(instruction.side, scope);
    if (selector.base == Base::event_source) return add_to_hand(player, scope.played_card, 0, &scope);
    CardSelection chosen;
    choose_cards(selector, scope, chosen);
    for (const CardPlace place : chosen) {
        const CardId card = look(scope).card_at(selector.base, place);
        add_to_hand(player, card, 0, &scope);
    }
}

template <class Random>
void Resolver<Random>::do_attach(const Instruction& instruction, Scope& scope) {
    Selection targets;
    choose(cards_.selectors[instruction.selector], scope, targets);
    for (const Ref target : targets) {
        if (!target.is_minion()) continue;
        Minion& minion = state_.minions[target.place()];
        if (minion.zone != Zone::board) continue;
        if (minion.attached == kAttachments) return give_up();
        minion.attachments[minion.attached++] =
            static_cast<std::uint8_t>(instruction.card | (scope.controller == 1 ? kCasterBit : 0));
        minion.ordered = true;
        heed_attachment(minion.attachments[minion.attached - 1]);
    }
}

template <class Random>
void Resolver<Random>::do_look(const Instruction& instruction, Scope& scope) {
    Player& owner = state_.players[scope.controller];
    const int seen = std::min<int>({amount(instruction.amount, scope), owner.deck_size, kChoices});
    if (seen == 0) return;
    for (int i = 0; i < seen; ++i) state_.choices[i] = owner.deck[--owner.deck_size];
    state_.choice_count = static_cast<std::uint8_t>(seen);
}

template <class Random>
void Resolver<Random>::do_swap_with_hand(const Instruction& instruction, Scope& scope) {
    if (!scope.self.is_minion()) return;
    CardSelection chosen;
    choose_cards(cards_.selectors[instruction.selector], scope, chosen);
    Minion& self = state_.minions[scope.self.place()];
    if (chosen.empty() || self.zone != Zone::board) return;
    HandCard& held = state_.players[chosen[0].player].hand[chosen[0].index];
    const CardId newcomer = held.card;
    held = HandCard{.card = self.card};
    if (has_rule(kSwapIsSummon)) move_to_right(scope.self.place());
    become(self, newcomer);
    if (!has_rule(kSwapIsSummon)) return;
    Player& owner = state_.players[chosen[0].player];
    const HandCard returned = held;
    for (int i = chosen[0].index; i + 1 < owner.hand_size; ++i) owner.hand[i] = owner.hand[i + 1];
    owner.hand[owner.hand_size - 1] = returned;
    Scope event = scope;
    event.event_target = scope.self;
    refresh();
    raise(Event::summon, scope.controller, event);
    raise(Event::after_summon, scope.controller, event);
}

template <class Random>
void Resolver<Random>::do_enchant_player(const Instruction& instruction, Scope& scope) {
    Player& owner = state_.players[player_of(instruction.side, scope)];
    if (owner.enchantment_count == kPlayerEnchantments) return give_up();
    owner.enchantments[owner.enchantment_count++] = {static_cast<std::uint8_t>(instruction.card), instruction.duration,
                                                     0, 0};
    state_.auras |= cards_.player_enchantments[instruction.card].keywords != 0;
}

template <class Random>
void Resolver<Random>::draw_filtered(const Instruction& instruction, Scope& scope) {
    Selector selector = cards_.selectors[instruction.selector];
    selector.base = Base::deck;
    selector.side = Side::mine;
    selector.pick = Pick::random;
    selector.count = 1;
    CardSelection chosen;
    choose_cards(selector, scope, chosen);
    if (chosen.empty()) return;
    Player& owner = state_.players[scope.controller];
    const CardId card = owner.deck[chosen[0].index];
    for (int i = chosen[0].index; i + 1 < owner.deck_size; ++i) owner.deck[i] = owner.deck[i + 1];
    --owner.deck_size;
    add_to_hand(scope.controller, card, 0, &scope);
}

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
                    owner.health = static_cast<std::int16_t>(health);
                } else if (target.is_minion()) {
                    Minion& minion = state_.minions[target.place()];
                    minion.damage = static_cast<std::int16_t>(std::max(0, minion.max_health() - health));
                }
            }
            break;
        }
        case Op::buff: do_buff(instruction, scope); break;
        case Op::set_attack: {
            const auto value = static_cast<std::int16_t>(amount(instruction.amount, scope));
            each_minion([&](Minion& minion) {
                minion.attack = value;
                minion.attack_this_turn = 0;
            });
            break;
        }
        case Op::set_health: {
            const auto value = static_cast<std::int16_t>(amount(instruction.amount, scope));
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
                const auto attack = static_cast<std::int16_t>(minion.current_attack());
                minion.attack = static_cast<std::int16_t>(minion.current_health());
                minion.attack_this_turn = 0;
                minion.health = attack;
                minion.damage = 0;
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
        case Op::equip: equip(player_of(instruction.side, scope), card_for(instruction, scope)); break;
        case Op::buff_weapon:
            if (side.weapon.card != 0) {
                side.weapon.attack = static_cast<std::int16_t>(side.weapon.attack + amount(instruction.amount, scope));
                side.weapon.durability =
                    static_cast<std::int16_t>(side.weapon.durability + amount(instruction.amount2, scope));
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
            for (int left = amount(instruction.amount, scope); left > 0; --left) {
                const CardId card = card_for(instruction, scope);
                if (card != 0) add_to_hand(player_of(instruction.side, scope), card, 0, &scope);
            }
            break;
        case Op::copy_to_hand: do_copy_to_hand(instruction, scope); break;
        case Op::change_cost: {
            CardSelection chosen;
            choose_cards(cards_.selectors[instruction.selector], scope, chosen);
            for (const CardPlace place : chosen) {
                HandCard& held = state_.players[place.player].hand[place.index];
                held.cost_change = static_cast<std::int8_t>(held.cost_change + amount(instruction.amount, scope));
            }
            break;
        }
        case Op::gain_armor:
            side.armor = static_cast<std::int16_t>(side.armor + amount(instruction.amount, scope));
            break;
        case Op::gain_crystals:
        case Op::gain_empty_crystals: {
            const int before = side.crystals;
            const int after = std::clamp(before + amount(instruction.amount, scope), 0, kCrystalLimit);
            side.crystals = static_cast<std::uint8_t>(after);
            if (instruction.op == Op::gain_empty_crystals)
                side.used = static_cast<std::uint8_t>(std::max(0, side.used + after - before));
            break;
        }
        case Op::gain_mana: {
            const int room = kCrystalLimit - side.mana();
            side.extra = static_cast<std::uint8_t>(side.extra +
                                                   std::clamp(amount(instruction.amount, scope), 0, std::max(0, room)));
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
            if (scope.self.is_minion()) remove_from_board(scope.self.place(), Zone::graveyard);
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
        case Op::prevent_damage: break;  // it is prevented by being listened to
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
