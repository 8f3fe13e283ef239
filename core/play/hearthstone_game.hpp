// One game of Hearthstone between two agents: opening hands, then turns to the end. Runners play it very often.
//
// Whoever wants to know more of a game than how it ended watches it: see Bystander for what a watcher hears.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "agents/hearthstone_agents.hpp"
#include "hearthstone/hearthstone_game.hpp"
#include "hearthstone/setup.hpp"

namespace deckatlas::hearthstone {

// Which cards of an opening hand are kept.
enum class Mulligan : std::uint8_t {
    cheap,     // those that cost 3 or less
    inverted,  // those that cost more
    all,
};

// An agent that plans turns says how many plans it has made in this game, and how it rates what the last one leads to.
template <class Agent>
concept PlansTurns = requires(const Agent& agent) {
    { agent.plans() } -> std::same_as<int>;
    { agent.plan_score() } -> std::same_as<int>;
};

// What a watcher hears; those who care derive from this one. A plan is what a player has made up its mind to do: a turn
// has at least one.
struct Bystander {
    void game_begins(const State&, const Rng& /*game*/) {
    }  // hands are dealt; the stream of what is random from here on
    void turn_begins(const State&) {}
    void plan_begins(const State&, int /*score*/) {}
    void before(const State&, const Action&) {}
    void after(const State&, const Action&, int /*player*/) {}
    void turn_ended(const State&, int /*player*/) {}
};

// The random stream of a seat in the game of that seed; seat 2 is the game's own, for shuffles and effects.
constexpr Rng stream(std::uint64_t game_seed, int seat) {
    return Rng{hash_combine(game_seed, 0x5EA7ull + static_cast<std::uint64_t>(seat))};
}

inline Action choose_kept(const CardSet& cards, const State& state, Mulligan mulligan) {
    constexpr int kCheap = 3;  // the highest cost that the mulligan takes for cheap
    std::uint32_t kept = 0;
    for (int i = 0; i < replaceable_cards(state); ++i) {
        const bool cheap = cards[state.players[state.active].hand[i].card].cost <= kCheap;
        if (mulligan == Mulligan::all || cheap == (mulligan == Mulligan::cheap)) kept |= 1u << i;
    }
    return {ActionKind::keep, static_cast<std::uint8_t>(kept)};
}

template <class Agent, class Watcher>
void play_turn(const CardSet& cards, State& state, Agent& agent, Rng& own, Rng& game, Watcher& watcher) {
    const int player = state.active;
    watcher.turn_begins(state);
    if constexpr (!PlansTurns<Agent>) watcher.plan_begins(state, 0);
    for (bool ended = false; !ended;) {
        Action action;
        if constexpr (PlansTurns<Agent>) {
            const int plans = agent.plans();
            action = agent.template choose<HearthstoneGame>(cards, state, own);
            if (agent.plans() != plans) watcher.plan_begins(state, agent.plan_score());
        } else {
            action = agent.template choose<HearthstoneGame>(cards, state, own);
        }
        watcher.before(state, action);
        CountedDraws draws{game};
        apply(cards, state, action, draws);
        if constexpr (requires { agent.after_action(true); }) agent.after_action(draws.count > 0);
        watcher.after(state, action, player);
        ended = HearthstoneGame::ends_turn(action) || HearthstoneGame::is_over(state);
    }
    watcher.turn_ended(state, player);
}

// The game of that seed to its end. The first of each pair moves first. Agents are for this game alone: what they
// remember must not reach another.
template <class Watcher>
State play_game(const CardSet& cards, const DeckList (&decks)[2], PlayAgent (&agents)[2], std::uint64_t seed,
                Mulligan mulligan, Watcher& watcher) {
    Rng streams[3] = {stream(seed, 0), stream(seed, 1), stream(seed, 2)};
    StreamDraws draws{streams[2]};
    State state = new_game(cards, decks, draws);
    watcher.game_begins(state, streams[2]);
    for (int player = 0; player < 2; ++player) {
        const Action kept = choose_kept(cards, state, mulligan);
        watcher.before(state, kept);
        HearthstoneGame::apply(cards, state, kept, streams[2]);
    }
    while (!HearthstoneGame::is_over(state)) {
        const int seat = state.active;
        std::visit([&](auto& agent) { play_turn(cards, state, agent, streams[seat], streams[2], watcher); },
                   agents[seat]);
    }
    return state;
}

// What was done in a game that was played elsewhere.
struct PlayedAction {
    Action action;
    std::optional<int> plan;  // if a plan was made before it, how its player rates what that leads to
};

// That game of that seed once more for a watcher, as far as its actions go; all of them must be legal.
template <class Watcher>
State watch_game(const CardSet& cards, const DeckList (&decks)[2], std::uint64_t seed,
                 std::span<const PlayedAction> actions, Watcher& watcher) {
    Rng game = stream(seed, 2);
    StreamDraws draws{game};
    State state = new_game(cards, decks, draws);
    watcher.game_begins(state, game);
    bool begins = true;
    for (const PlayedAction& played : actions) {
        const int player = state.active;
        const bool in_turn = state.phase != Phase::mulligan;
        if (in_turn && begins) watcher.turn_begins(state);
        if (in_turn && played.plan) watcher.plan_begins(state, *played.plan);
        watcher.before(state, played.action);
        HearthstoneGame::apply(cards, state, played.action, game);
        if (!in_turn) continue;
        watcher.after(state, played.action, player);
        begins = HearthstoneGame::ends_turn(played.action) || HearthstoneGame::is_over(state);
        if (begins) watcher.turn_ended(state, player);
    }
    return state;
}

}  // namespace deckatlas::hearthstone
