// Legends of Code and Magic: an offer of the draft as numbers for a network.
#pragma once

#include <cstdint>

#include "locm/cards.hpp"
#include "locm/draft.hpp"

namespace deckatlas::locm {

inline constexpr int kCardFeatures = kPlayableTypes + 6 + kKeywords;
inline constexpr int kOfferFeatures = kOffered * kCardFeatures;
static_assert(kOfferFeatures == 48);

// Type (one of four), cost, attack, defence, changes of the player's and the enemy's health, cards drawn, keywords. The
// numbers are scaled to about one; a defence of -99, which means certain death, counts as -12.
constexpr void card_features(const Card& card, double (&out)[kOfferFeatures], int from) {
    const auto twelfth = [](int value) { return value / 12.0; };
    for (int type = 0; type < kPlayableTypes; ++type) out[from++] = static_cast<int>(card.type) == type ? 1.0 : 0.0;
    out[from++] = twelfth(card.cost);
    out[from++] = twelfth(card.attack);
    out[from++] = twelfth(card.defense < -12 ? -12 : card.defense);
    out[from++] = twelfth(card.player_health);
    out[from++] = twelfth(card.enemy_health);
    out[from++] = card.draw / 2.0;
    for (int i = 0; i < kKeywords; ++i) out[from++] = (card.keywords >> i & 1) != 0 ? 1.0 : 0.0;
}

constexpr void offer_features(const CardTable& cards, const std::uint8_t (&offer)[kOffered],
                              double (&out)[kOfferFeatures]) {
    for (int i = 0; i < kOffered; ++i) card_features(cards[offer[i]], out, i * kCardFeatures);
}

}  // namespace deckatlas::locm
