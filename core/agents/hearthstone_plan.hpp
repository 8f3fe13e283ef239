// A plan for the rest of a turn of Hearthstone: actions with the identities of their cards and minions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/fixed_vector.hpp"
#include "hearthstone/actions.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

inline constexpr int kLongestPlan = 32;  // actions

// An action of a plan, with its card and minions, independent of their places when it is carried out.
struct PlannedAction {
    Action action;
    CardId card = 0;             // the played card
    std::uint16_t attacker = 0;  // stamps of minions
    std::uint16_t target = 0;

    friend constexpr bool operator==(const PlannedAction&, const PlannedAction&) = default;
};

inline PlannedAction planned(const State& state, const Action& action) {
    PlannedAction out{action};
    if (action.kind == ActionKind::play) out.card = state.players[state.active].hand[action.source].card;
    if (action.kind == ActionKind::attack && action.source > 0)
        out.attacker = state.on_board(state.active, action.source - 1).stamp;
    if (const Ref target = ref_of(state, action.target); target.is_minion())
        out.target = state.minions[target.place()].stamp;
    return out;
}

// A planned action in the current state; nothing if it is not legal.
class PlannedNow {
public:
    PlannedNow(const CardSet& cards, const State& state) : cards_(cards), state_(state) {}

    std::optional<Action> find(const PlannedAction& planned) const {
        Action action = planned.action;
        if (!find_card(planned, action) || !find_minions(planned, action)) return std::nullopt;
        ActionList legal;
        Options(cards_, state_).list(legal);
        Action merged = action;
        merged.position = kRightmost;
        for (const Action& each : legal) {
            if (each == merged) return action;
        }
        return std::nullopt;
    }

private:
    // The card may have moved in the hand, and the board may have shrunk.
    bool find_card(const PlannedAction& planned, Action& action) const {
        if (action.kind != ActionKind::play) return true;
        const Player& own = state_.players[state_.active];
        if (action.position != kRightmost) action.position = std::min(action.position, own.board_size);
        const auto holds = [&](int place) { return place < own.hand_size && own.hand[place].card == planned.card; };
        for (int place = 0; place < own.hand_size && !holds(action.source); ++place) {
            if (holds(place)) action.source = static_cast<std::uint8_t>(place);
        }
        return holds(action.source);
    }

    bool find_minions(const PlannedAction& planned, Action& action) const {
        if (planned.attacker != 0) {
            const TargetCode attacker = code_of(planned.attacker);
            if (attacker == kNoTarget || attacker > kEnemyHero) return false;
            action.source = static_cast<std::uint8_t>(attacker - kOwnHero);
        }
        if (planned.target != 0) action.target = code_of(planned.target);
        return planned.target == 0 || action.target != kNoTarget;
    }

    // The position of the minion with that stamp; none if it has left.
    TargetCode code_of(std::uint16_t stamp) const {
        for (const int hero : {+kOwnHero, +kEnemyHero}) {
            const int player = hero == kOwnHero ? state_.active : state_.active ^ 1;
            for (int i = 0; i < state_.players[player].board_size; ++i) {
                if (state_.on_board(player, i).stamp == stamp) return static_cast<TargetCode>(hero + 1 + i);
            }
        }
        return kNoTarget;
    }

    const CardSet& cards_;
    const State& state_;
};

struct Plan {
    int score = 0;           // rating of the state that it leads to
    int end_nodes = 0;       // rated ends of the turn or the game; for the papers' beam all are different
    std::int64_t nodes = 0;  // states in the search
    bool random = false;     // whether anything in the search was random
    FixedVector<PlannedAction, kLongestPlan> actions;
};

// A plan that a search considered, and its rating of it.
struct RatedPlan {
    int rating = 0;
    FixedVector<PlannedAction, kLongestPlan> actions;
};
using RatedPlans = std::vector<RatedPlan>;

}  // namespace deckatlas::hearthstone
