// The runner of evaluations of Hearthstone decks.
#include "play/hearthstone_evaluation.hpp"

#include <atomic>

#include "play/outcomes.hpp"
#include "play/seeds.hpp"

namespace deckatlas::hearthstone {
namespace {

void write_notes(const State& state, const EvaluationCounting& counting, int seat, int deck, int retries,
                 std::int64_t* notes) {
    const Counters& counters = counting.of(seat);
    const PublishedCounters& published = counting.published();
    const Player& own = state.players[seat];
    const auto note = [&](Noted what, std::int64_t value) { notes[static_cast<int>(what)] = value; };
    note(Noted::won, state.winner == seat);
    note(Noted::health_difference, own.health - state.players[seat ^ 1].health);
    note(Noted::half_turns, state.turn);
    note(Noted::own_turns, (state.turn + 1 - seat) / 2);
    note(Noted::cards_drawn, deck - kOpeningHands[seat] - own.deck_size);
    note(Noted::cards_played, counters.cards_played);
    note(Noted::mana_spent, counters.mana_spent);
    note(Noted::mana_wasted, counters.mana_wasted);
    note(Noted::minion_damage, counters.minion_damage);
    note(Noted::hands_before, counters.hands_before);
    note(Noted::hands_after, published.hands_after);
    note(Noted::damage_after, published.damage_after);
    note(Noted::draws_seen, published.draws_seen);
    note(Noted::plan_mana_spent, published.plan_mana_spent);
    note(Noted::plan_mana_wasted, published.plan_mana_wasted);
    note(Noted::plan_scores, published.plan_scores);
    note(Noted::retries, retries);
    note(Noted::is_void, state.is_void);
    note(Noted::outcome, static_cast<std::int64_t>(outcome_of<HearthstoneGame>(state, seat)));
}

// Other threads may add to the counts of the same deck.
void add_plays(const EvaluationCounting& counting, std::int64_t* plays) {
    for (int i = 0; i < kDeckLimit; ++i) {
        if (counting.plays()[i] > 0)
            std::atomic_ref(plays[i]).fetch_add(counting.plays()[i], std::memory_order_relaxed);
    }
}

}  // namespace

void note_game(const State& state, const EvaluationCounting& counting, int seat, int deck_size, int retries,
               const EvaluationColumns& columns) {
    write_notes(state, counting, seat, deck_size, retries, columns.notes);
    add_plays(counting, columns.plays);
    if (columns.events != nullptr) counting.write_events(state.players[seat], *columns.events);
}

bool evaluate_decks(const CardSet& cards, const PlayAgent& pilot, std::span<const DeckList> decks,
                    std::span<const Opponent> opponents, const Course& course, const EvaluationOptions& options,
                    const EvaluationColumns& columns, const Poll& poll) {
    const auto length = static_cast<std::int64_t>(course.opponent.size());
    const std::int64_t games = length * static_cast<std::int64_t>(decks.size());
    const auto play_one = [&](std::int64_t row, const std::atomic<bool>& stop) {
        const auto number = static_cast<std::size_t>(row / length);
        const auto game = static_cast<std::size_t>(row % length);
        const int seat = course.seat[game];
        const Opponent& opponent = opponents[static_cast<std::size_t>(course.opponent[game])];
        const DeckList both[2] = {seat == 0 ? decks[number] : opponent.deck, seat == 0 ? opponent.deck : decks[number]};
        const PlayAgent* const pilots[2] = {seat == 0 ? &pilot : &opponent.agent, seat == 0 ? &opponent.agent : &pilot};
        std::uint64_t seed = course.seed[game];
        for (int retries = 0;; ++retries) {
            EvaluationCounting counting(cards, decks[number], seat);
            PlayAgent agents[2] = {*pilots[0], *pilots[1]};
            for (PlayAgent& agent : agents) heed(agent, stop);
            const State state = play_game(cards, both, agents, seed, options.mulligan, counting);
            if (!state.is_void || retries == kMostRetries) {
                note_game(state, counting, seat, decks[number].size, retries,
                          {columns.notes + row * kNoted, columns.plays + number * kDeckLimit,
                           columns.events == nullptr ? nullptr : columns.events + row});
                return;
            }
            seed = game_seed(seed, retries, false);
        }
    };
    // One game at a time: some pilots are slow, and a stop must take effect quickly.
    return run_each_game({games, options.threads, kSlowGames}, play_one, poll);
}

}  // namespace deckatlas::hearthstone
