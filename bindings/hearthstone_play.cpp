// Bindings of Hearthstone's match runner.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>
#include <system_error>

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

constexpr std::int64_t kMostGames = std::int64_t{1} << 60;  // in all parts of a match

// The results of a match, as arrays shared with numpy.
struct MatchArrays {
    explicit MatchArrays(std::int64_t games)
        : seed(games),
          final_hash(games),
          first(games),
          winner(games),
          is_void(games),
          turns(games),
          actions(games),
          health(games, 2),
          armor(games, 2),
          drawn(games, 2),
          played(games, 2),
          spent(games, 2),
          wasted(games, 2),
          hand_sizes(games, 2),
          hands(games, 2, kHandTurns),
          damage(games, 2),
          nodes(games, 2) {}

    MatchColumns columns() const {
        auto* const hands_of_turns = reinterpret_cast<HandsOfTurns(*)[2]>(hands.data);
        return {{seed.data, first.data, winner.data, final_hash.data},
                is_void.data,
                turns.data,
                actions.data,
                health.pairs(),
                armor.pairs(),
                drawn.pairs(),
                played.pairs(),
                spent.pairs(),
                wasted.pairs(),
                damage.pairs(),
                hand_sizes.pairs(),
                hands_of_turns,
                nodes.pairs()};
    }

    Columns to_numpy() const {
        Columns columns;
        columns["seed"] = seed.to_numpy();
        columns["first"] = first.to_numpy();
        columns["winner"] = winner.to_numpy();
        columns["void"] = is_void.to_numpy();
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
        return columns;
    }

    Column<std::uint64_t> seed, final_hash;
    Column<std::uint8_t> first, winner, is_void;
    Column<std::int32_t> turns, actions;
    Column<std::int16_t> health, armor, drawn;
    Column<std::int32_t> played, spent, wasted, hand_sizes;
    Column<std::int8_t> hands;
    Column<std::int64_t> damage, nodes;
};

void check_game(std::int64_t game) {
    if (game < 0 || game > kMostGames) throw MatchError("the first game cannot be " + std::to_string(game));
}

Columns play(const std::shared_ptr<const CardSet>& cards, const PlayAgent& agent_a, const DeckRows& decks_a,
             const PlayAgent& agent_b, const DeckRows& decks_b, std::int64_t first_game, std::int64_t games,
             std::uint64_t seed, Mulligan mulligan, bool swap_seats, int threads, std::optional<Times> times,
             std::optional<ProgressFunction> progress) {
    check_game(first_game);
    if (games < 1 || games > 1'000'000'000)
        throw MatchError("games must be between 1 and 1000000000, not " + std::to_string(games));
    check_threads(threads);
    const std::vector<DeckList> decks[2] = {read_decks(*cards, decks_a), read_decks(*cards, decks_b)};
    const Entrant entrants[2] = {{agent_a, decks[0]}, {agent_b, decks[1]}};
    const MatchOptions options{{first_game, games, seed, swap_seats, threads}, mulligan};
    const MatchArrays arrays(games);
    const MatchTimes times_out = times_in(times);
    Watch watch(std::move(progress));
    {
        const WithoutGil without_gil;
        try {
            play_match(*cards, entrants, options, arrays.columns(), times_out, std::ref(watch));
        } catch (const std::system_error&) {
            throw MatchError("the system does not give " + std::to_string(threads) + " threads");
        }
    }
    watch.rethrow();
    return arrays.to_numpy();
}

// The row of a game whose actions were chosen outside the core.
Columns count_game(const std::shared_ptr<const CardSet>& cards, const DeckRows& decks_a, const DeckRows& decks_b,
                   const std::vector<Action>& actions, std::int64_t game, std::uint64_t seed, bool swap_seats) {
    check_game(game);
    const std::vector<DeckList> decks[2] = {read_decks(*cards, decks_a), read_decks(*cards, decks_b)};
    const Pairing pairing = pair_up(seed, game, swap_seats);
    const SeatDecks by_seat({decks[0], decks[1]}, pairing);
    std::vector<PlayedAction> played;
    for (const Action& action : actions) played.push_back({action, std::nullopt});
    Checked<Counting> counting(cards);
    const State state = watch_game(*cards, by_seat.by_seat, pairing.seed, played, counting);
    const MatchArrays arrays(1);
    write_row(arrays.columns(), 0, pairing, by_seat, state, counting);
    return arrays.to_numpy();
}

}  // namespace

void bind_hearthstone_play(nb::module_& m) {
    nb::enum_<Mulligan>(m, "Mulligan", "Which cards of an opening hand are kept.")
        .value("own", Mulligan::own)
        .value("cheap", Mulligan::cheap)
        .value("inverted", Mulligan::inverted)
        .value("all", Mulligan::all);
    m.def("game_seed", &game_seed, "match_seed"_a, "game"_a, "swap_seats"_a, "The seed of one game of a match.");
    m.def("play_match", &play, "cards"_a, "agent_a"_a, "decks_a"_a, "agent_b"_a, "decks_b"_a, nb::kw_only(),
          "first_game"_a = 0, "games"_a, "seed"_a, "mulligan"_a, "swap_seats"_a, "threads"_a, "times"_a = nb::none(),
          "progress"_a = nb::none(),
          "Columns of the games from `first_game` on. Decks are rows of a hero and its cards; seed k uses deck k of "
          "each entrant, and starts again after the last. `times` receives the turn times of as many games as it has "
          "rows.");
    m.def("count_game", &count_game, "cards"_a, "decks_a"_a, "decks_b"_a, "actions"_a, nb::kw_only(), "game"_a,
          "seed"_a, "swap_seats"_a,
          "The columns of one game of a match that was played outside the core, up to its last action; `nodes` are 0.");
    m.def(
        "choose_kept",
        [](const HearthstoneState& state, Mulligan mulligan, PlayAgent* agent, Rng* rng) {
            if (state.value.phase != Phase::mulligan) throw StateError("there is no opening hand to choose from");
            check_viewer(state.value, state.value.active);
            if (agent == nullptr || rng == nullptr) return choose_kept(*state.cards, state.value, mulligan);
            return choose_kept(*state.cards, state.value, mulligan, *agent, *rng);
        },
        "state"_a, "mulligan"_a, "agent"_a = nb::none(), "rng"_a = nb::none(),
        "The cards of the opening hand that a mulligan keeps for the player to move, whose agent may have a choice.");
    m.def(
        "copy_nanoseconds",
        [](const HearthstoneState& state, int copies) { return copy_nanoseconds(state.value, copies); }, "state"_a,
        "copies"_a, "Time to copy a state.");
}

}  // namespace deckatlas::bindings
