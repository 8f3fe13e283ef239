// Two agents play a game turn by turn, written once over the Game concept.
//
// How a game is set up is game-specific: drafts, decks, opening hands. From the first turn on all games are played
// here. Code that needs more than the result of a game watches it: Bystander defines the interface of a watcher.
#pragma once

#include <concepts>
#include <variant>

#include "common/game.hpp"
#include "play/seeds.hpp"
#include "play/turn_times.hpp"

namespace deckatlas {

// An agent that plans turns reports its number of plans in this game, and its rating of the last one's result.
template <class Agent>
concept PlansTurns = requires(const Agent& agent) {
    { agent.plans() } -> std::same_as<int>;
    { agent.plan_score() } -> std::same_as<int>;
};

// The events for a watcher; a watcher derives from this and hides the functions it needs. A plan is what a player has
// decided to do: a turn has at least one.
template <Game G>
struct Bystander {
    using State = typename G::State;
    using Action = typename G::Action;

    void game_begins(const State&, const Rng& /*chance*/) {}  // with the random stream for the rest of the game
    void turn_begins(const State&) {}
    void plan_begins(const State&, int /*score*/) {}
    void before(const State&, const Action&) {}
    void after(const State&, const Action&, int /*player*/) {}
    void turn_ended(const State&, int /*player*/) {}
};

// A watcher that also records turn times, if there is a place for them.
template <class Watcher>
class Timed : public Watcher {
public:
    // `seats` is null or has an entry for each seat; other arguments go to the watcher.
    template <class... Args>
    explicit Timed(TurnTimes* seats, const Args&... args) : Watcher(args...), seats_(seats), timer_(nullptr) {}

    void game_begins(const typename Watcher::State& state, const Rng& chance) {
        Watcher::game_begins(state, chance);
        timer_ = TurnTimer(seats_);
    }
    void turn_ended(const typename Watcher::State& state, int player) {
        Watcher::turn_ended(state, player);
        timer_.turn_ended(player);
    }

private:
    TurnTimes* seats_;
    TurnTimer timer_;
};

// Asks an agent for actions until its turn or the game ends. `own` is the agent's stream, `chance` the game's.
template <Game G, class Agent, class Watcher>
void play_turn(const typename G::Context& context, typename G::State& state, Agent& agent, Rng& own, Rng& chance,
               Watcher& watcher) {
    const int player = G::player_to_move(state);
    watcher.turn_begins(state);
    if constexpr (!PlansTurns<Agent>) watcher.plan_begins(state, 0);
    for (bool ended = false; !ended;) {
        typename G::Action action;
        if constexpr (PlansTurns<Agent>) {
            const int plans = agent.plans();
            action = agent.template choose<G>(context, state, own);
            if (agent.plans() != plans) watcher.plan_begins(state, agent.plan_score());
        } else {
            action = agent.template choose<G>(context, state, own);
        }
        watcher.before(state, action);
        if constexpr (requires { agent.after_action(true); }) {
            const auto undrawn = chance.state;
            G::apply(context, state, action, chance);
            agent.after_action(chance.state != undrawn);  // whether anything in it was random
        } else {
            G::apply(context, state, action, chance);
        }
        watcher.after(state, action, player);
        ended = G::ends_turn(action) || G::is_over(state);
    }
    watcher.turn_ended(state, player);
}

// Plays a game from the first turn to its end; `agent_of(state)` returns the variant that plays the next turn. It is
// visited once per turn, so inside a turn the compiler knows all types.
template <Game G, class AgentOf, class Watcher>
void play_turns_of(const typename G::Context& context, typename G::State& state, const AgentOf& agent_of,
                   GameStreams& streams, Watcher& watcher) {
    while (!G::is_over(state)) {
        const int seat = G::player_to_move(state);
        std::visit(
            [&](auto& agent) { play_turn<G>(context, state, agent, streams.seats[seat], streams.chance, watcher); },
            agent_of(state));
    }
}

// The same for one agent per seat. Agents are for this game only: their memory must not reach another game.
template <Game G, class... Agents, class Watcher>
void play_turns(const typename G::Context& context, typename G::State& state, std::variant<Agents...> (&agents)[2],
                GameStreams& streams, Watcher& watcher) {
    const auto agent_of = [&](const auto& now) -> auto& { return agents[G::player_to_move(now)]; };
    play_turns_of<G>(context, state, agent_of, streams, watcher);
}

}  // namespace deckatlas
