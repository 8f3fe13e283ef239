// The search of the deck-search papers' planner: a beam over the actions of one turn of Hearthstone.
//
// Level by level, every action of every kept state is carried out, with a played minion at every position. States that
// end the turn or the game are rated as they are then, after the start of the opponent's turn. The best few other
// states of a level are kept, the earlier ones on ties; equal states (turn_hash.hpp) count once per level. The plan
// leads to the best end state, the earliest on ties.
//
// Some work is skipped where it cannot change the result: a state that is not better than any kept state of a full
// level need not be compared with others, and of several positions with equal ratings, only as many count as a level
// keeps. The same holds for states of a level that differ only in the order of minions: an action of a second one that
// was rated too low for the first is not carried out. States wait until several of them can be rated together; then
// they join the level in the order in which they were made.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "agents/hearthstone_plan.hpp"
#include "agents/hearthstone_reordered.hpp"
#include "common/fixed_vector.hpp"
#include "common/hash_set.hpp"
#include "common/scratch.hpp"
#include "hearthstone/evaluation.hpp"
#include "hearthstone/hearthstone_game.hpp"
#include "hearthstone/placement.hpp"
#include "hearthstone/turn_hash.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kWidestBeam = 64;
inline constexpr int kDeepestBeam = kLongestTrace;
static_assert(kDeepestBeam <= kLongestPlan);

struct BeamOptions {
    int width;  // states kept per level
    int depth;  // longest plan in actions
};

class TurnBeam {
public:
    TurnBeam(const Rating& rating, const BeamOptions& options) : rating_(rating), options_(options) {}

    // The best plan for the player to move. Random events are drawn from `rng`, again for every state.
    Plan search(const CardSet& cards, const State& root, Rng& rng) {
        Memory& memory = memory_.get();
        memory.fit(options_);
        return Run(cards, rating_, options_, root.active, rng, memory, stop_).search(root);
    }

    // A search ends early once this is set; its plan is then discarded.
    void heed(const std::atomic<bool>& stop) { stop_ = &stop; }

private:
    struct Node {
        State state;
        TurnTrace trace;
    };
    // How a state was reached: from which state of the previous level, and by which action.
    struct Link {
        std::uint8_t parent = 0;
        PlannedAction by;
    };
    struct Kept {
        int score = 0;
        std::uint8_t node = 0;
        Link link;
    };
    // A state without a rating.
    struct Waiting {
        std::uint8_t node = 0;
        std::uint8_t parent = 0;  // which state of the level
        Action action;
        bool movable = false;  // stands for the played minion at any position, not only at the left end
        bool shared = false;   // its rating may serve the next states of the level
    };
    using Level = FixedVector<Kept, kWidestBeam>;
    static constexpr std::size_t kMostNodes = 2 * kWidestBeam + Ratings::kMost;
    struct Memory {
        std::vector<Node> nodes;  // of a level, of the next one, and those that wait
        std::vector<Link> links;  // of each level
        HashSet seen;

        void fit(const BeamOptions& options) {
            nodes.resize(static_cast<std::size_t>(2 * options.width) + Ratings::kMost);
            links.resize(static_cast<std::size_t>(options.width * options.depth));
        }
    };

    class Run {
    public:
        Run(const CardSet& cards, const Rating& rating, const BeamOptions& options, int player, Rng& rng,
            Memory& memory, const std::atomic<bool>* stop)
            : cards_(cards),
              sees_enemy_attack_(rating.sees_enemy_attack()),
              ratings_(rating),
              options_(options),
              player_(player),
              draws_{rng},
              memory_(memory),
              stop_(stop) {}

        Plan search(const State& root) {
            copy_state(root, node(0).state);
            node(0).trace = TurnTrace(root);
            for (std::size_t i = memory_.nodes.size() - 1; i > 0; --i) free_.push_back(static_cast<std::uint8_t>(i));
            levels_[0].push_back({});
            for (depth_ = 0; depth_ < options_.depth && !levels_[depth_ % 2].empty(); ++depth_) expand_level();
            plan_.random = draws_.count > 0;
            trace_back();
            return plan_;
        }

