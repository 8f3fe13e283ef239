// Bindings of the runner that evaluates Hearthstone decks.
#include "play/hearthstone_evaluation.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "columns.hpp"
#include "errors.hpp"
#include "hearthstone_state.hpp"
#include "play/hearthstone_match.hpp"
#include "running.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

template <class T>
using Vector = nb::ndarray<const T, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
template <std::size_t Dimensions>
using NewArray = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<Dimensions>>;
template <std::size_t Dimensions>
using NewBytes = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<Dimensions>>;

constexpr const char* kNotedNames[kNoted] = {
    "won",          "health_difference", "half_turns",  "own_turns",       "cards_drawn",
    "cards_played", "mana_spent",        "mana_wasted", "minion_damage",   "hands_before",
    "hands_after",  "damage_after",      "draws_seen",  "plan_mana_spent", "plan_mana_wasted",
    "plan_scores",  "retries",           "void",        "outcome"};

// The fields of CardEvents, which are bytes.
constexpr const char* kCardEventNames[] = {"offered", "kept", "drawn", "turn_played"};
constexpr std::size_t kCardEvents = std::size(kCardEventNames);
static_assert(sizeof(CardEvents) == kCardEvents);

auto rows_of_events(const Column<std::uint8_t>& column) {
    return reinterpret_cast<CardEvents(*)[kDeckLimit]>(column.data);
}

// The seeds of games with opponents; games are counted for each opponent.
nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>> meeting_seeds(std::uint64_t seed,
                                                                 const Vector<std::int32_t>& opponent,
                                                                 const Vector<std::int64_t>& meeting, bool swap_seats) {
    const std::size_t games = opponent.shape(0);
    if (games == 0 || meeting.shape(0) != games) throw MatchError("every game needs an opponent and a meeting");
    const Column<std::uint64_t> seeds(games);
    for (std::size_t i = 0; i < games; ++i)
        seeds.data[i] = game_seed(game_seed(seed, opponent.data()[i], false), meeting.data()[i], swap_seats);
    return seeds.array<nb::ndim<1>>();
}

void check_course(const Course& course, std::size_t opponents) {
    const std::size_t games = course.opponent.size();
    if (games == 0) throw MatchError("a course needs at least one game");
    if (course.seat.size() != games || course.seed.size() != games)
        throw MatchError("every game of a course needs an opponent, a seat and a seed");
    for (std::size_t i = 0; i < games; ++i) {
        if (course.opponent[i] < 0 || static_cast<std::size_t>(course.opponent[i]) >= opponents)
            throw MatchError("there is no opponent " + std::to_string(course.opponent[i]) + " among " +
                             std::to_string(opponents));
        if (course.seat[i] > 1) throw MatchError("a seat must be 0 or 1, not " + std::to_string(course.seat[i]));
    }
}

std::tuple<NewArray<3>, NewArray<2>, std::optional<NewBytes<4>>> evaluate(
    const std::shared_ptr<const CardSet>& cards, const PlayAgent& pilot, const DeckRows& deck_rows,
    const std::vector<PlayAgent>& opponent_agents, const DeckRows& opponent_decks, const Vector<std::int32_t>& opponent,
    const Vector<std::uint8_t>& seat, const Vector<std::uint64_t>& seed, Mulligan mulligan, int threads,
    bool card_events, std::optional<ProgressFunction> progress) {
    check_threads(threads);
    const std::vector<DeckList> decks = read_decks(*cards, deck_rows);
    const std::vector<DeckList> their_decks = read_decks(*cards, opponent_decks);
    if (their_decks.size() != opponent_agents.size()) throw MatchError("every opponent needs a pilot and a deck");
    std::vector<Opponent> opponents(their_decks.size());
    for (std::size_t i = 0; i < their_decks.size(); ++i) {
        opponents[i].agent = opponent_agents[i];
        opponents[i].deck = their_decks[i];
    }
    const auto opponent_of_game = copy_of(opponent);
    const auto seat_of_game = copy_of(seat);
    const auto seed_of_game = copy_of(seed);
    const Course course{opponent_of_game, seat_of_game, seed_of_game};
    const PlayAgent own_pilot = pilot;  // others may play with the given one meanwhile
    check_course(course, opponents.size());
    const Column<std::int64_t> notes(decks.size(), course.seed.size(), kNoted);
    const Column<std::int64_t> plays(decks.size(), kDeckLimit);
    std::optional<Column<std::uint8_t>> events;
    if (card_events) events.emplace(decks.size(), course.seed.size(), kDeckLimit, kCardEvents);
    Watch watch(std::move(progress));
    {
        const WithoutGil without_gil;
        try {
            evaluate_decks(*cards, own_pilot, decks, opponents, course, {mulligan, threads},
                           {notes.data, plays.data, events ? rows_of_events(*events) : nullptr}, std::ref(watch));
        } catch (const std::system_error&) {
            throw MatchError("the system does not give " + std::to_string(threads) + " threads");
        }
    }
    watch.rethrow();
    std::optional<NewBytes<4>> events_array;
    if (events) events_array = events->array<nb::ndim<4>>();
    return {notes.array<nb::ndim<3>>(), plays.array<nb::ndim<2>>(), events_array};
}

