// The limits of a search: a number of nodes, so that games are reproducible, and under a referee's clock also a time.
// Defaults are in the registries of agents, such as src/deckatlas/games/locm/agents.py.
#pragma once

#include <chrono>
#include <cstdint>

namespace deckatlas {

struct SearchLimits {
    using Clock = std::chrono::steady_clock;

    std::int64_t nodes = 0;  // visited states or playouts, depending on the agent
    Clock::time_point deadline = Clock::time_point::max();

    // Whether time is up. The clock is only read if there is a deadline, so otherwise nothing depends on it.
    bool late() const { return deadline != Clock::time_point::max() && Clock::now() >= deadline; }
};

}  // namespace deckatlas
