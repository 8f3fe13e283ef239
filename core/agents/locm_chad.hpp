// Chad: a kill chain if there is one, else a RAVE tree search over its own turn.
//
// The kill chain greedily adds attacks on the face, blue items on the player and attacks on Guards. The search values a
// state by the worst of its rating and 16 samples: the enemy attacks at random, then the player plays at random; a
// sample blends the worst moment of the former with the best of the latter. There are no draws, and the enemy's hand is
// ignored. After the line that the search finds, all attacks on the face that are then legal follow.
//
// `limits.nodes` counts samples. The default is what the original manages in its time limit: a median of 3,500 rated
// states per turn, 16 samples each. No turn can fill the tree with that.
//
// Unlike in the original, the kill chain takes the blue item with the most damage for its cost first (there a wrong
// sign reverses the order), the attacks that end a line are those legal against the enemy's board rather than the own
// one, and in a sample dead players do not continue.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "agents/limits.hpp"
#include "agents/rave_search.hpp"
#include "agents/turn_plan.hpp"
#include "common/fixed_vector.hpp"
#include "common/scratch.hpp"
#include "locm/battle_game.hpp"
#include "locm/evaluation_chad.hpp"
#include "locm/turn_search.hpp"

namespace deckatlas::locm {

// How Chad's tree search distinguishes actions and values states.
class ChadPolicy {
public:
    static constexpr int kSamples = 16;

    ChadPolicy(const BattleContext& context, int player) : context_(context), player_(player) {}

    // Cards and creatures by their deck positions: slots change when a creature dies.
    static constexpr std::size_t kKeys = 4 * kDeckSize * (2 * kDeckSize + 1);
    std::size_t key(const Battle& battle, Action action) const {
        const bool attacks = action.kind == ActionKind::attack;
        const int source = attacks ? battle.own().at(action.source).position() : action.source;
        int target = action.target;
        if (target == kFace) {
            target = 2 * kDeckSize;
        } else if (attacks) {
            target = battle.enemy().at(action.target).position();
        } else if (action.kind == ActionKind::use) {
            const bool green = (context_.deal.of_type[player_][static_cast<int>(CardType::green)] >> source & 1u) != 0;
            target = green ? kDeckSize + battle.own().at(target).position() : battle.enemy().at(target).position();
        }
        return static_cast<std::size_t>((static_cast<int>(action.kind) * kDeckSize + source) * (2 * kDeckSize + 1) +
                                        target);
    }

    double value(const Battle& battle, bool turn_ended, Rng& rng) const {
        const double now = rating_(battle, player_);
        double worst = now;
        if (!is_over(battle)) {
            Battle start = battle;
            start.sides[player_ ^ 1].hand = 0;
            pass_without_drawing(start);
            for (int i = 0; i < kSamples; ++i) worst = std::min(worst, sample(start, now, rng));
        }
        return turn_ended ? worst + ChadRating::kPassed : worst;
    }

private:
    static constexpr double kEnemyShare = 0.75;

    // One random turn of the enemy, who is to move, and one of the player; `now` is the rating of `start`.
    double sample(const Battle& start, double now, Rng& rng) const {
        Battle battle = start;
        double lowest = now;
        double last = now;
        while (can_act(context_.deal, battle)) {
            apply(context_.cards, context_.deal, battle, random_active_action(context_.deal, battle, rng));
            last = rating_(battle, player_);
            lowest = std::min(lowest, last);
        }
        double highest = last;
        if (!is_over(battle)) pass_without_drawing(battle);
        while (can_act(context_.deal, battle)) {
            apply(context_.cards, context_.deal, battle, random_active_action(context_.deal, battle, rng));
            highest = std::max(highest, rating_(battle, player_));
        }
        return kEnemyShare * lowest + (1 - kEnemyShare) * highest;
    }

    const BattleContext& context_;
    ChadRating rating_;
    int player_;
};

class ChadAgent {
public:
    SearchLimits limits;

    template <std::same_as<BattleGame> G>
    Action choose(const BattleContext& context, const Battle& battle, Rng& rng) {
        if (const auto planned = plan_.next(battle)) return *planned;
        plan_sequence<BattleGame>(context, battle, best_line(context, battle, rng), rng, plan_);
        return *plan_.next(battle);
    }

private:
    using Search = RaveSearch<BattleGame, ChadPolicy>;
    static constexpr std::size_t kUsualLeaves = 3'500;  // per turn, with the default
    static_assert(1 + kUsualLeaves * Search::kMostActions <= kRaveCapacity);

    static constexpr RaveOptions kOptions{.exploration = 1.4142135623730951, .smoothing = 20};
    using Line = ActionSequence<BattleGame>;

    Line best_line(const BattleContext& context, const Battle& battle, Rng& rng) {
        Line line;
        if (!find_kill(context, battle, line)) {
            line.clear();
            const ChadPolicy policy(context, battle.active());
            const std::int64_t leaves = std::max<std::int64_t>(1, limits.nodes / ChadPolicy::kSamples);
            Search& search = search_.get();
            search.run(context, policy, kOptions, battle, leaves, limits, rng);
            Battle end = battle;
            search.best_line([&](Action action) {
                if (BattleGame::ends_turn(action)) return;
                apply(context.cards, context.deal, end, action);
                line.push_back(action);
            });
            if (!is_over(end)) attack_face_with_all(end, kAllSlots, [&](Action action) { line.push_back(action); });
        }
        return line;
    }

    // Builds the kill chain; false if the enemy survives it.
    static bool find_kill(const BattleContext& context, const Battle& battle, Line& line) {
        Battle state = battle;
        attack_face_with_all(state, kAllSlots, [&](Action action) { line.push_back(action); });
        while (!is_over(state)) {
            ActionList actions;
            legal_actions(context.deal, state, actions);
            Urgency best{Urgency::kNever, 0};
            Action choice;
            for (const Action action : actions) {
                const Urgency urgency = urgency_of(context, state, action);
                if (urgency < best) {
                    best = urgency;
                    choice = action;
                }
            }
            if (best.rank == Urgency::kNever) return false;
            apply(context.cards, context.deal, state, choice);
            line.push_back(choice);
        }
        return state.enemy().health <= 0;
    }

    // The order of the kill chain: lower comes first.
    struct Urgency {
        static constexpr int kNever = 3;
        int rank;
        int detail;

        friend constexpr auto operator<=>(const Urgency&, const Urgency&) = default;
    };

    // The strongest attack on the face; the blue item with the most damage for its cost; the best attack on a Guard.
    static Urgency urgency_of(const BattleContext& context, const Battle& battle, Action action) {
        const bool on_face = action.target == kFace;
        if (action.kind == ActionKind::attack) {
            const Creature attacker = battle.own().at(action.source);
            if (attacker.attack() == 0) return {Urgency::kNever, 0};
            if (on_face) return {0, -attacker.attack()};
            const Creature target = battle.enemy().at(action.target);
            if (target.has(kGuard)) return {2, std::abs(2 * attacker.attack() - 2 * target.defense() - 1)};
        } else if (action.kind == ActionKind::use && on_face) {
            const Card& item = context.cards[context.deal.decks[battle.active()][action.source]];
            const int change = item.defense + item.enemy_health;
            if (change < 0) return {1, 100 * change / (item.cost + 1)};
        }
        return {Urgency::kNever, 0};
    }

    TurnPlan<BattleGame> plan_;
    Scratch<Search> search_;
};

}  // namespace deckatlas::locm
