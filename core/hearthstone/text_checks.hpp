// Checks on a state parsed from text whose single fields are correct; all throw TextError. Host only.
#pragma once

#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

// Exactly the cards hidden from the viewer must be unknown. Sorts the viewer's own deck into the order of a view.
void check_hidden(const CardSet& cards, State& state);

// Fills in the effects of auras and the listeners, which follow from the rest.
void fill_in_the_rest(const CardSet& cards, State& state);

// Nothing is pending, except for what rules of the edition leave to the next action.
void check_settled(const CardSet& cards, const State& state);

}  // namespace deckatlas::hearthstone
