// The runner of matchups over courses.
#include "play/locm_courses.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

namespace deckatlas::locm {
namespace {

constexpr int kFirst = 0;  // the seat that results are seen from

std::int64_t course_length(const Courses& courses, std::int32_t course) {
    const auto number = static_cast<std::size_t>(course);
    return courses.starts[number + 1] - courses.starts[number];
}

// Plays games of one matchup after another and keeps the draft from game to game while it would be the same.
class Table {
public:
    Table(const CardTable& cards, DraftFormat format) : cards_(cards), format_(format) {}

    void sit_down(const Entrant& first, const Entrant& second) {
        seats_[0] = &first;
        seats_[1] = &second;
        draft_repeats_ = repeats(first.draft) && repeats(second.draft);
        drafted_ = false;
    }

    // The last position.
    Battle play(std::uint64_t draft_seed, std::uint64_t game_seed) {
        GameStreams streams(game_seed);
        if (!drafted_ || draft_seed != draft_seed_) {
            draft_ = play_draft(cards_, format_, derive_seeds(draft_seed).draft, seats_, streams);
            draft_seed_ = draft_seed;
            drafted_ = draft_repeats_;
        }
        const Deal deal = shuffle_decks(cards_, draft_, derive_seeds(game_seed).shuffle);
        const BattleContext context{cards_, deal, draft_};
        Bystander<BattleGame> nobody;
        return play_battle(context, seats_, streams, nobody);
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

std::int64_t count_games(const Matchups& matchups, const Courses& courses) {
    std::int64_t games = 0;
    for (const std::int32_t course : matchups.course) games += course_length(courses, course);
    return games;
}

bool play_courses(const CardTable& cards, std::span<const Entrant> entrants, const Matchups& matchups,
                  const Courses& courses, const CourseOptions& options, const CourseColumns& columns,
                  const Poll& poll) {
    const std::size_t count = matchups.course.size();
    std::vector<std::int64_t> ends(count);  // games up to the end of each matchup
    std::int64_t games = 0;
    for (std::size_t i = 0; i < count; ++i) {
        games += course_length(courses, matchups.course[i]);
        ends[i] = games;
    }
    std::fill(columns.wins.begin(), columns.wins.end(), 0);

    const auto play_block = [&](std::int64_t game, std::int64_t block_end, const std::atomic<bool>& stop) {
        Table table(cards, options.format);
        auto matchup = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), game) - ends.begin());
        for (; game < block_end && !stop; ++matchup) {
            const auto course = static_cast<std::size_t>(matchups.course[matchup]);
            const std::int64_t begin = ends[matchup] - course_length(courses, matchups.course[matchup]);
            table.sit_down(entrants[static_cast<std::size_t>(matchups.first[matchup])],
                           entrants[static_cast<std::size_t>(matchups.second[matchup])]);
            std::int32_t won = 0;
            for (const std::int64_t end = std::min(ends[matchup], block_end); game < end && !stop; ++game) {
                const auto row = static_cast<std::size_t>(courses.starts[course] + (game - begin));
                const Battle battle = table.play(courses.draft_seeds[row], courses.game_seeds[row]);
                const Outcome outcome = outcome_of<BattleGame>(battle, kFirst);
                const auto at = static_cast<std::size_t>(game);
                columns.outcomes[at] = static_cast<std::uint8_t>(outcome);
                columns.margins[at] = margin_of(battle.sides[kFirst].health, battle.sides[kFirst ^ 1].health);
                won += outcome == Outcome::won ? 1 : 0;
            }
            std::atomic_ref(columns.wins[matchup]).fetch_add(won, std::memory_order_relaxed);
        }
    };
    return run_games({games, options.threads}, play_block, poll);
}

}  // namespace deckatlas::locm
