// The interface of a game for agents and runners that are written once for all games.
//
// A game is a type that names its parts and has its rules as static functions: a `Context` that never changes during
// play, a `State` that is a plain value, an `Action`, and a list of actions of fixed capacity, which `legal_actions`
// empties and fills. `winner` is a player, or kNobody of a game that no player has won. The rules must stay
// compilable for a GPU: no heap, no exception, no container of the standard library, no recursion.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "common/random.hpp"

namespace deckatlas {

inline constexpr std::uint8_t kNobody = 2;  // the winner of a game that no player won

template <class G>
concept Game = std::is_trivially_copyable_v<typename G::State> && std::is_trivially_copyable_v<typename G::Action> &&
               requires(const typename G::Context& context, const typename G::State& seen, typename G::State& state,
                        typename G::Action action, typename G::ActionList& actions, Rng& rng) {
                   { G::player_to_move(seen) } -> std::same_as<int>;
                   { G::is_over(seen) } -> std::same_as<bool>;
                   { G::winner(seen) } -> std::same_as<int>;
                   { G::ends_turn(action) } -> std::same_as<bool>;
                   { G::hash(seen) } -> std::same_as<std::uint64_t>;
                   G::legal_actions(context, seen, actions);
                   G::apply(context, state, action, rng);
               };

// A game may be able to draw a uniformly random legal action without listing all of them.
template <class G>
concept SamplesActions =
    Game<G> && requires(const typename G::Context& context, const typename G::State& state, Rng& rng) {
        { G::random_action(context, state, rng) } -> std::same_as<typename G::Action>;
    };

}  // namespace deckatlas
