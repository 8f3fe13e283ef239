// Hearthstone: actions in words, and back.
//
//     end                            play 2                      attack 0 at enemy hero
//     keep 0 2                       play 2 at enemy 0           attack hero at enemy 1
//     keep nothing                   play 2 as 1 at own 3        power at own hero
//     choose 0                       play 2 to 0                 power
//
// A card is given by its place in the hand, a minion by its place on the board, both counted from 0 at the left. `as`
// is the option of a card with two options, 1 or 2; `to` is the place on the board where a minion goes, by default the
// right end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hearthstone/actions.hpp"

namespace deckatlas::hearthstone {

std::string format_action(const Action& action);

// Empty if it is malformed; the cards and minions it names may not exist.
std::optional<Action> parse_action(std::string_view text);

}  // namespace deckatlas::hearthstone