// The numbers of a game whose actions were chosen outside the core.
std::tuple<NewArray<1>, NewArray<1>, NewBytes<2>> note(
    const std::shared_ptr<const CardSet>& cards, const DeckRows& deck_rows,
    const std::vector<std::pair<Action, std::optional<int>>>& actions, int seat, std::uint64_t seed, int retries) {
    const std::vector<DeckList> read = read_decks(*cards, deck_rows);
    if (read.size() != 2) throw DeckError("a game has two decks, not " + std::to_string(read.size()));
    const DeckList decks[2] = {read[0], read[1]};
    const DeckList& own = decks[checked_player(seat)];
    if (retries < 0 || retries > kMostRetries)
        throw MatchError("retries must be from 0 to " + std::to_string(kMostRetries) + ", not " +
                         std::to_string(retries));
    std::vector<PlayedAction> played;
    for (const auto& [action, plan] : actions) played.push_back({action, plan});
    Checked<EvaluationCounting> counting(cards, own, seat);
    const State state = watch_game(*cards, decks, seed, played, counting);
    const Column<std::int64_t> notes(kNoted);
    const Column<std::int64_t> plays(kDeckLimit);
    const Column<std::uint8_t> events(kDeckLimit, kCardEvents);
    note_game(state, counting, seat, own.size, retries, {notes.data, plays.data, rows_of_events(events)});
    return {notes.array<nb::ndim<1>>(), plays.array<nb::ndim<1>>(), events.array<nb::ndim<2>>()};
}

}  // namespace

void bind_hearthstone_evaluation(nb::module_& m) {
    nb::list names;
    for (const char* name : kNotedNames) names.append(name);
    m.attr("NOTED") = nb::tuple(names);
    nb::list events;
    for (const char* name : kCardEventNames) events.append(name);
    m.attr("CARD_EVENTS") = nb::tuple(events);
    m.attr("MOST_RETRIES") = kMostRetries;
    m.def(
        "meeting_seeds", &meeting_seeds, "seed"_a, "opponent"_a, "meeting"_a, "swap_seats"_a,
        "The seed of each game of a course, from the run's seed, the number of the opponent and the number of earlier "
        "games with it; with swapped seats two games share a seed.");
    m.attr("MOST_CARDS") = kDeckLimit;
    m.def(
        "evaluate_decks", &evaluate, "cards"_a, "pilot"_a, "decks"_a, "opponent_pilots"_a, "opponent_decks"_a,
        nb::kw_only(), "opponent"_a, "seat"_a, "seed"_a, "mulligan"_a, "threads"_a, "card_events"_a = false,
        "progress"_a = nb::none(),
        "For each deck and each game of a course, the numbers that NOTED names; for each place of each deck how often "
        "its card was played; and, if requested, for each deck, game and place the numbers that CARD_EVENTS names. A "
        "game of the course has an opponent, the seat of the deck, and a seed.");
    m.def(
        "note_game", &note, "cards"_a, "decks"_a, "actions"_a, nb::kw_only(), "seat"_a, "seed"_a, "retries"_a,
        "The same for one game that was played outside the core, up to its last action. Decks are those of both seats. "
        "If a plan was made before an action, its rating comes with the action.");
}

}  // namespace deckatlas::bindings
