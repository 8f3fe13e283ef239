// Many random games of Hearthstone with random decks, with every state, step and list of actions checked.
//
// Meant for a build with asserts and sanitizers. Usage: soak_hearthstone CARD_FILE GAMES [FIRST_GAME]
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "agents/simple_agents.hpp"
#include "common/parallel.hpp"
#include "hearthstone_card_file.hpp"
#include "hearthstone_checks.hpp"
#include "hearthstone_hidden_checks.hpp"
#include "progress.hpp"

namespace deckatlas::hearthstone::tests {
namespace {

constexpr std::uint64_t kSeed = 20'181'204;
constexpr std::int64_t kGamesPerBlock = 500;
// The most expensive checks run at one of this many steps.
constexpr std::uint32_t kAllActionsEvery = 100;
constexpr std::uint32_t kHashEvery = 50;
constexpr std::uint32_t kTextEvery = 200;
// Capacities are exceeded in fewer than one of this many games.
constexpr std::int64_t kGamesPerVoid = 50'000;

void check_here(const CardSet& cards, const State& state, Rng& rng) {
    check_state(cards, state);
    ActionList actions;
    HearthstoneGame::legal_actions(cards, state, actions);
    check_listed(state, actions);
    if (!actions.empty()) CHECK(contains(actions, HearthstoneGame::random_action(cards, state, rng)), state);
    if (rng.below(kAllActionsEvery) == 0) check_all_done(cards, state, actions, rng);
    if (rng.below(kHashEvery) == 0) check_hash(state, rng);
    if (rng.below(kTextEvery) == 0) {
        check_text(cards, state);
        if (!state.is_void) check_views(cards, state, rng);
        check_goes_on(cards, state, rng);
    }
}

struct Counts {
    std::atomic<std::int64_t> actions{0};
    std::atomic<std::int64_t> voids{0};
};

// Half of the games are played without passing early, so that boards and hands are fuller.
void play_checked_game(const CardSet& cards, std::uint64_t seed, Counts& counts) {
    Rng rng{seed};
    StreamDraws draws{rng};
    const DeckList decks[2] = {random_deck(cards, rng), random_deck(cards, rng)};
    const bool active = rng.below(2) == 0;
    State state = new_game(cards, decks, draws);
    Unseen unseen({decks[1].cards, decks[1].size});
    std::int64_t actions = 0;
    for (; !HearthstoneGame::is_over(state); ++actions) {
        check_here(cards, state, rng);
        const Action action = active ? ActiveRandomAgent{}.choose<HearthstoneGame>(cards, state, rng)
                                     : RandomAgent{}.choose<HearthstoneGame>(cards, state, rng);
        const State before = state;
        HearthstoneGame::apply(cards, state, action, rng);
        check_step(before, action, state);
        unseen.note(before, state, 1);
        check_unseen(cards, state, 1, unseen);
    }
    check_here(cards, state, rng);
    counts.actions += actions;
    counts.voids += state.is_void;
    if (state.is_void) std::printf("game %lld is void\n", current_game);
}

int soak(const CardSet& cards, std::int64_t games, std::int64_t first) {
    const int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const std::int64_t blocks = (games + kGamesPerBlock - 1) / kGamesPerBlock;
    Counts counts;
    const auto start = std::chrono::steady_clock::now();
    const auto play_block = [&](int, std::int64_t block) {
        const std::int64_t end = std::min(games, (block + 1) * kGamesPerBlock);
        for (std::int64_t game = block * kGamesPerBlock; game < end; ++game) {
            current_game = first + game;
            play_checked_game(cards, hash_combine(kSeed, static_cast<std::uint64_t>(first + game)), counts);
        }
    };
    run_blocks(blocks, threads, std::chrono::milliseconds(500), play_block, deckatlas::tests::Progress(blocks));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const auto number = [](std::int64_t value) { return static_cast<long long>(value); };
    std::printf("%lld games, %lld actions, all checks held, %lld games void, %.0f s on %d threads\n", number(games),
                number(counts.actions), number(counts.voids), taken.count(), threads);
    return counts.voids <= 1 + games / kGamesPerVoid ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace deckatlas::hearthstone::tests

int main(int argc, char** argv) {
    if (argc < 3 || argc > 4) {
        std::fprintf(stderr, "usage: %s CARD_FILE GAMES [FIRST_GAME]\n", argv[0]);
        return EXIT_FAILURE;
    }
    return deckatlas::hearthstone::tests::soak(deckatlas::hearthstone::tests::load_card_set(argv[1]),
                                               std::atoll(argv[2]), argc == 4 ? std::atoll(argv[3]) : 0);
}
