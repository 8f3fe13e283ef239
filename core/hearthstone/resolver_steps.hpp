// Hearthstone: the larger steps of instructions. Part of resolver.hpp.
#pragma once

#include "hearthstone/resolver.hpp"

namespace deckatlas::hearthstone {

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
        int points = amount(instruction.amount, scope);  // for each target again: it may be random
        if (instruction.source == Source::spell) points += spell_damage_of(state_, scope.controller);
        if (instruction.source != Source::other) points <<= doublings(scope.controller);
        damage(target, points, source, scope);
    }
}

// One point at a time, each at a character that is still alive.
template <class Random>
void Resolver<Random>::do_split(const Instruction& instruction, Frame& frame) {
    if (frame.repeats < 0) {
        int points = amount(instruction.amount, frame.scope);
        if (instruction.source == Source::spell) points += spell_damage_of(state_, frame.scope.controller);
        if (instruction.source != Source::other) points <<= doublings(frame.scope.controller);
        frame.repeats = fit(std::max(0, points));
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
    damage(alive[chosen], 1, scope.self, scope);
}

template <class Random>
void Resolver<Random>::do_heal(const Instruction& instruction, Scope& scope) {
    Selection targets;
    choose(cards_.selectors[instruction.selector], scope, targets);
    for (const Ref target : targets) {
        int points = instruction.op == Op::heal_fully ? (target.is_minion() ? state_.minions[target.place()].damage : 0)
                                                      : amount(instruction.amount, scope);
        if (instruction.op == Op::heal && instruction.source != Source::other) points <<= doublings(scope.controller);
        heal(target, points, scope);
    }
}

template <class Random>
void Resolver<Random>::do_buff(const Instruction& instruction, Scope& scope) {
    Selection targets;
    choose(cards_.selectors[instruction.selector], scope, targets);
    const bool passing = instruction.duration == Duration::this_turn;
    for (const Ref target : targets) {
        scope.each = target;
        const int attack = amount(instruction.amount, scope);
        const int health = amount(instruction.amount2, scope);
        if (target.is_hero()) {
            Player& owner = state_.players[target.player()];
            owner.attack_this_turn = fit(owner.attack_this_turn + attack);
            owner.hero_keywords_this_turn |= instruction.keywords;
        } else if (target.is_minion()) {
            Minion& minion = state_.minions[target.place()];
            if (minion.zone != Zone::board) continue;
            std::int16_t& changed = passing ? minion.attack_this_turn : minion.attack;
            changed = fit(changed + attack);
            minion.health = fit(minion.health + health);
            gain(cards_, minion, instruction.keywords);
            (passing ? minion.keywords_this_turn : minion.keywords) |= instruction.keywords & ~kSpellDamage;
            if ((instruction.keywords & kSpellDamage) != 0)
                minion.spell_damage = fit<std::uint8_t>(minion.spell_damage + 1);
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
        if (target.is_held()) bury_held(target.player(), target.hand_index());
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
    remove_secret(owner, chosen);
}

template <class Random>
void Resolver<Random>::discard(int player, int index) {
    Player& owner = state_.players[player];
    if (index >= owner.hand_size) return;  // it is already gone
    if (owner.hand[index].origin == Origin::drawn) note_seen(owner, owner.hand[index].card);
    remove_from_hand(owner, index);
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
            scope.last_drawn = -1;
            if (!has_rule(kFullHandBuries)) {
                minion.destroyed = true;
                continue;
            }
            take_to_grave(target.place());
            rattle(target.place(), false);
            continue;
        }
        minion.attack = cards_[minion.card].attack;
        minion.damage = 0;
        remove_from_board(target.place(), Zone::graveyard);
        add_to_hand(minion.owner, minion.card, 0, &scope, Origin::revealed);
        HandCard& held = state_.players[minion.owner].hand[scope.last_drawn];
        held.attack_change = fit<std::int8_t>(minion.attack - cards_[minion.card].attack);
        follow(minion, held);
    }
}

// Under one rule attachments stay with a minion that becomes a card in a hand.
template <class Random>
void Resolver<Random>::follow(const Minion& minion, HandCard& held) {
    for (int i = 0; has_rule(kEnchantmentsFollow) && i < minion.attached; ++i) {
        const TableIndex index = cards_.attachments[minion.attachments[i] & kAttachmentIndex].trigger;
        const Trigger& trigger = cards_.triggers[index];
        if (trigger.own_source || trigger.own_target) continue;
        if (held.attached == kHeldAttachments) return give_up();
        held.attachments[held.attached++] = static_cast<std::uint8_t>(minion.attachments[i] | kFollowedBit);
    }
}

// What a card that enters play kept from its earlier time in play.
template <class Random>
void Resolver<Random>::keep_enchantments(const HandCard& held, Minion& minion) {
    minion.attack = fit(minion.attack + held.attack_change);
    minion.attached = held.attached;
    for (int i = 0; i < held.attached; ++i) minion.attachments[i] = held.attachments[i];
    drop_waiting(minion);  // attachments that wait for an event end in a hand
    minion.ordered |= minion.attached > 0;
    heed(minion);
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
            minion.stamp = new_stamp();
            become_copy(minion, original);
            continue;
        }
        const CardId card = card_for(instruction, scope);
        if (cards_[card].type == CardType::minion) transform(minion, card);
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
    work_out_auras();
    raise_summon(player, event);
    return summoned;
}

