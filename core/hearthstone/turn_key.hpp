// Hearthstone: a key for a state of a turn; our own searches treat states with equal keys as equal.
//
// Left out are the positions of minions, their order of play, and the contents of decks, which are sampled again for
// every plan.
#pragma once

#include <cstdint>

#include "common/random.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

class TurnKey {
public:
    explicit TurnKey(const State& state) {
        sum_ = mix64(pack(state.turn, static_cast<int>(state.phase), state.choice_count, state.active));
        for (int i = 0; i < state.choice_count; ++i) sum_ += mixed(state.choices[i], 3);
        for (int side = 0; side < 2; ++side) {
            add_player(state.players[side], side);
            for (int i = 0; i < state.players[side].board_size; ++i) add_minion(state.on_board(side, i), side);
        }
    }

    std::uint64_t value() const { return mix64(sum_); }

private:
    static constexpr std::uint64_t pack(int a, int b, int c, int d) {
        const auto part = [](int number) { return std::uint64_t{static_cast<std::uint16_t>(number)}; };
        return part(a) | part(b) << 16 | part(c) << 32 | part(d) << 48;
    }
    // For two words; `salt` distinguishes their meaning.
    static constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b, int salt = 0) {
        return folded_product(a + 0x9E3779B97F4A7C15ull * static_cast<std::uint64_t>(salt + 1),
                              b ^ 0xD1B54A32D192ED03ull);
    }

    void add_player(const Player& player, int side) {
        const Weapon& weapon = player.weapon;
        sum_ += mixed(pack(player.health, player.armor, player.attack_this_turn, player.hero),
                      pack(weapon.card, weapon.attack, weapon.durability, player.power), 4 + side);
        sum_ +=
            mixed(pack(player.crystals | player.used << 8, player.extra | player.overload_owed << 8,
                       player.deck_size | player.fatigue << 8, player.secret_count | player.hand_size << 8),
                  pack(player.cards_played | player.minions_played << 8, player.attacks | player.enchantment_count << 8,
                       player.power_used | player.frozen << 1 | player.hero_exhausted << 2, player.max_health),
                  6 + side);
        for (int i = 0; i < player.secret_count; ++i) sum_ += mixed(player.secrets[i].card, 8, side);
        for (int i = 0; i < player.hand_size; ++i) {
            const HandCard& held = player.hand[i];
            sum_ += mixed(pack(held.card, held.cost_change, held.attack_change, held.attached), 9, side);
        }
    }

    void add_minion(const Minion& minion, int side) {
        sum_ += mixed(
            pack(minion.card, minion.attack + minion.aura_attack, minion.health + minion.aura_health, minion.damage),
            minion.all_keywords() | std::uint64_t{minion.attacks} << 32 | std::uint64_t{minion.exhausted} << 40 |
                std::uint64_t{minion.attached} << 41 |
                std::uint64_t{static_cast<std::uint16_t>(minion.attack_this_turn)} << 48,
            10 + side);
    }

    std::uint64_t sum_ = 0;
};

}  // namespace deckatlas::hearthstone
