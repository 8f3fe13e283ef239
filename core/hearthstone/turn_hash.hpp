// Hearthstone: which states of a turn the planner of the deck-search papers treats as equal.
//
// Its program, SabberStone, distinguishes more than matters for the rest of a game: the order in which minions came,
// the targets of cards, the positions and damage of dead minions. It also distinguishes less: not whether a minion has
// attacked this turn, only whether it ever has. Searches that must find the same plans have to do the same. `TurnTrace`
// records what the state itself does not.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/random.hpp"
#include "hearthstone/actions.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kLongestTrace = 32;  // actions of one plan

// A record of the actions of a turn.
class TurnTrace {
public:
    TurnTrace() = default;
    // At the start of a plan.
    explicit TurnTrace(const State& root)
        : old_hand_(root.players[root.active].hand_size), first_new_stamp_(root.next_stamp) {}

    // Records an action that led from `before` to `after`.
    void follow(const CardSet& cards, const State& before, const Action& action, const State& after) {
        bool old_minion = false;  // it was already in the hand at the start of the plan, and is the first to enter play
        if (action.kind == ActionKind::play) {
            const CardId card = before.players[before.active].hand[action.source].card;
            const bool old_card = action.source < old_hand_;
            if (old_card) --old_hand_;
            old_minion = old_card && cards[card].type == CardType::minion;
            add_play(card, identity(before, action.target));
        } else if (action.kind == ActionKind::attack && action.source > 0) {
            deeds_ += mix64(kMinionAttacked);
        }
        if (after.phase == Phase::over && action.kind == ActionKind::attack) deeds_ += mix64(kOverByAttack);
        first_new_stamp_ = static_cast<std::uint16_t>(before.next_stamp + old_minion);
    }

    // One word for the plays and attacks so far, independent of their order.
    std::uint64_t deeds() const { return deeds_; }

    // Whether a minion entered play with the last action, and not from the hand at the start of the plan.
    bool is_new(const Minion& minion) const { return minion.stamp >= first_new_stamp_; }

private:
    static constexpr std::uint64_t kMinionAttacked = 1;
    static constexpr std::uint64_t kOverByAttack = 2;

    static std::uint64_t identity(const State& state, TargetCode code) {
        const Ref ref = ref_of(state, code);
        if (ref.is_minion()) return state.minions[ref.place()].stamp;
        return ref.exists() ? 0xFFFEu + static_cast<std::uint64_t>(ref.player()) : 0;
    }

    // Copies of a card are distinguished by the order in which they are played.
    void add_play(CardId card, std::uint64_t target) {
        const auto copy = static_cast<std::uint64_t>(std::count(played_, played_ + plays_, card));
        if (plays_ < kLongestTrace) played_[plays_++] = card;
        deeds_ += mix64(std::uint64_t{card} << 32 | target | copy << 48);
    }

    std::uint64_t deeds_ = 0;    // a sum, so that the order does not matter
    std::uint8_t old_hand_ = 0;  // cards of the hand from the start of the plan; new ones follow them
    std::uint8_t plays_ = 0;
    std::uint16_t first_new_stamp_ = 0;
    CardId played_[kLongestTrace] = {};
};

// A number for a state of `player`'s turn and its history; `sees_enemy_attack` says whether the planner's rating
// depends on the attack of enemy minions, so that new ones among them count as new.
class TurnHash {
public:
    TurnHash(const State& state, const TurnTrace& trace, int player, bool sees_enemy_attack) {
        add(pack(state.turn, static_cast<int>(state.phase), state.active, state.winner), trace.deeds() + state.fallen);
        for (int i = 0; i < state.choice_count; ++i) add(state.choices[i]);
        for (int side = 0; side < 2; ++side) {
            add_player(state, side);
            const bool news = side == player || sees_enemy_attack;
            for (int i = 0; i < state.players[side].board_size; ++i)
                add_minion(state, state.players[side].board[i], trace, news);
        }
    }

