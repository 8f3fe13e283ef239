// Hearthstone: a number for all that matters for how a game goes on.
//
// Left out are places in the pool of minions and stamps. Of the order of play, only that of those enters whose effects
// it orders. Hands, the cards to choose from and the dead of a turn enter as sets: nothing depends on their order.
#pragma once

#include <cstdint>

#include "common/fixed_vector.hpp"
#include "common/random.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

class StateHash {
public:
    explicit StateHash(const State& state) {
        add(pack(state.turn, static_cast<int>(state.phase), state.active, state.winner + 4 * state.is_void));
        add_set(state.choice_count, [&](int i) { return state.choices[i]; });
        for (int player = 0; player < 2; ++player) {
            add_hero(state.players[player]);
            add_turn(state.players[player]);
            add_cards(state.players[player]);
            for (int i = 0; i < state.players[player].board_size; ++i)
                add_minion(state.on_board(player, i), state.players[player].weapon);
        }
        add_order_of_play(state);
    }

    std::uint64_t value() const { return hash_; }

private:
    static constexpr std::uint64_t pack(int a, int b = 0, int c = 0, int d = 0) {
        const auto part = [](int number) { return std::uint64_t{static_cast<std::uint16_t>(number)}; };
        return part(a) | part(b) << 16 | part(c) << 32 | part(d) << 48;
    }
    static constexpr std::uint64_t pair(std::uint32_t a, std::uint32_t b) { return a | std::uint64_t{b} << 32; }

    void add(std::uint64_t word) { hash_ = mix64(hash_ + 0x9E3779B97F4A7C15ull) + word; }

    template <class Of>
    void add_set(int count, const Of& of) {
        std::uint64_t sum = 0;
        for (int i = 0; i < count; ++i) sum += mix64(std::uint64_t{of(i)} + 1);
        add(sum + static_cast<std::uint64_t>(count));
    }

    void add_hero(const Player& player) {
        add(pack(player.hero, player.power, player.health, player.max_health));
        add(pack(player.armor, player.attack_this_turn, player.attacks, static_cast<int>(player.hero_class)));
        add(pair(player.hero_keywords_this_turn,
                 static_cast<std::uint32_t>(player.frozen | player.destroyed << 1 | player.power_used << 2 |
                                            player.hero_exhausted << 3)));
        const Weapon& weapon = player.weapon;
        add(pack(weapon.card, weapon.attack, weapon.durability, weapon.destroyed));
    }

    void add_turn(const Player& player) {
        add(pack(player.crystals | player.used << 8, player.extra | player.fatigue << 8,
                 player.overload_locked | player.overload_owed << 8, player.cards_played | player.minions_played << 8));
        add_set(player.died_count, [&](int i) { return player.died[i]; });
        for (int i = 0; i < player.enchantment_count; ++i) {
            const ActiveEnchantment& active = player.enchantments[i];
            add(pack(active.index, static_cast<int>(active.duration), active.begun, 1));
        }
        for (int i = 0; i < player.return_count; ++i) add(pack(player.returns[i], 0, 0, 2));
    }

    void add_cards(const Player& player) {
        add_set(player.hand_size, [&](int i) {
            const HandCard& held = player.hand[i];
            std::uint64_t word = pair(held.card, static_cast<std::uint8_t>(held.cost_change)) |
                                 std::uint64_t{static_cast<std::uint8_t>(held.attack_change)} << 40;
            for (int k = 0; k < held.attached; ++k)
                word += std::uint64_t{held.attachments[k]} << (k == 0 ? 16 : k == 1 ? 48 : 56);
            return word;
        });
        add(pack(player.deck_size, player.board_size, player.secret_count));
        int i = 0;
        for (; i + 4 <= player.deck_size; i += 4)
            add(pack(player.deck[i], player.deck[i + 1], player.deck[i + 2], player.deck[i + 3]));
        for (; i < player.deck_size; ++i) add(player.deck[i]);
        for (int k = 0; k < player.secret_count; ++k) add(player.secrets[k].card);
    }

    // What auras give follows from the rest.
    void add_minion(const Minion& minion, const Weapon& weapon) {
        add(pack(minion.card, minion.attack, minion.health, minion.damage));
        add(pair(minion.keywords, minion.keywords_this_turn));
        const bool weapon_too = minion.enraged && minion.enraged_for == weapon.stamp;
        const bool lasting_charge = (minion.lasting_keywords & kCharge) != 0;
        add(pack(minion.attack_this_turn, minion.attacks | minion.spell_damage << 8,
                 minion.exhausted | minion.destroyed << 1 | minion.borrowed << 2 | minion.enraged << 3 |
                     weapon_too << 4 | lasting_charge << 5,
                 minion.attached));
        for (int i = 0; i < minion.attached; ++i) add(minion.attachments[i]);
    }

    void add_order_of_play(const State& state) {
        struct Entry {
            std::uint16_t stamp;
            std::uint8_t what;
        };
        FixedVector<Entry, 2 * (kBoardLimit + 1 + kSecretLimit)> entries;
        const auto note = [&](std::uint16_t stamp, int what) {
            std::size_t at = entries.size();
            entries.push_back({stamp, static_cast<std::uint8_t>(what)});
            for (; at > 0 && entries[at - 1].stamp > stamp; --at) entries[at] = entries[at - 1];
            entries[at] = {stamp, static_cast<std::uint8_t>(what)};
        };
        for (int player = 0; player < 2; ++player) {
            const Player& own = state.players[player];
            for (int i = 0; i < own.board_size; ++i) {
                const Minion& minion = state.on_board(player, i);
                if (minion.ordered) note(minion.stamp, 32 * player + i);
            }
            if (own.weapon.card != 0) note(own.weapon.stamp, 32 * player + 8);
            for (int i = 0; i < own.secret_count; ++i) note(own.secrets[i].stamp, 32 * player + 16 + i);
        }
        for (const Entry& entry : entries) add(entry.what);
    }

    std::uint64_t hash_ = 0;
};

inline std::uint64_t hash_state(const State& state) { return mix64(StateHash(state).value()); }

}  // namespace deckatlas::hearthstone
