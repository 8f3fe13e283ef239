// Hearthstone: a state as one line of text, and back.
//
// The line is `hearthstone` followed by key=value fields. Entries of a list are separated by '/', the parts of an entry
// by ',', and lists inside a part by '+'; an empty list is '-'. Cards are named by their ids, so that a text survives a
// change of the card table; a card hidden from the viewer is '?', a hidden secret is '?' and its class. Derived values,
// such as the effects of auras, are left out. The order of play is reduced to ranks, so that equal positions have equal
// texts. `parse_state` is a border: it accepts only states that the rules can safely continue from.
#pragma once

#include <string>
#include <string_view>

#include "common/text_fields.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

std::string format_state(const CardSet& cards, const State& state);

// Throws TextError with the wrong field and the reason.
State parse_state(const CardSet& cards, std::string_view text);

}  // namespace deckatlas::hearthstone
