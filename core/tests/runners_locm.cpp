// Every agent of Legends of Code and Magic plays whole games through the runners: matches and courses, on threads.
//
// Asserts check every action against the rules, also those that agents carry out while they plan. The number of threads
// must not change a result. Usage: runners_locm CARD_FILE GAMES
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "card_file.hpp"
#include "check.hpp"
#include "listed_agents.hpp"
#include "play/locm_courses.hpp"
#include "play/locm_match.hpp"

namespace deckatlas::locm::tests {
namespace {

using deckatlas::tests::go_on;

constexpr std::uint64_t kSeed = 20'190'821;

struct SmallBudget {
    explicit SmallBudget(const char* option) : number(deckatlas::tests::small_number(option)) {}
    operator std::int64_t() const { return number; }
    operator double() const { return number; }

    int number;
};

// All agents, each with one of the draft policies that need no numbers.
std::vector<Entrant> all_entrants() {
    std::vector<deckatlas::tests::ListedAgent<BattleAgent>> agents;
    list_battle_agents(deckatlas::tests::AgentMaker<BattleAgent, SmallBudget>{agents});
    agents.push_back({"active_random_agent", random_agent(true)});
    agents.push_back({"original_coac_agent", coac_agent(300, true)});
    agents.push_back({"merging_rg_agent", rg_agent(300, true)});
    const DraftPolicy drafts[] = {Baseline1Draft{}, Uji1Draft{}, RandomDraft{}, Uji2Draft{}, Baseline2Draft{}};
    std::vector<Entrant> entrants;
    for (const auto& listed : agents) entrants.push_back({drafts[entrants.size() % std::size(drafts)], listed.agent});
    return entrants;
}

struct Match {
    explicit Match(std::size_t games)
        : seed(games), hash(games), first(games), winner(games), health(2 * games), small(8 * games) {}

    MatchColumns columns() {
        const std::size_t games = seed.size();
        const auto pairs = [](auto* numbers) {
            return reinterpret_cast<std::remove_pointer_t<decltype(numbers)>(*)[2]>(numbers);
        };
        std::int16_t* const rest = small.data();
        return {{seed.data(), first.data(), winner.data(), hash.data()},
                pairs(health.data()),
                rest,
                rest + games,
                pairs(rest + 2 * games),
                pairs(rest + 4 * games),
                pairs(rest + 6 * games)};
    }
    std::int64_t actions() const {
        const auto games = static_cast<std::ptrdiff_t>(seed.size());
        return std::accumulate(small.begin() + games, small.begin() + 2 * games, std::int64_t{0});
    }
    bool operator==(const Match&) const = default;

    std::vector<std::uint64_t> seed, hash;
    std::vector<std::uint8_t> first, winner;
    std::vector<std::int32_t> health;
    std::vector<std::int16_t> small;  // turns, actions, cards drawn, cards played and mana spent
};

Match match_of(const CardTable& cards, const Entrant& a, const Entrant& b, int games, int threads) {
    const Entrant entrants[2] = {a, b};
    Match match(static_cast<std::size_t>(games));
    CHECK(play_match(cards, entrants, {{0, games, kSeed, true, threads}, DraftFormat::distinct}, match.columns(), {},
                     go_on));
    return match;
}

// Each agent meets the next one. Returns the number of actions.
std::int64_t matches_do_not_depend_on_threads(const CardTable& cards, const std::vector<Entrant>& entrants, int games) {
    std::int64_t actions = 0;
    for (std::size_t i = 0; i < entrants.size(); ++i) {
        const Entrant& other = entrants[(i + 1) % entrants.size()];
        const Match match = match_of(cards, entrants[i], other, games, 3);
        CHECK(match == match_of(cards, entrants[i], other, games, 1));
        actions += 2 * match.actions();
    }
    return actions;
}

struct Course {
    std::vector<std::int32_t> wins;
    std::vector<std::uint8_t> outcomes;
    std::vector<std::int8_t> margins;
    bool operator==(const Course&) const = default;
};

// Each agent meets the one after the next over one of two courses.
Course course_of(const CardTable& cards, const std::vector<Entrant>& entrants, int games, int threads) {
    const auto count = static_cast<std::int32_t>(entrants.size());
    std::vector<std::int32_t> first, second, course;
    for (std::int32_t i = 0; i < count; ++i) {
        first.push_back(i);
        second.push_back((i + 2) % count);
        course.push_back(i % 2);
    }
    const std::int64_t starts[] = {0, games, 3 * games};
    std::vector<std::uint64_t> seeds(static_cast<std::size_t>(3 * games));
    for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = hash_combine(kSeed, i);
    const Matchups matchups{first, second, course};
    const Courses courses{starts, seeds, seeds};
    const auto all = static_cast<std::size_t>(count_games(matchups, courses));
    Course results{std::vector<std::int32_t>(entrants.size()), std::vector<std::uint8_t>(all),
                   std::vector<std::int8_t>(all)};
    CHECK(play_courses(cards, entrants, matchups, courses, {DraftFormat::referee, threads},
                       {results.wins, results.outcomes, results.margins}, go_on));
    return results;
}

void courses_do_not_depend_on_threads(const CardTable& cards, const std::vector<Entrant>& entrants, int games) {
    CHECK(course_of(cards, entrants, games, 3) == course_of(cards, entrants, games, 1));
}

void a_poll_stops_a_match(const CardTable& cards) {
    constexpr int kGames = 1'000'000;
    const Entrant entrants[2] = {{RandomDraft{}, coac_agent(2'000, false)}, {RandomDraft{}, RandomAgent{}}};
    Match match(kGames);
    CHECK(!play_match(cards, entrants, {{0, kGames, kSeed, true, 2}, DraftFormat::referee}, match.columns(), {},
                      [](std::int64_t) { return false; }));
}

}  // namespace
}  // namespace deckatlas::locm::tests

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s CARD_FILE GAMES\n", argv[0]);
        return EXIT_FAILURE;
    }
    using namespace deckatlas::locm::tests;
    const auto cards = load_cards(argv[1]);
    const int games = std::atoi(argv[2]);
    const auto entrants = all_entrants();
    const std::int64_t actions = matches_do_not_depend_on_threads(cards, entrants, games);
    courses_do_not_depend_on_threads(cards, entrants, std::max(1, games / 6));
    a_poll_stops_a_match(cards);
    std::printf("%zu agents, %lld actions in matches, all results hold\n", entrants.size(),
                static_cast<long long>(actions));
    return EXIT_SUCCESS;
}
