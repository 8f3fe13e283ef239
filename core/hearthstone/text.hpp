// Hearthstone: a state as one line of text, and back.
//
// The line is `hearthstone` followed by key=value fields. Entries of a list are separated by '/', the parts of an entry
// by ',', and what a part lists by '+'; an empty list is '-'. Cards are named by their ids, so that a text outlives a
// change of the card table; a card the viewer cannot see is '?', a secret is '?' and its class. Whatever follows from
// the rest, such as what auras give, is left out; of the order of play only who came before whom is told, so that equal
// positions have equal texts. `parse_state` is a border: it accepts only states the rules can go on from safely.
#pragma once

#include <string>
#include <string_view>

#include "common/text_fields.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

std::string format_state(const CardSet& cards, const State& state);

// Throws TextError, saying which field is wrong and why.
State parse_state(const CardSet& cards, std::string_view text);

}  // namespace deckatlas::hearthstone
