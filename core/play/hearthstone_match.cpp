// The match runner of Hearthstone.
#include "play/hearthstone_match.hpp"

#include <algorithm>
#include <iterator>

#include "common/parallel.hpp"

namespace deckatlas::hearthstone {
namespace {

// A stop is answered after a block: many games of some tens of microseconds, or one of an agent that searches.
constexpr std::int64_t kMaxBlock = 64;
constexpr std::int64_t kBlocksPerThread = 4;  // at least, if there are enough games, so that all threads end together

// Counts, and notes what turns take if that is asked for.
class TimedCounting : public Counting {
public:
    TimedCounting(const CardSet& cards, TurnTimes* seats) : Counting(cards), seats_(seats), timer_(nullptr) {}

    void game_begins(const State&, const Rng&) { timer_ = TurnTimer(seats_); }
    void turn_ended(const State&, int player) { timer_.turn_ended(player); }

private:
    TurnTimes* seats_;
    TurnTimer timer_;
};

// Plays the game of a row; `times` is null, or has an entry for each entrant.
void play_row(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options, std::int64_t row,
              const MatchColumns& columns, TurnTimes* times) {
    const Pairing pairing =
        pair_up({entrants[0].decks, entrants[1].decks}, options.seed, options.first_game + row, options.swap_seats);
    PlayAgent agents[2] = {entrants[pairing.first].agent, entrants[pairing.first ^ 1].agent};
    TurnTimes by_seat[2];
    TimedCounting counting(cards, times ? by_seat : nullptr);
    const State state = play_game(cards, pairing.decks, agents, pairing.seed, options.mulligan, counting);
    write_row(columns, row, pairing, state, counting);
    for (int seat = 0; seat < 2; ++seat) {
        const int entrant = seat ^ pairing.first;
        columns.nodes[row][entrant] = nodes_of(agents[seat]);
        if (times) times[entrant] = by_seat[seat];
    }
}

}  // namespace

Pairing pair_up(const std::span<const DeckList> (&decks)[2], std::uint64_t match_seed, std::int64_t game,
                bool swap_seats) {
    const int first = swap_seats ? static_cast<int>(game & 1) : 0;
    const auto number = static_cast<std::size_t>(swap_seats ? game / 2 : game);
    const auto deck_of = [&](int entrant) { return decks[entrant][number % decks[entrant].size()]; };
    return {first, game_seed(match_seed, game, swap_seats), {deck_of(first), deck_of(first ^ 1)}};
}

void write_row(const MatchColumns& columns, std::int64_t row, const Pairing& pairing, const State& state,
               const Counting& counting) {
    const int first = pairing.first;
    columns.seed[row] = pairing.seed;
    columns.first[row] = static_cast<std::uint8_t>(first);
    columns.winner[row] = state.winner == kNobody ? kNobody : static_cast<std::uint8_t>(state.winner ^ first);
    columns.is_void[row] = state.is_void;
    columns.turns[row] = state.turn;
    columns.actions[row] = counting.actions();
    columns.final_hash[row] = hash_state(state);
    for (int seat = 0; seat < 2; ++seat) {
        const Player& player = state.players[seat];
        const Counters& counters = counting.of(seat);
        const int entrant = seat ^ first;
        columns.health[row][entrant] = player.health;
        columns.armor[row][entrant] = player.armor;
        columns.cards_drawn[row][entrant] = static_cast<std::int16_t>(pairing.decks[seat].size - player.deck_size);
        columns.cards_played[row][entrant] = counters.cards_played;
        columns.mana_spent[row][entrant] = counters.mana_spent;
        columns.mana_wasted[row][entrant] = counters.mana_wasted;
        columns.minion_damage[row][entrant] = counters.minion_damage;
        columns.hand_sizes[row][entrant] = counters.hands_before;
        std::copy(std::begin(counters.hands), std::end(counters.hands), columns.hands[row][entrant]);
    }
}

bool play_match(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const std::function<bool(std::int64_t)>& poll) {
    const std::int64_t most = searches(entrants[0].agent) || searches(entrants[1].agent) ? 1 : kMaxBlock;
    const std::int64_t block_games =
        std::clamp<std::int64_t>(options.games / (kBlocksPerThread * options.threads), 1, most);
    const std::int64_t blocks = (options.games + block_games - 1) / block_games;
    const int threads = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, options.threads));
    const auto play_block = [&](int, std::int64_t block) {
        const std::int64_t end = std::min(options.games, (block + 1) * block_games);
        for (std::int64_t row = block * block_games; row < end; ++row)
            play_row(cards, entrants, options, row, columns, times.of_row(row));
    };
    const auto poll_games = [&](std::int64_t done) { return poll(std::min(options.games, done * block_games)); };
    return run_blocks(blocks, threads, std::chrono::milliseconds(100), play_block, poll_games);
}

}  // namespace deckatlas::hearthstone
