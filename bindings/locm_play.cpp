// Bindings of Legends of Code and Magic's agents and match runner.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nanobind/stl/string_view.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <type_traits>

#include "agents/limits.hpp"
#include "errors.hpp"
#include "locm/commands.hpp"
#include "locm_state.hpp"
#include "play/locm_match.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace locm;

using Scores = nb::ndarray<const double, nb::shape<kCards>, nb::c_contig, nb::device::cpu>;
using SeatScores = nb::ndarray<const double, nb::shape<2, 2, kCards>, nb::c_contig, nb::device::cpu>;
using Deck = nb::ndarray<const std::int32_t, nb::shape<kDeckSize>, nb::c_contig, nb::device::cpu>;

using ProgressFunction = nb::typed<nb::callable, nb::object(std::int64_t)>;
// Rows of a game, entries of an entrant: what TurnTimes has.
using Times = nb::ndarray<double, nb::shape<-1, 2, 3>, nb::c_contig, nb::device::cpu>;
static_assert(sizeof(TurnTimes) == 3 * sizeof(double));
using Columns = nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy>>;

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

DraftPolicy net_draft(const std::shared_ptr<Network>& first, const std::shared_ptr<Network>& second) {
    NetDraft policy;
    for (int seat = 0; seat < 2; ++seat) {
        const auto& network = seat == 0 ? first : second;
        if (network->inputs() != kOfferFeatures || network->outputs() != kOffered)
            throw AgentError("a network that drafts has 48 inputs and 3 outputs, not " +
                             std::to_string(network->inputs()) + " and " + std::to_string(network->outputs()));
        policy.networks[seat] = network;
    }
    return policy;
}

DraftPolicy fixed_deck(const Deck& deck) {
    FixedDeck policy;
    for (std::size_t i = 0; i < kDeckSize; ++i) {
        if (deck(i) < 1 || deck(i) > kCards) throw DeckError("unknown card " + std::to_string(deck(i)));
        policy.cards[i] = static_cast<std::uint8_t>(deck(i));
    }
    return policy;
}

BattleAgent rg_agent(std::int64_t nodes, bool merge) {
    if (nodes < 1 || nodes > 10'000'000)
        throw AgentError("'rg': nodes must be between 1 and 10000000, not " + std::to_string(nodes));
    RgAgent agent;
    agent.limits.nodes = nodes;
    agent.merge = merge;
    return agent;
}

Command choose_pick(const DraftPolicy& self, const LocmState& state, Rng& rng) {
    if (state.value.in_battle) throw StateError("the draft is over");
    const int player = player_to_move(state.value);
    const int choice = std::visit(
        [&](const auto& policy) -> int {
            if constexpr (std::is_same_v<std::decay_t<decltype(policy)>, FixedDeck>) {
                throw AgentError("a given deck does not draft");
            } else {
                return policy.choose(*state.cards, state.value.draft, player, rng);
            }
        },
        self);
    return {CommandKind::pick, choice, 0};
}

// Under a referee's clock a search has `seconds` for this decision and those that follow in the same turn.
Command choose_action(BattleAgent& self, const LocmState& state, Rng& rng, std::optional<double> seconds) {
    if (!state.value.in_battle || is_over(state.value.battle)) throw StateError("no battle is going on");
    const BattleContext context{*state.cards, state.value.deal, state.value.draft};
    const Action action = std::visit(
        [&](auto& agent) {
            if constexpr (requires { agent.limits; }) {
                using Clock = SearchLimits::Clock;
                const auto time = std::chrono::duration<double>(seconds.value_or(0));
                agent.limits.deadline = seconds ? Clock::now() + std::chrono::duration_cast<Clock::duration>(time)
                                                : Clock::time_point::max();
            }
            return agent.template choose<BattleGame>(context, state.value.battle, rng);
        },
        self);
    return to_command(state.value, action);
}

// A column of `games` rows, of one or two entries each, shared with the numpy array that is returned for it. Its memory
// comes zeroed from the system page by page as games are played, so that even a huge match starts at once.
template <class T>
struct Column {
    Column(std::int64_t games, int entries)
        : data(static_cast<T*>(std::calloc(static_cast<std::size_t>(games * entries), sizeof(T)))),
          rows(static_cast<std::size_t>(games)),
          width(static_cast<std::size_t>(entries)) {
        if (data == nullptr) throw std::bad_alloc();
        owner = nb::capsule(data, [](void* p) noexcept { std::free(p); });
    }

