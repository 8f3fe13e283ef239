// Bindings of Hearthstone's agents, and of their ratings of positions with every check on their numbers.
#include "agents/hearthstone_agents.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "agent_binder.hpp"
#include "errors.hpp"
#include "hearthstone_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

void check_finite(const std::vector<double>& numbers) {
    for (const double number : numbers) {
        if (!std::isfinite(number)) throw AgentError("weights must be finite");
    }
}

Rating linear_rating(const std::vector<double>& weights) {
    if (weights.size() != kFeatures)
        throw AgentError("there are " + std::to_string(kFeatures) + " weights, not " + std::to_string(weights.size()));
    check_finite(weights);
    double values[kFeatures];
    for (std::size_t i = 0; i < kFeatures; ++i) values[i] = weights[i];
    return Rating::linear(values);
}

Rating network_rating(const std::shared_ptr<Network>& network) {
    if (network->inputs() != kFeatures || network->outputs() != 1)
        throw AgentError("a rating network must have " + std::to_string(kFeatures) + " inputs and 1 output");
    return Rating::network(network);
}

int rate(const Rating& self, const HearthstoneState& state, int player) {
    return self(*state.cards, state.value, checked_player(player));
}

std::vector<double> features(const HearthstoneState& state, int player) {
    double values[kFeatures];
    write_features(*state.cards, state.value, checked_player(player), values);
    return {values, values + kFeatures};
}

void check_turn(const PlayAgent& agent, const HearthstoneState& state) {
    if (state.value.phase != Phase::main && state.value.phase != Phase::choice)
        throw StateError("no turn is being played");
    if (state.value.viewer == kSeesAll) return;
    if (state.value.viewer != state.value.active) throw StateError("this is the view of the player who is not to move");
    const auto* const planner = std::get_if<PlannerAgent>(&agent);
    if (planner != nullptr && !planner->is_honest())
        throw StateError("a planner with perfect information needs the whole state, not a view");
}

Action choose_told(PlayAgent& self, const HearthstoneState& state, Rng& rng) {
    check_turn(self, state);
    return std::visit(
        [&](auto& agent) { return agent.template choose<HearthstoneGame>(*state.cards, state.value, rng); }, self);
}

Action choose(PlayAgent& self, const HearthstoneState& state, Rng& rng) {
    check_turn(self, state);
    return std::visit(
        [&](auto& agent) {
            if constexpr (requires { agent.template choose_untold<HearthstoneGame>(*state.cards, state.value, rng); })
                return agent.template choose_untold<HearthstoneGame>(*state.cards, state.value, rng);
            else
                return agent.template choose<HearthstoneGame>(*state.cards, state.value, rng);
        },
        self);
}

Plan plan(PlayAgent& self, const HearthstoneState& state, Rng& rng) {
    check_turn(self, state);
    return std::visit(
        [&](auto& agent) -> Plan {
            if constexpr (requires { agent.plan(*state.cards, state.value, rng); })
                return agent.plan(*state.cards, state.value, rng);
            throw AgentError("this agent does not plan turns");
        },
        self);
}

// A line with the names of its cards.
using CardName = std::optional<std::string>;
struct Line {
    PlanLine line;
    std::vector<std::pair<CardName, CardName>> names;  // of the source and the target of each action
};

Line with_names(const CardSet& cards, const PlanLine& line) {
    const auto name = [&](CardId card) { return card == 0 ? CardName() : CardName(cards.names.titles[card]); };
    Line out{line, {}};
    for (const NamedAction& each : line.actions) out.names.emplace_back(name(each.source), name(each.target));
    return out;
}

PlanLines explained(PlayAgent& self, const HearthstoneState& state, Rng& rng) {
    const bool mulligan = state.value.phase == Phase::mulligan;
    if (mulligan) {
        check_viewer(state.value, state.value.active);
    } else {
        check_turn(self, state);
    }
    return std::visit(
        [&](auto& agent) -> PlanLines {
            if constexpr (requires { agent.explain_kept(*state.cards, state.value, rng); })
                if (mulligan) return agent.explain_kept(*state.cards, state.value, rng);
            if constexpr (requires { agent.explain(*state.cards, state.value, rng); })
                if (!mulligan) return agent.explain(*state.cards, state.value, rng);
            return {};
        },
        self);
}

