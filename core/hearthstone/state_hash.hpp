// Hearthstone: a hash of everything that matters for the rest of a game.
//
// Places in the pool of minions and stamps are left out. The order of play is only included for minions whose effects
// depend on it. Hands, the cards to choose from and the dead of a turn are hashed as sets: their order only decides
// which of them a random draw picks, and in which order cards of a hand react to an event.
//
// Planners compute it for every state they reach: words are salted by position and multiplied in pairs, so that none
// waits for the one before.
#pragma once

#include <cstdint>

#include "common/fixed_vector.hpp"
#include "common/random.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

class StateHash {
public:
    explicit StateHash(const State& state) {
        add(pack(state.turn, static_cast<int>(state.phase), state.active, state.winner + 4 * state.is_void),
            set(state.choice_count, [&](int i) { return state.choices[i]; }));
        for (int player = 0; player < 2; ++player) {
            add_hero(state.players[player]);
            add_turn(state.players[player]);
            add_cards(state.players[player]);
            add_in_play(state, player);
        }
        for (const Entry& entry : order_) add(entry.what);
    }

    std::uint64_t value() const { return mix64(hash_); }

private:
    struct Entry {
        std::uint16_t stamp;
        std::uint8_t what;
    };

    static constexpr std::uint64_t pack(int a, int b = 0, int c = 0, int d = 0) {
        const auto part = [](int number) { return std::uint64_t{static_cast<std::uint16_t>(number)}; };
        return part(a) | part(b) << 16 | part(c) << 32 | part(d) << 48;
    }
    static constexpr std::uint64_t pair(std::uint32_t a, std::uint32_t b) { return a | std::uint64_t{b} << 32; }

    void add(std::uint64_t first, std::uint64_t second = 0) {
        place_ += 0x9E3779B97F4A7C15ull;
        hash_ += folded_product(first ^ place_, second ^ 0xD1B54A32D192ED03ull);
    }

    // One word for several words, independent of their order.
    template <class Of>
    static std::uint64_t set(int count, const Of& of) {
        auto sum = static_cast<std::uint64_t>(count);
        for (int i = 0; i < count; ++i)
            sum += folded_product(std::uint64_t{of(i)} ^ 0xBF58476D1CE4E5B9ull, 0x94D049BB133111EBull);
        return sum;
    }

    void add_hero(const Player& player) {
        const Weapon& weapon = player.weapon;
        add(pack(player.hero, player.power, player.health, player.max_health),
            pack(player.armor, player.attack_this_turn, player.attacks, static_cast<int>(player.hero_class)));
        add(pair(player.hero_keywords_this_turn,
                 static_cast<std::uint32_t>(player.frozen | player.destroyed << 1 | player.power_used << 2 |
                                            player.hero_exhausted << 3)),
            pack(weapon.card, weapon.attack, weapon.durability, weapon.destroyed));
    }

    void add_turn(const Player& player) {
        add(pack(player.crystals | player.used << 8, player.extra | player.fatigue << 8,
                 player.overload_locked | player.overload_owed << 8, player.cards_played | player.minions_played << 8),
            set(player.died_count, [&](int i) { return player.died[i]; }));
        for (int i = 0; i < player.enchantment_count; ++i) {
            const ActiveEnchantment& active = player.enchantments[i];
            add(pack(active.index, static_cast<int>(active.duration), active.begun, 1));
        }
        for (int i = 0; i < player.return_count; ++i) add(pack(player.returns[i], 0, 0, 2));
    }

    void add_cards(const Player& player) {
        add(pack(player.deck_size, player.board_size, player.secret_count), set(player.hand_size, [&](int i) {
                const HandCard& held = player.hand[i];
                std::uint64_t word = pair(held.card, static_cast<std::uint8_t>(held.cost_change)) |
                                     std::uint64_t{static_cast<std::uint8_t>(held.attack_change)} << 40;
                for (int k = 0; k < held.attached; ++k)
                    word += std::uint64_t{held.attachments[k]} << (k == 0 ? 16 : k == 1 ? 48 : 56);
                return word;
            }));
        const auto four_from = [&](int i) {
            const auto card = [&](int at) { return at < player.deck_size ? player.deck[at] : CardId{0}; };
            return pack(card(i), card(i + 1), card(i + 2), card(i + 3));
        };
        for (int i = 0; i < player.deck_size; i += 8) add(four_from(i), four_from(i + 4));
        for (int i = 0; i < player.secret_count; ++i) add(player.secrets[i].card);
    }

    void add_in_play(const State& state, int player) {
        const Player& own = state.players[player];
        for (int i = 0; i < own.board_size; ++i) {
            const Minion& minion = state.on_board(player, i);
            add_minion(minion, own.weapon);
            if (minion.ordered) note_order(minion.stamp, 32 * player + i);
        }
        if (own.weapon.card != 0) note_order(own.weapon.stamp, 32 * player + 8);
        for (int i = 0; i < own.secret_count; ++i) note_order(own.secrets[i].stamp, 32 * player + 16 + i);
    }

    // The effects of auras follow from the rest.
    void add_minion(const Minion& minion, const Weapon& weapon) {
        const bool weapon_too = minion.enraged && minion.enraged_for == weapon.stamp;
        const bool lasting_charge = (minion.lasting_keywords & kCharge) != 0;
        add(pack(minion.card, minion.attack, minion.health, minion.damage),
            pair(minion.keywords, minion.keywords_this_turn));
        add(pack(minion.attack_this_turn, minion.attacks | minion.spell_damage << 8,
                 minion.exhausted | minion.destroyed << 1 | minion.borrowed << 2 | minion.enraged << 3 |
                     weapon_too << 4 | lasting_charge << 5,
                 minion.attached));
        for (int i = 0; i < minion.attached; ++i) add(minion.attachments[i]);
    }

    void note_order(std::uint16_t stamp, int what) {
        std::size_t at = order_.size();
        const Entry entry{stamp, static_cast<std::uint8_t>(what)};
        order_.push_back(entry);
        for (; at > 0 && order_[at - 1].stamp > stamp; --at) order_[at] = order_[at - 1];
        order_[at] = entry;
    }

    std::uint64_t hash_ = 0;
    std::uint64_t place_ = 0;
    FixedVector<Entry, 2 * (kBoardLimit + 1 + kSecretLimit)> order_;
};

inline std::uint64_t hash_state(const State& state) { return StateHash(state).value(); }

}  // namespace deckatlas::hearthstone
