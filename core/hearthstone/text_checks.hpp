// What a state that was read from text must pass, field by field correct as it is; all throw TextError. Host only.
#pragma once

#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// Unknown is what the viewer cannot see, and nothing else. The viewer's own deck is put into the order of a view.
void check_hidden(const CardSet& cards, State& state);

// Fills in what auras give and who listens, which follow from the rest.
void fill_in_the_rest(const CardSet& cards, State& state);

// Nothing is about to happen, but for what rules of the edition leave to the next action.
void check_settled(const CardSet& cards, const State& state);

}  // namespace deckatlas::hearthstone