std::vector<Line> explain(PlayAgent& self, const HearthstoneState& state, Rng& rng) {
    std::vector<Line> lines;
    for (const PlanLine& line : explained(self, state, rng)) lines.push_back(with_names(*state.cards, line));
    return lines;
}

void after_action(PlayAgent& self, bool random) {
    std::visit(
        [&](auto& agent) {
            if constexpr (requires { agent.after_action(random); }) agent.after_action(random);
        },
        self);
}

// The number of plans the agent has made in this game, and its rating of the last; none for agents that do not plan.
std::optional<std::pair<int, int>> plans_of(const PlayAgent& self) {
    return std::visit(
        [](const auto& agent) -> std::optional<std::pair<int, int>> {
            if constexpr (requires { agent.plans(); }) return std::pair(agent.plans(), agent.plan_score());
            return std::nullopt;
        },
        self);
}

std::vector<Action> actions_of(const Plan& plan) {
    std::vector<Action> actions;
    for (const PlannedAction& planned : plan.actions) actions.push_back(planned.action);
    return actions;
}

std::vector<Action> actions_of_line(const Line& line) {
    std::vector<Action> actions;
    for (const NamedAction& each : line.line.actions) actions.push_back(each.action);
    return actions;
}

}  // namespace

void bind_hearthstone_agents(nb::module_& m) {
    nb::enum_<Score>(m, "Score", "The published ratings of positions.")
        .value("aggro", Score::aggro)
        .value("control", Score::control)
        .value("fatigue", Score::fatigue)
        .value("midrange", Score::midrange)
        .value("ramp", Score::ramp);
    nb::class_<Rating>(m, "Rating", "A rating of positions for a player.")
        .def(nb::init<Score>(), "score"_a)
        .def_static("linear", &linear_rating, "weights"_a, "Thousandths of a weighted sum of the features.")
        .def_static("network", &network_rating, "network"_a, "Millionths of the output of a network over the features.")
        .def("rate", &rate, "state"_a, "player"_a);
    m.def("features", &features, "state"_a, "player"_a, "The features that weights and networks rate.");
    nb::enum_<Information>(m, "Information", "What a planner knows.")
        .value("honest", Information::honest)
        .value("perfect", Information::perfect);
    nb::class_<Plan>(m, "Plan", "A plan for the rest of a turn.")
        .def_ro("score", &Plan::score)
        .def_ro("end_nodes", &Plan::end_nodes)
        .def_ro("nodes", &Plan::nodes)
        .def_ro("random", &Plan::random)
        .def_prop_ro("actions", &actions_of);
    nb::class_<Line>(m, "PlanLine", "A way to play the rest of a turn that an agent considered.")
        .def_prop_ro(
            "rating", [](const Line& self) { return self.line.rating; }, "The agent's rating of it.")
        .def_prop_ro(
            "chance", [](const Line& self) { return self.line.chance; },
            "The chance to win, as the agent's player sees it; none if the agent's ratings are not chances.")
        .def_prop_ro("actions", &actions_of_line, "Its actions, as they are carried out with one guess of the luck.")
        .def_ro("names", &Line::names,
                "For each action the names of the card or minion that acts, and of the minion it aims at, if any.")
        .def_prop_ro(
            "complete", [](const Line& self) { return self.line.complete; },
            "Whether these are all actions; false if luck decides how it continues.");
    nb::class_<PlayAgent>(m, "Agent", nb::dynamic_attr(), "Plays turns.")
        .def("choose", &choose, "state"_a, "rng"_a,
             "An action for a state. A plan is continued as long as the state is the one it led to.")
        .def("choose_told", &choose_told, "state"_a, "rng"_a,
             "The next action of its game, as in a match of the core, for callers that report the result of the last.")
        .def("plan", &plan, "state"_a, "rng"_a, "The plan that a planner makes for a state.")
        .def("explain", &explain, "state"_a, "rng"_a,
             "The lines that it compares for its plan, or for the cards to keep, with the same stream; the best first, "
             "which it plays. Empty for agents that do not plan.")
        .def("after_action", &after_action, "random"_a, "Reports whether anything in its last action was random.")
        .def_prop_ro("plans", &plans_of, "The number of plans it made in this game, and the rating of the last.")
        .def_prop_ro("nodes", &nodes_of, "The number of states in its searches of this game.")
        .def("fresh", &fresh<PlayAgent>, nb::sig("def fresh(self) -> Agent"), "A copy for a new game.");
    list_agents(AgentBinder{m});
}

}  // namespace deckatlas::bindings
