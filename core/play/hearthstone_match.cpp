// The match runner of Hearthstone.
#include "play/hearthstone_match.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/parallel.hpp"

namespace deckatlas::hearthstone {
namespace {

// A stop is answered after a block: many games of some tens of microseconds, or one of an agent that searches.
constexpr std::int64_t kMaxBlock = 64;
constexpr std::int64_t kBlocksPerThread = 4;  // at least, if there are enough games, so that all threads end together

template <class Agent>
concept Searches = requires(const Agent& agent) { agent.nodes(); };

bool searches(const PlayAgent& agent) {
    return std::visit([]<class Agent>(const Agent&) { return Searches<Agent>; }, agent);
}

// States that the agent has made in its searches.
std::int64_t nodes_of(const PlayAgent& agent) {
    return std::visit(
        []<class Agent>(const Agent& each) -> std::int64_t {
            if constexpr (Searches<Agent>) return each.nodes();
            return 0;
        },
        agent);
}

// Keeps all that a game can be replayed by.
struct Logging : Bystander {
    GameLog log;

    void game_begins(const State& start, const Rng& game) {
        log.start = start;
        log.draws = game;
    }
    void before(const State&, const Action& action) { log.actions.push_back(action); }
};

// Plays the game of a row.
void play_row(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options, std::int64_t row,
              const MatchColumns& columns) {
    const std::int64_t game = options.first_game + row;
    const int first = options.swap_seats ? static_cast<int>(game & 1) : 0;
    const Entrant* const seats[2] = {&entrants[first], &entrants[first ^ 1]};
    const std::uint64_t seed = game_seed(options.seed, game, options.swap_seats);
    const auto number = static_cast<std::size_t>(options.swap_seats ? game / 2 : game);
    const DeckList decks[2] = {seats[0]->decks[number % seats[0]->decks.size()],
                               seats[1]->decks[number % seats[1]->decks.size()]};
    PlayAgent agents[2] = {seats[0]->agent, seats[1]->agent};
    Counting counting(cards);
    const State state = play_game(cards, decks, agents, seed, options.mulligan, counting);

    columns.seed[row] = seed;
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
        columns.cards_drawn[row][entrant] = static_cast<std::int16_t>(decks[seat].size - player.deck_size);
        columns.cards_played[row][entrant] = counters.cards_played;
        columns.mana_spent[row][entrant] = counters.mana_spent;
        columns.mana_wasted[row][entrant] = counters.mana_wasted;
        columns.minion_damage[row][entrant] = counters.minion_damage;
        columns.hand_sizes[row][entrant] = counters.hands_before;
        std::copy(std::begin(counters.hands), std::end(counters.hands), columns.hands[row][entrant]);
        columns.nodes[row][entrant] = nodes_of(agents[seat]);
    }
}

}  // namespace

GameLog log_game(const CardSet& cards, PlayAgent (&agents)[2], const DeckList (&decks)[2], std::uint64_t seed,
                 Mulligan mulligan) {
    Logging logging;
    logging.log.last = play_game(cards, decks, agents, seed, mulligan, logging);
    return std::move(logging.log);
}

bool play_match(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const std::function<bool(std::int64_t)>& poll) {
    const std::int64_t most = searches(entrants[0].agent) || searches(entrants[1].agent) ? 1 : kMaxBlock;
    const std::int64_t block_games =
        std::clamp<std::int64_t>(options.games / (kBlocksPerThread * options.threads), 1, most);
    const std::int64_t blocks = (options.games + block_games - 1) / block_games;
    const int threads = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, options.threads));
    const auto play_block = [&](int, std::int64_t block) {
        const std::int64_t end = std::min(options.games, (block + 1) * block_games);
        for (std::int64_t row = block * block_games; row < end; ++row) play_row(cards, entrants, options, row, columns);
    };
    const auto poll_games = [&](std::int64_t done) { return poll(std::min(options.games, done * block_games)); };
    return run_blocks(blocks, threads, std::chrono::milliseconds(100), play_block, poll_games);
}

}  // namespace deckatlas::hearthstone
