// Hearthstone: the listeners of events, and the effects of deaths. Part of resolver.hpp.
#pragma once

#include "hearthstone/resolver.hpp"

namespace deckatlas::hearthstone {

// ---- events --------------------------------------------------------------------------------------------------------

template <class Random>
void Resolver<Random>::run_stack() {
    while (!stack_.empty() && !state_.is_void) {
        Frame& frame = stack_[stack_.size() - 1];
        if (!frame.begun && !begin(frame)) {
            stack_.pop_back();
            continue;
        }
        const Instruction& instruction = cards_.instructions[frame.program];
        if (instruction.op == Op::end) {
            stack_.pop_back();
            continue;
        }
        if (!take_step()) return;
        if (!is_quiet(instruction.op)) wound();
        execute(instruction, frame);
        flush();
    }
}

template <class Random>
void Resolver<Random>::push_pending() {
    for (std::size_t i = pending_.size(); i > 0; --i) push(pending_[i - 1]);
    pending_.clear();
}

template <class Random>
bool Resolver<Random>::still_there(const Frame& frame) const {
    switch (frame.holder) {
        case Holder::none: return true;
        case Holder::minion:
        case Holder::attachment: {
            const Minion& minion = state_.minions[frame.holder_place];
            if (minion.zone != Zone::board || minion.stamp != frame.holder_stamp) return false;
            return frame.holder == Holder::attachment ? minion.attached > 0 : !minion.is_silent();
        }
        case Holder::weapon: {
            const Weapon& weapon = state_.players[frame.scope.controller].weapon;
            return weapon.card != 0 && weapon.stamp == frame.holder_stamp;
        }
        case Holder::secret: {
            const Player& owner = state_.players[frame.scope.controller];
            return position_of_secret(owner, frame.holder_stamp) < owner.secret_count;
        }
        case Holder::held: {
            const Player& owner = state_.players[frame.scope.self.player()];
            return frame.holder_place < owner.hand_size && owner.hand[frame.holder_place].attached > 0;
        }
    }
    return false;
}

template <class Random>
void Resolver<Random>::resolve(Event event, int whose, const Scope& scope, Ref source, Ref target) {
    raise(event, whose, event_of(scope, source, target));
    flush();
    drain();
}

// Checks, when its turn comes, that a trigger still applies; this reveals a secret.
template <class Random>
bool Resolver<Random>::begin(Frame& frame) {
    frame.begun = true;
    if (frame.trigger == 0) return true;
    const Trigger& trigger = cards_.triggers[frame.trigger];
    if (!still_there(frame)) return false;
    // Under the rule that an attack is one phase, triggers of an attack are never dropped.
    const bool attack = trigger.event == Event::attack || trigger.event == Event::attack_proposed;
    if (attack && !has_rule(kAurasWait)) frame.scope.event_target = defender_;
    if (!listens(trigger, trigger.whose == Side::enemy ? frame.scope.controller ^ 1 : frame.scope.controller,
                 frame.scope, frame.scope.controller))
        return false;
    if (trigger.event == Event::cast_spell && countered_) return false;
    if (frame.holder != Holder::secret) return true;
    Player& owner = state_.players[frame.scope.controller];
    const int secret = position_of_secret(owner, frame.holder_stamp);
    note_seen(owner, owner.secrets[secret].card);
    remove_secret(owner, secret);
    Scope revealed;
    revealed.controller = frame.scope.controller;
    raise(Event::secret_revealed, frame.scope.controller, revealed);
    return true;
}

// Whether a trigger applies to an event as `viewpoint` sees it.
template <class Random>
bool Resolver<Random>::listens(const Trigger& trigger, int whose, const Scope& scope, int viewpoint) const {
    if (trigger.whose != Side::all && (trigger.whose == Side::mine) != (whose == viewpoint)) return false;
    if (trigger.own_source && !(scope.event_source == scope.self)) return false;
    if (trigger.own_target && !(scope.event_target == scope.self)) return false;
    if (trigger.event == Event::play_card && scope.event_target == scope.self)
        return false;  // a card does not trigger itself
    const Look sight = look(scope);
    if (trigger.source != 0 && !sight.describes(cards_.selectors[trigger.source], scope.event_source)) return false;
    if (trigger.target != 0 && !sight.describes(cards_.selectors[trigger.target], scope.event_target)) return false;
    return sight.holds(cards_.conditions[trigger.condition]);
}

template <class Random>
void Resolver<Random>::consider(Event event, int whose, const Scope& event_scope, Holder holder, int place,
                                std::uint16_t stamp, int controller, Ref self, CardId card, TableIndex index) {
    const Trigger& trigger = cards_.triggers[index];
    if (trigger.event != event) return;
    if (event == Event::after_spell && stamp >= first_new_stamp_) return;  // it came with the spell
    Frame frame;
    frame.scope = event_scope;
    frame.scope.controller = static_cast<std::uint8_t>(controller);
    frame.scope.self = self;
    frame.scope.card = card;
    frame.scope.target = Ref();
    frame.program = trigger.program;
    frame.holder = holder;
    frame.holder_place = static_cast<std::uint8_t>(place);
    frame.holder_stamp = stamp;
    frame.trigger = index;
    if (!listens(trigger, whose, frame.scope, controller)) return;
    set_off(frame);
}

// Collects all listeners of an event, in order of play.
template <class Random>
void Resolver<Random>::note_listeners(Event event, int whose, const Scope& scope) {
    const std::uint32_t bit = bit_of(event);
    const std::size_t before = pending_.size();
    std::uint32_t listening = 0;
    each_place(state_.in_play(), [&](int place) {
        const Minion& minion = state_.minions[place];
        const bool may_listen = ((cards_[minion.card].events & bit) != 0) | (minion.attached > 0);
        listening |= bit_if(may_listen, place);
    });
    each_place(listening, [&](int place) {
        const Minion& minion = state_.minions[place];
        const int side = minion.owner;
        const Card& card = cards_[minion.card];
        for (int k = 0; k < card.triggers.count && !minion.is_silent(); ++k) {
            consider(event, whose, scope, Holder::minion, place, minion.stamp, side, Ref::minion(place), minion.card,
                     static_cast<TableIndex>(card.triggers.first + k));
        }
        for (int k = 0; k < minion.attached; ++k) {
            const std::uint8_t entry = minion.attachments[k];
            const Attachment& attachment = cards_.attachments[entry & kAttachmentIndex];
            if (attachment.trigger == 0) continue;
            const bool casters = cards_.triggers[attachment.trigger].casters;
            const int controller = casters ? (entry & kCasterBit) != 0 : side;
            consider(event, whose, scope, Holder::attachment, place, minion.stamp, controller, Ref::minion(place),
                     minion.card, attachment.trigger);
        }
    });
    for (int side = 0; side < 2; ++side) {
        const Player& owner = state_.players[side];
        for (int i = 0; has_rule(kEnchantmentsFollow) && i < owner.hand_size; ++i) {
            const HandCard& held = owner.hand[i];
            for (int k = 0; k < held.attached; ++k) {
                const TableIndex trigger = cards_.attachments[held.attachments[k] & kAttachmentIndex].trigger;
                const bool casters = cards_.triggers[trigger].casters;
                const int controller = casters ? (held.attachments[k] & kCasterBit) != 0 : side;
                if (trigger != 0)
                    consider(event, whose, scope, Holder::held, i, 0, controller, Ref::held(side, i), held.card,
                             trigger);
            }
        }
        if (owner.weapon.card != 0 && (cards_[owner.weapon.card].events & bit) != 0) {
            const Range range = cards_[owner.weapon.card].triggers;
            for (int k = 0; k < range.count; ++k) {
                consider(event, whose, scope, Holder::weapon, 0, owner.weapon.stamp, side, Ref::weapon(side),
                         owner.weapon.card, static_cast<TableIndex>(range.first + k));
            }
        }
        if (side == state_.active) continue;  // secrets work in the opponent's turn
        for (int i = 0; i < owner.secret_count; ++i) {
            const Secret& secret = owner.secrets[i];
            if ((cards_[secret.card].events & bit) == 0) continue;
            const Range range = cards_[secret.card].triggers;
            for (int k = 0; k < range.count; ++k) {
                consider(event, whose, scope, Holder::secret, 0, secret.stamp, side, Ref::hero(side), secret.card,
                         static_cast<TableIndex>(range.first + k));
            }
        }
    }
    // A spell can be countered before other listeners react.
    const bool secrets_first = event == Event::cast_spell;
    const bool both_last = event == Event::turn_end && has_rule(kTurnEndOfBothLast);
    const auto comes_before = [&](const Frame& a, const Frame& b) {
        const bool last_a = both_last && cards_.triggers[a.trigger].whose == Side::all;
        const bool last_b = both_last && cards_.triggers[b.trigger].whose == Side::all;
        if (last_a != last_b) return last_b;
        const bool secret_a = secrets_first && a.holder == Holder::secret;
        const bool secret_b = secrets_first && b.holder == Holder::secret;
        return secret_a != secret_b ? secret_a : a.holder_stamp < b.holder_stamp;
    };
    for (std::size_t i = before + 1; i < pending_.size(); ++i) {
        const Frame moved = pending_[i];
        std::size_t at = i;
        for (; at > before && comes_before(moved, pending_[at - 1]); --at) pending_[at] = pending_[at - 1];
        pending_[at] = moved;
    }
}

// ---- deaths --------------------------------------------------------------------------------------------------------

template <class Random>
void Resolver<Random>::settle_deaths() {
    work_out_auras();
    while (!state_.is_void) {
        refresh();
        if (wounded_ == 0 || !bury()) break;
        flush();
        drain();
        if (state_.phase == Phase::over) break;
    }
    work_out_auras();
}

// Removes the dead from the board and collects what their deaths trigger; returns whether there were any.
template <class Random>
bool Resolver<Random>::bury() {
    FixedVector<std::uint8_t, 2 * kBoardLimit> dead;  // in order of play
    for (std::uint32_t left = wounded_ & state_.in_play(); left != 0; left &= left - 1) {
        const auto place = static_cast<std::uint8_t>(std::countr_zero(left));
        const Minion& minion = state_.minions[place];
        if (!is_dying(minion)) continue;
        std::size_t at = dead.size();
        dead.push_back(place);
        for (; at > 0 && state_.minions[dead[at - 1]].stamp > minion.stamp; --at) dead[at] = dead[at - 1];
        dead[at] = place;
    }
    bool any = !dead.empty();
    wounded_ = 0;
    for (const std::uint8_t place : dead) take_to_grave(place);
    for (const std::uint8_t place : dead) mourn(place);
    if (has_rule(kDeathHeardFirst)) delay_crowds();
    for (int player = 0; player < 2; ++player) {
        Weapon& weapon = state_.players[player].weapon;
        if (weapon.card == 0 || (!weapon.destroyed && weapon.durability > 0)) continue;
        Scope scope;
        scope.controller = static_cast<std::uint8_t>(player);
        destroy_weapon(player, scope);
        any = true;
    }
    return any;
}

// Under one rule deathrattles that summon several minions come after everything else that the same deaths trigger.
template <class Random>
void Resolver<Random>::delay_crowds() {
    std::size_t others = pending_.size();
    for (std::size_t i = 0; i < others;) {
        const Instruction& first = cards_.instructions[pending_[i].program];
        if (pending_[i].holder != Holder::none || first.op != Op::summon || cards_.numbers[first.amount].offset < 2) {
            ++i;
        } else {
            std::rotate(pending_.begin() + i, pending_.begin() + i + 1, pending_.end());
            --others;
        }
    }
}

// Collects what the death of a minion that left play triggers.
template <class Random>
void Resolver<Random>::mourn(int place) {
    const Minion& minion = state_.minions[place];
    Player& owner = state_.players[minion.owner];
    if (owner.died_count == kDied) return give_up();
    owner.died[owner.died_count++] = minion.card;
    Scope scope;
    scope.controller = minion.owner;
    scope.self = Ref::minion(place);
    scope.event_target = scope.self;
    scope.card = minion.card;
    if (has_rule(kDeathHeardFirst)) raise(Event::dies, minion.owner, scope);
    rattle(place);
    if (!has_rule(kDeathHeardFirst)) raise(Event::dies, minion.owner, scope);
}

// Collects the deathrattles of a minion: its own, unless it is silenced or only leaves, and those it was given.
template <class Random>
void Resolver<Random>::rattle(int place, bool own) {
    const Minion& minion = state_.minions[place];
    Scope scope;
    scope.controller = minion.owner;
    scope.self = Ref::minion(place);
    scope.event_target = scope.self;
    scope.card = minion.card;
    const auto add = [&](ProgramCounter program) {
        if (program != 0) set_off(Frame{.scope = scope, .program = program});
    };
    const bool mute = (minion.keywords & kSilenced) != 0 && (minion.keywords & kRattleMark) == 0;
    if (own && !mute) add(cards_[minion.card].deathrattle);
    for (int k = 0; k < minion.attached; ++k) {
        const int at = has_rule(kDeathHeardFirst) ? minion.attached - 1 - k : k;
        add(cards_.attachments[minion.attachments[at] & kAttachmentIndex].deathrattle);
    }
}

// Under one rule an attachment destroys its host in a hand too, and the card dies like a minion.
template <class Random>
void Resolver<Random>::bury_held(int player, int index) {
    if (index >= state_.players[player].hand_size) return;  // it is already gone
    const HandCard held = state_.players[player].hand[index];
    const int place = std::countr_one(state_.occupied);
    if (place >= kMinionPool) return give_up();
    discard(player, index);
    state_.occupied |= 1u << place;
    state_.graves |= 1u << place;
    Minion& minion = state_.minions[place];
    minion.owner = static_cast<std::uint8_t>(player);
    become(minion, held.card);
    minion.zone = Zone::graveyard;
    minion.position = static_cast<std::uint8_t>(index);
    minion.attached = held.attached;
    for (int i = 0; i < held.attached; ++i) minion.attachments[i] = held.attachments[i];
    mourn(place);
}

// Notifies listeners of all minions summoned before the end of the phase.
template <class Random>
void Resolver<Random>::announce_summons() {
    FixedVector<std::uint8_t, 2 * kBoardLimit> summoned;
    for (const Player& player : state_.players) {
        for (int i = 0; i < player.board_size; ++i) {
            Minion& minion = state_.minions[player.board[i]];
            if ((minion.keywords & kSummonUnheard) != 0) summoned.push_back(player.board[i]);
            minion.keywords &= ~kSummonUnheard;
        }
    }
    state_.heard &= ~bit_of(kSummonWaits);
    if (summoned.empty() || !is_heard(Event::summon)) return;
    std::sort(summoned.begin(), summoned.end(),
              [this](std::uint8_t a, std::uint8_t b) { return state_.minions[a].stamp < state_.minions[b].stamp; });
    work_out_auras();
    for (const std::uint8_t place : summoned) {
        Scope event;
        event.controller = state_.minions[place].owner;
        event.event_target = Ref::minion(place);
        raise(Event::summon, event.controller, event);
    }
    flush();
    drain();
}

template <class Random>
void Resolver<Random>::renew_auras() {
    if (Auras(cards_, state_).refresh(ended_aura_)) wounded_ = kAnybody;
    ended_aura_ = kNoStamp;
}

template <class Random>
void Resolver<Random>::judge_phase() {
    heroes_hurt_ = false;
    judge();
    if (!has_rule(kDeathEndsAction)) check_heroes();
}

template <class Random>
void Resolver<Random>::judge() {
    const auto is_dead = [](const Player& player) { return player.health <= 0 || player.destroyed; };
    const bool dead[2] = {is_dead(state_.players[0]), is_dead(state_.players[1])};
    if ((!dead[0] && !dead[1]) || judged_ || state_.is_void) return;
    judged_ = true;
    state_.winner = dead[0] && dead[1] ? kNobody : static_cast<std::uint8_t>(dead[0] ? 1 : 0);
}

template <class Random>
void Resolver<Random>::check_heroes() {
    if (state_.phase == Phase::over) return;
    judge();
    if (judged_) state_.phase = Phase::over;
}

}  // namespace deckatlas::hearthstone
