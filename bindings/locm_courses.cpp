// Bindings of Legends of Code and Magic's runner of matchups over courses, and of drafts without battles.
#include "play/locm_courses.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "arrays.hpp"
#include "errors.hpp"
#include "locm_state.hpp"
#include "running.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace deckatlas::bindings {
namespace {

using namespace locm;

template <class T>
using Vector = nb::ndarray<const T, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

// A numpy array of zeros.
template <class T, std::size_t Dimensions>
using NewArray = nb::ndarray<nb::numpy, T, nb::ndim<Dimensions>>;

template <class T, class... Sizes>
NewArray<T, sizeof...(Sizes)> zeros(Sizes... sizes) {
    T* const values = new T[(sizes * ...)]();
    const nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return {values, {sizes...}, owner};
}

void check_numbers(const char* what, std::span<const std::int32_t> numbers, std::size_t count) {
    for (const std::int32_t number : numbers) {
        if (number < 0 || static_cast<std::size_t>(number) >= count)
            throw MatchError("there is no " + std::string(what) + " " + std::to_string(number) + " among " +
                             std::to_string(count));
    }
}

void check_courses(const Courses& courses) {
    const auto games = courses.game_seeds.size();
    if (courses.draft_seeds.size() != games) throw MatchError("every game of a course needs two seeds");
    if (courses.starts.empty() || courses.starts.front() != 0 ||
        courses.starts.back() != static_cast<std::int64_t>(games))
        throw MatchError("courses must start at game 0 and end with the last game");
    for (std::size_t i = 1; i < courses.starts.size(); ++i) {
        const std::int64_t length = courses.starts[i] - courses.starts[i - 1];
        if (length < 1) throw MatchError("course " + std::to_string(i - 1) + " has no games");
        if (length > std::numeric_limits<std::int32_t>::max())
            throw MatchError("course " + std::to_string(i - 1) + " has too many games");
    }
}

// The results of matchups over courses.
struct CourseResults {
    NewArray<std::int32_t, 1> wins;
    NewArray<std::uint8_t, 1> outcome;
    NewArray<std::int8_t, 1> margin;
};

CourseResults play(const std::shared_ptr<const LocmCards>& cards, const std::vector<DraftPolicy>& drafts,
                   const std::vector<BattleAgent>& battles, const Vector<std::int32_t>& first,
                   const Vector<std::int32_t>& second, const Vector<std::int32_t>& course,
                   const Vector<std::int64_t>& starts, const Vector<std::uint64_t>& draft_seeds,
                   const Vector<std::uint64_t>& game_seeds, std::string_view format, int threads,
                   std::optional<ProgressFunction> progress) {
    check_threads(threads);
    const auto firsts = copy_of(first), seconds = copy_of(second), of_matchups = copy_of(course);
    const auto starting = copy_of(starts);
    const auto of_drafts = copy_of(draft_seeds), of_games = copy_of(game_seeds);
    const Matchups matchups{firsts, seconds, of_matchups};
    const Courses courses{starting, of_drafts, of_games};
    const CourseOptions options{format_of(format), threads};
    if (drafts.size() != battles.size()) throw MatchError("every entrant needs a draft policy and a battle agent");
    if (matchups.first.size() != matchups.course.size() || matchups.second.size() != matchups.course.size())
        throw MatchError("every matchup needs two entrants and a course");
    check_courses(courses);
    check_numbers("entrant", matchups.first, drafts.size());
    check_numbers("entrant", matchups.second, drafts.size());
    check_numbers("course", matchups.course, courses.starts.size() - 1);
    std::vector<Entrant> entrants;
    for (std::size_t i = 0; i < drafts.size(); ++i) entrants.push_back({drafts[i], battles[i]});
    const auto games = static_cast<std::size_t>(count_games(matchups, courses));
    CourseResults results{zeros<std::int32_t>(matchups.course.size()), zeros<std::uint8_t>(games),
                          zeros<std::int8_t>(games)};
    const CourseColumns columns{
        {results.wins.data(), results.wins.size()}, {results.outcome.data(), games}, {results.margin.data(), games}};
    Watch watch(std::move(progress));
    {
        const WithoutGil without_gil;
        try {
            play_courses(*cards, entrants, matchups, courses, options, columns, std::ref(watch));
        } catch (const std::system_error&) {
            throw MatchError("the system does not give " + std::to_string(threads) + " threads");
        }
    }
    watch.rethrow();
    return results;
}

NewArray<std::uint8_t, 2> draft_decks(const std::shared_ptr<const LocmCards>& cards, const DraftPolicy& draft,
                                      const Vector<std::uint64_t>& seeds, int seat, std::string_view format) {
    if (seat != 0 && seat != 1) throw MatchError("a seat must be 0 or 1, not " + std::to_string(seat));
    const DraftFormat draft_format = format_of(format);
    NewArray<std::uint8_t, 2> decks = zeros<std::uint8_t>(seeds.shape(0), std::size_t{kDeckSize});
    for (std::size_t i = 0; i < seeds.shape(0); ++i) {
        Rng stream = seat_stream(seeds(i), seat);
        Draft made = new_draft(draft_format, derive_seeds(seeds(i)).draft);
        make_picks(*cards, made, seat, draft, stream);
        std::copy_n(made.chosen[seat], kDeckSize, decks.data() + i * kDeckSize);
    }
    return decks;
}

NewArray<std::uint8_t, 3> draft_offers(const Vector<std::uint64_t>& seeds, std::string_view format) {
    const DraftFormat draft_format = format_of(format);
    NewArray<std::uint8_t, 3> offers = zeros<std::uint8_t>(seeds.shape(0), std::size_t{kPicks}, std::size_t{kOffered});
    for (std::size_t i = 0; i < seeds.shape(0); ++i) {
        const Draft draft = new_draft(draft_format, derive_seeds(seeds(i)).draft);
        std::copy_n(&draft.offers[0][0], kPicks * kOffered, offers.data() + i * kPicks * kOffered);
    }
    return offers;
}

}  // namespace

void bind_locm_courses(nb::module_& m) {
    nb::class_<CourseResults>(m, "CourseResults", "The results of matchups over courses, seen by the first player.")
        .def_prop_ro(
            "wins", [](const CourseResults& self) { return self.wins; }, nb::rv_policy::automatic,
            "For each matchup, the number of games its first player won.")
        .def_prop_ro(
            "outcome", [](const CourseResults& self) { return self.outcome; }, nb::rv_policy::automatic,
            "For each game, in the order of the matchup's course: 0 lost, 1 won, 2 nobody won, 3 void.")
        .def_prop_ro(
            "margin", [](const CourseResults& self) { return self.margin; }, nb::rv_policy::automatic,
            "For each game, the player's health minus the opponent's at the end, between -127 and 127.");
    m.def("play_courses", &play, "cards"_a, "drafts"_a, "battles"_a, nb::kw_only(), "first"_a, "second"_a, "course"_a,
          "starts"_a, "draft_seeds"_a, "game_seeds"_a, "format"_a, "threads"_a, "progress"_a = nb::none(),
          "Plays matchups over courses and returns the results of each game.");
    m.def("draft_offers", &draft_offers, "seeds"_a, nb::kw_only(), "format"_a,
          "The thirty triples of the drafts of these games.");
    m.def("draft_decks", &draft_decks, "cards"_a, "draft"_a, "seeds"_a, nb::kw_only(), "seat"_a, "format"_a,
          "The thirty cards that a policy picks in a seat in the drafts of these games: one row per seed.");
}

}  // namespace deckatlas::bindings
