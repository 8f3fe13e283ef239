// Hearthstone: how turns start and end. Part of game.hpp.
#pragma once

#include "hearthstone/game.hpp"
#include "hearthstone/turn_end.hpp"

namespace deckatlas::hearthstone {

template <class Random>
void Sequence<Random>::begin_turn(int player) {
    resolver_.touch_stats();
    state_.active = static_cast<std::uint8_t>(player);
    state_.turn = fit<std::uint16_t>(state_, state_.turn + 1);
    if (state_.turn >= kTurnLimit && !has_rule(kNoTurnLimit)) {
        state_.phase = Phase::over;
        return;
    }
    Player& own = state_.players[player];
    if (own.crystals < kCrystalLimit) ++own.crystals;
    own.used = 0;
    own.extra = 0;
    own.overload_locked = own.overload_owed;
    own.overload_owed = 0;
    own.cards_played = 0;
    for (Player& each : state_.players) {
        each.minions_played = 0;
        each.died_count = 0;
        each.attacks = 0;
    }
    own.hero_exhausted = false;
    own.power_used = false;
    each_place(state_.in_play(), [&](int place) {
        Minion& minion = state_.minions[place];
        const bool mine = minion.owner == player;
        minion.attacks = 0;
        minion.exhausted &= !mine;
        if ((minion.keywords & kStealthUntilTurn) != 0 && mine) minion.keywords &= ~(kStealthUntilTurn | kStealth);
    });
    for (int i = 0; i < own.enchantment_count; ++i) own.enchantments[i].begun = 1;
    if (!has_rule(kReturnsAtEndOfSameTurn)) give_back_cards(player);
    if (state_.turn % kTurnsToHeed == 0) heed_all(cards_, state_);
    resolver_.refresh();
    Scope scope;
    scope.controller = static_cast<std::uint8_t>(player);
    resolver_.announce(Event::turn_start, player, scope);
    resolver_.end_phase();
    if (state_.phase == Phase::over) return;
    resolver_.draw(player, 1, nullptr);
    resolver_.flush();
    resolver_.drain();
    resolver_.end_phase();
}

template <class Random>
void Sequence<Random>::keep(std::uint32_t kept) {
    replace_cards(cards_, state_, kept, random_);
    if (state_.active == 0) {
        state_.active = 1;
        return;
    }
    if ((cards_.rules & kCoinBeforeMulligan) == 0) give_coin(cards_, state_.players[1]);
    state_.phase = Phase::main;
    begin_turn(0);
}

template <class Random>
void Sequence<Random>::end_turn() {
    const int player = state_.active;
    Scope scope;
    scope.controller = state_.active;
    resolver_.announce(Event::turn_end, player, scope);
    resolver_.end_phase();
    if (state_.phase == Phase::over) return;
    if (has_rule(kReturnsAtEndOfSameTurn)) give_back_cards(player);
    end_what_was_for_this_turn(player);
    resolver_.touch_stats();
    resolver_.end_phase();
    if (state_.phase == Phase::over) return;
    forget_the_dead();
    begin_turn(player ^ 1);
}

template <class Random>
void Sequence<Random>::give_back_cards(int player) {
    Player& own = state_.players[player];
    for (int i = 0; i < own.return_count; ++i)
        resolver_.add_to_hand(player, own.returns[i], 0, nullptr, Origin::revealed);
    own.return_count = 0;
}

template <class Random>
void Sequence<Random>::end_what_was_for_this_turn(int player) {
    bool borrowed = false;
    each_place(state_.in_play(), [&](int place) {
        Minion& minion = state_.minions[place];
        const bool mine = minion.owner == player;
        if ((minion.keywords & kFrozen) != 0 && mine && thaws(cards_, minion)) minion.keywords &= ~kFrozen;
        minion.attack_this_turn = 0;
        minion.keywords_this_turn = 0;
        borrowed |= mine & minion.borrowed;
    });
    if (thaws(state_.players[player])) state_.players[player].frozen = false;
    if (borrowed) give_back_minions(player);
    for (Player& each : state_.players) {
        each.attack_this_turn = 0;
        each.hero_keywords_this_turn = 0;
        int kept = 0;
        for (int i = 0; i < each.enchantment_count; ++i) {
            if (outlasts_turn(each.enchantments[i])) each.enchantments[kept++] = each.enchantments[i];
        }
        if (kept < each.enchantment_count) resolver_.touch();
        each.enchantment_count = static_cast<std::uint8_t>(kept);
    }
}

template <class Random>
void Sequence<Random>::give_back_minions(int player) {
    const Player& own = state_.players[player];
    for (int i = own.board_size; i > 0; --i) {
        const int place = own.board[i - 1];
        if (state_.minions[place].borrowed) resolver_.take_control(place, player ^ 1, false);
    }
}

}  // namespace deckatlas::hearthstone
