// How a search that is written once over the Game concept plays Hearthstone.
#include "agents/hearthstone_generic.hpp"

#include "agents/hearthstone_agents.hpp"
#include "agents/simple_agents.hpp"

namespace deckatlas::hearthstone {

template <class Searches>
Action GuessingAgentOf<Searches>::decide(const CardSet& cards, const State& state, Rng& rng) {
    if (!is_as_imagined(cards, state)) {
        imagines_ = Guesses(cards, state, Information::honest).draw(imagined_, rng);
        if (!imagines_) return PassAgent().choose<HearthstoneGame>(cards, state, rng);
    }
    const Action action = std::visit(
        [&](auto& search) { return search.template choose<HearthstoneGame>(cards, imagined_, rng); }, search_);
    Rng chance{rng.next()};  // random results here are independent of the game's
    HearthstoneGame::apply(cards, imagined_, action, chance);
    return action;
}

template <class Searches>
bool GuessingAgentOf<Searches>::is_as_imagined(const CardSet& cards, const State& state) const {
    if (!imagines_ || imagined_.turn != state.turn || imagined_.phase != state.phase) return false;
    return hash_state(view_of(cards, imagined_, state.active)) == hash_state(view_of(cards, state, state.active));
}

template class GuessingAgentOf<GenericSearch>;

}  // namespace deckatlas::hearthstone
