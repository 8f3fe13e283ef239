// Tree search over a turn of Hearthstone that knows only what its player knows (information set search).
//
// Every playout samples the hidden cards again and walks down from the start of the turn by actions that are legal
// then, including the end of the turn. A node of the tree is a sequence of actions, whatever their random results; its
// value is the mean over all results. The playout adds one new node, plays the rest of the turn, the opponent's turn
// and the next own turn greedily (the opponent with its sampled hand) and rates the final state. A new action starts
// with its immediate change of the rating. Some playouts follow the turn search's plan for the sampled state, so that
// the tree contains these lines and learns their values.
//
// The line with the most visits is played as far as it has enough visits. The search looks for an immediate win first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agents/hearthstone_guesses.hpp"
#include "agents/hearthstone_search.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kMostPlayouts = 10'000;

struct TreeOptions {
    int playouts;
    double exploration;
};

class TurnTreeSearch {
public:
    TurnTreeSearch(const PositionEvaluation& evaluation, const TreeOptions& options)
        : evaluation_(evaluation), options_(options), turns_(StatsRater(evaluation), {.width = 4, .finalists = 6}) {}

    // The best plan for the player to move, with one guess of the hidden cards per playout.
    Plan search(const CardSet& cards, const Guesses& guesses, Rng& rng);

    // A search ends early once this is set; its plan is then discarded.
    void heed(const std::atomic<bool>& stop) { stop_ = &stop; }

private:
    using Index = std::uint32_t;
    static constexpr Index kNone = ~Index{0};

    struct Node {
        PlannedAction by;
        Index first_child = kNone;
        Index last_child = kNone;
        Index sibling = kNone;
        std::uint32_t visits = 0;
        std::uint32_t available = 0;  // how often it was legal when its parent was visited
        double total = 0;
        double first_guess = 0;

        double mean() const { return (total + first_guess) / (visits + 1); }
    };
    struct Memory {
        std::vector<Node> nodes;
        State state;
        State child;
        State best_child;
    };

    class Run;

    PositionEvaluation evaluation_;
    TreeOptions options_;
    TurnSearch<StatsRater> turns_;
    Scratch<Memory> memory_;
    const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace deckatlas::hearthstone
