// Our own searches play whole games with random decks of all cards: every action must be legal, also of those who are
// asked about a view, and a search that guesses at a view answers as one that guesses at the state.
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

int play(const CardSet& cards, int games) {
    long long actions = 0;
    for (int game = 0; game < games; ++game) {
        current_game = game;
        Rng rng{hash_combine(kSeed, static_cast<std::uint64_t>(game))};
        StreamDraws draws{rng};
        const DeckList decks[2] = {random_deck(cards, rng), random_deck(cards, rng)};
        State state = new_game(cards, decks, draws);
        const SearchOptions options{.width = 1 + static_cast<int>(rng.below(6)),
                                    .finalists = 1 + static_cast<int>(rng.below(6))};
        SearchAgent search(TurnSearch({}, options), {});
        TreeAgent tree(TurnTreeSearch({}, {.playouts = 1 + static_cast<int>(rng.below(20)), .exploration = 0.05}), {});
        while (!HearthstoneGame::is_over(state)) {
            Action action = HearthstoneGame::random_action(cards, state, rng);
            if (state.phase != Phase::mulligan)
                action = state.active == 0 ? choose(cards, search, state, rng) : choose(cards, tree, state, rng);
            CountedDraws counted{rng};
            apply(cards, state, action, counted);
            search.after_action(counted.count > 0);
            tree.after_action(counted.count > 0);
            ++actions;
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
