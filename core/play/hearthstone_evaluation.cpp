// The runner of evaluations of Hearthstone decks.
#include "play/hearthstone_evaluation.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "common/parallel.hpp"
#include "play/hearthstone_counters.hpp"

namespace deckatlas::hearthstone {
namespace {

constexpr int kMostRetries = 10;  // a game that is void so often stays so, and nobody has won it

// Plays a game, and another in its place as long as it is void, each with a watcher of its own; `ended` hears the last.
template <class NewWatcher, class Ended>
void play_until_valid(const CardSet& cards, const DeckList (&decks)[2], const PlayAgent* const (&seats)[2],
                      std::uint64_t seed, Mulligan mulligan, const NewWatcher& new_watcher, const Ended& ended) {
    for (int retries = 0;; ++retries) {
        auto watcher = new_watcher();
        PlayAgent agents[2] = {*seats[0], *seats[1]};
        const State state = play_game(cards, decks, agents, seed, mulligan, watcher);
        if (!state.is_void || retries == kMostRetries) return ended(state, watcher, seed, retries);
        seed = hash_combine(seed, static_cast<std::uint64_t>(retries));
    }
}

void write_notes(const State& state, const EvaluationCounting& counting, int seat, int deck, int retries,
                 std::int32_t* notes) {
    const Counters& counters = counting.of(seat);
    const PublishedCounters& published = counting.published();
    const Player& own = state.players[seat];
    const auto note = [&](Noted what, std::int64_t value) {
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        notes[static_cast<int>(what)] = static_cast<std::int32_t>(std::clamp(value, -kMost, kMost));
    };
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
}

struct Recording : Bystander {
    std::vector<Action> actions;

    void before(const State&, const Action& action) { actions.push_back(action); }
};

}  // namespace

RecordedGame record_game(const CardSet& cards, const DeckList (&decks)[2], const PlayAgent* const (&seats)[2],
                         std::uint64_t seed, Mulligan mulligan) {
    RecordedGame recorded;
    play_until_valid(
        cards, decks, seats, seed, mulligan, [] { return Recording(); },
        [&](const State&, Recording& recording, std::uint64_t played, int) {
            recorded = {played, std::move(recording.actions)};
        });
    return recorded;
}

bool evaluate_decks(const CardSet& cards, const PlayAgent& pilot, std::span<const DeckList> decks,
                    std::span<const Opponent> opponents, const Course& course, const EvaluationOptions& options,
                    const EvaluationColumns& columns, const std::function<bool(std::int64_t)>& poll) {
    const auto length = static_cast<std::int64_t>(course.opponent.size());
    const std::int64_t games = length * static_cast<std::int64_t>(decks.size());
    const auto play_one = [&](int, std::int64_t row) {
        const auto number = static_cast<std::size_t>(row / length);
        const auto game = static_cast<std::size_t>(row % length);
        const int seat = course.seat[game];
        const Opponent& opponent = opponents[static_cast<std::size_t>(course.opponent[game])];
        const DeckList both[2] = {seat == 0 ? decks[number] : opponent.deck, seat == 0 ? opponent.deck : decks[number]};
        const PlayAgent* const agents[2] = {seat == 0 ? &pilot : &opponent.agent, seat == 0 ? &opponent.agent : &pilot};
        const auto new_counting = [&] { return EvaluationCounting(cards, decks[number], seat); };
        const auto note = [&](const State& state, const EvaluationCounting& counting, std::uint64_t, int retries) {
            write_notes(state, counting, seat, decks[number].size, retries, columns.notes + row * kNoted);
            for (std::size_t i = 0; i < kDeckLimit; ++i) {
                if (counting.plays()[i] > 0)
                    std::atomic_ref(columns.plays[number * kDeckLimit + i])
                        .fetch_add(counting.plays()[i], std::memory_order_relaxed);
            }
        };
        play_until_valid(cards, both, agents, course.seed[game], options.mulligan, new_counting, note);
    };
    // A game at a time: some pilots take long, and a stop is to be answered quickly.
    const int threads = static_cast<int>(std::clamp<std::int64_t>(games, 1, options.threads));
    return run_blocks(games, threads, std::chrono::milliseconds(100), play_one, poll);
}

}  // namespace deckatlas::hearthstone
