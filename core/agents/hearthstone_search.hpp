// Our own search over a turn of Hearthstone: an immediate win if it finds one, else the best end of the turn.
//
// If the visible damage could win the game, a beam searches only for a win. Otherwise a beam over the actions of the
// turn keeps the `width` best states of each level, each state once, and every kept state is a candidate end of the
// turn. The best `finalists` of these are rated again after the end of the turn and the opponent's attacks.
//
// A win that depends on random or hidden information counts if it also happens with most of a few other guesses.
#pragma once

#include <vector>

#include "agents/hearthstone_guesses.hpp"
#include "agents/hearthstone_plan.hpp"
#include "common/hash_set.hpp"
#include "common/scratch.hpp"
#include "hearthstone/evaluation_position.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kWidestSearch = 64;
inline constexpr int kDeepestSearch = kLongestPlan - 1;  // actions before the end of the turn
inline constexpr int kMostFinalists = 64;

struct SearchOptions {
    int width;
    int finalists;
};

class TurnSearch {
public:
    TurnSearch(const PositionEvaluation& evaluation, const SearchOptions& options)
        : evaluation_(evaluation), options_(options) {}

    // The best plan for the player to move. Random events are drawn from `rng`, again for every state.
    Plan search(const CardSet& cards, const Guesses& guesses, Rng& rng);

    // The same for a guess that is treated as true, including its luck.
    Plan search(const CardSet& cards, const State& root, Rng& rng);

    // A plan that wins this turn, found with one guess; without actions if none is found.
    Plan find_win(const CardSet& cards, const Guesses& guesses, const State& root, Rng& rng);

private:
    static constexpr int kNoLink = -1;

    // How a state was reached: from which link, and by which action.
    struct Link {
        int parent = kNoLink;
        PlannedAction by;
    };
    struct Node {
        State state;
        Link link;
        bool random = false;  // something on the way was random
    };
    struct Memory {
        std::vector<Node> nodes;  // of a level, of the next one, of finalists, and one spare
        HashSet seen;
        State root;
        State trial;
    };

    class Run;

    Memory& fitted_memory();

    PositionEvaluation evaluation_;
    SearchOptions options_;
    Scratch<Memory> memory_;
};

}  // namespace deckatlas::hearthstone
