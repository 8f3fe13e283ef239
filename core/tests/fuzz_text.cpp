// Mutation fuzzing of the parsers of states and commands, with a fixed seed.
//
// Valid lines are changed slightly. If the parser still accepts one, it must be a state that the rules can continue
// from: it is played further, and written and parsed again. Usage: fuzz_text CARD_FILE STATES COMMANDS
#include <cstdio>
#include <cstdlib>
#include <string>

#include "card_file.hpp"
#include "checks.hpp"
#include "damage.hpp"

namespace deckatlas::locm::tests {
namespace {

using deckatlas::tests::damaged;

constexpr std::uint64_t kSeed = 1984;
constexpr int kActions = 200;

// ---- valid texts -------------------------------------------------------------------------------------------------

void random_step(const CardTable& cards, State& state, Rng& rng) {
    if (state.in_battle) {
        apply(cards, state.deal, state.battle, random_action(state.deal, state.battle, rng));
    } else {
        apply_pick(cards, state, static_cast<int>(rng.below(kOffered)));
    }
}

bool game_is_over(const State& state) { return state.in_battle && is_over(state.battle); }

// Cuts both decks down to the drawn cards and a few more, as in positions built by hand.
void shorten_decks(const CardTable& cards, State& state, Rng& rng) {
    state.draft = Draft();
    for (int player = 0; player < 2; ++player) {
        const int drawn = state.battle.sides[player].drawn;
        const int size = drawn + static_cast<int>(rng.below(static_cast<std::uint32_t>(kDeckSize - drawn) + 1));
        state.deal.sizes[player] = state.draft.made[player] = static_cast<std::uint8_t>(size);
        for (int i = 0; i < kDeckSize; ++i) {
            std::uint8_t& card = state.deal.decks[player][i];
            if (i >= size) card = kUnknownCard;
            state.draft.chosen[player][i] = card;
        }
    }
    index_deal(cards, state.deal);
}

// A state at a random moment of a random game, complete or as a player's view.
State random_state(const CardTable& cards, Rng& rng) {
    State state = new_game(rng.below(2) == 0 ? DraftFormat::referee : DraftFormat::distinct, rng.next());
    const int steps =
        rng.below(3) == 0 ? static_cast<int>(rng.below(2 * kPicks)) : 2 * kPicks + static_cast<int>(rng.below(80));
    for (int i = 0; i < steps && !game_is_over(state); ++i) random_step(cards, state, rng);
    if (state.in_battle && rng.below(4) == 0) shorten_decks(cards, state, rng);
    const std::uint32_t viewer = rng.below(4);
    return viewer < 2 ? view_of(cards, state, static_cast<int>(viewer)) : state;
}

// ---- what must hold ----------------------------------------------------------------------------------------------

// A view from outside may have cards that no picks explain; if resampling still succeeds, it must fit the view.
void check_guess(const CardTable& cards, const State& view, Rng& rng) {
    State guess;
    if (!resample(cards, view, PickPrior::uniform(), rng, guess)) return;
    check_text(cards, guess);
    CHECK(format_state(view_of(cards, guess, view.viewer)) == format_state(view), view);
}

void check_accepted(const CardTable& cards, State state, Rng& rng) {
    check_state(state);
    check_text(cards, state);
    for (int viewer = 0; viewer < 2; ++viewer) {
        if (state.viewer == kSeesAll) {
            check_resample(cards, state, viewer, rng);
        } else if (state.viewer == viewer) {
            check_guess(cards, view_of(cards, state, viewer), rng);
        }
    }
    for (int i = 0; i < kActions && !game_is_over(state); ++i) {
        if (state.in_battle) {
            ActionList actions;
            legal_actions(state.deal, state.battle, actions);
            check_listed(state, actions);
        }
        random_step(cards, state, rng);
        check_state(state);
    }
}

void fuzz_states(const CardTable& cards, int iterations, Rng& rng) {
    int accepted = 0;
    std::string text = format_state(random_state(cards, rng));
    for (int i = 0; i < iterations; ++i) {
        std::string next = format_state(random_state(cards, rng));
        if (const auto state = read_if_valid(cards, damaged(text, next, rng))) {
            check_accepted(cards, *state, rng);
            ++accepted;
        }
        text = std::move(next);
    }
    std::printf("%d damaged states, %d accepted and played on\n", iterations, accepted);
    CHECK(accepted > iterations / 20 && accepted < iterations / 2, State());
}

void fuzz_commands(const CardTable& cards, int iterations, Rng& rng) {
    int accepted = 0;
    int legal = 0;
    State state = random_state(cards, rng);
    for (int i = 0; i < iterations; ++i) {
        if (i % 64 == 0 || game_is_over(state)) state = random_state(cards, rng);
        ActionList actions;
        legal_actions(state.deal, state.battle, actions);
        if (!state.in_battle || actions.empty()) continue;
        const auto listed = [&] { return actions[rng.below(static_cast<std::uint32_t>(actions.size()))]; };
        const std::string other = format_command(to_command(state, listed()));
        const auto command = parse_command(damaged(format_command(to_command(state, listed())), other, rng));
        if (!command) continue;
        ++accepted;
        CHECK(parse_command(format_command(*command)) == command, state);
        const auto action = to_action(state, *command);
        if (!action || !is_legal(state.deal, state.battle, *action)) continue;
        ++legal;
        CHECK(to_command(state, *action) == *command, state);
        apply(cards, state.deal, state.battle, *action);
        check_state(state);
    }
    std::printf("%d damaged commands, %d read, %d legal and carried out\n", iterations, accepted, legal);
    CHECK(legal > 0 && accepted > legal && accepted < iterations, State());
}

}  // namespace
}  // namespace deckatlas::locm::tests

int main(int argc, char** argv) {
    using namespace deckatlas::locm::tests;
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s CARD_FILE STATES COMMANDS\n", argv[0]);
        return EXIT_FAILURE;
    }
    const deckatlas::locm::CardTable cards = load_cards(argv[1]);
    deckatlas::Rng rng{kSeed};
    fuzz_states(cards, std::atoi(argv[2]), rng);
    fuzz_commands(cards, std::atoi(argv[3]), rng);
    return EXIT_SUCCESS;
}
