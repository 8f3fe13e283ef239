// Invariants of every state, every step and every list of actions, checked from outside the rules.
//
// A failed check prints the condition and the state, and ends the program.
#pragma once

#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "locm/commands.hpp"
#include "locm/resample.hpp"
#include "locm/state.hpp"
#include "locm/text.hpp"

#define CHECK(condition, state) \
    ((condition) ? void() : deckatlas::locm::tests::fail_check(#condition, __FILE__, __LINE__, state))

namespace deckatlas::locm::tests {

[[noreturn]] inline void fail_check(const char* condition, const char* file, int line, const State& state) {
    std::fprintf(stderr, "%s:%d: not true: %s\nin %s\n", file, line, condition, format_state(state).c_str());
    std::abort();
}

// ---- states ------------------------------------------------------------------------------------------------------

inline std::uint32_t board_positions(const Side& side) {
    std::uint32_t positions = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        for (int i = 0; i < side.count[lane]; ++i) positions |= 1u << side.lanes[lane][i].position();
    }
    return positions;
}

// Deck positions of drawn cards that are no longer in hand or on the board.
inline std::uint32_t gone_positions(const Side& side) {
    return ((1u << side.drawn) - 1) & ~side.hand & ~board_positions(side);
}

inline void check_board(const State& state, const Side& side) {
    int guards = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        CHECK(side.count[lane] <= kLaneSize, state);
        for (int i = 0; i < kLaneSize; ++i) {
            const Creature& creature = side.lanes[lane][i];
            if (i >= side.count[lane]) {
                CHECK(creature.bits() == 0, state);
                continue;
            }
            CHECK(creature.defense() >= 1, state);
            if (creature.has(kGuard)) guards |= 1 << slot_of(lane, i);
        }
    }
    CHECK(side.guards == guards, state);
    CHECK((side.ready & ~side.occupied()) == 0, state);
    CHECK((side.attacked & ~side.occupied()) == 0, state);
    CHECK(side.order >> side.creatures() == 0, state);
    CHECK(std::popcount(side.order) == side.count[1], state);
}

// Every deck position is in exactly one place: in the deck, in hand, on the board once, or gone.
inline void check_places(const State& state, const Side& side, int deck_size) {
    CHECK(side.drawn <= deck_size, state);
    CHECK(side.hand_size() <= kHandLimit, state);
    const std::uint32_t board = board_positions(side);
    CHECK(std::popcount(board) == side.creatures(), state);
    CHECK((side.hand & board) == 0, state);
    CHECK((side.hand | board) >> side.drawn == 0, state);
}

// True for every state that the rules can continue from, whether reached in play or built by hand.
inline void check_state(const State& state) {
    if (!state.in_battle) return;
    for (int player = 0; player < 2; ++player) {
        const Side& side = state.battle.sides[player];
        CHECK(side.runes <= kRunes, state);
        CHECK(side.runes == 0 || kRuneStep * side.runes < side.health, state);
        CHECK(side.bonus_mana <= 1, state);
        CHECK(side.max_mana < kManaLevels, state);
        CHECK(side.mana < kManaLevels, state);
        check_board(state, side);
        check_places(state, side, state.deal.sizes[player]);
    }
}

// True for every state reached in play from the start of a game.
inline void check_reached(const State& state) {
    if (!state.in_battle) return;
    const Battle& battle = state.battle;
    CHECK(battle.turn >= 0 && battle.turn < 120, state);
    for (int player = 0; player < 2; ++player) {
        const Side& side = battle.sides[player];
        CHECK(side.mana <= side.max_mana, state);
        CHECK(side.max_mana <= kMaxMana + side.bonus_mana, state);
        CHECK(side.bonus_mana <= player, state);
        CHECK((side.ready & side.attacked) == 0, state);
    }
    CHECK(battle.enemy().ready == 0 && battle.enemy().attacked == 0, state);
    CHECK((winner(battle) < 0) == !is_over(battle), state);
}

// `state` is the result of `action` in `before`.
inline void check_step(const Battle& before, Action action, const State& state) {
    const Battle& after = state.battle;
    const bool passed = action.kind == ActionKind::pass;
    CHECK(after.turn == before.turn + (passed ? 1 : 0), state);
    for (int player = 0; player < 2; ++player) {
        const Side& old_side = before.sides[player];
        const Side& new_side = after.sides[player];
        CHECK((gone_positions(old_side) & ~gone_positions(new_side)) == 0, state);
        CHECK(new_side.drawn >= old_side.drawn, state);
        CHECK(passed || (new_side.drawn == old_side.drawn && new_side.mana <= old_side.mana), state);
    }
}

// ---- actions -----------------------------------------------------------------------------------------------------

inline bool contains(const ActionList& actions, Action action) {
    for (const Action& listed : actions) {
        if (listed == action) return true;
    }
    return false;
}

// Every listed action is legal and has a unique number that leads back to it.
inline std::bitset<kFirstPick> check_listed(const State& state, const ActionList& actions) {
    CHECK(actions.empty() == is_over(state.battle), state);
    std::bitset<kFirstPick> numbers;
    for (const Action& action : actions) {
        CHECK(is_legal(state.deal, state.battle, action), state);
        const int number = action_number(state.deal, state.battle, action);
        CHECK(number >= 0 && number < kFirstPick && !numbers[static_cast<std::size_t>(number)], state);
        CHECK(numbered_action(state.deal, state.battle, number) == action, state);
        numbers.set(static_cast<std::size_t>(number));
    }
    return numbers;
}

// No other action is legal: all encodings are tried, sensible or not, and all numbers.
inline void check_unlisted(const State& state, const ActionList& actions, const std::bitset<kFirstPick>& numbers) {
    for (const ActionKind kind : {ActionKind::summon, ActionKind::attack, ActionKind::use}) {
        for (int source = 0; source < 256; source += source < 34 ? 1 : 37) {
            for (int target = 0; target < 256; target += target < 18 ? 1 : 17) {
                const Action action{kind, static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(target)};
                CHECK(is_legal(state.deal, state.battle, action) == contains(actions, action), state);
            }
        }
    }
    for (int number = 0; number < kFirstPick; ++number) {
        const Action action = numbered_action(state.deal, state.battle, number);
        CHECK(is_legal(state.deal, state.battle, action) == numbers[static_cast<std::size_t>(number)], state);
    }
}

// Outside the core an action is a command; the command of a listed action leads back to it.
inline void check_commands(const State& state, const ActionList& actions) {
    for (const Action& action : actions) {
        const Command command = to_command(state, action);
        CHECK(parse_command(format_command(command)) == command, state);
        CHECK(to_action(state, command) == action, state);
    }
}

// ---- text, views and resampling ----------------------------------------------------------------------------------

// The state that a text describes, if the reader accepts it.
inline std::optional<State> read_if_valid(const CardTable& cards, const std::string& text) {
    try {
        return parse_state(cards, text);
    } catch (const TextError&) {
        return std::nullopt;
    }
}

inline void check_text(const CardTable& cards, const State& state) {
    const std::string text = format_state(state);
    const auto again = read_if_valid(cards, text);
    CHECK(again.has_value(), state);
    CHECK(format_state(*again) == text, state);
    CHECK(hash_state(*again) == hash_state(state), state);
}

// Hidden cards can be resampled so that the player sees no difference.
inline void check_resample(const CardTable& cards, const State& state, int viewer, Rng& rng) {
    const State view = view_of(cards, state, viewer);
    check_text(cards, view);
    State guess;
    CHECK(resample(cards, view, PickPrior::uniform(), rng, guess), state);
    check_state(guess);
    check_text(cards, guess);  // the reader also checks picks against offers and decks against picks
    CHECK(format_state(view_of(cards, guess, viewer)) == format_state(view), state);
    if (!state.in_battle || player_to_move(state) != viewer) return;
    ActionList real, guessed;
    legal_actions(state.deal, state.battle, real);
    legal_actions(guess.deal, guess.battle, guessed);
    CHECK(real.size() == guessed.size() && std::equal(real.begin(), real.end(), guessed.begin()), state);
}

}  // namespace deckatlas::locm::tests
