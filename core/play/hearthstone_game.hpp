// One game of Hearthstone between two agents: opening hands, then turns to the end.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "agents/hearthstone_agents.hpp"
#include "hearthstone/hearthstone_game.hpp"
#include "hearthstone/setup.hpp"
#include "play/play_game.hpp"

namespace deckatlas::hearthstone {

// Which cards of an opening hand are kept.
enum class Mulligan : std::uint8_t {
    own,       // the agent's own choice; cheap cards if it has none
    cheap,     // cards that cost 3 or less
    inverted,  // cards that cost more
    all,
};

template <class Agent>
concept ChoosesKept = requires(Agent& agent, const CardSet& cards, const State& state, Rng& rng) {
    { agent.choose_kept(cards, state, rng) } -> std::same_as<Action>;
};

inline Action choose_kept(const CardSet& cards, const State& state, Mulligan mulligan) {
    constexpr int kCheap = 3;  // the highest cost of a cheap card
    std::uint32_t kept = 0;
    for (int i = 0; i < replaceable_cards(state); ++i) {
        const bool cheap = cards[state.players[state.active].hand[i].card].cost <= kCheap;
        if (mulligan == Mulligan::all || cheap == (mulligan != Mulligan::inverted)) kept |= 1u << i;
    }
    return {ActionKind::keep, static_cast<std::uint8_t>(kept)};
}

// The cards that the player to move keeps, for its agent with its stream.
inline Action choose_kept(const CardSet& cards, const State& state, Mulligan mulligan, PlayAgent& agent, Rng& rng) {
    return std::visit(
        [&]<class Agent>(Agent& each) {
            if constexpr (ChoosesKept<Agent>) {
                if (mulligan == Mulligan::own) return each.choose_kept(cards, state, rng);
            }
            return choose_kept(cards, state, mulligan);
        },
        agent);
}

// The game of a seed after the mulligan. The first deck moves first.
template <class Watcher>
State open_game(const CardSet& cards, const DeckList (&decks)[2], PlayAgent (&agents)[2], GameStreams& streams,
                Mulligan mulligan, Watcher& watcher) {
    StreamDraws draws{streams.chance};
    State state = new_game(cards, decks, draws);
    watcher.game_begins(state, streams.chance);
    for (int player = 0; player < 2; ++player) {
        const int seat = state.active;
        const Action kept = choose_kept(cards, state, mulligan, agents[seat], streams.seats[seat]);
        watcher.before(state, kept);
        HearthstoneGame::apply(cards, state, kept, streams.chance);
    }
    return state;
}

// Plays the game of a seed to its end. The first of each pair moves first. Agents are for this game only: their memory
// must not reach another game.
template <class Watcher>
State play_game(const CardSet& cards, const DeckList (&decks)[2], PlayAgent (&agents)[2], std::uint64_t seed,
                Mulligan mulligan, Watcher& watcher) {
    GameStreams streams(seed);
    State state = open_game(cards, decks, agents, streams, mulligan, watcher);
    play_turns<HearthstoneGame>(cards, state, agents, streams, watcher);
    return state;
}

// An action of a game that was played outside the core.
struct PlayedAction {
    Action action;
    std::optional<int> plan;  // if a plan was made before it, its player's rating of the result
};

// Replays the game of a seed for a watcher, up to the last given action; all actions must be legal.
template <class Watcher>
State watch_game(const CardSet& cards, const DeckList (&decks)[2], std::uint64_t seed,
                 std::span<const PlayedAction> actions, Watcher& watcher) {
    Rng chance = seat_stream(seed, kChanceSeat);
    StreamDraws draws{chance};
    State state = new_game(cards, decks, draws);
    watcher.game_begins(state, chance);
    bool begins = true;
    for (const PlayedAction& played : actions) {
        const int player = state.active;
        const bool in_turn = state.phase != Phase::mulligan;
        if (in_turn && begins) watcher.turn_begins(state);
        if (in_turn && played.plan) watcher.plan_begins(state, *played.plan);
        watcher.before(state, played.action);
        HearthstoneGame::apply(cards, state, played.action, chance);
        if (!in_turn) continue;
        watcher.after(state, played.action, player);
        begins = HearthstoneGame::ends_turn(played.action) || HearthstoneGame::is_over(state);
        if (begins) watcher.turn_ended(state, player);
    }
    return state;
}

}  // namespace deckatlas::hearthstone
