// Hearthstone: continuous effects, worked out anew whenever something changed that they may depend on.
#pragma once

#include <algorithm>

#include "hearthstone/select.hpp"

namespace deckatlas::hearthstone {

class Auras {
public:
    Auras(const CardSet& cards, State& state) : cards_(cards), state_(state) {}

    void refresh() {
        if (!state_.auras) return;
        FixedVector<Holder, 2 * kBoardLimit> holders;
        find_holders(holders);
        std::int16_t health_before[kMinionPool];
        clear(health_before);
        state_.auras = !holders.empty() || players_give_keywords();
        give_player_keywords();
        // Keywords first: others may depend on them.
        for (const Holder& holder : holders) apply(holder, true);
        for (const Holder& holder : holders) apply(holder, false);
        heal_what_is_lost(health_before);
    }

private:
    struct Holder {
        std::uint16_t stamp;
        std::uint8_t place;
    };

    void find_holders(FixedVector<Holder, 2 * kBoardLimit>& holders) const {
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < state_.players[side].board_size; ++i) {
                const Minion& minion = state_.on_board(side, i);
                if (cards_[minion.card].auras.count == 0 || (minion.keywords & kSilenced) != 0) continue;
                holders.push_back({minion.stamp, state_.players[side].board[i]});
            }
        }
        std::sort(holders.begin(), holders.end(), [](const Holder& a, const Holder& b) { return a.stamp < b.stamp; });
    }

    // Takes all aura bonuses off.
    void clear(std::int16_t (&health_before)[kMinionPool]) {
        for (Player& player : state_.players) {
            player.weapon.aura_attack = 0;
            for (int i = 0; i < player.board_size; ++i) {
                Minion& minion = state_.minions[player.board[i]];
                health_before[player.board[i]] = minion.aura_health;
                minion.aura_attack = 0;
                minion.aura_health = 0;
                minion.aura_keywords = 0;
            }
        }
    }

    bool players_give_keywords() const {
        for (const Player& player : state_.players) {
            for (int i = 0; i < player.enchantment_count; ++i) {
                if (cards_.player_enchantments[player.enchantments[i].index].keywords != 0) return true;
            }
        }
        return false;
    }

    void give_player_keywords() {
        for (Player& player : state_.players) {
            for (int i = 0; i < player.enchantment_count; ++i) {
                const std::uint32_t keywords = cards_.player_enchantments[player.enchantments[i].index].keywords;
                for (int k = 0; k < player.board_size; ++k) state_.minions[player.board[k]].aura_keywords |= keywords;
            }
        }
    }

    void apply(const Holder& holder, bool keywords) {
        const Minion& source = state_.minions[holder.place];
        Scope scope;
        scope.controller = source.owner;
        scope.self = Ref::minion(holder.place);
        scope.card = source.card;
        const Look look(cards_, state_, scope);
        const Range range = cards_[source.card].auras;
        for (int k = 0; k < range.count; ++k) {
            const Aura& aura = cards_.auras[static_cast<std::size_t>(range.first + k)];
            if ((keywords && aura.keywords == 0) || !look.holds(cards_.conditions[aura.condition])) continue;
            Selection reached;
            look.select(cards_.selectors[aura.selector], reached);
            const auto attack = static_cast<std::int16_t>(keywords ? 0 : look.value(cards_.numbers[aura.attack]));
            const auto health = static_cast<std::int16_t>(keywords ? 0 : look.value(cards_.numbers[aura.health]));
            for (const Ref ref : reached) {
                if (ref.is_weapon()) {
                    state_.players[ref.player()].weapon.aura_attack =
                        static_cast<std::int16_t>(state_.players[ref.player()].weapon.aura_attack + attack);
                } else if (ref.is_minion()) {
                    Minion& minion = state_.minions[ref.place()];
                    minion.aura_attack = static_cast<std::int16_t>(minion.aura_attack + attack);
                    minion.aura_health = static_cast<std::int16_t>(minion.aura_health + health);
                    if (keywords) minion.aura_keywords |= aura.keywords;
                }
            }
        }
    }

    // Health that an aura gave goes when the aura goes, but never kills: damage goes with it.
    void heal_what_is_lost(const std::int16_t (&health_before)[kMinionPool]) {
        for (const Player& player : state_.players) {
            for (int i = 0; i < player.board_size; ++i) {
                Minion& minion = state_.minions[player.board[i]];
                const int lost = health_before[player.board[i]] - minion.aura_health;
                if (lost > 0) minion.damage = static_cast<std::int16_t>(std::max(0, minion.damage - lost));
            }
        }
    }

    const CardSet& cards_;
    State& state_;
};

}  // namespace deckatlas::hearthstone
