// Lines: what an agent of Hearthstone considered, for people. A line is a plan with its rating and the names of its
// cards.
#pragma once

#include <optional>
#include <vector>

#include "agents/hearthstone_plan.hpp"
#include "common/random.hpp"
#include "hearthstone/evaluation.hpp"
#include "hearthstone/hearthstone_game.hpp"

namespace deckatlas::hearthstone {

// An action, and the cards that it names.
struct NamedAction {
    Action action;
    CardId source = 0;  // the played or chosen card, or the attacking minion; 0 for a hero and for other actions
    CardId target = 0;  // a minion; 0 for heroes
};

struct PlanLine {
    int rating = 0;
    std::optional<double> chance;  // to win, if the rating says it
    std::vector<NamedAction> actions;
    bool complete = true;  // false if luck decides how it continues
};
using PlanLines = std::vector<PlanLine>;

inline NamedAction named(const State& state, const Action& action) {
    NamedAction out{action};
    if (action.kind == ActionKind::play) out.source = state.players[state.active].hand[action.source].card;
    if (action.kind == ActionKind::choose) out.source = state.choices[action.source];
    if (action.kind == ActionKind::attack && action.source > 0)
        out.source = state.on_board(state.active, action.source - 1).card;
    if (const Ref target = ref_of(state, action.target); target.is_minion())
        out.target = state.minions[target.place()].card;
    return out;
}

// A plan as a line. It is carried out in `root`, the state that it was made for, so that every action has its names. It
// may have other luck than in the search; a line ends where the plan then cannot continue.
inline PlanLine line_of(const CardSet& cards, const State& root, const RatedPlan& plan, Rng rng) {
    PlanLine line;
    line.rating = plan.rating;
    if (plan.rating == kWon) line.chance = 1.0;
    if (plan.rating == kLost) line.chance = 0.0;
    State state = root;
    CountedDraws draws{rng};
    for (const PlannedAction& planned : plan.actions) {
        const std::optional<Action> action = PlannedNow(cards, state).find(planned);
        line.complete = action.has_value();
        if (!action) break;
        line.actions.push_back(named(state, *action));
        apply(cards, state, *action, draws);
        if (state.phase == Phase::over) break;
    }
    return line;
}

}  // namespace deckatlas::hearthstone
