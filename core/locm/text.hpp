// Legends of Code and Magic: a state as one line of text, and back.
//
// The line is `locm1.2` followed by key=value fields; lists use '.', ',' and '/', an empty one is '-', and a card
// hidden from the viewer is '?'. `parse_state` is a border: it accepts only states that the rules can safely continue
// from.
#pragma once

#include <string>
#include <string_view>

#include "common/text_fields.hpp"
#include "locm/state.hpp"

namespace deckatlas::locm {

std::string format_state(const State& state);

// Throws TextError with the wrong field and the reason.
State parse_state(const CardTable& cards, std::string_view text);

}  // namespace deckatlas::locm
