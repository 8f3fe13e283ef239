// The agent `expert` of Hearthstone: it rates positions by a network that learned from games what cards are worth.
//
// A turn is searched as by `search`, with the network's rating. A line that draws cards or has random results counts as
// much as it is worth on average over a few samples. Ends of the turn that are close are then rated by what follows:
// the opponent replies with a few hands that fit what the player knows, the same hands for every end, and the network
// rates the positions at the start of the next own turn. In the mulligan it keeps the cards with which the network
// rates the first positions best, over a few samples of what is drawn instead.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "agents/hearthstone_planner.hpp"
#include "agents/hearthstone_search.hpp"
#include "common/scratch.hpp"
#include "hearthstone/learned_rating.hpp"
#include "hearthstone/setup.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kMostReplies = 64;
inline constexpr int kMostLuck = 64;
inline constexpr int kMostOpenings = 64;

struct ExpertOptions {
    SearchOptions turn;   // of the own turn
    int luck;             // samples of what is drawn or random in a line; 0 believes the first one
    int considered;       // ends of the turn that replies are searched for
    int replies;          // sampled hands per end; 0 rates ends by themselves
    SearchOptions reply;  // of the opponent's turn
    int openings;         // samples of the cards drawn instead of opening cards
};

// A rating of positions by a network, for the edition of the game that is played.
class LearnedRater {
public:
    explicit LearnedRater(const std::shared_ptr<const LearnedRating>& rating) : rating_(rating) {}

    int rate(const CardSet& cards, const State& state, int player) {
        return rater(cards).rate(state, player, Moment::turn_ended);
    }
    int rate_begun(const CardSet& cards, const State& state, int player) {
        return rater(cards).rate(state, player, Moment::turn_begins);
    }
    const PositionEvaluation& attack_evaluation() const { return attacks_; }
    bool is_too_weak(int before, int gain, int to_beat) const { return before + kScale * gain + kSlack <= to_beat; }
    void rate_ends(const CardSet& cards, int player, TurnEnds& ends) {
        for (TurnEnd& end : ends) end.rating = rate(cards, *end.state, player);
    }
    static std::int64_t look_further(const CardSet&, int, TurnEnds&, Rng&) { return 0; }
    static constexpr int luck_samples() { return 0; }
    static constexpr int end_rating(int rating) { return rating; }
    static constexpr int without_luck(int rating, int) { return rating; }
    const KnownLists* known_lists(const CardSet& cards) { return &in_edition(cards).rating->lists; }

private:
    // Attacks are estimated by stats, where a point is about as much as this in the network's rating.
    static constexpr int kScale = 2;
    static constexpr int kSlack = 300;

    struct InEdition {
        InEdition(const std::shared_ptr<const LearnedRating>& of,
                  const std::shared_ptr<const EditionRating>& in_edition)
            : whole(of), rating(in_edition), rater({in_edition, &in_edition->network}) {}

        std::shared_ptr<const LearnedRating> whole;
        std::shared_ptr<const EditionRating> rating;
        PositionRater rater;
    };

    InEdition& in_edition(const CardSet& cards) {
        std::optional<InEdition>& found = in_edition_.get();
        if (!found || found->whole != rating_ || !found->rating->network.is_for(cards))
            found.emplace(rating_, rating_->in_edition(cards));
        return *found;
    }
    PositionRater& rater(const CardSet& cards) { return in_edition(cards).rater; }

    std::shared_ptr<const LearnedRating> rating_;
    Scratch<std::optional<InEdition>> in_edition_;  // of the last game
    PositionEvaluation attacks_;
};

// Rates ends of a turn after the opponent's replies.
class ReplyRater : public LearnedRater {
public:
    ReplyRater(const std::shared_ptr<const LearnedRating>& rating, const ExpertOptions& options)
        : LearnedRater(rating), options_(options), replies_(LearnedRater(rating), options.reply) {}

    // Ratings are chances to win, in units of 1 / kCertain.
    void rate_ends(const CardSet& cards, int player, TurnEnds& ends);

    // Rates close ends after replies; the ratings of others become negative.
    std::int64_t look_further(const CardSet& cards, int player, TurnEnds& ends, Rng& rng);
    int luck_samples() const { return options_.luck; }
    static int end_rating(int rating) { return chance_of(rating); }
    static int without_luck(int rating, int gain) { return std::clamp(rating - gain, 0, kCertain); }

private:
    int chance_after_replies(const CardSet& cards, const State& end, int player, std::uint64_t seed);
    int chance_with_replies(const CardSet& cards, const TurnEnd& end, int player, std::uint64_t seed);

    ExpertOptions options_;
    TurnSearch<LearnedRater> replies_;
    Scratch<State> guess_;
    std::int64_t nodes_ = 0;
};

class ExpertAgent : public PlanningAgent<TurnSearch<ReplyRater>> {
public:
    ExpertAgent(const std::shared_ptr<const LearnedRating>& rating, const ExpertOptions& options)
        : PlanningAgent(TurnSearch(ReplyRater(rating, options), options.turn), {}),
          rater_(rating),
          openings_(options.openings) {}

    // The cards of the opening hand to keep.
    Action choose_kept(const CardSet& cards, const State& state, Rng& rng);

    // The lines that were rated alike: after the opponent's replies, unless there is only one or no replies are tried.
    PlanLines explain(const CardSet& cards, const State& state, Rng& rng);

    // All choices of `choose_kept` with the same stream, the best first.
    PlanLines explain_kept(const CardSet& cards, const State& state, Rng& rng);

private:
    // The chance to win with each choice of cards to keep, in units of 1 / kCertain, summed over `samples`.
    struct KeptTotals {
        std::array<std::int64_t, 1u << kOpeningHands[1]> totals{};
        unsigned choices = 0;
        int samples = 0;
    };
    KeptTotals rate_kept(const CardSet& cards, const State& state, Rng& rng);

    LearnedRater rater_;
    int openings_;
};

}  // namespace deckatlas::hearthstone
