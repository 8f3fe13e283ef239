// Hearthstone: which events the cards in play may listen to, and whether there are auras. The state caches it to skip
// checks; it may contain more than needed, never less.
#pragma once

#include <cstdint>

#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

inline void heed(const CardSet& cards, State& state, CardId id) {
    const Card& card = cards[id];
    state.heard |= card.events;
    state.auras |= card.auras.count > 0;
    state.cost_auras |= card.cost_auras.count > 0;
    state.auras_see_stats |= card.aura_sees_stats;
}

inline void heed_attachment(const CardSet& cards, State& state, std::uint8_t entry) {
    const TableIndex trigger = cards.attachments[entry & kAttachmentIndex].trigger;
    state.heard |= bit_of(cards.triggers[trigger].event);
}

inline void heed(const CardSet& cards, State& state, const Minion& minion) {
    if (!minion.is_silent()) heed(cards, state, minion.card);
    if ((minion.keywords & kSummonUnheard) != 0) state.heard |= bit_of(kSummonWaits);
    for (int i = 0; i < minion.attached; ++i) heed_attachment(cards, state, minion.attachments[i]);
}

// Recomputes it: minions that left play need nothing. Auras are recorded when they are recomputed.
inline void heed_all(const CardSet& cards, State& state) {
    state.heard = 0;
    state.cost_auras = false;
    state.auras_see_stats = false;
    for (const Player& player : state.players) {
        for (int i = 0; i < player.board_size; ++i) heed(cards, state, state.minions[player.board[i]]);
        heed(cards, state, player.weapon.card);
        for (int i = 0; i < player.secret_count; ++i) heed(cards, state, player.secrets[i].card);
        for (int i = 0; (cards.rules & kEnchantmentsFollow) != 0 && i < player.hand_size; ++i) {
            const HandCard& held = player.hand[i];
            for (int k = 0; k < held.attached; ++k) heed_attachment(cards, state, held.attachments[k]);
        }
    }
}

}  // namespace deckatlas::hearthstone
