// Hearthstone as a `Game`: the interface for agents and runners.
#pragma once

#include <bit>
#include <cstdint>

#include "common/game.hpp"
#include "hearthstone/draws.hpp"
#include "hearthstone/game.hpp"
#include "hearthstone/state_hash.hpp"

namespace deckatlas::hearthstone {

struct HearthstoneGame {
    using Context = CardSet;
    using State = hearthstone::State;
    using Action = hearthstone::Action;
    using ActionList = hearthstone::ActionList;

    static int player_to_move(const State& state) { return state.active; }
    static bool is_over(const State& state) { return state.phase == Phase::over; }
    static int winner(const State& state) { return state.winner; }  // kNobody for a draw
    static bool is_void(const State& state) { return state.is_void; }
    static bool ends_turn(Action action) {
        return action.kind == ActionKind::end_turn || action.kind == ActionKind::keep;
    }
    static std::uint64_t hash(const State& state) { return hash_state(state); }
    // With all positions of a played minion merged into one, the rightmost.
    static void legal_actions(const Context& cards, const State& state, ActionList& actions) {
        actions.clear();
        Options(cards, state).list(actions);
    }
    // Uniform over these; a minion goes to a random position.
    static Action random_action(const Context& cards, const State& state, Rng& rng) {
        Action action = Options(cards, state).random(rng);
        if (action.kind == ActionKind::play) {
            const Player& own = state.players[state.active];
            if (own.board_size > 0 && cards[own.hand[action.source].card].type == CardType::minion)
                action.position = static_cast<std::uint8_t>(rng.below(own.board_size + 1u));
        }
        return action;
    }
    static void apply(const Context& cards, State& state, Action action, Rng& rng) {
        StreamDraws draws{rng};
        hearthstone::apply(cards, state, action, draws);
    }
};
static_assert(SamplesActions<HearthstoneGame>);

}  // namespace deckatlas::hearthstone
