// The agent `expert`. In a separate file, so that the compiler can inline the rules.
#include "agents/hearthstone_expert.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include "agents/hearthstone_search_run.hpp"
#include "hearthstone/resample.hpp"
#include "hearthstone/setup.hpp"
#include "hearthstone/view.hpp"

namespace deckatlas::hearthstone {

template class TurnSearch<LearnedRater>;
template class TurnSearch<ReplyRater>;

namespace {

constexpr std::uint8_t kAll = 0xFF;  // keeps every card

// Ends that are worse than the best by more are not worth replies: 2.5 points of an even game, less if it is decided.
int contested(int best) {
    const std::int64_t variance = std::int64_t{best} * (kCertain - best) / kCertain;
    return static_cast<int>(variance / 10);
}

}  // namespace

void ReplyRater::rate_ends(const CardSet& cards, int player, TurnEnds& ends) {
    for (TurnEnd& end : ends) end.rating = chance_of(rate(cards, *end.state, player));
}

std::int64_t ReplyRater::look_further(const CardSet& cards, int player, TurnEnds& ends, Rng& rng) {
    nodes_ = 0;
    if (options_.replies == 0 || ends.size() < 2) return nodes_;
    std::array<std::size_t, kMostFinalists> order;
    for (std::size_t i = 0; i < ends.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.begin() + ends.size(),
                     [&](std::size_t a, std::size_t b) { return ends[a].rating > ends[b].rating; });
    const int least = ends[order[0]].rating - contested(ends[order[0]].rating);
    if (ends[order[1]].rating < least) return nodes_;
    const std::uint64_t seed = rng.next();  // the same hands for every end
    for (std::size_t place = 0; place < ends.size(); ++place) {
        TurnEnd& end = ends[order[place]];
        end.rating = place < static_cast<std::size_t>(options_.considered) && end.rating >= least
                         ? chance_with_replies(cards, end, player, seed)
                         : end.rating - kCertain - 1;
    }
    return nodes_;
}

// A few hands are a small sample of what the network has learned to expect, so both count. The replies answer a state
// that may have been lucky, and this luck does not count in them either.
int ReplyRater::chance_with_replies(const CardSet& cards, const TurnEnd& end, int player, std::uint64_t seed) {
    const int luck = chance_of(rate(cards, *end.state, player)) - end.rating;
    return (end.rating + without_luck(chance_after_replies(cards, *end.state, player, seed), luck)) / 2;
}

int ReplyRater::chance_after_replies(const CardSet& cards, const State& end, int player, std::uint64_t seed) {
    const State view = view_of(cards, end, player);
    const HiddenGuesses guesses(cards, known_lists(cards), view, player);
    State& state = guess_.get();
    std::int64_t total = 0;
    int samples = 0;
    for (int i = 0; i < options_.replies && end.phase != Phase::over; ++i) {
        Rng rng{seed + static_cast<std::uint64_t>(i)};
        if (!guesses.draw(view, rng, state)) continue;
        const State* const replied = replies_.end_of_turn(cards, state, rng, nodes_);
        if (replied == nullptr) continue;
        total += chance_of(rate_begun(cards, *replied, player));
        ++samples;
    }
    return samples == 0 ? chance_of(rate(cards, end, player)) : static_cast<int>(total / samples);
}

ExpertAgent::KeptTotals ExpertAgent::rate_kept(const CardSet& cards, const State& state, Rng& rng) {
    const int player = state.active;
    KeptTotals rated{.choices = 1u << replaceable_cards(state)};
    const State view = view_of(cards, state, player);
    const HiddenGuesses guesses(cards, rater_.known_lists(cards), view, player);
    State guess;
    State opened;
    for (; rated.samples < openings_ && guesses.draw(view, rng, guess); ++rated.samples) {
        const std::uint64_t seed = rng.next();  // the same luck for every choice
        for (unsigned kept = 0; kept < rated.choices; ++kept) {
            Rng luck{seed};
            CountedDraws draws{luck};
            copy_state(guess, opened);
            apply(cards, opened, {ActionKind::keep, static_cast<std::uint8_t>(kept)}, draws);
            if (opened.phase == Phase::mulligan) apply(cards, opened, {ActionKind::keep, kAll}, draws);
            rated.totals[kept] += chance_of(opened.active == player ? rater_.rate_begun(cards, opened, player)
                                                                    : rater_.rate(cards, opened, player));
        }
    }
    return rated;
}

Action ExpertAgent::choose_kept(const CardSet& cards, const State& state, Rng& rng) {
    const KeptTotals rated = rate_kept(cards, state, rng);
    if (rated.samples == 0) return {ActionKind::keep, kAll};
    const auto best = std::max_element(rated.totals.begin(), rated.totals.begin() + rated.choices);
    return {ActionKind::keep, static_cast<std::uint8_t>(best - rated.totals.begin())};
}

PlanLines ExpertAgent::explain_kept(const CardSet& cards, const State& state, Rng& rng) {
    const KeptTotals rated = rate_kept(cards, state, rng);
    PlanLines lines;
    for (unsigned kept = 0; kept < rated.choices && rated.samples > 0; ++kept) {
        const int rating = static_cast<int>(rated.totals[kept] / rated.samples);
        const double chance = static_cast<double>(rated.totals[kept]) / rated.samples / kCertain;
        lines.push_back({rating, chance, {{{ActionKind::keep, static_cast<std::uint8_t>(kept)}}}});
    }
    std::ranges::stable_sort(lines, std::ranges::greater(), [](const PlanLine& line) { return *line.chance; });
    return lines;
}

PlanLines ExpertAgent::explain(const CardSet& cards, const State& state, Rng& rng) {
    PlanLines lines = PlanningAgent::explain(cards, state, rng);
    std::erase_if(lines, [](const PlanLine& line) { return line.rating < 0; });  // rejected before replies were tried
    for (PlanLine& line : lines) {
        if (line.rating != kWon) line.chance = static_cast<double>(line.rating) / kCertain;
    }
    return lines;
}

}  // namespace deckatlas::hearthstone
