// Our own search over a turn of Hearthstone: a win on the spot if there is one in sight, else the best end of the turn.
//
// If damage in sight could win the game, a beam looks for that alone. Otherwise a beam over the actions of the turn
// keeps the `width` best rated states of each level, each once however it is reached, and every state kept is a way to
// end the turn. The best `finalists` of these are rated again once the turn has ended and the opponent has attacked.
//
// A win that hangs on what is random or hidden counts if it comes about with most of a few other guesses, too.
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

    // The best plan for the player to move. What is random in it is drawn from `rng`, for every state anew.
    Plan search(const CardSet& cards, const Guesses& guesses, Rng& rng);

    // The same for a guess that is taken for true, and luck with it.
    Plan search(const CardSet& cards, const State& root, Rng& rng);

    // A plan that wins in this turn, found with one guess; without actions if none is found.
    Plan find_win(const CardSet& cards, const Guesses& guesses, const State& root, Rng& rng);

private:
    static constexpr int kNoLink = -1;

    // How a state was reached: from which link, and by what.
    struct Link {
        int parent = kNoLink;
        PlannedAction by;
    };
    struct Node {
        State state;
        Link link;
        bool random = false;  // something on the way there was
    };
    struct Memory {
        std::vector<Node> nodes;  // of a level, of the next one, of finalists, and one more
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
