// The runner of matchups over courses.
#include "play/locm_courses.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "common/parallel.hpp"

namespace deckatlas::locm {
namespace {

constexpr std::int64_t kMaxBlock = 64;
constexpr std::int64_t kBlocksPerThread = 4;

// Plays games of one matchup after another and keeps the draft from game to game as long as it would be the same.
class Table {
public:
    Table(const CardTable& cards, DraftFormat format) : cards_(cards), format_(format) {}

    void sit_down(const Entrant& first, const Entrant& second) {
        seats_[0] = &first;
        seats_[1] = &second;
        draft_repeats_ = repeats(first.draft) && repeats(second.draft);
        drafted_ = false;
    }

    // The seat that wins.
    int play(std::uint64_t draft_seed, std::uint64_t game_seed) {
        Rng streams[2] = {player_stream(game_seed, 0), player_stream(game_seed, 1)};
        if (!drafted_ || draft_seed != draft_seed_) {
            draft_ = play_draft(cards_, format_, derive_seeds(draft_seed).draft, seats_, streams);
            draft_seed_ = draft_seed;
            drafted_ = draft_repeats_;
        }
        const Deal deal = shuffle_decks(cards_, draft_, derive_seeds(game_seed).shuffle);
        const BattleContext context{cards_, deal, draft_};
        return winner(play_battle(context, seats_, streams, [](int, int) {}));
    }

private:
    static bool repeats(const DraftPolicy& policy) {
        return std::visit([](const auto& chosen) { return std::decay_t<decltype(chosen)>::kRepeats; }, policy);
    }

    const CardTable& cards_;
    DraftFormat format_;
    const Entrant* seats_[2] = {nullptr, nullptr};
    bool draft_repeats_ = false;
    bool drafted_ = false;
    std::uint64_t draft_seed_ = 0;
    Draft draft_;
};

}  // namespace

bool play_courses(const CardTable& cards, std::span<const Entrant> entrants, const Matchups& matchups,
                  const Courses& courses, const CourseOptions& options, std::span<std::int32_t> wins,
                  const std::function<bool(std::int64_t)>& poll) {
    const std::size_t count = matchups.course.size();
    std::vector<std::int64_t> ends(count);  // games up to the end of each matchup
    std::int64_t games = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto course = static_cast<std::size_t>(matchups.course[i]);
        games += courses.starts[course + 1] - courses.starts[course];
        ends[i] = games;
    }
    std::fill(wins.begin(), wins.end(), 0);

    const std::int64_t block_games =
        std::clamp<std::int64_t>(games / (kBlocksPerThread * options.threads), 1, kMaxBlock);
    const std::int64_t blocks = (games + block_games - 1) / block_games;
    const int threads = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, options.threads));
    const auto play_block = [&](int, std::int64_t block) {
        Table table(cards, options.format);
        std::int64_t game = block * block_games;
        const std::int64_t block_end = std::min(games, game + block_games);
        auto matchup = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), game) - ends.begin());
        for (; game < block_end; ++matchup) {
            const auto course = static_cast<std::size_t>(matchups.course[matchup]);
            const std::int64_t begin = ends[matchup] - (courses.starts[course + 1] - courses.starts[course]);
            table.sit_down(entrants[static_cast<std::size_t>(matchups.first[matchup])],
                           entrants[static_cast<std::size_t>(matchups.second[matchup])]);
            std::int32_t won = 0;
            for (const std::int64_t end = std::min(ends[matchup], block_end); game < end; ++game) {
                const auto row = static_cast<std::size_t>(courses.starts[course] + (game - begin));
                won += table.play(courses.draft_seeds[row], courses.game_seeds[row]) == 0 ? 1 : 0;
            }
            std::atomic_ref(wins[matchup]).fetch_add(won, std::memory_order_relaxed);
        }
    };
    const auto poll_games = [&](std::int64_t done) { return poll(std::min(games, done * block_games)); };
    return run_blocks(blocks, threads, std::chrono::milliseconds(100), play_block, poll_games);
}

}  // namespace deckatlas::locm
