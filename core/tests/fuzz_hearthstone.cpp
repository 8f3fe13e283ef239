// Mutation fuzzing of the parsers of Hearthstone's states and actions, with a fixed seed.
//
// Valid lines are changed slightly. If the parser still accepts one, it must be a state that the rules can continue
// from: it is played further, and written and parsed again. Usage: fuzz_hearthstone CARD_FILE STATES ACTIONS
#include <cstdio>
#include <cstdlib>
#include <string>

#include "damage.hpp"
#include "hearthstone/action_text.hpp"
#include "hearthstone_card_file.hpp"
#include "hearthstone_hidden_checks.hpp"

namespace deckatlas::hearthstone::tests {
namespace {

using deckatlas::tests::damaged;

constexpr std::uint64_t kSeed = 2014;
constexpr int kPlayedOn = 60;

// A state at a random moment of a random game, complete or as a player's view.
State random_state(const CardSet& cards, Rng& rng) {
    const DeckList decks[2] = {random_deck(cards, rng), random_deck(cards, rng)};
    StreamDraws draws{rng};
    State state = new_game(cards, decks, draws);
    for (std::uint32_t left = rng.below(120); left > 0 && !HearthstoneGame::is_over(state); --left)
        HearthstoneGame::apply(cards, state, HearthstoneGame::random_action(cards, state, rng), rng);
    const std::uint32_t viewer = rng.below(4);
    return viewer < 2 ? view_of(cards, state, static_cast<int>(viewer)) : state;
}

void check_accepted(const CardSet& cards, State state, Rng& rng) {
    check_text(cards, state);
    if (state.viewer != kSeesAll) {
        State guess;
        const std::vector<CardId>& pool = cards.copies_for(state.players[state.viewer ^ 1].hero_class);
        const Prior prior{pool, pool};
        if (!resample(cards, state, prior, rng, guess)) return;  // more secrets of a class than there are
        CHECK(format_state(cards, view_of(cards, guess, state.viewer)) == format_state(cards, state), state);
        state = guess;
    } else if (!state.is_void) {
        check_views(cards, state, rng);
    }
    for (int i = 0; i < kPlayedOn && !HearthstoneGame::is_over(state); ++i) {
        ActionList actions;
        HearthstoneGame::legal_actions(cards, state, actions);
        check_listed(state, actions);
        HearthstoneGame::apply(cards, state, HearthstoneGame::random_action(cards, state, rng), rng);
        check_state(cards, state);
    }
}

void fuzz_states(const CardSet& cards, int iterations, Rng& rng) {
    int accepted = 0;
    std::string text = format_state(cards, random_state(cards, rng));
    for (int i = 0; i < iterations; ++i) {
        current_game = i;
        std::string next = format_state(cards, random_state(cards, rng));
        if (const auto state = read_if_valid(cards, damaged(text, next, rng))) {
            check_accepted(cards, *state, rng);
            ++accepted;
        }
        text = std::move(next);
    }
    std::printf("%d damaged states, %d accepted and played on\n", iterations, accepted);
    CHECK(accepted > iterations / 20 && accepted < iterations / 2, State());
}

void fuzz_actions(int iterations, Rng& rng) {
    int accepted = 0;
    for (int i = 0; i < iterations; ++i) {
        const std::string text = format_action(action_of(static_cast<int>(rng.below(kActionNumbers))));
        const std::string other = format_action(action_of(static_cast<int>(rng.below(kActionNumbers))));
        CHECK(format_action(parse_action(text).value()) == text, State());
        const auto action = parse_action(damaged(text, other, rng));
        if (!action) continue;
        ++accepted;
        const int number = number_of(*action);
        CHECK(number >= 0 && number < kActionNumbers && action_of(number) == *action, State());
        CHECK(parse_action(format_action(*action)) == action, State());
    }
    std::printf("%d damaged actions, %d read\n", iterations, accepted);
    CHECK(accepted > iterations / 20 && accepted < iterations, State());
}

}  // namespace
}  // namespace deckatlas::hearthstone::tests

int main(int argc, char** argv) {
    using namespace deckatlas::hearthstone::tests;
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s CARD_FILE STATES ACTIONS\n", argv[0]);
        return EXIT_FAILURE;
    }
    const deckatlas::hearthstone::CardSet cards = load_card_set(argv[1]);
    deckatlas::Rng rng{kSeed};
    fuzz_states(cards, std::atoi(argv[2]), rng);
    fuzz_actions(std::atoi(argv[3]), rng);
    return EXIT_SUCCESS;
}
