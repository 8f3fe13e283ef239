// The match runner of Legends of Code and Magic.
#include "play/locm_match.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "common/parallel.hpp"
#include "locm/battle_game.hpp"
#include "play/locm_game.hpp"

namespace deckatlas::locm {
namespace {

constexpr std::int64_t kMaxBlock = 64;
constexpr std::int64_t kBlocksPerThread =
    4;  // at least, where there are enough games, so that all threads end together

int mana_spent(const CardTable& cards, const Deal& deal, const Side& side, int seat) {
    int total = 0;
    for (std::uint32_t played = ((1u << side.drawn) - 1) & ~side.hand; played != 0; played &= played - 1) {
        total += cards[deal.decks[seat][std::countr_zero(played)]].cost;
    }
    return total;
}

// Plays the game of a row; `times` is null, or has an entry for each entrant.
void play_game(const CardTable& cards, const Entrant (&entrants)[2], const MatchOptions& options, std::int64_t row,
               const MatchColumns& columns, TurnTimes* times) {
    const std::int64_t game = options.first_game + row;
    const int first = options.swap_seats ? static_cast<int>(game & 1) : 0;
    const Entrant* const seats[2] = {&entrants[first], &entrants[first ^ 1]};
    const std::uint64_t seed = game_seed(options.seed, game, options.swap_seats);
    const Seeds seeds = derive_seeds(seed);
    Rng streams[2] = {player_stream(seed, 0), player_stream(seed, 1)};

    const Draft draft = play_draft(cards, options.format, seeds.draft, seats, streams);
    const Deal deal = shuffle_decks(cards, draft, seeds.shuffle);
    const BattleContext context{cards, deal, draft};
    TurnTimes by_seat[2];
    TurnTimer timer(times ? by_seat : nullptr);
    int actions = 0;
    const Battle battle = play_battle(context, seats, streams, [&](int seat, int made) {
        actions += made;
        timer.turn_ended(seat);
    });

    columns.seed[row] = seed;
    columns.first[row] = static_cast<std::uint8_t>(first);
    columns.winner[row] = static_cast<std::uint8_t>(winner(battle) ^ first);
    columns.turns[row] = static_cast<std::int16_t>(battle.turn + 1);
    columns.actions[row] = static_cast<std::int16_t>(actions);
    columns.final_hash[row] = hash_battle(battle);
    for (int seat = 0; seat < 2; ++seat) {
        const Side& side = battle.sides[seat];
        const int entrant = seat ^ first;
        columns.health[row][entrant] = side.health;
        columns.cards_drawn[row][entrant] = side.drawn;
        columns.cards_played[row][entrant] = static_cast<std::int16_t>(side.drawn - side.hand_size());
        columns.mana_spent[row][entrant] = static_cast<std::int16_t>(mana_spent(cards, deal, side, seat));
        if (times) times[entrant] = by_seat[seat];
    }
}

}  // namespace

bool play_match(const CardTable& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const MatchTimes& times, const std::function<bool(std::int64_t)>& poll) {
    const std::int64_t block_games =
        std::clamp<std::int64_t>(options.games / (kBlocksPerThread * options.threads), 1, kMaxBlock);
    const std::int64_t blocks = (options.games + block_games - 1) / block_games;
    const int threads = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, options.threads));
    std::atomic<bool> stopped{false};  // within a block, too: some agents take long for a game
    const auto play_block = [&](int, std::int64_t block) {
        const std::int64_t end = std::min(options.games, (block + 1) * block_games);
        for (std::int64_t row = block * block_games; row < end && !stopped; ++row) {
            play_game(cards, entrants, options, row, columns, times.of_row(row));
        }
    };
    const auto poll_games = [&](std::int64_t done) {
        if (!poll(std::min(options.games, done * block_games))) stopped = true;
        return !stopped;
    };
    return run_blocks(blocks, threads, std::chrono::milliseconds(100), play_block, poll_games) && !stopped;
}

}  // namespace deckatlas::locm
