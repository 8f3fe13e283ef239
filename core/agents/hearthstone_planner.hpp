// Agents that plan turns of Hearthstone by a search and carry out the plans. With the papers' beam this is the turn
// planner of the deck-search papers.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "agents/hearthstone_beam.hpp"
#include "agents/hearthstone_guesses.hpp"
#include "agents/hearthstone_lines.hpp"
#include "hearthstone/hidden_sight.hpp"

namespace deckatlas::hearthstone {

struct PlannerOptions {
    Information information = Information::honest;
    bool replan = true;  // after anything random or hidden is revealed; else only if a plan cannot continue
};

// A search has `search(cards, root, rng)`, which returns a plan for the player to move; or, if it needs several guesses
// of the hidden cards, `search(cards, guesses, rng)`, where `guesses.draw(state, rng)` draws another one or returns
// false.
template <class Search>
class PlanningAgent {
public:
    PlanningAgent(const Search& search, const PlannerOptions& options) : search_(search), options_(options) {}

    template <std::same_as<HearthstoneGame> G>
    Action choose(const CardSet& cards, const State& state, Rng& rng) {
        const Action action = next_action(cards, state, rng);
        interrupted_ |= minds_hidden() && HiddenSight(cards).is_needed_by(state, action);
        return action;
    }

    // Called after each action with whether anything in it was random.
    void after_action(bool random) { interrupted_ |= random && options_.replan; }

    // Like `choose`, for callers that do not report the result of the last action. A plan is continued only in the
    // state that it led to, as far as the planner knows it; without replanning it is continued for the whole turn.
    template <std::same_as<HearthstoneGame> G>
    Action choose_untold(const CardSet& cards, const State& state, Rng& rng) {
        if (!is_foreseen(cards, state)) plan_.actions.clear();
        const Action action = choose<G>(cards, state, rng);
        if (next_ < plan_.actions.size()) foresee(cards, state, action);
        return action;
    }

    // The plan for the player to move, independent of earlier plans.
    Plan plan(const CardSet& cards, const State& state, Rng& rng) {
        Rng search{rng.next()};
        return search_with(cards, guesses_of(cards, state), search);
    }

    // The lines that `plan` compares with the same stream, the best first, which is the plan; only this one if the
    // search tells of no others.
    PlanLines explain(const CardSet& cards, const State& state, Rng& rng) {
        Rng search{rng.next()};
        const Guesses guesses = guesses_of(cards, state);
        Rng shown = search;
        State guess;  // the one that the search begins with
        if (!guesses.draw(guess, shown)) return {};
        RatedPlans considered;
        if constexpr (requires { search_.search(cards, guesses, search, &considered); }) {
            search_.search(cards, guesses, search, &considered);
        } else {
            const Plan plan = search_with(cards, guesses, search);
            considered.push_back({plan.score, plan.actions});
        }
        PlanLines lines;
        for (const RatedPlan& plan : considered) lines.push_back(line_of(cards, guess, plan, shown));
        return lines;
    }

    void heed(const std::atomic<bool>& stop)
        requires requires(Search& search) { search.heed(stop); }
    {
        search_.heed(stop);
    }

    bool is_honest() const { return options_.information == Information::honest; }

    int plans() const { return plans_; }  // made in this game
    int plan_score() const { return plan_.score; }
    std::int64_t nodes() const { return nodes_; }  // states made in this game

private:
    // Counts that change when something hidden is revealed: drawn cards, revealed secrets of the opponent.
    struct HiddenCounts {
        HiddenCounts() = default;
        explicit HiddenCounts(const State& state)
            : deck(state.players[state.active].deck_size), secrets(state.players[state.active ^ 1].secret_count) {}

        std::uint8_t deck = 0;
        std::uint8_t secrets = 0;

        friend bool operator==(const HiddenCounts&, const HiddenCounts&) = default;
    };

    Guesses guesses_of(const CardSet& cards, const State& state) {
        if constexpr (requires { search_.known_lists(cards); }) {
            return {cards, state, options_.information, search_.known_lists(cards)};
        } else {
            return {cards, state, options_.information};
        }
    }

    Plan search_with(const CardSet& cards, const Guesses& guesses, Rng& rng) {
        if constexpr (requires { search_.search(cards, guesses, rng); }) {
            return search_.search(cards, guesses, rng);
        } else {
            State guess;
            return guesses.draw(guess, rng) ? search_.search(cards, guess, rng) : Plan{};
        }
    }

    Action next_action(const CardSet& cards, const State& state, Rng& rng) {
        // A choice among cards of the deck is planned when they are shown, as published.
        if (state.phase == Phase::main && next_ < plan_.actions.size() && !is_interrupted(state)) {
            if (const std::optional<Action> action = PlannedNow(cards, state).find(plan_.actions[next_])) {
                ++next_;
                return *action;
            }
        }
        make_plan(cards, state, rng);
        hidden_ = HiddenCounts(state);
        return plan_.actions.empty() ? fallback(cards, state) : plan_.actions[next_++].action;
    }

    bool minds_hidden() const { return is_honest() && options_.replan; }
    bool is_interrupted(const State& state) const {
        return interrupted_ || (minds_hidden() && HiddenCounts(state) != hidden_);
    }

    // The expected result of the last action.
    struct Outlook {
        std::uint16_t turn = 0;
        std::uint8_t active = 0;
        bool certain = false;    // nothing in it was random
        std::uint64_t hash = 0;  // in that case, of the known part of the state after it
    };

    void foresee(const CardSet& cards, const State& state, const Action& action) {
        const int player = state.active;
        State next = known(cards, state, player, options_.information);
        Rng unused;
        CountedDraws draws{unused};
        apply(cards, next, action, draws);
        outlook_ = {state.turn, state.active, draws.count == 0,
                    hash_state(known(cards, next, player, options_.information))};
    }

    bool is_foreseen(const CardSet& cards, const State& state) const {
        if (state.turn != outlook_.turn || state.active != outlook_.active) return false;
        if (!options_.replan) return true;
        return outlook_.certain && hash_state(known(cards, state, state.active, options_.information)) == outlook_.hash;
    }

    void make_plan(const CardSet& cards, const State& state, Rng& rng) {
        plan_ = plan(cards, state, rng);
        next_ = 0;
        interrupted_ = false;
        ++plans_;
        nodes_ += plan_.nodes;
    }

    static Action fallback(const CardSet& cards, const State& state) {
        ActionList actions;
        Options(cards, state).list(actions);
        return actions[0];
    }

    Search search_;
    PlannerOptions options_;
    Plan plan_;
    std::size_t next_ = 0;
    bool interrupted_ = false;  // something random happened, or something hidden was used
    HiddenCounts hidden_;       // at the time of the plan
    Outlook outlook_;
    int plans_ = 0;
    std::int64_t nodes_ = 0;
};

using PlannerAgent = PlanningAgent<TurnBeam>;

}  // namespace deckatlas::hearthstone
