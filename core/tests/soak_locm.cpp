// A million random games, draft and battle, with every state, step and list of actions checked.
//
// Meant for a build with asserts and sanitizers. Usage: soak_locm CARD_FILE GAMES [FIRST_GAME]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "agents/locm_agents.hpp"
#include "card_file.hpp"
#include "checks.hpp"
#include "common/parallel.hpp"
#include "lane_reply_checks.hpp"
#include "progress.hpp"

namespace deckatlas::locm::tests {
namespace {

constexpr std::uint64_t kSeed = 20'240'229;
constexpr std::int64_t kGamesPerBlock = 500;
// The most expensive checks run at one of this many steps.
constexpr std::uint32_t kEncodingsEvery = 400;
constexpr std::uint32_t kHiddenEvery = 400;
constexpr std::uint32_t kRepliesEvery = 10;  // often enough to test the cache of lanes
constexpr std::uint32_t kPatchedEvery = 10;  // games whose cards have any numbers that a patch may give them

// Both draft formats equally; one game in eight starts from given decks with any number of copies.
State start_game(const CardTable& cards, std::uint64_t seed, Rng& rng) {
    if (rng.below(8) != 0) return new_game(rng.below(2) == 0 ? DraftFormat::referee : DraftFormat::distinct, seed);
    std::uint8_t decks[2][kDeckSize];
    const std::uint32_t different = 1 + rng.below(kCards);
    for (auto& deck : decks) {
        for (auto& card : deck) card = static_cast<std::uint8_t>(1 + rng.below(different));
    }
    return new_game(cards, decks, seed);
}

// Three in four play at random, the others in the remaining ways.
BattleAgent draw_agent(Rng& rng) {
    switch (rng.below(12)) {
        case 0: return PassAgent{};
        case 1: return ActiveRandomAgent{};
        case 2: return GreedyAgent<SimpleRating>{};
        default: return RandomAgent{};
    }
}

void check_hidden(const CardTable& cards, const State& state, Rng& rng) {
    check_text(cards, state);
    for (int viewer = 0; viewer < 2; ++viewer) check_resample(cards, state, viewer, rng);
}

// The greedy agent's shortcut gives the same as carrying out the action.
void check_gains(const CardTable& cards, const State& state, const ActionList& actions) {
    const SimpleRating rating;
    const int player = state.battle.active();
    for (const Action& action : actions) {
        if (action.kind == ActionKind::pass) continue;
        Battle after = state.battle;
        apply(cards, state.deal, after, action);
        const int gain = rating(after, player) - rating(state.battle, player);
        CHECK(rating.gain({cards, state.deal, state.draft}, state.battle, action) == gain, state);
    }
}

// So does Coac's, with the real rules and with its own.
template <CoacModel model>
void check_standings(const CardTable& cards, const State& state, const ActionList& actions) {
    const BattleContext context{cards, state.deal, state.draft};
    const auto before = coac_standing<model>(state.battle);
    for (const Action& action : actions) {
        if (action.kind == ActionKind::pass || (action.kind == ActionKind::attack && action.target == kFace)) continue;
        Battle after = state.battle;
        coac_apply<model>(context, after, action);
        CHECK(coac_standing_after<model>(context, state.battle, before, action) == coac_standing<model>(after), state);
    }
}

void check_here(const CardTable& cards, const State& state, Rng& rng) {
    check_state(state);
    check_reached(state);
    ActionList actions;
    legal_actions(state.deal, state.battle, actions);
    const auto numbers = check_listed(state, actions);
    if (!actions.empty()) CHECK(contains(actions, random_action(state.deal, state.battle, rng)), state);
    if (rng.below(kEncodingsEvery) == 0) {
        check_unlisted(state, actions, numbers);
        check_commands(state, actions);
        check_gains(cards, state, actions);
        check_standings<CoacModel::rules>(cards, state, actions);
        check_standings<CoacModel::original>(cards, state, actions);
    }
    if (rng.below(kHiddenEvery) == 0) check_hidden(cards, state, rng);
}

int draw_number(int low, int high, Rng& rng) {
    switch (rng.below(4)) {
        case 0: return low;
        case 1: return high;
        default: return low + static_cast<int>(rng.below(static_cast<std::uint32_t>(high - low + 1)));
    }
}

// Cards of the same types with numbers from the ranges that the bindings accept, often at their ends.
CardTable draw_patch(const CardTable& official, Rng& rng) {
    CardTable table = official;
    for (int id = 1; id <= kCards; ++id) {
        Card& card = table.cards[id];
        const bool creature = card.type == CardType::creature;
        const int low = creature ? 0 : -kMaxCardStat;
        const int high = creature ? kMaxCardStat : card.type == CardType::green ? kMaxItemBonus : 0;
        card.cost = static_cast<std::uint8_t>(draw_number(0, rng.below(4) == 0 ? kMaxCardStat : kMaxMana, rng));
        card.attack = static_cast<std::int8_t>(draw_number(low, high, rng));
        card.defense = static_cast<std::int8_t>(draw_number(creature ? 1 : low, high, rng));
        card.keywords = static_cast<std::uint8_t>(draw_number(0, (1 << kKeywords) - 1, rng));
        card.player_health = static_cast<std::int8_t>(draw_number(-kMaxCardStat, kMaxCardStat, rng));
        card.enemy_health = static_cast<std::int8_t>(draw_number(-kMaxCardStat, kMaxCardStat, rng));
        card.draw = static_cast<std::uint8_t>(draw_number(0, 9, rng));
    }
    return table;
}

// Returns the number of actions of the battle.
std::int64_t play_checked_game(const CardTable& official, std::uint64_t seed) {
    Rng rng{seed};
    const CardTable cards = rng.below(kPatchedEvery) == 0 ? draw_patch(official, rng) : official;
    State state = start_game(cards, seed, rng);
    while (!state.in_battle) {
        if (rng.below(kHiddenEvery) == 0) check_hidden(cards, state, rng);
        apply_pick(cards, state, static_cast<int>(rng.below(kOffered)));
    }
    BattleAgent agents[2] = {draw_agent(rng), draw_agent(rng)};
    const PlannerWeights weights = rng.below(2) == 0 ? PlannerWeights() : draw_weights(rng);
    LaneReplies replies(weights);
    const BattleContext context{cards, state.deal, state.draft};
    std::int64_t actions = 0;
    for (; !is_over(state.battle); ++actions) {
        check_here(cards, state, rng);
        if (rng.below(kRepliesEvery) == 0) check_replies(state, weights, replies);
        const Action action =
            std::visit([&](auto& agent) { return agent.template choose<BattleGame>(context, state.battle, rng); },
                       agents[state.battle.active()]);
        const Battle before = state.battle;
        apply(cards, state.deal, state.battle, action);
        check_step(before, action, state);
    }
    check_here(cards, state, rng);
    return actions;
}

int soak(const CardTable& cards, std::int64_t games, std::int64_t first) {
    const int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const std::int64_t blocks = (games + kGamesPerBlock - 1) / kGamesPerBlock;
    std::atomic<std::int64_t> actions{0};
    const auto start = std::chrono::steady_clock::now();
    const auto play_block = [&](int, std::int64_t block) {
        const std::int64_t end = std::min(games, (block + 1) * kGamesPerBlock);
        for (std::int64_t game = block * kGamesPerBlock; game < end; ++game) {
            actions += play_checked_game(cards, hash_combine(kSeed, static_cast<std::uint64_t>(first + game)));
        }
    };
    run_blocks(blocks, threads, std::chrono::milliseconds(500), play_block, deckatlas::tests::Progress(blocks));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%lld games, %lld actions, all checks held, %.0f s on %d threads\n", static_cast<long long>(games),
                static_cast<long long>(actions.load()), taken.count(), threads);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace deckatlas::locm::tests

int main(int argc, char** argv) {
    if (argc < 3 || argc > 4) {
        std::fprintf(stderr, "usage: %s CARD_FILE GAMES [FIRST_GAME]\n", argv[0]);
        return EXIT_FAILURE;
    }
    return deckatlas::locm::tests::soak(deckatlas::locm::tests::load_cards(argv[1]), std::atoll(argv[2]),
                                        argc == 4 ? std::atoll(argv[3]) : 0);
}
