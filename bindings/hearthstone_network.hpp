// A learned rating of one edition, as Python holds it.
#pragma once

#include <memory>

#include "hearthstone/position_network.hpp"

namespace deckatlas::bindings {

// The network of an edition, which it keeps alive.
struct EditionNetwork {
    std::shared_ptr<const hearthstone::CardSet> cards;
    std::shared_ptr<const hearthstone::PositionNetwork> network;
};

}  // namespace deckatlas::bindings
