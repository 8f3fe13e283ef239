// Bindings of the recorder of Hearthstone positions.
#include "play/hearthstone_positions.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <system_error>

#include "columns.hpp"
#include "errors.hpp"
#include "hearthstone/position_network.hpp"
#include "hearthstone_network.hpp"
#include "hearthstone_state.hpp"
#include "running.hpp"
#include "surrogate.hpp"

using namespace nanobind::literals;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

using PairsOfGames = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Seeds = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Features = nb::ndarray<const Feature, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Moments = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t kMostGamesAtOnce = 10'000'000;

// Two numbers below `count` for each game.
std::vector<std::int32_t> checked_pairs(const char* what, const PairsOfGames& pairs, std::size_t games,
                                        std::size_t count) {
    if (pairs.shape(0) != games) throw MatchError("every game needs two " + std::string(what) + "s");
    std::vector<std::int32_t> numbers = copy_of(pairs);
    for (const std::int32_t number : numbers) {
        if (number < 0 || static_cast<std::size_t>(number) >= count)
            throw MatchError("there is no " + std::string(what) + " " + std::to_string(number) + " among " +
                             std::to_string(count));
    }
    return numbers;
}

auto rows_of_pairs(const std::vector<std::int32_t>& pairs) {
    return reinterpret_cast<const std::int32_t (*)[2]>(pairs.data());
}

void check_chance(const char* what, double chance) {
    if (!(chance >= 0 && chance <= 1)) throw MatchError(std::string(what) + " must be from 0 to 1");
}

template <class T>
nb::object column_of(std::vector<T>& numbers) {
    const std::size_t size = numbers.size();
    return nb::cast(array_of(std::move(numbers), size));
}

Columns record(const std::shared_ptr<const CardSet>& cards, const std::vector<PlayAgent>& pilots,
               const DeckRows& deck_rows, const PairsOfGames& pilots_of_game, const PairsOfGames& decks_of_game,
               const Seeds& seeds, Mulligan mulligan, double share, const std::optional<PlayAgent>& explorer,
               double explored, int threads, std::optional<ProgressFunction> progress) {
    const std::size_t games = seeds.size();
    if (games < 1 || games > kMostGamesAtOnce)
        throw MatchError("games must be between 1 and " + std::to_string(kMostGamesAtOnce) + ", not " +
                         std::to_string(games));
    check_threads(threads);
    check_chance("the share of positions", share);
    check_chance("the chance of explored turns", explored);
    const std::vector<DeckList> decks = read_decks(*cards, deck_rows);
    const auto pilot_pairs = checked_pairs("pilot", pilots_of_game, games, pilots.size());
    const auto deck_pairs = checked_pairs("deck", decks_of_game, games, decks.size());
    const auto seeds_of_games = copy_of(seeds);
    const RecordedGames to_play{pilots, decks, rows_of_pairs(pilot_pairs), rows_of_pairs(deck_pairs), seeds_of_games};
    const RecordingOptions options{mulligan, share, explorer ? &*explorer : nullptr, explored, threads};
    const Column<std::uint8_t> winner(games), is_void(games);
    const Column<std::int32_t> turns(games);
    Watch watch(std::move(progress));
    RecordedPositions recorded;
    {
        const WithoutGil without_gil;
        try {
            recorded =
                record_positions(*cards, to_play, options, {winner.data, is_void.data, turns.data}, std::ref(watch));
        } catch (const std::system_error&) {
            throw MatchError("the system does not give " + std::to_string(threads) + " threads");
        }
    }
    watch.rethrow();
    Columns columns;
    columns["features"] = column_of(recorded.features);
    columns["offsets"] = column_of(recorded.offsets);
    columns["moment"] = column_of(recorded.moments);
    columns["outcome"] = column_of(recorded.outcomes);
    columns["game"] = column_of(recorded.games);
    columns["half_turn"] = column_of(recorded.half_turns);
    columns["plan_score"] = column_of(recorded.plan_scores);
    columns["winner"] = winner.to_numpy();
    columns["void"] = is_void.to_numpy();
    columns["turns"] = turns.to_numpy();
    return columns;
}

// The ratings of recorded positions by a network.
nb::ndarray<nb::numpy, std::int32_t> rate_recorded(const EditionNetwork& edition, const Offsets& offsets,
                                                   const Features& features, const Moments& moments) {
    const PositionNetwork& network = *edition.network;
    const auto starts = copy_of(offsets);
    const auto all = copy_of(features);
    const auto kinds = copy_of(moments);
    const std::size_t count = kinds.size();
    const auto total = static_cast<std::int64_t>(all.size());
    if (starts.size() != count + 1) throw StateError("every position needs an offset, and the last one an end");
    for (const Feature feature : all) {
        if (feature >= network.features().count()) throw StateError("there is no feature " + std::to_string(feature));
    }
    std::vector<std::int32_t> ratings;
    ratings.reserve(count);
    FeatureList listed;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t start = starts[i], end = starts[i + 1];
        if (start < 0 || end < start || end > total || end - start > static_cast<std::int64_t>(kMostFeatures))
            throw StateError("offsets must rise, by at most the features that a position has");
        if (kinds[i] > 1) throw StateError("there is no moment " + std::to_string(kinds[i]));
        listed.clear();
        for (std::int64_t at = start; at < end; ++at) listed.push_back(all[static_cast<std::size_t>(at)]);
        ratings.push_back(network.rate(listed, static_cast<Moment>(kinds[i])));
    }
    return array_of(std::move(ratings), count);
}

}  // namespace

void bind_hearthstone_positions(nb::module_& m) {
    m.def("record_positions", &record, "cards"_a, "pilots"_a, "decks"_a, "pilots_of_game"_a, "decks_of_game"_a,
          "seeds"_a, nb::kw_only(), "mulligan"_a, "share"_a = 1.0, "explorer"_a = nb::none(), "explored"_a = 0.0,
          "threads"_a, "progress"_a = nb::none(),
          "Plays games and records positions where turns change. `pilots_of_game` and `decks_of_game` have a pair for "
          "each game, by number; the first moves first. `share` of the positions is recorded, and `explorer` plays a "
          "turn with the chance `explored`; positions before such a turn are dropped. Columns with a row for each "
          "position: `offsets` (of its `features`, with one row more), `moment`, `outcome` (0 lost, 1 won, 2 nobody "
          "won), "
          "`game`, `half_turn` and `plan_score`. Columns with a row for each game: `winner`, `void` and `turns`.");
    m.def("rate_recorded", &rate_recorded, "network"_a, "offsets"_a, "features"_a, "moments"_a,
          "The ratings of recorded positions, as `PositionNetwork.rate` gives them.");
}

}  // namespace deckatlas::bindings
