// All searches play whole games with random decks of all cards: every action must be legal, and a search on a view must
// answer like a search on the state.
//
// Usage: search_hearthstone CARD_FILE GAMES
#include <cstdio>
#include <cstdlib>

#include "agents/hearthstone_agents.hpp"
#include "hearthstone_card_file.hpp"
#include "hearthstone_checks.hpp"

namespace deckatlas::hearthstone::tests {
namespace {

constexpr std::uint64_t kSeed = 20'181'204;

bool is_legal(const CardSet& cards, const State& state, Action action) {
    const Player& own = state.players[state.active];
    if (action.position != kRightmost && action.position > own.board_size) return false;
    action.position = kRightmost;
    ActionList legal;
    Options(cards, state).list(legal);
    for (const Action& each : legal) {
        if (each == action) return true;
    }
    return false;
}

template <class Agent>
Action choose(const CardSet& cards, Agent& agent, const State& state, Rng& rng) {
    Agent blind = agent;
    Rng again = rng;
    const Action action = agent.template choose<HearthstoneGame>(cards, state, rng);
    CHECK(is_legal(cards, state, action), state);
    const State view = view_of(cards, state, state.active);
    CHECK(blind.template choose<HearthstoneGame>(cards, view, again) == action, state);
    return action;
}

template <class Agent>
PlayAgent guessing(int nodes) {
    Agent agent;
    agent.limits.nodes = nodes;
    return GuessingAgent(agent);
}

// One of the searching agents, with a small budget.
PlayAgent draw_agent(Rng& rng) {
    const int little = 1 + static_cast<int>(rng.below(20));
    switch (rng.below(7)) {
        case 0: return TreeAgent(TurnTreeSearch({}, {.playouts = little, .exploration = 0.05}), {});
        case 1: return GuessingAgent(GreedyTurn());
        case 2: return guessing<RandomTurns>(little);
        case 3: return guessing<DepthFirst>(little);
        case 4: return guessing<BestFirst>(little);
        case 5: return guessing<RatedTree>(little);
        default:
            return SearchAgent(TurnSearch(StatsRater(), {.width = 1 + little / 4, .finalists = 1 + little / 4}), {});
    }
}

// An agent's action in a running game.
void act(const CardSet& cards, PlayAgent& agent, State& state, Rng& rng) {
    std::visit(
        [&](auto& each) {
            const Action action = choose(cards, each, state, rng);
            CountedDraws counted{rng};
            apply(cards, state, action, counted);
            if constexpr (requires { each.after_action(true); }) each.after_action(counted.count > 0);
        },
        agent);
}

int play(const CardSet& cards, int games) {
    long long actions = 0;
    for (int game = 0; game < games; ++game) {
        current_game = game;
        Rng rng{hash_combine(kSeed, static_cast<std::uint64_t>(game))};
        StreamDraws draws{rng};
        const DeckList decks[2] = {random_deck(cards, rng), random_deck(cards, rng)};
        State state = new_game(cards, decks, draws);
        PlayAgent agents[2] = {draw_agent(rng), draw_agent(rng)};
        for (; !HearthstoneGame::is_over(state); ++actions) {
            if (state.phase == Phase::mulligan) {
                HearthstoneGame::apply(cards, state, HearthstoneGame::random_action(cards, state, rng), rng);
            } else {
                act(cards, agents[state.active], state, rng);
            }
        }
    }
    std::printf("%d games, %lld actions\n", games, actions);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace deckatlas::hearthstone::tests

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s CARD_FILE GAMES\n", argv[0]);
        return EXIT_FAILURE;
    }
    using namespace deckatlas::hearthstone::tests;
    return play(load_card_set(argv[1]), std::atoi(argv[2]));
}
