// How long a search may go on: a number of nodes, so that games are reproducible, and under a referee's clock also a
// time. Defaults are not here but where agents have their names, such as src/deckatlas/games/locm/agents.py.
#pragma once

#include <chrono>
#include <cstdint>

namespace deckatlas {

struct SearchLimits {
    using Clock = std::chrono::steady_clock;

    std::int64_t nodes = 0;  // states visited, or playouts: the agent says which
    Clock::time_point deadline = Clock::time_point::max();

    // Whether time is up. The clock is read only under a deadline, so that without one nothing depends on it.
    bool late() const { return deadline != Clock::time_point::max() && Clock::now() >= deadline; }
};

}  // namespace deckatlas
