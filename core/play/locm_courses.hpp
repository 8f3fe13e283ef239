// Many matchups of Legends of Code and Magic among many entrants, for searches: outcomes out.
//
// A *course* is a list of games, each given by two seeds: one draws the draft, the other shuffles the decks and seeds
// the players. If both are equal, it is the official referee's game of that seed. In a matchup one entrant moves first
// against another over a whole course.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "locm/cards.hpp"
#include "locm/draft.hpp"
#include "play/locm_game.hpp"
#include "play/outcomes.hpp"
#include "play/run_games.hpp"

namespace deckatlas::locm {

// Course c has the games starts[c] to starts[c + 1] - 1.
struct Courses {
    std::span<const std::int64_t> starts;
    std::span<const std::uint64_t> draft_seeds;
    std::span<const std::uint64_t> game_seeds;
};

// One entry per matchup: the numbers of two entrants and a course.
struct Matchups {
    std::span<const std::int32_t> first;
    std::span<const std::int32_t> second;
    std::span<const std::int32_t> course;
};

struct CourseOptions {
    DraftFormat format = DraftFormat::referee;
    int threads = 1;
};

// Where results go, all seen by the first player.
struct CourseColumns {
    std::span<std::int32_t> wins;      // for each matchup
    std::span<std::uint8_t> outcomes;  // for each game, in the order of the matchup's course
    std::span<std::int8_t> margins;    // in the same order
};

// The number of games of all matchups.
std::int64_t count_games(const Matchups& matchups, const Courses& courses);

// Plays all matchups. Returns whether all games were played.
bool play_courses(const CardTable& cards, std::span<const Entrant> entrants, const Matchups& matchups,
                  const Courses& courses, const CourseOptions& options, const CourseColumns& columns, const Poll& poll);

}  // namespace deckatlas::locm
