// How searches that are written once ask a rating: some need the game's context, others only the state.
#pragma once

namespace deckatlas {

template <class Rating, class Context, class State>
constexpr auto rating_of(const Rating& rating, const Context& context, const State& state, int player) {
    if constexpr (requires { rating(context, state, player); }) {
        return rating(context, state, player);
    } else {
        return rating(state, player);
    }
}

}  // namespace deckatlas
