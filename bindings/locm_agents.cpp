// Bindings of Legends of Code and Magic's battle agents, and of its draft policies with every check on their numbers.
#include "agents/locm_agents.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "agent_binder.hpp"
#include "agents/limits.hpp"
#include "agents/locm_drafters.hpp"
#include "errors.hpp"
#include "locm/commands.hpp"
#include "locm_state.hpp"
#include "play/seeds.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace locm;

using Scores = nb::ndarray<const double, nb::shape<kCards>, nb::c_contig, nb::device::cpu>;
using SeatScores = nb::ndarray<const double, nb::shape<2, 2, kCards>, nb::c_contig, nb::device::cpu>;
using PairOfScores = nb::ndarray<const double, nb::shape<2, kCards>, nb::c_contig, nb::device::cpu>;
using Pattern = nb::ndarray<const std::int32_t, nb::shape<2, PatternDraft::kCosts>, nb::c_contig, nb::device::cpu>;
using Kinds = nb::ndarray<const double, nb::shape<2, CurveDraft::kKinds>, nb::c_contig, nb::device::cpu>;
using Deck = nb::ndarray<const std::int32_t, nb::shape<kDeckSize>, nb::c_contig, nb::device::cpu>;

double checked_score(double score, std::size_t card) {
    if (std::isnan(score)) throw AgentError("the score of card " + std::to_string(card) + " is not a number");
    return score;
}

DraftPolicy ranking_draft(const Scores& scores) {
    RankingDraft policy;
    for (std::size_t card = 1; card <= kCards; ++card) policy.scores[card] = checked_score(scores(card - 1), card);
    return policy;
}

DraftPolicy seat_ranking_draft(const SeatScores& scores, bool last_on_ties) {
    SeatRankingDraft policy;
    policy.last_on_ties = last_on_ties;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        for (std::size_t few = 0; few < 2; ++few) {
            for (std::size_t card = 1; card <= kCards; ++card) {
                policy.scores[seat][few][card] = checked_score(scores(seat, few, card - 1), card);
            }
        }
    }
    return policy;
}

DraftPolicy pattern_draft(const PairOfScores& scores, const Pattern& wanted) {
    PatternDraft policy;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        for (std::size_t card = 1; card <= kCards; ++card) {
            policy.scores[seat][card] = checked_score(scores(seat, card - 1), card);
        }
        for (std::size_t kind = 0; kind < PatternDraft::kCosts; ++kind) {
            const std::int32_t number = wanted(seat, kind);
            if (number < 0 || number > kDeckSize)
                throw AgentError("the wanted number of cards of a cost must be from 0 to 30, not " +
                                 std::to_string(number));
            policy.wanted[seat][kind] = number;
        }
    }
    return policy;
}

double checked_number(double number) {
    if (!std::isfinite(number)) throw AgentError("a draft policy has a number that is not finite");
    return number;
}

DraftPolicy curve_draft(const PairOfScores& values, const Kinds& bends, const Kinds& usual) {
    CurveDraft policy;
    for (std::size_t seat = 0; seat < 2; ++seat) {
        for (std::size_t card = 1; card <= kCards; ++card) {
            policy.values[seat][card] = checked_number(values(seat, card - 1));
        }
        for (std::size_t kind = 0; kind < CurveDraft::kKinds; ++kind) {
            policy.bends[seat][kind] = checked_number(bends(seat, kind));
            policy.usual[seat][kind] = checked_number(usual(seat, kind));
        }
    }
    return policy;
}

DraftPolicy net_draft(const std::shared_ptr<Network>& first, const std::shared_ptr<Network>& second) {
    NetDraft policy;
    for (int seat = 0; seat < 2; ++seat) {
        const auto& network = seat == 0 ? first : second;
        if (network->inputs() != kOfferFeatures || network->outputs() != kOffered)
            throw AgentError("a draft network must have 48 inputs and 3 outputs, not " +
                             std::to_string(network->inputs()) + " and " + std::to_string(network->outputs()));
        policy.networks[seat] = network;
    }
    return policy;
}

DraftPolicy fixed_deck(const Deck& deck) {
    FixedDeck policy;
    for (std::size_t i = 0; i < kDeckSize; ++i) {
        const std::int32_t card = deck(i);
        if (card < 1 || card > kCards) throw DeckError("unknown card " + std::to_string(card));
        policy.cards[i] = static_cast<std::uint8_t>(card);
    }
    return policy;
}

Command choose_pick(const DraftPolicy& self, const LocmState& state, Rng& rng) {
    if (state.value.in_battle) throw StateError("the draft is over");
    const int player = player_to_move(state.value);
    const int choice = std::visit(
        [&](const auto& policy) -> int {
            if constexpr (std::is_same_v<std::decay_t<decltype(policy)>, FixedDeck>) {
                throw AgentError("a given deck cannot draft");
            } else {
                return policy.choose(*state.cards, state.value.draft, player, rng);
            }
        },
        self);
    return {CommandKind::pick, choice, 0};
}