    nb::object to_numpy() const {
        const std::size_t shape[2] = {rows, width};
        return nb::cast(nb::ndarray<nb::numpy, T>(data, width == 1 ? 1 : 2, shape, owner));
    }
    T (*pairs() const)[2] { return reinterpret_cast<T(*)[2]>(data); }

    T* data;
    std::size_t rows;
    std::size_t width;
    nb::capsule owner;
};

// What the calling thread does while others play: answer Ctrl-C, report progress. The first Python error stops the
// match and is raised once all threads have ended.
class Watch {
public:
    explicit Watch(std::optional<ProgressFunction> progress) : progress_(std::move(progress)) {}

    bool operator()(std::int64_t games) {
        const nb::gil_scoped_acquire gil;
        try {
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (progress_) (*progress_)(games);
        } catch (nb::python_error& error) {
            error_.emplace(std::move(error));
            return false;
        }
        return true;
    }
    void rethrow() {
        if (error_) throw nb::python_error(std::move(*error_));
    }

private:
    std::optional<ProgressFunction> progress_;
    std::optional<nb::python_error> error_;
};

Columns play(const std::shared_ptr<const CardTable>& cards, const DraftPolicy& draft_a, const BattleAgent& battle_a,
             const DraftPolicy& draft_b, const BattleAgent& battle_b, std::int64_t first_game, std::int64_t games,
             std::uint64_t seed, std::string_view format, bool swap_seats, int threads, std::optional<Times> times,
             std::optional<ProgressFunction> progress) {
    if (first_game < 0) throw MatchError("the first game cannot be " + std::to_string(first_game));
    if (games < 1 || games > 1'000'000'000)
        throw MatchError("games must be between 1 and 1000000000, not " + std::to_string(games));
    if (threads < 1 || threads > 1024)
        throw MatchError("threads must be between 1 and 1024, not " + std::to_string(threads));
    MatchOptions options{first_game, games, seed, DraftFormat::referee, swap_seats, threads};
    if (format == "distinct") {
        options.format = DraftFormat::distinct;
    } else if (format != "referee") {
        throw MatchError("unknown draft format " + quote(format) + ": use 'referee' or 'distinct'");
    }
    const Entrant entrants[2] = {{draft_a, battle_a}, {draft_b, battle_b}};
    const Column<std::uint64_t> seeds(games, 1), final_hash(games, 1);
    const Column<std::uint8_t> first(games, 1), winners(games, 1);
    const Column<std::int32_t> health(games, 2);
    const Column<std::int16_t> turns(games, 1), actions(games, 1), drawn(games, 2), played(games, 2), mana(games, 2);
    Columns columns;
    columns["seed"] = seeds.to_numpy();
    columns["first"] = first.to_numpy();
    columns["winner"] = winners.to_numpy();
    columns["health"] = health.to_numpy();
    columns["turns"] = turns.to_numpy();
    columns["actions"] = actions.to_numpy();
    columns["cards_drawn"] = drawn.to_numpy();
    columns["cards_played"] = played.to_numpy();
    columns["mana_spent"] = mana.to_numpy();
    columns["final_hash"] = final_hash.to_numpy();
    const MatchTimes times_out =
        times ? MatchTimes{reinterpret_cast<TurnTimes(*)[2]>(times->data()), static_cast<std::int64_t>(times->shape(0))}
              : MatchTimes{};
    Watch watch(std::move(progress));
    {
        const nb::gil_scoped_release nogil;
        const MatchColumns out{seeds.data,   first.data,    winners.data,   health.pairs(), turns.data,
                               actions.data, drawn.pairs(), played.pairs(), mana.pairs(),   final_hash.data};
        play_match(*cards, entrants, options, out, times_out, std::ref(watch));
    }
    watch.rethrow();
    return columns;
}

// Nanoseconds to copy one value, over a ring of copies so that the compiler cannot skip the work.
template <class T>
double copy_nanoseconds(const T& value, int copies) {
    constexpr int kRing = 16;
    T ring[kRing];
    ring[0] = value;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < copies; ++i) {
        ring[(i + 1) % kRing] = ring[i % kRing];
#if defined(__GNUC__)
        asm volatile("" : : "r"(&ring[(i + 1) % kRing]) : "memory");
#endif
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    return taken.count() / copies;
}

}  // namespace

