// A search over a turn of Hearthstone: an immediate win if it finds one, else the best end of the turn.
//
// If the visible damage could win the game, a beam searches only for a win. Otherwise a beam over the actions of the
// turn keeps the `width` best states of each level, each state once, and every kept state is a candidate end of the
// turn. The best `finalists` of these are rated again after the end of the turn. A rater says how good states are.
//
// A win that depends on random or hidden information counts if it also happens with most of a few other guesses.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "agents/hearthstone_guesses.hpp"
#include "agents/hearthstone_plan.hpp"
#include "common/fixed_vector.hpp"
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

// A state after the end of a turn, and its rating for the player whose turn it was.
struct TurnEnd {
    const State* state = nullptr;
    int rating = 0;
};
using TurnEnds = FixedVector<TurnEnd, kMostFinalists>;

template <class Rater>
concept RatesTurns = requires(Rater& rater, const CardSet& cards, const State& state, TurnEnds& ends, Rng& rng) {
    { rater.rate(cards, state, 0) } -> std::same_as<int>;  // a state of the own turn
    // An attack is estimated before it is tried; it is skipped if it seems too weak to beat a rating.
    { rater.attack_evaluation() } -> std::same_as<const PositionEvaluation&>;
    { rater.is_too_weak(0 /* rating before */, 0 /* gain */, 0 /* to beat */) } -> std::same_as<bool>;
    rater.rate_ends(cards, 0, ends);
    { rater.look_further(cards, 0, ends, rng) } -> std::same_as<std::int64_t>;  // the number of states it made
    // How often an action with a random or hidden result is tried again, to judge lines by what it is worth on average.
    { rater.luck_samples() } -> std::same_as<int>;
    { rater.end_rating(0 /* rating */) } -> std::same_as<int>;  // a rating by `rate` in the units of `rate_ends`
    { rater.without_luck(0 /* rating of an end */, 0 /* gain by luck */) } -> std::same_as<int>;
};

template <RatesTurns Rater>
class TurnSearch {
public:
    TurnSearch(const Rater& rater, const SearchOptions& options) : rater_(rater), options_(options) {}

    // The best plan for the player to move. Random events are drawn from `rng`, again for every state. The plans that
    // are compared at last are added to `considered`, if given: the best first, which is the result.
    Plan search(const CardSet& cards, const Guesses& guesses, Rng& rng, RatedPlans* considered = nullptr);

    // The same for a guess that is treated as true, including its luck.
    Plan search(const CardSet& cards, const State& root, Rng& rng);

    // The state after that turn; null if there is none. Valid until the next search. The number of states made is added
    // to `nodes`.
    const State* end_of_turn(const CardSet& cards, const State& root, Rng& rng, std::int64_t& nodes);

    // A plan that wins this turn, found with one guess; without actions if none is found.
    Plan find_win(const CardSet& cards, const Guesses& guesses, const State& root, Rng& rng);

    // The decks that opponents are known to play.
    const KnownLists* known_lists(const CardSet& cards)
        requires requires(Rater& rater) { rater.known_lists(cards); }
    {
        return rater_.known_lists(cards);
    }

private:
    static constexpr int kNoLink = -1;

    // How a state was reached: from which link, and by which action.
    struct Link {
        int parent = kNoLink;
        PlannedAction by;
        int rating = 0;      // of the state
        bool lucky = false;  // the action had a random or hidden result
    };
    struct Node {
        State state;
        Link link;
        bool random = false;  // something on the way was random
    };
    struct Memory {
        std::vector<Node> nodes;  // of a level, of the next one, of finalists, and one spare
        std::vector<State> ends;  // one per finalist
        HashSet seen;
        State root;
        State trial;
    };

    class Run;

    Memory& fitted_memory();

    Rater rater_;
    SearchOptions options_;
    Scratch<Memory> memory_;
};

// Rates positions by their stats, and ends of a turn after the opponent's attacks: the rater of the agent `search`.
class StatsRater {
public:
    StatsRater() = default;
    explicit StatsRater(const PositionEvaluation& evaluation) : evaluation_(evaluation) {}

    int rate(const CardSet& cards, const State& state, int player) const {
        return evaluation_.rate(cards, state, player);
    }
    const PositionEvaluation& attack_evaluation() const { return evaluation_; }
    bool is_too_weak(int before, int gain, int to_beat) const { return before + gain + kSlack <= to_beat; }
    void rate_ends(const CardSet& cards, int player, TurnEnds& ends) const {
        for (TurnEnd& end : ends) end.rating = evaluation_.rate_after_reply(cards, *end.state, player);
    }
    static std::int64_t look_further(const CardSet&, int, TurnEnds&, Rng&) { return 0; }
    static constexpr int luck_samples() { return 0; }
    static constexpr int end_rating(int rating) { return rating; }
    static constexpr int without_luck(int rating, int) { return rating; }

private:
    static constexpr int kSlack = 10;  // tolerated error of an attack estimate

    PositionEvaluation evaluation_;
};

}  // namespace deckatlas::hearthstone
