// The agent `expert`. In a separate file, so that the compiler can inline the rules.
#include "agents/hearthstone_expert.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
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

int chance_of_result(const State& state, int player) {
    if (state.winner == kNobody) return kCertain / 2;
    return state.winner == player ? kCertain : 0;
}

// Draws what `player` cannot see; false if there is no such state.
bool draw_hidden(const CardSet& cards, const State& state, int player, Rng& rng, State& guess) {
    const std::span<const CardId> copies = cards.copies_for(state.players[player ^ 1].hero_class);
    return resample(cards, view_of(cards, state, player), {copies, copies}, rng, guess);
}

}  // namespace

std::int64_t ReplyRater::rate_ends(const CardSet& cards, int player, TurnEnds& ends, Rng& rng) {
    nodes_ = 0;
    std::array<int, kMostFinalists> best;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const State& state = *ends[i].state;
        ends[i].rating =
            state.phase == Phase::over ? chance_of_result(state, player) : chance_of(rate(cards, state, player));
        best[i] = ends[i].rating;
    }
    if (options_.replies == 0 || ends.size() < 2) return nodes_;
    const std::size_t considered = std::min(ends.size(), static_cast<std::size_t>(options_.considered));
    std::nth_element(best.begin(), best.begin() + (considered - 1), best.begin() + ends.size(), std::greater<>());
    const std::uint64_t seed = rng.next();  // the same hands for every end
    // A few hands are a small sample of what the network has learned to expect, so both count.
    for (TurnEnd& end : ends) {
        end.rating = end.rating < best[considered - 1]
                         ? end.rating - kCertain - 1
                         : (end.rating + chance_after_replies(cards, *end.state, player, seed)) / 2;
    }
    return nodes_;
}

int ReplyRater::chance_after_replies(const CardSet& cards, const State& end, int player, std::uint64_t seed) {
    if (end.phase == Phase::over) return chance_of_result(end, player);
    std::int64_t total = 0;
    for (int i = 0; i < options_.replies; ++i) {
        Rng rng{seed + static_cast<std::uint64_t>(i)};
        State state;
        if (!draw_hidden(cards, end, player, rng, state)) return chance_of(rate(cards, end, player));
        const Plan plan = replies_.search(cards, state, rng);
        nodes_ += plan.nodes;
        CountedDraws draws{rng};
        for (const PlannedAction& planned : plan.actions) {
            const std::optional<Action> action = PlannedNow(cards, state).find(planned);
            if (!action) break;
            apply(cards, state, *action, draws);
        }
        if (state.phase == Phase::choice) return chance_of(rate(cards, end, player));
        if (state.phase == Phase::main && state.active != player) apply(cards, state, Action{}, draws);
        total +=
            state.phase == Phase::over ? chance_of_result(state, player) : chance_of(rate_begun(cards, state, player));
    }
    return static_cast<int>(total / options_.replies);
}

ExpertAgent::KeptTotals ExpertAgent::rate_kept(const CardSet& cards, const State& state, Rng& rng) {
    const int player = state.active;
    KeptTotals rated{.choices = 1u << replaceable_cards(state)};
    const State view = view_of(cards, state, player);
    const std::span<const CardId> copies = cards.copies_for(state.players[player ^ 1].hero_class);
    State guess;
    State opened;
    for (; rated.samples < kSamples && resample(cards, view, {copies, copies}, rng, guess); ++rated.samples) {
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
