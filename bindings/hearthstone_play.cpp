// Bindings of Hearthstone's match runner.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>
#include <system_error>
#include <tuple>

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

constexpr std::int64_t kMostGames = std::int64_t{1} << 60;  // of all parts of a match

Columns play(const std::shared_ptr<const CardSet>& cards, const PlayAgent& agent_a, const DeckRows& decks_a,
             const PlayAgent& agent_b, const DeckRows& decks_b, std::int64_t first_game, std::int64_t games,
             std::uint64_t seed, Mulligan mulligan, bool swap_seats, int threads,
             std::optional<ProgressFunction> progress) {
    if (first_game < 0 || first_game > kMostGames)
        throw MatchError("the first game cannot be " + std::to_string(first_game));
    if (games < 1 || games > 1'000'000'000)
        throw MatchError("games must be between 1 and 1000000000, not " + std::to_string(games));
    check_threads(threads);
    const std::vector<DeckList> decks[2] = {read_decks(*cards, decks_a), read_decks(*cards, decks_b)};
    const Entrant entrants[2] = {{agent_a, decks[0]}, {agent_b, decks[1]}};
    const MatchOptions options{first_game, games, seed, mulligan, swap_seats, threads};
    const Column<std::uint64_t> seeds(games), final_hash(games);
    const Column<std::uint8_t> first(games), winners(games), voids(games);
    const Column<std::int32_t> turns(games), actions(games);
    const Column<std::int16_t> health(games, 2), armor(games, 2), drawn(games, 2);
    const Column<std::int32_t> played(games, 2), spent(games, 2), wasted(games, 2), hand_sizes(games, 2);
    const Column<std::int8_t> hands(games, 2, kHandTurns);
    const Column<std::int64_t> damage(games, 2), nodes(games, 2);
    Columns columns;
    columns["seed"] = seeds.to_numpy();
    columns["first"] = first.to_numpy();
    columns["winner"] = winners.to_numpy();
    columns["void"] = voids.to_numpy();
    columns["turns"] = turns.to_numpy();
    columns["actions"] = actions.to_numpy();
    columns["health"] = health.to_numpy();
    columns["armor"] = armor.to_numpy();
    columns["cards_drawn"] = drawn.to_numpy();
    columns["cards_played"] = played.to_numpy();
    columns["mana_spent"] = spent.to_numpy();
    columns["mana_wasted"] = wasted.to_numpy();
    columns["minion_damage"] = damage.to_numpy();
    columns["hand_sizes"] = hand_sizes.to_numpy();
    columns["hands"] = hands.to_numpy();
    columns["nodes"] = nodes.to_numpy();
    columns["final_hash"] = final_hash.to_numpy();
    Watch watch(std::move(progress));
    {
        const nb::gil_scoped_release nogil;
        const MatchColumns out{seeds.data,     first.data,         winners.data,
                               voids.data,     turns.data,         actions.data,
                               health.pairs(), armor.pairs(),      drawn.pairs(),
                               played.pairs(), spent.pairs(),      wasted.pairs(),
                               damage.pairs(), hand_sizes.pairs(), reinterpret_cast<HandsOfTurns(*)[2]>(hands.data),
                               nodes.pairs(),  final_hash.data};
        try {
            play_match(*cards, entrants, options, out, std::ref(watch));
        } catch (const std::system_error&) {
            throw MatchError("the system does not give " + std::to_string(threads) + " threads");
        }
    }
    watch.rethrow();
    return columns;
}

// The game of a seed: where it began, the stream of its draws from there on, its actions and its last state.
auto play_one(const std::shared_ptr<const CardSet>& cards, const PlayAgent& first, const PlayAgent& second,
              const DeckRows& rows, std::uint64_t seed, Mulligan mulligan) {
    const std::vector<DeckList> read = read_decks(*cards, rows);
    if (read.size() != 2) throw DeckError("a game has two decks, not " + std::to_string(read.size()));
    const DeckList decks[2] = {read[0], read[1]};
    PlayAgent agents[2] = {first, second};
    GameLog log;
    {
        const nb::gil_scoped_release nogil;
        log = log_game(*cards, agents, decks, seed, mulligan);
    }
    return std::make_tuple(HearthstoneState{cards, log.start}, log.draws, log.actions,
                           HearthstoneState{cards, log.last});
}

}  // namespace

void bind_hearthstone_play(nb::module_& m) {
    nb::enum_<Mulligan>(m, "Mulligan", "Which cards of an opening hand are kept.")
        .value("cheap", Mulligan::cheap)
        .value("inverted", Mulligan::inverted)
        .value("all", Mulligan::all);
    m.def("game_seed", &game_seed, "match_seed"_a, "game"_a, "swap_seats"_a, "The seed of one game of a match.");
    m.def("play_match", &play, "cards"_a, "agent_a"_a, "decks_a"_a, "agent_b"_a, "decks_b"_a, nb::kw_only(),
          "first_game"_a = 0, "games"_a, "seed"_a, "mulligan"_a, "swap_seats"_a, "threads"_a, "progress"_a = nb::none(),
          "Columns of the games from `first_game` on. Decks are rows of a hero and its cards; seed k takes deck k of "
          "each entrant, and begins anew after the last.");
    m.def("play_one", &play_one, "cards"_a, "first"_a, "second"_a, "decks"_a, nb::kw_only(), "seed"_a, "mulligan"_a,
          "The game that a match plays with that seed: its start with hands dealt, the stream of what is random from "
          "there on, all actions, and the last state.");
    m.def(
        "copy_nanoseconds",
        [](const HearthstoneState& state, int copies) { return copy_nanoseconds(state.value, copies); }, "state"_a,
        "copies"_a, "Time to copy a state.");
}

}  // namespace deckatlas::bindings