    std::uint64_t value() const { return mix64(sum_); }

private:
    static constexpr std::uint64_t kOtherSalt = 0xD1B54A32D192ED03ull;

    static constexpr std::uint64_t part(int number) { return static_cast<std::uint16_t>(number); }
    static constexpr std::uint64_t pack(int a, int b = 0, int c = 0, int d = 0) {
        return part(a) | part(b) << 16 | part(c) << 32 | part(d) << 48;
    }
    static constexpr std::uint64_t bytes(int a, int b, int c, int d) {
        return part(a) | part(b) << 8 | part(c) << 16 | part(d) << 24;
    }

    // One or two words. They are mixed independently of others, with their position, so that none waits for another.
    void add(std::uint64_t word, std::uint64_t other = 0) {
        salt_ += 0x9E3779B97F4A7C15ull;
        sum_ += folded_product(word ^ salt_, other ^ (salt_ + kOtherSalt));
    }

    void add_player(const State& state, int side) {
        const Player& player = state.players[side];
        const Weapon& weapon = player.weapon;
        const std::uint32_t mark = mark_of(Ref::hero(side));
        const int flags = player.frozen | player.destroyed << 1 | player.power_used << 2 |
                          ((state.attackers & mark) != 0) << 3 | ((state.defenders & mark) != 0) << 4;
        std::uint64_t hand = 0;  // in any order: a sum, so that each card needs a thorough mix of its own
        for (int i = 0; i < player.hand_size; ++i) hand += mix64(word_of(player.hand[i]) + 1);
        add(pack(player.hero, player.power, player.health, player.max_health),
            pack(player.armor, player.attack_this_turn, weapon.card, weapon.stamp));
        add(pack(weapon.attack, weapon.durability) | std::uint64_t{player.hero_keywords_this_turn} << 32,
            bytes(player.crystals, player.used, player.extra, player.overload_locked) |
                bytes(player.overload_owed, player.cards_played, player.minions_played, player.fatigue) << 32);
        add(bytes(player.deck_size, player.board_size, player.hand_size, player.secret_count) |
                bytes(player.enchantment_count, player.return_count, flags, 0) << 32,
            hand);
        for (int i = 0; i < player.secret_count; ++i) add(pack(player.secrets[i].card, player.secrets[i].stamp));
        for (int i = 0; i < player.enchantment_count; ++i) {
            const ActiveEnchantment& active = player.enchantments[i];
            add(pack(active.index, static_cast<int>(active.duration), active.begun));
        }
        for (int i = 0; i < player.return_count; ++i) add(player.returns[i]);
    }

    static std::uint64_t word_of(const HandCard& held) {
        const auto byte = [](int number) { return static_cast<std::uint8_t>(number); };
        std::uint64_t word = pack(held.card, byte(held.cost_change) | byte(held.attack_change) << 8);
        for (int k = 0; k < held.attached; ++k) word |= std::uint64_t{held.attachments[k]} << (32 + 8 * k);
        return word;
    }

    void add_minion(const State& state, int place, const TurnTrace& trace, bool news) {
        const Minion& minion = state.minions[place];
        const std::uint32_t marks = (state.attackers >> place & 1) | (state.defenders >> place & 1) << 1 |
                                    static_cast<std::uint32_t>(news && trace.is_new(minion)) << 2;
        const int flags = minion.destroyed | minion.borrowed << 1 | minion.enraged << 2 | static_cast<int>(marks << 3);
        add(pack(minion.card, minion.stamp, minion.attack, minion.health),
            pack(minion.damage, minion.attack_this_turn, minion.aura_attack, minion.aura_health));
        add(std::uint64_t{minion.keywords} | std::uint64_t{minion.keywords_this_turn} << 32,
            bytes(flags, minion.spell_damage, minion.attached, 0));
        for (int i = 0; i < minion.attached; ++i) add(minion.attachments[i]);
    }

    std::uint64_t sum_ = 0;
    std::uint64_t salt_ = 0;
};

}  // namespace deckatlas::hearthstone
