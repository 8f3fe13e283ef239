// Legends of Code and Magic: the battle as data.
//
// `Battle` is everything that changes during a battle: 100 bytes, copied by searches. `Deal` is constant for a whole
// battle: both decks in draw order and, derived from them, the deck positions of each card type and those that a given
// amount of mana can pay for. A card in a game is identified by its owner and its position in the shuffled deck; the
// official instance id follows from the two.
#pragma once

#include <bit>
#include <cstdint>

#include "locm/cards.hpp"

namespace deckatlas::locm {

inline constexpr int kDeckSize = 30;
inline constexpr int kHandLimit = 8;
inline constexpr int kLanes = 2;
inline constexpr int kLaneSize = 3;
inline constexpr int kMaxMana = 12;
inline constexpr int kManaLevels = kMaxMana + 2;  // 0 to 13: twelve and the second player's bonus
inline constexpr int kStartHealth = 30;
inline constexpr int kRunes = 5;
inline constexpr int kRuneStep = 5;     // runes are at 25, 20, 15, 10 and 5 health
inline constexpr int kTurnLimit = 50;   // from its 51st turn on a player draws from an empty deck
inline constexpr int kOpeningHand = 4;  // the second player gets one more card

// A creature in 32 bits: attack (9), defence (9), keywords (6), deck position (5), touched (1). An empty slot is 0.
// "Touched" marks a creature that fought or was the target of an item: from then on the official protocol shows it
// without its summon effects.
class Creature {
public:
    static constexpr int kMaxStat = 511;

    constexpr Creature() = default;
    constexpr Creature(int attack, int defense, int keywords, int position)
        : bits_(static_cast<std::uint32_t>(attack) | static_cast<std::uint32_t>(defense) << kDefenseShift |
                static_cast<std::uint32_t>(keywords) << kKeywordShift |
                static_cast<std::uint32_t>(position) << kPositionShift) {}

    constexpr int attack() const { return static_cast<int>(bits_ & kStatMask); }
    constexpr int defense() const { return static_cast<int>(bits_ >> kDefenseShift & kStatMask); }
    constexpr int keywords() const { return static_cast<int>(bits_ >> kKeywordShift & 63u); }
    constexpr bool has(Keyword keyword) const { return (bits_ >> kKeywordShift & keyword) != 0; }
    constexpr int position() const { return static_cast<int>(bits_ >> kPositionShift & 31u); }
    constexpr bool touched() const { return (bits_ & kTouched) != 0; }
    constexpr std::uint32_t bits() const { return bits_; }
    // Attack, defence and keywords: everything that a fight depends on.
    constexpr std::uint32_t strength() const { return bits_ & ((1u << kPositionShift) - 1); }

    constexpr void touch() { bits_ |= kTouched; }
    constexpr void lose(Keyword keyword) { bits_ &= ~(static_cast<std::uint32_t>(keyword) << kKeywordShift); }
    constexpr void change_defense(int change) { bits_ += static_cast<std::uint32_t>(change) << kDefenseShift; }

private:
    static constexpr std::uint32_t kStatMask = 511u;
    static constexpr int kDefenseShift = 9;
    static constexpr int kKeywordShift = 18;
    static constexpr int kPositionShift = 24;
    static constexpr std::uint32_t kTouched = 1u << 29;

    std::uint32_t bits_ = 0;
};

// A slot on one side of the board: lane * 4 + index. Bit sets over slots are one byte, one nibble per lane.
using Slot = int;
constexpr Slot slot_of(int lane, int index) { return lane * 4 + index; }
constexpr int lane_of(Slot slot) { return slot >> 2; }
constexpr int index_of(Slot slot) { return slot & 3; }
constexpr int lane_bits(int slots, int lane) { return slots >> (lane * 4) & 15; }

// One player. Lanes are compact: creatures are in summoning order without gaps.
struct Side {
    Creature lanes[kLanes][kLaneSize];
    std::uint32_t hand = 0;  // bit i: the card at deck position i is in hand
    std::int32_t health = kStartHealth;
    std::uint8_t drawn = 0;  // cards drawn so far, and so the next position to draw
    std::uint8_t mana = 0;
    std::uint8_t max_mana = 0;
    std::uint8_t bonus_mana = 0;
    std::uint8_t runes = kRunes;
    std::uint8_t next_draw = 1;   // cards to draw at the start of the next own turn
    std::uint8_t shown_draw = 1;  // what the protocol shows: requested this turn, or the value at the end of the turn
    std::uint8_t count[kLanes] = {0, 0};
    std::uint8_t ready = 0;     // slots that may attack now
    std::uint8_t attacked = 0;  // slots that attacked this turn
    std::uint8_t guards = 0;    // slots with Guard, kept beside the keyword for speed
    std::uint8_t order = 0;     // bit k: lane of the k-th oldest creature, for listings in summoning order

    constexpr int creatures() const { return count[0] + count[1]; }
    constexpr int hand_size() const { return std::popcount(hand); }
    constexpr const Creature& at(Slot slot) const { return lanes[lane_of(slot)][index_of(slot)]; }
    constexpr Creature& at(Slot slot) { return lanes[lane_of(slot)][index_of(slot)]; }
    constexpr int occupied() const { return ((1 << count[0]) - 1) | (((1 << count[1]) - 1) << 4); }
};

struct Battle {
    Side sides[2];
    std::int32_t turn = -1;  // half-turns: even turns belong to player 0; -1 before the first

    constexpr int active() const { return turn & 1; }
    constexpr const Side& own() const { return sides[active()]; }
    constexpr const Side& enemy() const { return sides[active() ^ 1]; }
};
static_assert(sizeof(Battle) == 100);

// The constants of a battle.
struct Deal {
    std::uint8_t decks[2][kDeckSize] = {};  // card ids in draw order; 0 where hidden from the viewer
    std::uint8_t sizes[2] = {kDeckSize, kDeckSize};
    std::uint32_t of_type[2][kPlayableTypes] = {};  // deck positions by card type
    std::uint32_t affordable[2][kManaLevels] = {};  // deck positions by the most mana they need
};

constexpr int instance_id(int player, int position) { return 2 * position + player + 1; }

// Fills the masks of `deal` from its decks.
constexpr void index_deal(const CardTable& cards, Deal& deal) {
    for (int player = 0; player < 2; ++player) {
        auto& of_type = deal.of_type[player];
        auto& affordable = deal.affordable[player];
        for (auto& mask : of_type) mask = 0;
        for (auto& mask : affordable) mask = 0;
        for (int position = 0; position < deal.sizes[player]; ++position) {
            const Card& card = cards[deal.decks[player][position]];
            if (card.type == CardType::unknown) continue;
            const std::uint32_t bit = 1u << position;
            of_type[static_cast<int>(card.type)] |= bit;
            if (card.cost < kManaLevels) affordable[card.cost] |= bit;
        }
        for (int mana = 1; mana < kManaLevels; ++mana) affordable[mana] |= affordable[mana - 1];
    }
}

}  // namespace deckatlas::locm
