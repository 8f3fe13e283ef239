// The search of the deck-search papers' planner: a beam over the actions of one turn of Hearthstone.
//
// Level by level, every action of every kept state is carried out, with a played minion at every position. States that
// end the turn or the game are rated as they are then, after the start of the opponent's turn. The best few other
// states of a level are kept, the earlier ones on ties; equal states (turn_hash.hpp) count once per level. The plan
// leads to the best end state, the earliest on ties.
//
// Some work is skipped where it cannot change the result: a state that is not better than any kept state of a full
// level need not be compared with others, and of several positions with equal ratings, only as many count as a level
// keeps.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "agents/hearthstone_plan.hpp"
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
    using Level = FixedVector<Kept, kWidestBeam>;
    struct Memory {
        std::vector<Node> nodes;  // of a level, of the next one, and one spare
        std::vector<Link> links;  // of each level
        HashSet seen;

        void fit(const BeamOptions& options) {
            nodes.resize(static_cast<std::size_t>(2 * options.width + 1));
            links.resize(static_cast<std::size_t>(options.width * options.depth));
        }
    };

    class Run {
    public:
        Run(const CardSet& cards, const Rating& rating, const BeamOptions& options, int player, Rng& rng,
            Memory& memory, const std::atomic<bool>* stop)
            : cards_(cards),
              rating_(rating),
              options_(options),
              player_(player),
              draws_{rng},
              memory_(memory),
              stop_(stop) {}

        Plan search(const State& root) {
            copy_state(root, node(0).state);
            node(0).trace = TurnTrace(root);
            for (int i = 2 * options_.width; i > 0; --i) free_.push_back(static_cast<std::uint8_t>(i));
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
            for (std::size_t i = 0; i < level.size(); ++i) {
                if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return next_->clear();
                parent_ = static_cast<std::uint8_t>(i);
                expand_node(node(level[i].node));
            }
            for (const Kept& kept : level) free_.push_back(kept.node);
            for (std::size_t i = 0; i < next_->size(); ++i) link(depth_, i) = (*next_)[i].link;
        }

        void expand_node(const Node& parent) {
            ActionList actions;
            Options(cards_, parent.state).list(actions);
            const Player& own = parent.state.players[player_];
            for (const Action& action : actions) {
                const bool places_minion = action.kind == ActionKind::play && own.board_size > 0 &&
                                           cards_[own.hand[action.source].card].type == CardType::minion;
                if (places_minion) {
                    expand_positions(parent, action);
                } else {
                    consider(parent, action, make(parent, action));
                }
            }
        }

        // A minion at every position of the board, from the left.
        void expand_positions(const Node& parent, Action action) {
            const Player& own = parent.state.players[player_];
            const std::uint32_t draws = draws_.count;
            action.position = 0;
            const int score = make(parent, action);
            const bool alike = draws_.count == draws &&
                               placed_alike(cards_, parent.state, spare().state, player_, own.hand[action.source].card);
            const bool movable = alike && only_newcomer_at_left(parent.state, spare().state, player_);
            int last = consider(parent, action, score);
            for (int position = 1; position <= own.board_size; ++position) {
                if (alike && (is_too_low(score) || position >= options_.width)) return;
                action.position = static_cast<std::uint8_t>(position);
                if (movable) {
                    if (last >= 0) copy_node(node(last), spare());
                    std::uint8_t* const board = spare().state.players[player_].board;
                    std::swap(board[position - 1], board[position]);
                    ++plan_.nodes;
                    last = insert(parent, action, score);
                } else {
                    consider(parent, action, make(parent, action));
                }
            }
        }

        // Carries out an action in the spare node; returns the rating of the result.
        int make(const Node& parent, const Action& action) {
            Node& child = spare();
            copy_state(parent.state, child.state);
            apply(cards_, child.state, action, draws_);
            ++plan_.nodes;
            return rating_(cards_, child.state, player_);
        }

        // Adds the spare node, reached by an action, to the search; returns the node if it was kept, else -1.
        int consider(const Node& parent, const Action& action, int score) {
            Node& child = spare();
            if (child.state.is_void) return -1;
            const bool ends = child.state.active != player_ || child.state.phase == Phase::over;
            if (!ends && is_too_low(score)) return -1;
            child.trace = parent.trace;
            child.trace.follow(cards_, parent.state, action, child.state);
            if (!ends) return insert(parent, action, score);
            if (is_new(child)) note_end(parent, action, score);
            return -1;
        }

        bool is_new(const Node& node) {
            const TurnHash hash(node.state, node.trace, player_, rating_.sees_enemy_attack());
            return memory_.seen.insert(hash.value());
        }

        bool is_too_low(int score) const { return is_full() && score <= (*next_)[next_->size() - 1].score; }
        bool is_full() const { return next_->size() == static_cast<std::size_t>(options_.width); }

        // Keeps the spare node, if its state is new, before all lower-rated ones.
        int insert(const Node& parent, const Action& action, int score) {
            const std::uint8_t place = free_[free_.size() - 1];
            if (!is_new(spare())) return -1;
            free_.pop_back();
            Level& next = *next_;
            if (is_full()) {
                free_.push_back(next[next.size() - 1].node);
            } else {
                next.push_back({});
            }
            std::size_t at = next.size() - 1;
            for (; at > 0 && next[at - 1].score < score; --at) next[at] = next[at - 1];
            next[at] = {score, place, {parent_, planned(parent.state, action)}};
            return place;
        }

        void note_end(const Node& parent, const Action& action, int score) {
            if (++plan_.end_nodes > 1 && score <= plan_.score) return;
            plan_.score = score;
            end_depth_ = depth_;
            end_ = {parent_, planned(parent.state, action)};
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
        Node& spare() { return node(free_[free_.size() - 1]); }
        Link& link(int depth, std::size_t slot) {
            return memory_.links[static_cast<std::size_t>(depth * options_.width) + slot];
        }
        static void copy_node(const Node& from, Node& to) {
            copy_state(from.state, to.state);
            to.trace = from.trace;
        }

        const CardSet& cards_;
        const Rating& rating_;
        const BeamOptions options_;
        const int player_;
        CountedDraws draws_;
        Memory& memory_;
        const std::atomic<bool>* const stop_;
        Plan plan_;
        Level levels_[2];  // this one and the next, alternating
        Level* next_ = nullptr;
        FixedVector<std::uint8_t, 2 * kWidestBeam + 1> free_;
        std::uint8_t parent_ = 0;
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
