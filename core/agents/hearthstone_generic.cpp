// The searches that are written once over the Game concept, as agents of Hearthstone.
#include "agents/hearthstone_generic.hpp"

namespace deckatlas::hearthstone {

Action GuessingAgent::decide(const CardSet& cards, const State& state, Rng& rng) {
    if (!is_as_imagined(cards, state)) {
        imagines_ = Guesses(cards, state, Information::honest).draw(imagined_, rng);
        if (!imagines_) return PassAgent().choose<HearthstoneGame>(cards, state, rng);
    }
    const Action action =
        std::visit([&](auto& agent) { return agent.template choose<HearthstoneGame>(cards, imagined_, rng); }, agent_);
    Rng chance{rng.next()};  // random results here are independent of the game's
    HearthstoneGame::apply(cards, imagined_, action, chance);
    return action;
}

bool GuessingAgent::is_as_imagined(const CardSet& cards, const State& state) const {
    if (!imagines_ || imagined_.turn != state.turn || imagined_.phase != state.phase) return false;
    return hash_state(view_of(cards, imagined_, state.active)) == hash_state(view_of(cards, state, state.active));
}

}  // namespace deckatlas::hearthstone