    private:
        void expand_level() {
            const Level& level = levels_[depth_ % 2];
            next_ = &levels_[(depth_ + 1) % 2];
            next_->clear();
            memory_.seen.clear();
            gives_ratings_ = takes_ratings_ = false;
            for (std::size_t i = 0; i < level.size(); ++i) {
                if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return next_->clear();
                parent_ = static_cast<std::uint8_t>(i);
                share_ratings(i);
                expand_node(parent());
            }
            rate_waiting();
            for (const Kept& kept : level) free_.push_back(kept.node);
            for (std::size_t i = 0; i < next_->size(); ++i) link(depth_, i) = (*next_)[i].link;
        }

        // Decides whether a state of the level takes ratings from those before it, and whether the next one will.
        void share_ratings(std::size_t i) {
            const Level& level = levels_[depth_ % 2];
            takes_ratings_ = gives_ratings_;
            gives_ratings_ = i + 1 < level.size() && level[i].score == level[i + 1].score &&
                             differ_in_order_alone(node(level[i].node).state, node(level[i + 1].node).state, player_);
            if (takes_ratings_) {
                rate_waiting();
            } else if (gives_ratings_) {
                gives_ratings_ = reordered_.begin(cards_, parent().state);
            }
        }

        bool is_known_to_be_too_low(const State& state, const Action& action) {
            if (!takes_ratings_ || !is_full()) return false;
            const int* const score = reordered_.find(state, action);
            return score != nullptr && is_too_low(*score);
        }

        void expand_node(const Node& parent) {
            ActionList actions;
            Options(cards_, parent.state).list(actions);
            const Player& own = parent.state.players[player_];
            for (const Action& action : actions) {
                if (is_known_to_be_too_low(parent.state, action)) {
                    ++plan_.nodes;
                    continue;
                }
                const bool places_minion = action.kind == ActionKind::play && own.board_size > 0 &&
                                           cards_[own.hand[action.source].card].type == CardType::minion;
                if (places_minion) {
                    expand_positions(parent, action);
                } else {
                    const std::uint32_t draws = draws_.count;
                    Waiting& made = make(parent, action);
                    made.shared = gives_ratings_ && draws_.count == draws;
                }
            }
        }

        // A minion at every position of the board, from the left.
        void expand_positions(const Node& parent, Action action) {
            const Player& own = parent.state.players[player_];
            const std::uint32_t draws = draws_.count;
            action.position = 0;
            Waiting& first = make(parent, action);
            const State& result = node(first.node).state;
            const bool alike = draws_.count == draws &&
                               placed_alike(cards_, parent.state, result, player_, own.hand[action.source].card);
            first.shared = alike && gives_ratings_;
            first.movable = alike && only_newcomer_at_left(parent.state, result, player_);
            if (first.movable) return;
            // Where all positions are alike, the rating of the first says how many are needed.
            const int score = alike ? rate_waiting() : 0;
            for (int position = 1; position <= own.board_size; ++position) {
                if (alike && (is_too_low(score) || position >= options_.width)) return;
                action.position = static_cast<std::uint8_t>(position);
                make(parent, action);
                if (alike) rate_waiting();
            }
        }

        // Carries out an action; the result waits for its rating.
        Waiting& make(const Node& parent, const Action& action) {
            if (ratings_.is_full()) rate_waiting();
            const std::uint8_t place = take_free();
            State& state = node(place).state;
            copy_state(parent.state, state);
            apply(cards_, state, action, draws_);
            ++plan_.nodes;
            ratings_.add(cards_, state, player_);
            waiting_.push_back({place, parent_, action});
            return waiting_[waiting_.size() - 1];
        }

        // Rates what waits and adds it to the search; returns the last rating.
        int rate_waiting() {
            if (waiting_.empty()) return 0;
            ratings_.work_out();
            const std::uint8_t expanded = parent_;
            for (std::size_t i = 0; i < waiting_.size(); ++i) {
                parent_ = waiting_[i].parent;
                consider(waiting_[i], ratings_[i]);
            }
            parent_ = expanded;
            const int last = ratings_[waiting_.size() - 1];
            waiting_.clear();
            ratings_.clear();
            return last;
        }

        // Adds a state to the search, or frees its node.
        void consider(const Waiting& made, int score) {
            Node& child = node(made.node);
            const bool ends = child.state.active != player_ || child.state.phase == Phase::over;
            const bool counts = !child.state.is_void && (ends || !is_too_low(score));
            if (made.shared && !ends) reordered_.note(cards_, parent().state, made.action, child.state, score);
            if (counts) {
                child.trace = parent().trace;
                child.trace.follow(cards_, parent().state, made.action, child.state);
                if (!ends) return made.movable ? insert_at_positions(made, score) : insert_or_free(made, score);
                if (is_new(child)) note_end(made.action, score);
            }
            free_.push_back(made.node);
        }

