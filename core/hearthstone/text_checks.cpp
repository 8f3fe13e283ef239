// States as text: checks that the fields of a parsed state agree, and derives the rest from them.
#include "hearthstone/text_checks.hpp"

#include <string>

#include "common/text_fields.hpp"
#include "hearthstone/auras.hpp"
#include "hearthstone/costs.hpp"
#include "hearthstone/view.hpp"

namespace deckatlas::hearthstone {

void check_hidden(const CardSet& cards, State& state) {
    const auto check = [](bool known, bool hidden, const std::string& field) {
        if (known == hidden)
            fail_field(field, hidden ? "shows a card that is hidden from the viewer" : "must be known");
    };
    for (int player = 0; player < 2; ++player) {
        const std::string suffix = std::to_string(player);
        Player& own = state.players[player];
        const bool hides = state.viewer == (player ^ 1);
        for (int i = 0; i < own.hand_size; ++i)
            check(own.hand[i].card != kUnknownCard, hides && is_hidden(own.hand[i]), "hand" + suffix);
        for (int i = 0; i < own.deck_size; ++i) check(own.deck[i] != kUnknownCard, hides, "deck" + suffix);
        for (int i = 0; i < own.secret_count; ++i)
            check(cards.is_known(own.secrets[i].card), hides, "secrets" + suffix);
        for (int i = 0; i < own.return_count; ++i) check(own.returns[i] != kUnknownCard, false, "returns" + suffix);
        for (int i = 0; i < own.died_count; ++i)
            check(cards[own.died[i]].type == CardType::minion, false, "died" + suffix);
        for (int i = 0; i < own.seen_count; ++i) check(own.seen[i] != kUnknownCard, false, "seen" + suffix);
        if (state.viewer == player) sort_deck(own);
    }
    const bool hides_choices = state.viewer != kSeesAll && state.viewer != state.active;
    for (int i = 0; i < state.choice_count; ++i) check(state.choices[i] != kUnknownCard, hides_choices, "choices");
}

void fill_in_the_rest(const CardSet& cards, State& state) {
    State refreshed = state;
    Auras(cards, refreshed).refresh();
    state.auras = refreshed.auras;
    for (int place = 0; place < kMinionPool; ++place) {
        state.minions[place].aura_attack = refreshed.minions[place].aura_attack;
        state.minions[place].aura_health = refreshed.minions[place].aura_health;
        state.minions[place].aura_keywords = refreshed.minions[place].aura_keywords;
        if (!state.minions[place].enraged) state.minions[place].enraged_for = refreshed.minions[place].enraged_for;
    }
    for (int player = 0; player < 2; ++player)
        state.players[player].weapon.aura_attack = refreshed.players[player].weapon.aura_attack;
    heed_all(cards, state);
}

void check_settled(const CardSet& cards, const State& state) {
    const bool may_be_dead = (cards.rules & kMortalWoundsAreFinal) != 0;
    const bool may_rage = (cards.rules & kAurasWait) != 0;
    State refreshed = state;
    Auras(cards, refreshed).refresh();
    for (int player = 0; player < 2; ++player) {
        const std::string field = "board" + std::to_string(player);
        const Player& own = state.players[player];
        for (int i = 0; i < own.board_size; ++i) {
            const Minion& minion = state.on_board(player, i);
            const Minion& later = refreshed.on_board(player, i);
            if (minion.current_health() <= 0 && !may_be_dead) fail_field(field, "a minion is dead but still in play");
            const bool same_rage = minion.enraged == later.enraged && minion.enraged_for == later.enraged_for;
            const bool rage_settled = minion.attack == later.attack && minion.keywords == later.keywords &&
                                      minion.exhausted == later.exhausted && same_rage;
            const bool settled = (rage_settled || (may_rage && !same_rage)) && minion.damage == later.damage &&
                                 minion.lasting_keywords == later.lasting_keywords &&
                                 minion.aura_attack == later.aura_attack && minion.aura_health == later.aura_health &&
                                 minion.aura_keywords == later.aura_keywords;
            if (!settled) fail_field(field, "the values of a minion do not match the auras and its damage");
        }
    }
}

}  // namespace deckatlas::hearthstone
