// Invariants of every Hearthstone state, every step and every list of actions, checked from outside the rules.
//
// A failed check prints the condition and the game's progress, and ends the program.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "hearthstone/action_numbers.hpp"
#include "hearthstone/hearthstone_game.hpp"

#define CHECK(condition, state) \
    ((condition) ? void() : deckatlas::hearthstone::tests::fail_check(#condition, __FILE__, __LINE__, state))

namespace deckatlas::hearthstone::tests {

inline thread_local long long current_game = 0;  // the thread's game, so that it can be repeated alone

[[noreturn]] inline void fail_check(const char* condition, const char* file, int line, const State& state) {
    std::fprintf(stderr,
                 "%s:%d: not true: %s\nin game %lld, turn %d, player %d, phase %d, boards %d and %d, hands %d and %d\n",
                 file, line, condition, current_game, state.turn, state.active, static_cast<int>(state.phase),
                 state.players[0].board_size, state.players[1].board_size, state.players[0].hand_size,
                 state.players[1].hand_size);
    std::abort();
}

// ---- states ---------------------------------------------------------------------------------------------------------

// Every place of the pool is free, on one board once, or a grave.
inline void check_places(const State& state) {
    std::uint32_t boards = 0;
    for (int player = 0; player < 2; ++player) {
        const Player& own = state.players[player];
        CHECK(own.board_size <= kBoardLimit, state);
        for (int i = 0; i < own.board_size; ++i) {
            const std::uint32_t bit = 1u << own.board[i];
            CHECK((boards & bit) == 0, state);
            boards |= bit;
            CHECK(state.on_board(player, i).owner == player, state);
        }
    }
    CHECK((boards & state.graves) == 0, state);
    CHECK((boards | state.graves) == state.occupied, state);
    for (int place = 0; place < kMinionPool; ++place) {
        const std::uint32_t bit = 1u << place;
        const Zone zone = state.minions[place].zone;
        CHECK((zone == Zone::board) == ((boards & bit) != 0), state);
        CHECK((zone == Zone::graveyard) || (state.graves & bit) == 0, state);
    }
}

inline void check_minion(const CardSet& cards, const State& state, const Minion& minion) {
    CHECK(cards[minion.card].type == CardType::minion, state);
    CHECK(minion.stamp > 0 && minion.stamp < state.next_stamp, state);
    CHECK(minion.damage >= 0, state);
    CHECK(minion.attached <= kAttachments, state);
    CHECK(minion.has_aura == (cards[minion.card].auras.count > 0 && !minion.is_silent()), state);
    CHECK(!minion.has_aura || state.auras, state);
    if (state.phase == Phase::over) return;  // a game may end before the last dead minions are removed
    CHECK(!minion.destroyed, state);
    if ((cards.rules & kMortalWoundsAreFinal) == 0) CHECK(minion.current_health() > 0, state);
}

inline void check_cards(const CardSet& cards, const State& state, const Player& own) {
    const auto is_playable = [&](CardId id) { return id < cards.cards.size() && is_for_hand(cards[id].type); };
    CHECK(own.hand_size <= kHandLimit, state);
    for (int i = 0; i < own.hand_size; ++i) CHECK(is_playable(own.hand[i].card), state);
    CHECK(own.deck_size <= kDeckLimit, state);
    for (int i = 0; i < own.deck_size; ++i) CHECK(is_playable(own.deck[i]), state);
    CHECK(own.secret_count <= kSecretLimit, state);
    for (int i = 0; i < own.secret_count; ++i) {
        CHECK(cards[own.secrets[i].card].secret, state);
        for (int k = 0; k < i; ++k) CHECK(own.secrets[i].card != own.secrets[k].card, state);
    }
    CHECK(own.weapon.card == 0 || cards[own.weapon.card].type == CardType::weapon, state);
    CHECK(own.enchantment_count <= kPlayerEnchantments && own.return_count <= kReturns, state);
    CHECK(own.died_count <= kDied && own.seen_count <= kMostSeen, state);
}

// Costs are never negative, and apart from changes of the card itself no cards raise them by more than this.
inline void check_costs(const CardSet& cards, const State& state, int player) {
    constexpr int kMostChanged = 40;
    const Player& own = state.players[player];
    for (int i = 0; i < own.hand_size; ++i) {
        const int cost = cost_in_hand(cards, state, player, i);
        const int noted = cards[own.hand[i].card].cost + std::max<int>(own.hand[i].cost_change, 0);
        CHECK(cost >= 0 && cost <= noted + kMostChanged, state);
        CHECK(own.hand[i].attached <= kHeldAttachments, state);
    }
}

inline void check_hero(const CardSet& cards, const State& state, const Player& own) {
    CHECK(cards[own.hero].type == CardType::hero && cards[own.power].type == CardType::power, state);
    CHECK(own.health <= own.max_health && own.armor >= 0, state);
    CHECK(own.crystals <= kCrystalLimit, state);
    CHECK(own.mana() >= 0 && own.mana() <= kCrystalLimit, state);
    CHECK(own.used <= kCrystalLimit, state);
    if (state.phase != Phase::over) CHECK(own.health > 0 && !own.destroyed, state);
    if (state.phase != Phase::over && own.weapon.card != 0)
        CHECK(own.weapon.durability > 0 && !own.weapon.destroyed, state);
}

// All listeners and all auras are recorded.
inline void check_heard(const CardSet& cards, const State& state) {
    std::uint32_t events = 0;
    bool auras = false;
    bool cost_auras = false;
    bool auras_see_stats = false;
    const auto listen = [&](std::uint8_t entry) {
        const TableIndex trigger = cards.attachments[entry & kAttachmentIndex].trigger;
        if (trigger != 0) events |= bit_of(cards.triggers[trigger].event);
    };
    for (const Player& player : state.players) {
        for (int i = 0; i < player.board_size; ++i) {
            const Minion& minion = state.minions[player.board[i]];
            if (!minion.is_silent()) {
                events |= cards[minion.card].events;
                auras |= cards[minion.card].auras.count > 0;
                cost_auras |= cards[minion.card].cost_auras.count > 0;
                auras_see_stats |= cards[minion.card].aura_sees_stats;
            }
            auras |= minion.aura_attack != 0 || minion.aura_health != 0 || minion.aura_keywords != 0;
            for (int k = 0; k < minion.attached; ++k) listen(minion.attachments[k]);
            if ((minion.keywords & kSummonUnheard) != 0) events |= bit_of(kSummonWaits);
        }
        for (int i = 0; i < player.hand_size; ++i) {
            for (int k = 0; k < player.hand[i].attached; ++k) listen(player.hand[i].attachments[k]);
        }
        for (int i = 0; i < player.enchantment_count; ++i)
            auras |= cards.player_enchantments[player.enchantments[i].index].keywords != 0;
        events |= cards[player.weapon.card].events;
        for (int i = 0; i < player.secret_count; ++i) events |= cards[player.secrets[i].card].events;
    }
    CHECK((events & ~state.heard) == 0, state);
    CHECK(!auras || state.auras, state);
    CHECK(!cost_auras || state.cost_auras, state);
    CHECK(!auras_see_stats || state.auras_see_stats, state);
}

// Recomputing auras changes nothing, except enrage effects that a rule leaves to the next action.
inline void check_auras(const CardSet& cards, const State& state) {
    State again = state;
    Auras(cards, again).refresh();
    again.auras = state.auras;
    for (int place = 0; (cards.rules & kAurasWait) != 0 && place < kMinionPool; ++place) {
        const Minion& minion = state.minions[place];
        Minion& later = again.minions[place];
        if (later.enraged == minion.enraged && later.enraged_for == minion.enraged_for) continue;
        later.attack = minion.attack;
        later.keywords = minion.keywords;
        later.exhausted = minion.exhausted;
        later.enraged = minion.enraged;
        later.enraged_for = minion.enraged_for;
    }
    CHECK(std::memcmp(&again.minions, &state.minions, sizeof(state.minions)) == 0, state);
    for (int player = 0; player < 2; ++player)
        CHECK(again.players[player].weapon.aura_attack == state.players[player].weapon.aura_attack, state);
}

inline void check_state(const CardSet& cards, const State& state) {
    if (state.is_void) {  // everything in progress was cut off
        CHECK(state.phase == Phase::over && state.winner == kNobody, state);
        return;
    }
    CHECK((state.winner == kNobody) || state.phase == Phase::over, state);
    CHECK((state.choice_count > 0) == (state.phase == Phase::choice) || state.phase == Phase::over, state);
    check_places(state);
    for (int side = 0; side < 2; ++side) {
        const Player& player = state.players[side];
        check_hero(cards, state, player);
        check_cards(cards, state, player);
        check_costs(cards, state, side);
        for (int i = 0; i < player.board_size; ++i) check_minion(cards, state, state.minions[player.board[i]]);
    }
    CHECK(state.turn < kTurnLimit || state.phase == Phase::over || (cards.rules & kNoTurnLimit) != 0, state);
    check_heard(cards, state);
    if (state.phase != Phase::over) check_auras(cards, state);
}

// ---- actions --------------------------------------------------------------------------------------------------------

inline void check_listed(const State& state, const ActionList& actions) {
    CHECK(actions.empty() == (state.phase == Phase::over), state);
    std::bitset<kActionNumbers> seen;
    for (const Action& action : actions) {
        const int number = number_of(action);
        CHECK(number >= 0 && number < kActionNumbers, state);
        CHECK(!seen[static_cast<std::size_t>(number)], state);
        seen[static_cast<std::size_t>(number)] = true;
        CHECK(action_of(number) == action, state);
    }
}

inline bool contains(const ActionList& actions, Action action) {
    action.position = kRightmost;
    for (const Action& each : actions) {
        if (each == action) return true;
    }
    return false;
}

// Every listed action can be carried out.
inline void check_all_done(const CardSet& cards, const State& state, const ActionList& actions, Rng& rng) {
    for (const Action& action : actions) {
        State after = state;
        HearthstoneGame::apply(cards, after, action, rng);
        check_state(cards, after);
    }
}

inline void check_step(const State& before, const Action& action, const State& after) {
    const bool next = action.kind == ActionKind::end_turn;
    if (action.kind == ActionKind::keep) return;
    CHECK(after.turn == before.turn + (next && after.active != before.active), after);
    CHECK((after.active != before.active) == next || after.phase == Phase::over, after);
    for (int player = 0; player < 2; ++player)
        CHECK(after.players[player].deck_size <= before.players[player].deck_size, after);
}

// ---- hashes ---------------------------------------------------------------------------------------------------------

// Nothing depends on the order of a hand, on places in the pool, or on the values of stamps.
inline void check_hash(const State& state, Rng& rng) {
    State other = state;
    for (Player& player : other.players) {
        for (std::uint32_t i = player.hand_size; i > 1; --i) std::swap(player.hand[i - 1], player.hand[rng.below(i)]);
    }
    std::uint8_t places[kMinionPool];
    for (int i = 0; i < kMinionPool; ++i) places[i] = static_cast<std::uint8_t>(i);
    for (std::uint32_t i = kMinionPool; i > 1; --i) std::swap(places[i - 1], places[rng.below(i)]);
    for (int i = 0; i < kMinionPool; ++i) {
        other.minions[places[i]] = state.minions[i];
        other.minions[places[i]].stamp = static_cast<std::uint16_t>(2 * state.minions[i].stamp);
        other.minions[places[i]].enraged_for = static_cast<std::uint16_t>(2 * state.minions[i].enraged_for);
    }
    for (Player& player : other.players) {
        for (std::uint8_t& place : player.board) place = places[place];
        player.weapon.stamp = static_cast<std::uint16_t>(2 * player.weapon.stamp);
        for (Secret& secret : player.secrets) secret.stamp = static_cast<std::uint16_t>(2 * secret.stamp);
    }
    CHECK(hash_state(other) == hash_state(state), state);
    if (state.players[0].deck_size > 0) {
        other.players[0].deck[0] = static_cast<CardId>(state.players[0].deck[0] ^ 1);
        CHECK(hash_state(other) != hash_state(state), state);
    }
}

}  // namespace deckatlas::hearthstone::tests