// The end of a search that has this many seconds; without a number, or with more than a search can take, there is none.
SearchLimits::Clock::time_point deadline_after(std::optional<double> seconds) {
    using Clock = SearchLimits::Clock;
    constexpr double kLongest = 1e6;
    if (seconds && std::isnan(*seconds)) throw AgentError("the seconds for a turn are not a number");
    if (!seconds || *seconds > kLongest) return Clock::time_point::max();
    const std::chrono::duration<double> time(std::max(*seconds, 0.0));
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
}

void check_battle(const LocmState& state) {
    if (!state.value.in_battle || is_over(state.value.battle)) throw StateError("there is no battle in progress");
}

BattleContext context_of(const LocmState& state) { return {*state.cards, state.value.deal, state.value.draft}; }

// Under a referee's clock a search has `seconds` for this decision and the following ones of the same turn.
Command choose_action(BattleAgent& self, const LocmState& state, Rng& rng, std::optional<double> seconds) {
    check_battle(state);
    const BattleContext context = context_of(state);
    const auto deadline = deadline_after(seconds);
    const Action action = std::visit(
        [&](auto& agent) {
            if constexpr (requires { agent.limits; }) agent.limits.deadline = deadline;
            return agent.template choose<BattleGame>(context, state.value.battle, rng);
        },
        self);
    return to_command(state.value, action);
}

// A line as an agent sees it: whether it wins the game, its rating, and its actions.
using Line = std::tuple<bool, int, std::vector<Command>>;

// The commands of a line, each in the state that it is for.
std::vector<Command> commands_of(const BattleContext& context, State state, const ActionSequence<BattleGame>& line,
                                 Rng rng) {
    std::vector<Command> commands;
    for (const Action action : line) {
        commands.push_back(to_command(state, action));
        BattleGame::apply(context, state.battle, action, rng);
    }
    return commands;
}

std::vector<Line> explain(BattleAgent& self, const LocmState& state, Rng& rng) {
    check_battle(state);
    const BattleContext context = context_of(state);
    return std::visit(
        [&](auto& agent) {
            std::vector<Line> lines;
            if constexpr (requires { agent.explain(context, state.value.battle, rng); }) {
                for (const auto& line : agent.explain(context, state.value.battle, rng))
                    lines.emplace_back(line.wins, line.rating, commands_of(context, state.value, line.actions, rng));
            }
            return lines;
        },
        self);
}

void bind_drafts(nb::module_& m) {
    nb::class_<DraftPolicy>(m, "DraftPolicy", nb::dynamic_attr(), "Picks cards.")
        .def("choose", &choose_pick, "state"_a, "rng"_a);
    m.def("random_draft", [] { return DraftPolicy(RandomDraft{}); });
    m.def("ranking_draft", &ranking_draft, "scores"_a);
    m.def("seat_ranking_draft", &seat_ranking_draft, "scores"_a, nb::kw_only(), "last_on_ties"_a = false,
          "Rankings by seat and by whether fewer than two in five picks are creatures.");
    m.def("baseline1_draft", [] { return DraftPolicy(Baseline1Draft{}); });
    m.def("baseline2_draft", [] { return DraftPolicy(Baseline2Draft{}); });
    m.def("uji1_draft", [] { return DraftPolicy(Uji1Draft{}); });
    m.def("uji2_draft", [] { return DraftPolicy(Uji2Draft{}); });
    m.def("pattern_draft", &pattern_draft, "scores"_a, "wanted"_a);
    m.def("curve_draft", &curve_draft, "values"_a, "bends"_a, "usual"_a);
    m.def("net_draft", &net_draft, "first"_a, "second"_a);
    m.def("fixed_deck", &fixed_deck, "deck"_a);
}

void bind_battle_agents(nb::module_& m) {
    nb::class_<BattleAgent>(m, "BattleAgent", nb::dynamic_attr(), "Plays battles.")
        .def("choose", &choose_action, "state"_a, "rng"_a, "seconds"_a = nb::none(),
             "A legal action; with a clock, a search has `seconds` for the rest of the turn.")
        .def("explain", &explain, "state"_a, "rng"_a,
             "The lines that an agent compares before a turn, the best first: whether one wins, its rating, its "
             "actions. Empty if the agent does not compare whole turns.")
        .def("fresh", &fresh<BattleAgent>, nb::sig("def fresh(self) -> BattleAgent"), "A copy for a new game.");
    list_battle_agents(AgentBinder{m});
}

}  // namespace

void bind_locm_agents(nb::module_& m) {
    nb::class_<Rng>(m, "Rng", "A random stream.")
        .def(
            "__init__",
            [](Rng* self, std::uint64_t game_seed, int seat) { new (self) Rng(seat_stream(game_seed, seat)); },
            "game_seed"_a, "seat"_a, "The stream of a seat in the game of a seed.")
        .def(
            "below",
            [](Rng& self, std::uint32_t bound) {
                if (bound == 0) throw StateError("a bound must be positive");
                return self.below(bound);
            },
            "bound"_a)
        .def_static(
            "from_state", [](std::uint64_t state) { return Rng{state}; }, "state"_a, "The stream in that state.")
        .def_ro("state", &Rng::state, "The current state, which determines all following numbers.")
        .def("copy", [](const Rng& self) { return self; }, "An independent copy.");
    bind_drafts(m);
    bind_battle_agents(m);
}

}  // namespace deckatlas::bindings