void bind_locm_play(nb::module_& m) {
    nb::class_<Rng>(m, "Rng", "A random stream.")
        .def(
            "__init__",
            [](Rng* self, std::uint64_t game_seed, int seat) { new (self) Rng(player_stream(game_seed, seat)); },
            "game_seed"_a, "seat"_a, "The stream of a seat in the game of that seed.")
        .def(
            "below",
            [](Rng& self, std::uint32_t bound) {
                if (bound == 0) throw StateError("a bound must be positive");
                return self.below(bound);
            },
            "bound"_a);

    nb::class_<DraftPolicy>(m, "DraftPolicy", "Picks cards.").def("choose", &choose_pick, "state"_a, "rng"_a);
    nb::class_<BattleAgent>(m, "BattleAgent", "Plays battles.")
        .def("choose", &choose_action, "state"_a, "rng"_a, "seconds"_a = nb::none(),
             "A legal action; a search under a clock has so many seconds for the rest of the turn.")
        .def("fresh", [](const BattleAgent& self) { return self; }, "A copy for a new game.");

    m.def("random_draft", [] { return DraftPolicy(RandomDraft{}); });
    m.def("ranking_draft", &ranking_draft, "scores"_a);
    m.def("seat_ranking_draft", &seat_ranking_draft, "scores"_a, nb::kw_only(), "last_on_ties"_a = false,
          "Rankings by seat and by whether fewer than two in five picks are creatures.");
    m.def("baseline1_draft", [] { return DraftPolicy(Baseline1Draft{}); });
    m.def("baseline2_draft", [] { return DraftPolicy(Baseline2Draft{}); });
    m.def("uji1_draft", [] { return DraftPolicy(Uji1Draft{}); });
    m.def("uji2_draft", [] { return DraftPolicy(Uji2Draft{}); });
    m.def("fixed_deck", &fixed_deck, "deck"_a);
    m.def("pass_agent", [] { return BattleAgent(PassAgent{}); });
    m.def("random_agent", [] { return BattleAgent(RandomAgent{}); });
    m.def("active_random_agent", [] { return BattleAgent(ActiveRandomAgent{}); });
    m.def("greedy_agent", [] { return BattleAgent(GreedyAgent<SimpleRating>{}); });
    m.def("baseline1_agent", [] { return BattleAgent(Baseline1Agent{}); });
    m.def("baseline2_agent", [] { return BattleAgent(Baseline2Agent{}); });

    m.def(
        "planner_agent",
        [](int width, int finalists, const std::vector<int>& w) {
            PlannerEvaluation e;
            if (w.size() == 16) {
                int* out = &e.weights.body;
                for (std::size_t i = 0; i < 16; ++i) out[i] = w[i];
            }
            return BattleAgent(Planner(e, width, finalists));
        },
        "width"_a = 8, "finalists"_a = 16, "weights"_a = std::vector<int>());
    m.def("coac_agent", &coac_agent, "original"_a = false, "nodes"_a = nb::none());

    m.def("game_seed", &game_seed, "match_seed"_a, "game"_a, "swap_seats"_a, "The seed of one game of a match.");
    m.def("play_match", &play, "cards"_a, "draft_a"_a, "battle_a"_a, "draft_b"_a, "battle_b"_a, nb::kw_only(),
          "first_game"_a = 0, "games"_a, "seed"_a, "format"_a, "swap_seats"_a, "threads"_a, "times"_a = nb::none(),
          "progress"_a = nb::none(),
          "Columns of the games from `first_game` on; `times` takes what turns took in as many games as it has rows.");
    m.def(
        "copy_nanoseconds",
        [](const LocmState& state, int copies) {
            return std::pair(copy_nanoseconds(state.value, copies), copy_nanoseconds(state.value.battle, copies));
        },
        "state"_a, "copies"_a, "Time to copy a whole state, and to copy the battle in it.");
}

}  // namespace deckatlas::bindings
