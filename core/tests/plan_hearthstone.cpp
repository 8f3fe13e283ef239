// Compares the planner's beam with a plain version of the same search, which carries out every position of every
// minion, compares every state, rates one state at a time and sorts whole levels. In random games, plans must be equal
// wherever nothing is random.
//
// Usage: plan_hearthstone CARD_FILE GAMES
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "agents/hearthstone_planner.hpp"
#include "hearthstone_card_file.hpp"
#include "hearthstone_checks.hpp"

namespace deckatlas::hearthstone::tests {
namespace {

constexpr std::uint64_t kSeed = 20'191'212;
constexpr Score kScores[] = {Score::aggro, Score::control, Score::fatigue, Score::midrange, Score::ramp};

struct PlainNode {
    State state;
    TurnTrace trace;
    int score = 0;
    std::vector<Action> line;
};

struct PlainPlan {
    int score = 0;
    int end_nodes = 0;
    bool random = false;
    std::vector<Action> actions;
};

std::vector<Action> all_positions(const CardSet& cards, const State& state) {
    ActionList merged;
    Options(cards, state).list(merged);
    const Player& own = state.players[state.active];
    std::vector<Action> actions;
    for (Action action : merged) {
        const bool minion =
            action.kind == ActionKind::play && cards[own.hand[action.source].card].type == CardType::minion;
        for (int position = 0; position <= (minion ? own.board_size : 0); ++position) {
            if (minion && own.board_size > 0) action.position = static_cast<std::uint8_t>(position);
            actions.push_back(action);
        }
    }
    return actions;
}

PlainPlan plan_plainly(const CardSet& cards, const State& root, const Rating& rating, const BeamOptions& options,
                       Rng& rng) {
    PlainPlan plan;
    CountedDraws draws{rng};
    std::vector<PlainNode> level{{root, TurnTrace(root), 0, {}}};
    for (int depth = 0; depth < options.depth && !level.empty(); ++depth) {
        std::set<std::uint64_t> seen;
        std::vector<PlainNode> next;
        for (const PlainNode& parent : level) {
            for (const Action& action : all_positions(cards, parent.state)) {
                PlainNode child = parent;
                apply(cards, child.state, action, draws);
                if (child.state.is_void) continue;
                child.trace.follow(cards, parent.state, action, child.state);
                const TurnHash hash(child.state, child.trace, root.active, rating.sees_enemy_attack());
                if (!seen.insert(hash.value()).second) continue;
                child.score = rating(cards, child.state, root.active);
                child.line.push_back(action);
                if (child.state.active == root.active && child.state.phase != Phase::over) {
                    next.push_back(child);
                } else if (++plan.end_nodes == 1 || child.score > plan.score) {
                    plan.score = child.score;
                    plan.actions = child.line;
                }
            }
        }
        std::stable_sort(next.begin(), next.end(),
                         [](const PlainNode& a, const PlainNode& b) { return a.score > b.score; });
        if (next.size() > static_cast<std::size_t>(options.width)) next.resize(static_cast<std::size_t>(options.width));
        level = std::move(next);
    }
    plan.random = draws.count > 0;
    return plan;
}

bool same(const Plan& plan, const PlainPlan& plain) {
    if (plan.random != plain.random) return false;
    if (plan.random) return true;
    return plan.score == plain.score && plan.end_nodes == plain.end_nodes &&
           std::equal(plan.actions.begin(), plan.actions.end(), plain.actions.begin(), plain.actions.end(),
                      [](const PlannedAction& a, const Action& b) { return a.action == b; });
}

DenseLayer random_layer(std::size_t inputs, std::size_t outputs, Rng& rng) {
    const auto fill = [&](std::size_t count) {
        std::vector<double> numbers(count);
        for (double& number : numbers) number = (static_cast<int>(rng.below(2001)) - 1000) / 4000.0;
        return numbers;
    };
    return {inputs, outputs, fill(inputs * outputs), fill(outputs)};
}

// Either of the published size or, sometimes, wider than what is evaluated side by side.
Rating random_network(Rng& rng) {
    const std::size_t hidden = rng.below(8) == 0 ? 80 : 5;
    std::vector<DenseLayer> layers{random_layer(kFeatures, hidden, rng), random_layer(hidden, 4, rng),
                                   random_layer(4, 1, rng)};
    return Rating::network(std::make_shared<Network>(std::move(layers), Activation::tanh, Activation::tanh));
}

Rating random_rating(Rng& rng) {
    const std::size_t chosen = rng.below(2 * std::size(kScores));
    return chosen < std::size(kScores) ? Rating(kScores[chosen]) : random_network(rng);
}

int compare(const CardSet& cards, int games) {
    long long turns = 0;
    long long compared = 0;
    for (int game = 0; game < games; ++game) {
        current_game = game;
        Rng rng{hash_combine(kSeed, static_cast<std::uint64_t>(game))};
        StreamDraws draws{rng};
        const DeckList decks[2] = {random_deck(cards, rng), random_deck(cards, rng)};
        State state = new_game(cards, decks, draws);
        const BeamOptions options{.width = 1 + static_cast<int>(rng.below(6)),
                                  .depth = 1 + static_cast<int>(rng.below(8))};
        const Rating rating = random_rating(rng);
        TurnBeam beam(rating, options);
        while (!HearthstoneGame::is_over(state)) {
            if (state.phase == Phase::main) {
                Rng search{rng.next()};
                Rng again = search;
                const Plan plan = beam.search(cards, state, search);
                CHECK(same(plan, plan_plainly(cards, state, rating, options, again)), state);
                ++turns;
                compared += !plan.random;
            }
            HearthstoneGame::apply(cards, state, HearthstoneGame::random_action(cards, state, rng), rng);
        }
    }
    std::printf("%d games, %lld positions planned, %lld of them without anything random\n", games, turns, compared);
    return compared > turns / 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace deckatlas::hearthstone::tests

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s CARD_FILE GAMES\n", argv[0]);
        return EXIT_FAILURE;
    }
    using namespace deckatlas::hearthstone::tests;
    return compare(load_card_set(argv[1]), std::atoi(argv[2]));
}
