// The match runner of Hearthstone.
#include "play/hearthstone_match.hpp"

#include <algorithm>

#include "common/parallel.hpp"
#include "hearthstone/hearthstone_game.hpp"

namespace deckatlas::hearthstone {
namespace {

constexpr std::int64_t kMaxBlock = 64;  // games of some tens of microseconds, so a stop is answered quickly
constexpr std::int64_t kBlocksPerThread =
    4;                     // at least, where there are enough games, so that all threads end together
constexpr int kCheap = 3;  // the highest cost that the mulligan takes for cheap

// The random stream of a seat in the game of that seed; seat 2 is the game's own, for shuffles and effects.
constexpr Rng stream(std::uint64_t game_seed, int seat) {
    return Rng{hash_combine(game_seed, 0x5EA7ull + static_cast<std::uint64_t>(seat))};
}

// What is counted of a player while a game is played.
struct Counters {
    int cards_played = 0;
    int mana_spent = 0;
    int mana_wasted = 0;
    std::int64_t minion_damage = 0;
    int hand_sizes = 0;
};

// Notes what an action is about to do.
void count_action(const CardSet& cards, const State& state, const Action& action, Counters& own) {
    const Player& player = state.players[state.active];
    switch (action.kind) {
        case ActionKind::play:
            ++own.cards_played;
            own.mana_spent += cost_in_hand(cards, state, state.active, action.source);
            break;
        case ActionKind::power: own.mana_spent += cards[player.power].cost; break;
        case ActionKind::attack:
            if (action.source > 0)
                own.minion_damage += state.on_board(state.active, action.source - 1).current_attack();
            break;
        case ActionKind::end_turn: own.mana_wasted += player.mana(); break;
        case ActionKind::choose:
        case ActionKind::keep: break;
    }
}

Action choose_kept(const CardSet& cards, const State& state, Mulligan mulligan) {
    std::uint32_t kept = 0;
    for (int i = 0; i < replaceable_cards(state); ++i) {
        const bool cheap = cards[state.players[state.active].hand[i].card].cost <= kCheap;
        if (mulligan == Mulligan::all || cheap == (mulligan == Mulligan::cheap)) kept |= 1u << i;
    }
    return {ActionKind::keep, static_cast<std::uint8_t>(kept)};
}

// One turn; returns how many actions it took. `note` hears of each before it is done.
template <class Agent, class Note>
int play_turn(const CardSet& cards, State& state, Agent& agent, Rng& own, Rng& game, Counters& counters,
              const Note& note) {
    for (int actions = 1;; ++actions) {
        const Action action = agent.template choose<HearthstoneGame>(cards, state, own);
        count_action(cards, state, action, counters);
        note(action);
        HearthstoneGame::apply(cards, state, action, game);
        if (HearthstoneGame::ends_turn(action) || HearthstoneGame::is_over(state)) return actions;
    }
}

struct Outcome {
    State last;
    Counters counters[2];
    int actions = 0;
};

// Plays the game of a seed to its end. `begin` hears of the state with hands dealt and of the game's stream, `note` of
// every action before it is done.
template <class Begin, class Note>
Outcome play_out(const CardSet& cards, const DeckList (&decks)[2], PlayAgent (&agents)[2], std::uint64_t seed,
                 Mulligan mulligan, const Begin& begin, const Note& note) {
    Rng streams[3] = {stream(seed, 0), stream(seed, 1), stream(seed, 2)};
    StreamDraws draws{streams[2]};
    Outcome outcome{new_game(cards, decks, draws), {}, 0};
    State& state = outcome.last;
    begin(state, streams[2]);
    for (int player = 0; player < 2; ++player) {
        const Action kept = choose_kept(cards, state, mulligan);
        note(kept);
        HearthstoneGame::apply(cards, state, kept, streams[2]);
    }
    while (!HearthstoneGame::is_over(state)) {
        const int seat = state.active;
        outcome.counters[seat].hand_sizes += state.players[seat].hand_size;
        outcome.actions += std::visit(
            [&](auto& agent) {
                return play_turn(cards, state, agent, streams[seat], streams[2], outcome.counters[seat], note);
            },
            agents[seat]);
    }
    return outcome;
}

// Plays the game of a row.
void play_game(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options, std::int64_t row,
               const MatchColumns& columns) {
    const std::int64_t game = options.first_game + row;
    const int first = options.swap_seats ? static_cast<int>(game & 1) : 0;
    const Entrant* const seats[2] = {&entrants[first], &entrants[first ^ 1]};
    const std::uint64_t seed = game_seed(options.seed, game, options.swap_seats);
    const auto number = static_cast<std::size_t>(options.swap_seats ? game / 2 : game);
    const DeckList decks[2] = {seats[0]->decks[number % seats[0]->decks.size()],
                               seats[1]->decks[number % seats[1]->decks.size()]};
    PlayAgent agents[2] = {seats[0]->agent, seats[1]->agent};  // what one remembers must not reach another game
    const Outcome outcome =
        play_out(cards, decks, agents, seed, options.mulligan, [](const State&, Rng) {}, [](const Action&) {});
    const State& state = outcome.last;
    const Counters(&counters)[2] = outcome.counters;

    const auto narrow = [](int value) { return static_cast<std::int16_t>(value); };
    columns.seed[row] = seed;
    columns.first[row] = static_cast<std::uint8_t>(first);
    columns.winner[row] = state.winner == kNobody ? kNobody : static_cast<std::uint8_t>(state.winner ^ first);
    columns.is_void[row] = state.is_void;
    columns.turns[row] = narrow(state.turn);
    columns.actions[row] = outcome.actions;
    columns.final_hash[row] = hash_state(state);
    for (int seat = 0; seat < 2; ++seat) {
        const Player& player = state.players[seat];
        const int entrant = seat ^ first;
        columns.health[row][entrant] = player.health;
        columns.armor[row][entrant] = player.armor;
        columns.cards_drawn[row][entrant] = narrow(decks[seat].size - player.deck_size);
        columns.cards_played[row][entrant] = counters[seat].cards_played;
        columns.mana_spent[row][entrant] = counters[seat].mana_spent;
        columns.mana_wasted[row][entrant] = narrow(counters[seat].mana_wasted);
        columns.minion_damage[row][entrant] = counters[seat].minion_damage;
        columns.hand_sizes[row][entrant] = narrow(counters[seat].hand_sizes);
    }
}

}  // namespace

GameLog log_game(const CardSet& cards, const PlayAgent (&agents)[2], const DeckList (&decks)[2], std::uint64_t seed,
                 Mulligan mulligan) {
    PlayAgent playing[2] = {agents[0], agents[1]};
    GameLog log;
    const auto begin = [&](const State& start, Rng game) {
        log.start = start;
        log.draws = game;
    };
    const auto note = [&](const Action& action) { log.actions.push_back(action); };
    log.last = play_out(cards, decks, playing, seed, mulligan, begin, note).last;
    return log;
}

bool play_match(const CardSet& cards, const Entrant (&entrants)[2], const MatchOptions& options,
                const MatchColumns& columns, const std::function<bool(std::int64_t)>& poll) {
    const std::int64_t block_games =
        std::clamp<std::int64_t>(options.games / (kBlocksPerThread * options.threads), 1, kMaxBlock);
    const std::int64_t blocks = (options.games + block_games - 1) / block_games;
    const int threads = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, options.threads));
    const auto play_block = [&](int, std::int64_t block) {
        const std::int64_t end = std::min(options.games, (block + 1) * block_games);
        for (std::int64_t row = block * block_games; row < end; ++row)
            play_game(cards, entrants, options, row, columns);
    };
    const auto poll_games = [&](std::int64_t done) { return poll(std::min(options.games, done * block_games)); };
    return run_blocks(blocks, threads, std::chrono::milliseconds(100), play_block, poll_games);
}

}  // namespace deckatlas::hearthstone