template <class Random>
void Resolver<Random>::raise_summon(int player, const Scope& event) {
    if (!has_rule(kSummonsHeardLate)) {
        raise(Event::summon, player, event);
    } else {
        state_.minions[event.event_target.place()].keywords |= kSummonUnheard;
        state_.heard |= bit_of(kSummonWaits);
    }
    raise(Event::after_summon, player, event);
}

template <class Random>
void Resolver<Random>::do_summon(const Instruction& instruction, Frame& frame) {
    if (frame.repeats < 0) frame.repeats = fit(std::max(0, amount(instruction.amount, frame.scope)));
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
    // A minion that became a hero is copied as the former minion.
    const CardId card =
        original.is_hero() ? scope.played_card : card_for(instruction, scope, static_cast<std::size_t>(frame.done++));
    if (cards_[card].type != CardType::minion) return;
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

// A revealed secret goes back to its place.
template <class Random>
void Resolver<Random>::hide_again(const Frame& frame) {
    Player& owner = state_.players[frame.scope.controller];
    int at = owner.secret_count;
    if (position_of_secret(owner, frame.holder_stamp) < at) return;
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
    if (selector.base == Base::event_source) {
        if (scope.played_card != 0) add_to_hand(player, scope.played_card, 0, &scope, Origin::revealed);
        return;
    }
    CardSelection chosen;
    choose_cards(selector, scope, chosen);
    for (const CardPlace place : chosen) {
        const CardId card = look(scope).card_at(selector.base, place);
        add_to_hand(player, card, 0, &scope, Origin::made);
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
        if (has_rule(kTransformKeepsState) && cards_.attachments[instruction.card].deathrattle != 0)
            minion.keywords |= kRattleMark;
        heed_attachment(cards_, state_, minion.attachments[minion.attached - 1]);
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
    const HandCard newcomer = held;
    if (cards_[newcomer.card].type != CardType::minion) return;
    held = HandCard{.card = self.card, .origin = Origin::revealed};
    follow(self, held);
    if (has_rule(kSwapIsSummon)) move_to_right(scope.self.place());
    become(self, newcomer.card);
    keep_enchantments(newcomer, self);
    if (!has_rule(kSwapIsSummon)) return;
    Player& owner = state_.players[chosen[0].player];
    const HandCard returned = held;
    for (int i = chosen[0].index; i + 1 < owner.hand_size; ++i) owner.hand[i] = owner.hand[i + 1];
    owner.hand[owner.hand_size - 1] = returned;
    Scope event = scope;
    event.event_target = scope.self;
    work_out_auras();
    raise_summon(scope.controller, event);
}

template <class Random>
void Resolver<Random>::do_enchant_player(const Instruction& instruction, Scope& scope) {
    Player& owner = state_.players[player_of(instruction.side, scope)];
    if (owner.enchantment_count == kPlayerEnchantments) return give_up();
    owner.enchantments[owner.enchantment_count++] = {static_cast<std::uint8_t>(instruction.card), instruction.duration};
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
    add_to_hand(scope.controller, card, 0, &scope, Origin::drawn);
}

}  // namespace deckatlas::hearthstone
