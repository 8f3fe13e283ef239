// Hearthstone: basic steps: drawing cards, adding and removing minions, damage, healing, silence. Part of resolver.hpp.
#pragma once

#include "hearthstone/remains.hpp"
#include "hearthstone/resolver.hpp"

namespace deckatlas::hearthstone {

template <class Random>
void Resolver<Random>::draw(int player, int count, Scope* scope, bool until_fatigue) {
    Player& owner = state_.players[player];
    for (int i = 0; i < count && take_step(); ++i) {
        if (owner.deck_size == 0) {
            owner.fatigue = fit<std::uint8_t>(owner.fatigue + 1);
            Scope nobody;
            nobody.controller = static_cast<std::uint8_t>(player);
            damage(Ref::hero(player), owner.fatigue, Ref(), nobody);
            if (scope) {
                scope->last_drawn = -1;
                scope->last_drawn_card = 0;
            }
            if (until_fatigue) return;
            continue;
        }
        const CardId card = owner.deck[--owner.deck_size];
        add_to_hand(player, card, 0, scope, Origin::drawn);  // a full hand burns it
    }
}

template <class Random>
void Resolver<Random>::add_to_hand(int player, CardId card, int cost_change, Scope* scope, Origin origin) {
    Player& owner = state_.players[player];
    if (cards_.auras_see_cards) touch();
    if (scope) {
        scope->last_drawn = -1;
        scope->last_drawn_card = card;
    }
    if (owner.hand_size == kHandLimit) {
        if (origin == Origin::drawn) note_seen(owner, card);
        return;
    }
    owner.hand[owner.hand_size] =
        HandCard{.card = card, .cost_change = fit<std::int8_t>(cost_change), .origin = origin};
    if (scope) {
        scope->last_drawn = static_cast<std::int8_t>(owner.hand_size);
        scope->last_drawn_by = static_cast<std::uint8_t>(player);
    }
    ++owner.hand_size;
}

template <class Random>
void Resolver<Random>::become(Minion& minion, CardId id) {
    const Card& card = cards_[id];
    const std::uint8_t owner = minion.owner;
    touch();
    const std::uint32_t mark = 1u << (&minion - state_.minions);
    state_.attackers &= ~mark;
    state_.defenders &= ~mark;
    minion = Minion{};
    minion.card = id;
    minion.owner = owner;
    minion.zone = Zone::board;
    minion.stamp = new_stamp();
    minion.attack = card.attack;
    minion.health = card.health;
    minion.keywords = card.keywords;
    minion.spell_damage = card.spell_damage;
    minion.exhausted = owner == state_.active && !(has_rule(kExhaustionIsMark) && minion.has(kCharge));
    minion.has_aura = card.auras.count > 0;
    minion.ordered = card.events != 0 || card.deathrattle != 0 || card.auras.count + card.cost_auras.count > 0;
    heed(id);
}

// A minion in play becomes another one.
template <class Random>
void Resolver<Random>::transform(Minion& minion, CardId id) {
    const Minion old = minion;
    end_presence(minion);
    const std::uint32_t given_keywords = minion.keywords & ~cards_[old.card].keywords;
    become(minion, id);
    if (!has_rule(kTransformKeepsState)) return;
    const Card& before = cards_[old.card];
    constexpr std::uint32_t kept =
        kCharge | kWindfury | kDivineShield | kPoisonous | kFrozen | kSilenced | kSpeaks | kRattleMark;
    minion.keywords |= given_keywords & kept;
    if ((minion.keywords & kSilenced) != 0) minion.keywords |= kSpeaks;
    minion.keywords_this_turn = old.keywords_this_turn & kept;
    minion.lasting_keywords = old.lasting_keywords;
    minion.attack_this_turn = old.attack_this_turn;
    minion.attack = fit(minion.attack - old.attack_this_turn);
    const int given = old.spell_damage - before.spell_damage;
    if (given > 0) minion.spell_damage = fit<std::uint8_t>(minion.spell_damage + given);
    minion.exhausted = minion.owner != state_.active || !minion.has(kCharge);
}

// A minion becomes an exact copy of another, except for its place, controller and order of play.
template <class Random>
void Resolver<Random>::become_copy(Minion& copy, const Minion& original) {
    const std::uint16_t stamp = copy.stamp;
    const std::uint8_t owner = copy.owner;
    copy = original;
    copy.owner = owner;
    copy.stamp = stamp;
    copy.zone = Zone::board;
    copy.aura_attack = 0;
    copy.aura_health = 0;
    copy.aura_keywords = 0;
    copy.lasting_keywords = 0;
    copy.enraged = false;
    copy.keywords &= ~kSummonUnheard;
    if (has_rule(kCopyHoldsStill)) hold_still(copy);
    if (!has_rule(kExhaustionIsMark)) copy.attacks = 0;
    copy.exhausted = owner == state_.active && !(has_rule(kExhaustionIsMark) && copy.has(kCharge));
    find_voice(copy);
    heed(copy);
    wound();  // the original may be dying
}

// Under one rule silence ends, except for its name and the deathrattle, when a minion enters a board again or is
// copied.
template <class Random>
void Resolver<Random>::find_voice(Minion& minion) {
    if (!has_rule(kCopySpeaks) || (minion.keywords & kSilenced) == 0) return;
    minion.keywords |= kSpeaks;
    minion.has_aura = cards_[minion.card].auras.count > 0;
    minion.ordered = true;
}

// Temporary effects stay, and attachments that wait for an event are removed.
template <class Random>
void Resolver<Random>::hold_still(Minion& minion) {
    minion.attack = fit(minion.attack + minion.attack_this_turn);
    minion.attack_this_turn = 0;
    minion.keywords = (minion.keywords | minion.keywords_this_turn) & ~kStealthUntilTurn;
    minion.keywords_this_turn = 0;
    minion.borrowed = false;
    drop_waiting(minion);
    for (int i = 0; i < minion.attached; ++i) minion.attachments[i] &= static_cast<std::uint8_t>(~kFollowedBit);
    if (minion.attached > 0) minion.keywords |= kRattleMark;
}

template <class Random>
void Resolver<Random>::drop_waiting(Minion& minion) {
    int kept = 0;
    for (int i = 0; i < minion.attached; ++i) {
        const std::uint8_t entry = minion.attachments[i];
        if (cards_.attachments[entry & kAttachmentIndex].trigger == 0) minion.attachments[kept++] = entry;
    }
    minion.attached = static_cast<std::uint8_t>(kept);
}

// What ends when a minion leaves its place, is silenced or becomes another, except auras.
template <class Random>
void Resolver<Random>::end_presence(Minion& minion) {
    if (!minion.is_silent()) {
        if (minion.has_aura && gives_health(cards_, minion.card)) ended_aura_ = minion.stamp;
        Player& owner = state_.players[minion.owner];
        const Range range = cards_[minion.card].cost_auras;
        for (int k = 0; k < range.count; ++k) {
            const CostAura& aura = cards_.cost_auras[static_cast<std::size_t>(range.first + k)];
            if (aura.change != CostChange::add_to_printed) continue;
            for (int i = 0; i < owner.hand_size; ++i) {
                HandCard& held = owner.hand[i];
                const int change = change_of_printed(cards_[held.card].cost, aura);
                const bool reached = look(Scope{}).passes_as_card(aura.filter, held.card);
                const int stays = reached ? std::max(change, 0) : std::max(-change, 0);
                held.cost_change = fit<std::int8_t>(held.cost_change + stays);
            }
        }
        if (has_rule(kRuleEndsWithAnyHolder) && minion.has(kHealingIsDamage)) {
            for (int i = 0; i < owner.board_size; ++i) {
                Minion& other = state_.minions[owner.board[i]];
                if (&other != &minion) other.keywords &= ~kHealingIsDamage;
            }
        }
    }
    Auras(cards_, state_).end_rage(minion);
}

// The new minion, or nothing if the board is full.
template <class Random>
Ref Resolver<Random>::put_on_board(int player, CardId card, int position) {
    Player& owner = state_.players[player];
    if (owner.board_size == kBoardLimit) return Ref();
    const int place = std::countr_one(state_.occupied);
    if (place >= kMinionPool) {
        give_up();
        return Ref();
    }
    state_.occupied |= 1u << place;
    state_.minions[place].owner = static_cast<std::uint8_t>(player);
    become(state_.minions[place], card);
    insert_into_board(owner, std::clamp<int>(position, 0, owner.board_size), place);
    return Ref::minion(place);
}

template <class Random>
void Resolver<Random>::remove_from_board(int place, Zone to) {
    Minion& minion = state_.minions[place];
    Player& owner = state_.players[minion.owner];
    touch();
    const int at = position_on_board(owner, place);
    if (at == kBoardLimit) return;
    end_presence(minion);
    hearthstone::remove_from_board(owner, at);
    minion.position = static_cast<std::uint8_t>(at);
    minion.zone = to;
    if (to == Zone::graveyard) state_.graves |= 1u << place;
}

template <class Random>
void Resolver<Random>::take_to_grave(int place) {
    if (state_.minions[place].zone != Zone::board) return;
    remove_from_board(place, Zone::graveyard);
    state_.fallen += remains_of(state_, place);
}

template <class Random>
void Resolver<Random>::move_to_right(int place) {
    Player& owner = state_.players[state_.minions[place].owner];
    remove_from_board(place, Zone::board);
    owner.board[owner.board_size++] = static_cast<std::uint8_t>(place);
}

template <class Random>
void Resolver<Random>::equip(int player, CardId id) {
    Scope scope;
    scope.controller = static_cast<std::uint8_t>(player);
    destroy_weapon(player, scope);
    const Card& card = cards_[id];
    state_.players[player].weapon = {id, card.attack, card.health, 0, new_stamp(), false};
    heed(id);
    touch();
}

template <class Random>
void Resolver<Random>::destroy_weapon(int player, const Scope& scope) {
    Weapon& weapon = state_.players[player].weapon;
    if (weapon.card == 0) return;
    touch();
    const ProgramCounter rattle = cards_[weapon.card].deathrattle;
    weapon = Weapon{};
    if (rattle == 0) return;
    set_off(Frame{.scope = scope, .program = rattle});
}

template <class Random>
void Resolver<Random>::lose_durability(int player, int amount) {
    Weapon& weapon = state_.players[player].weapon;
    if (weapon.card != 0) weapon.durability = fit(weapon.durability - amount);
}

template <class Random>
void Resolver<Random>::damage(Ref target, int amount, Ref source, const Scope& scope) {
    if (amount <= 0) return;
    touch_stats();
    const std::int16_t points = fit(amount);
    const auto tell = [&](Event event, int whose) {
        if (is_heard(event)) note_listeners(event, whose, event_of(scope, source, target, points));
    };
    bool hurt = true;  // and not only its armor
    if (target.is_minion()) {
        Minion& minion = state_.minions[target.place()];
        const std::uint32_t keywords = minion.all_keywords();
        if (minion.zone != Zone::board || (keywords & kImmune) != 0) return;
        if ((keywords & kDivineShield) != 0) {
            minion.keywords &= ~kDivineShield;
            minion.keywords_this_turn &= ~kDivineShield;
            return;
        }
        // Under this rule a character without health takes no damage.
        const bool has_minimum = (keywords & kMinimumHealthOne) != 0;
        if (has_minimum && minion.current_health() <= 1 && has_rule(kMortalWoundsAreFinal)) return;
        minion.damage = fit(minion.damage + amount);
        if (has_minimum && minion.current_health() < 1) minion.damage = fit(minion.max_health() - 1);
        if (source.is_minion() && state_.minions[source.place()].has(kPoisonous)) minion.destroyed = true;
        if (has_rule(kMortalWoundsAreFinal) && minion.current_health() <= 0) minion.destroyed = true;
        if (minion.destroyed || minion.current_health() <= 0) wounded_ |= 1u << target.place();
        tell(Event::damaged, minion.owner);
    } else if (target.is_hero()) {
        Player& owner = state_.players[target.player()];
        if ((owner.hero_keywords_this_turn & kImmune) != 0 || target == unharmed_) return;
        if (amount >= owner.health + owner.armor) {
            const std::size_t before = pending_.size();
            tell(Event::fatal_damage, target.player());
            if (pending_.size() > before) return;  // it is prevented
        }
        const int absorbed = std::min<int>(owner.armor, amount);
        owner.armor = static_cast<std::int16_t>(owner.armor - absorbed);
        owner.health = fit(owner.health - (amount - absorbed));
        hurt = amount > absorbed;
        heroes_hurt_ = true;
        if (has_rule(kMortalWoundsAreFinal) && owner.health <= 0) owner.destroyed = true;
        // Under this rule only an attacking hero dies from poison.
        if (source.is_minion() && has_rule(kPoisonousKillsHeroes) && scope.self == target && hurt &&
            state_.minions[source.place()].has(kPoisonous))
            owner.destroyed = true;
        tell(Event::damaged, target.player());
    } else {
        return;
    }
    if (source.is_minion() && state_.minions[source.place()].has(kFreezes) &&
        (hurt || !has_rule(kArmorKeepsFrostOff))) {
        if (target.is_minion()) state_.minions[target.place()].keywords |= kFrozen;
        if (target.is_hero()) state_.players[target.player()].frozen = true;
    }
    if (source.exists()) tell(Event::deals_damage, look(scope).controller_of(source));
}

template <class Random>
void Resolver<Random>::heal(Ref target, int amount, const Scope& scope) {
    if (amount <= 0) return;
    if (rule_holds(scope.controller, kHealingIsDamage)) return damage(target, amount, scope.self, scope);
    touch_stats();
    if (target.is_minion()) {
        Minion& minion = state_.minions[target.place()];
        const int healed = std::min<int>(minion.damage, amount);
        if (minion.zone != Zone::board || healed <= 0) return;
        minion.damage = static_cast<std::int16_t>(minion.damage - healed);
        raise(Event::healed, minion.owner, event_of(scope, scope.self, target, static_cast<std::int16_t>(healed)));
    } else if (target.is_hero()) {
        Player& owner = state_.players[target.player()];
        const int healed = std::min<int>(owner.max_health - owner.health, amount);
        if (healed <= 0) return;
        owner.health = static_cast<std::int16_t>(owner.health + healed);
        raise(Event::healed, target.player(), event_of(scope, scope.self, target, static_cast<std::int16_t>(healed)));
    }
}

template <class Random>
void Resolver<Random>::silence(Minion& minion) {
    const Card& card = cards_[minion.card];
    const int lost = minion.health + (has_rule(kSilenceCountsAuras) ? minion.aura_health : 0) - card.health;
    if (lost > 0) minion.damage = fit(std::max(0, minion.damage - lost));
    minion.attack = card.attack;
    minion.health = card.health;
    minion.attack_this_turn = 0;
    end_presence(minion);
    const std::uint32_t kept = has_rule(kSilenceKeepsRestraint) ? kCantAttack | kFreezes | kPoisonous : 0;
    minion.keywords = kSilenced | (minion.keywords & kept);
    minion.keywords_this_turn = 0;
    minion.attached = 0;
    minion.spell_damage = 0;
    minion.ordered = false;
    minion.has_aura = false;
    if (minion.borrowed) {
        const auto place = static_cast<int>(&minion - state_.minions);
        take_control(place, minion.owner ^ 1, false);
    }
}

template <class Random>
void Resolver<Random>::take_control(int place, int player, bool borrowed) {
    Minion& minion = state_.minions[place];
    if (minion.zone != Zone::board || minion.owner == player) return;
    touch();
    Player& to = state_.players[player];
    if (to.board_size == kBoardLimit) {
        minion.destroyed = true;
        wound();
        return;
    }
    remove_from_board(place, Zone::board);
    minion.owner = static_cast<std::uint8_t>(player);
    if (has_rule(kExhaustionIsMark)) minion.aura_keywords = 0;  // auras end before it changes sides
    if (player == state_.active) minion.exhausted = !(has_rule(kExhaustionIsMark) && minion.has(kCharge));
    if (has_rule(kControlRenewsOrder)) minion.stamp = new_stamp();
    find_voice(minion);
    heed(minion);
    minion.borrowed = borrowed;
    to.board[to.board_size++] = static_cast<std::uint8_t>(place);
}

template <class Random>
bool Resolver<Random>::rule_holds(int player, std::uint32_t keyword) const {
    for (int i = 0; i < state_.players[player].board_size; ++i) {
        if (state_.on_board(player, i).has(keyword)) return true;
    }
    return false;
}

template <class Random>
int Resolver<Random>::doublings(int player) const {
    int total = 0;
    for (int i = 0; i < state_.players[player].board_size; ++i) {
        total += state_.on_board(player, i).has(kDoubleMagic) ? 1 : 0;
    }
    return total;
}

}  // namespace deckatlas::hearthstone
