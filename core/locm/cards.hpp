// Legends of Code and Magic: the card type of the core.
#pragma once

#include <cstdint>

namespace deckatlas::locm {

inline constexpr int kCards = 160;        // card ids run from 1 to 160
inline constexpr int kUnknownCard = 0;    // a card hidden from the viewer; it can never be played
inline constexpr int kMaxCardStat = 99;   // printed attack, defence and cost of a card
inline constexpr int kMaxItemBonus = 14;  // largest bonus of a green item: 99 + 29 * 14 fits a creature's nine bits

enum class CardType : std::uint8_t { creature = 0, green = 1, red = 2, blue = 3, unknown = 4 };
inline constexpr int kPlayableTypes = 4;

// Keywords in the official order "BCDGLW".
enum Keyword : std::uint8_t {
    kBreakthrough = 1 << 0,
    kCharge = 1 << 1,
    kDrain = 1 << 2,
    kGuard = 1 << 3,
    kLethal = 1 << 4,
    kWard = 1 << 5,
};
inline constexpr const char* kKeywordLetters = "BCDGLW";
inline constexpr int kKeywords = 6;

struct Card {
    CardType type = CardType::unknown;
    std::uint8_t cost = 0;
    std::int8_t attack = 0;
    std::int8_t defense = 0;
    std::uint8_t keywords = 0;
    std::int8_t player_health = 0;  // change of the owner's health when played
    std::int8_t enemy_health = 0;   // change of the opponent's health when played: negative is damage
    std::uint8_t draw = 0;          // extra cards at the owner's next turn
};

// Indexed by card id; entry 0 is the unknown card.
struct CardTable {
    Card cards[kCards + 1];

    constexpr const Card& operator[](int id) const { return cards[id]; }
};

}  // namespace deckatlas::locm