        bool is_new(const Node& node) {
            const TurnHash hash(node.state, node.trace, player_, sees_enemy_attack_);
            return memory_.seen.insert(hash.value());
        }

        bool is_too_low(int score) const { return is_full() && score <= (*next_)[next_->size() - 1].score; }
        bool is_full() const { return next_->size() == static_cast<std::size_t>(options_.width); }

        void insert_or_free(const Waiting& made, int score) {
            if (!insert(made.node, made.action, score)) free_.push_back(made.node);
        }

        // A state with a played minion at the left end of the board, then with the minion at the other positions.
        void insert_at_positions(Waiting made, int score) {
            bool kept = insert(made.node, made.action, score);
            const int positions = parent().state.players[player_].board_size;
            for (int position = 1; position <= positions; ++position) {
                if (is_too_low(score) || position >= options_.width) break;
                if (kept) {
                    const std::uint8_t copy = take_free();
                    copy_node(node(made.node), node(copy));
                    made.node = copy;
                }
                made.action.position = static_cast<std::uint8_t>(position);
                std::uint8_t* const board = node(made.node).state.players[player_].board;
                std::swap(board[position - 1], board[position]);
                ++plan_.nodes;
                kept = insert(made.node, made.action, score);
            }
            if (!kept) free_.push_back(made.node);
        }

        // Keeps a state, if it is new, before all lower-rated ones.
        bool insert(std::uint8_t place, const Action& action, int score) {
            if (!is_new(node(place))) return false;
            Level& next = *next_;
            if (is_full()) {
                free_.push_back(next[next.size() - 1].node);
            } else {
                next.push_back({});
            }
            std::size_t at = next.size() - 1;
            for (; at > 0 && next[at - 1].score < score; --at) next[at] = next[at - 1];
            next[at] = {score, place, {parent_, planned(parent().state, action)}};
            return true;
        }

        void note_end(const Action& action, int score) {
            if (++plan_.end_nodes > 1 && score <= plan_.score) return;
            plan_.score = score;
            end_depth_ = depth_;
            end_ = {parent_, planned(parent().state, action)};
        }

        // Collects the actions that lead to the best end.
        void trace_back() {
            if (plan_.end_nodes == 0) return;
            FixedVector<PlannedAction, kDeepestBeam> backwards;
            backwards.push_back(end_.by);
            std::uint8_t slot = end_.parent;
            for (int depth = end_depth_ - 1; depth >= 0; --depth) {
                backwards.push_back(link(depth, slot).by);
                slot = link(depth, slot).parent;
            }
            for (std::size_t i = backwards.size(); i > 0; --i) plan_.actions.push_back(backwards[i - 1]);
        }

        Node& node(int place) { return memory_.nodes[static_cast<std::size_t>(place)]; }
        const Node& parent() { return node(levels_[depth_ % 2][parent_].node); }
        std::uint8_t take_free() {
            const std::uint8_t place = free_[free_.size() - 1];
            free_.pop_back();
            return place;
        }
        Link& link(int depth, std::size_t slot) {
            return memory_.links[static_cast<std::size_t>(depth * options_.width) + slot];
        }
        static void copy_node(const Node& from, Node& to) {
            copy_state(from.state, to.state);
            to.trace = from.trace;
        }

        const CardSet& cards_;
        const bool sees_enemy_attack_;
        Ratings ratings_;
        FixedVector<Waiting, Ratings::kMost> waiting_;
        const BeamOptions options_;
        const int player_;
        CountedDraws draws_;
        Memory& memory_;
        const std::atomic<bool>* const stop_;
        Plan plan_;
        Level levels_[2];  // this one and the next, alternating
        Level* next_ = nullptr;
        FixedVector<std::uint8_t, kMostNodes> free_;
        ReorderedRatings reordered_;
        bool gives_ratings_ = false;  // the next state of the level differs from the expanded one in order alone
        bool takes_ratings_ = false;  // the expanded state differs from the one before in order alone
        std::uint8_t parent_ = 0;     // which state of the level is expanded
        int depth_ = 0;
        int end_depth_ = 0;
        Link end_{};
    };

    Rating rating_;
    BeamOptions options_;
    Scratch<Memory> memory_;
    const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace deckatlas::hearthstone
