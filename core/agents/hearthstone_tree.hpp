// Tree search over a turn of Hearthstone that knows no more than its player (information set search).
//
// Every playout draws anew what the player cannot see and walks down from the start of the turn by the actions that
// are legal then, ending the turn among them. A node of the tree is a sequence of actions, whatever came out of them;
// its worth is the mean over all that came out. It enters one new node, plays the rest of the turn, the opponent's and
// the own next one greedily, the opponent with the hand that was drawn for it, and rates what is left. An action that
// is new starts with what it changes at once. Some playouts follow what the turn search plans for what was drawn, so
// that the tree knows its lines and finds out what they are worth.
//
// The line of most visits is played as far as it was often looked at. A win on the spot is looked for first.
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
        : evaluation_(evaluation), options_(options), turns_(evaluation, {.width = 4, .finalists = 6}) {}

    // The best plan for the player to move, over as many guesses at what is hidden as there are playouts.
    Plan search(const CardSet& cards, const Guesses& guesses, Rng& rng);

    // A search ends early once this is set; its plan is then of no use.
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
        std::uint32_t available = 0;  // times it was legal where its parent was visited
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
    TurnSearch turns_;
    Scratch<Memory> memory_;
    const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace deckatlas::hearthstone
