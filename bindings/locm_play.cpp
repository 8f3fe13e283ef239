// Bindings of Legends of Code and Magic's match runner.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <functional>
#include <optional>
#include <system_error>

#include "columns.hpp"
#include "errors.hpp"
#include "locm_state.hpp"
#include "play/locm_match.hpp"
#include "running.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace locm;

Columns play(const std::shared_ptr<const LocmCards>& cards, const DraftPolicy& draft_a, const BattleAgent& battle_a,
             const DraftPolicy& draft_b, const BattleAgent& battle_b, std::int64_t first_game, std::int64_t games,
             std::uint64_t seed, std::string_view format, bool swap_seats, int threads, std::optional<Times> times,
             std::optional<ProgressFunction> progress) {
    if (first_game < 0) throw MatchError("the first game cannot be " + std::to_string(first_game));
    if (games < 1 || games > 1'000'000'000)
        throw MatchError("games must be between 1 and 1000000000, not " + std::to_string(games));
    check_threads(threads);
    const MatchOptions options{{first_game, games, seed, swap_seats, threads}, format_of(format)};
    const Entrant entrants[2] = {{draft_a, battle_a}, {draft_b, battle_b}};
    const Column<std::uint64_t> seeds(games), final_hash(games);
    const Column<std::uint8_t> first(games), winners(games);
    const Column<std::int32_t> health(games, 2);
    const Column<std::int16_t> turns(games), actions(games), drawn(games, 2), played(games, 2), mana(games, 2);
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
    const MatchTimes times_out = times_in(times);
    Watch watch(std::move(progress));
    {
        const WithoutGil without_gil;
        const MatchColumns out{{seeds.data, first.data, winners.data, final_hash.data},
                               health.pairs(),
                               turns.data,
                               actions.data,
                               drawn.pairs(),
                               played.pairs(),
                               mana.pairs()};
        try {
            play_match(*cards, entrants, options, out, times_out, std::ref(watch));
        } catch (const std::system_error&) {
            throw MatchError("the system does not give " + std::to_string(threads) + " threads");
        }
    }
    watch.rethrow();
    return columns;
}

}  // namespace

void bind_locm_play(nb::module_& m) {
    m.def("game_seed", &game_seed, "match_seed"_a, "game"_a, "swap_seats"_a, "The seed of one game of a match.");
    m.def(
        "play_match", &play, "cards"_a, "draft_a"_a, "battle_a"_a, "draft_b"_a, "battle_b"_a, nb::kw_only(),
        "first_game"_a = 0, "games"_a, "seed"_a, "format"_a, "swap_seats"_a, "threads"_a, "times"_a = nb::none(),
        "progress"_a = nb::none(),
        "Columns of the games from `first_game` on; `times` receives the turn times of as many games as it has rows.");
    m.def(
        "copy_nanoseconds",
        [](const LocmState& state, int copies) {
            return std::pair(copy_nanoseconds(state.value, copies), copy_nanoseconds(state.value.battle, copies));
        },
        "state"_a, "copies"_a, "Time to copy a whole state, and to copy the battle in it.");
}

}  // namespace deckatlas::bindings
