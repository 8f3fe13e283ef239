// Tests the searches over a turn, on a game small enough to know everything about it, and on real battles under
// sanitizers.
//
// Usage: search_turns CARD_FILE GAMES
#include <cstdio>
#include <cstdlib>

#include "agents/locm_agents.hpp"
#include "card_file.hpp"
#include "check.hpp"

namespace deckatlas {
namespace {

// In its turn a player takes any of five stones and gets their values. Two of them are bad alone and good together, so
// looking one stone ahead is not enough. In the game's short form a player who has the two wins.
struct Stones {
    static constexpr int kStones = 5;
    static constexpr std::uint32_t kPair = 0b11;
    static constexpr int kWorth[kStones] = {-3, -2, 1, -4, 2};
    static constexpr int kPairWorth = 10;
    static constexpr std::uint32_t kBest = 0b10111;

    struct Context {
        bool pair_wins;
    };
    struct State {
        std::uint32_t taken = 0;
        std::int32_t turn = 0;
        bool won = false;
    };
    struct Action {
        int stone = -1;  // or the end of the turn
    };
    using ActionList = FixedVector<Action, kStones + 1>;

    static int player_to_move(const State& state) { return state.turn & 1; }
    static bool is_over(const State& state) { return state.won; }
    static int winner(const State& state) { return state.won ? player_to_move(state) : -1; }
    static bool ends_turn(Action action) { return action.stone < 0; }
    static std::uint64_t hash(const State& state) { return mix64(state.taken + (std::uint64_t(state.turn) << 32)); }
    static void legal_actions(const Context&, const State& state, ActionList& actions) {
        actions.clear();
        if (state.won) return;
        actions.push_back({});
        for (int i = 0; i < kStones; ++i) {
            if ((state.taken >> i & 1u) == 0) actions.push_back({i});
        }
    }
    static void apply(const Context& context, State& state, Action action, Rng&) {
        if (ends_turn(action)) {
            ++state.turn;
            state.taken = 0;
            return;
        }
        CHECK((state.taken >> action.stone & 1u) == 0);
        state.taken |= 1u << action.stone;
        state.won = context.pair_wins && (state.taken & kPair) == kPair;
    }
};
static_assert(Game<Stones>);

int ratings_made = 0;

// The value of the taken stones, and a count of the calls.
struct CountingRating {
    int operator()(const Stones::State& state, int) const {
        ++ratings_made;
        int worth = (state.taken & Stones::kPair) == Stones::kPair ? Stones::kPairWorth : 0;
        for (int i = 0; i < Stones::kStones; ++i) worth += (state.taken >> i & 1u) != 0 ? Stones::kWorth[i] : 0;
        return worth;
    }
};

// High stones first: a lower one may not follow.
struct DownwardOrder {
    int phase(Stones::Action action) const { return Stones::kStones - action.stone; }
};

using AllTurns = DepthFirstAgent<Stones, CountingRating>;
using RandomTurns = RandomTurnsAgent<Stones, CountingRating>;
using Tree = TreeSearchAgent<Stones, RatingLeaf<CountingRating>>;
using DownwardTree = TreeSearchAgent<Stones, RatingLeaf<CountingRating>, DownwardOrder>;

struct StonesPolicy {
    static constexpr std::size_t kKeys = 1 + Stones::kStones;
    std::size_t key(const Stones::State&, Stones::Action action) const {
        return static_cast<std::size_t>(1 + action.stone);
    }
    double value(const Stones::State& state, bool, Rng&) const { return CountingRating()(state, 0); }
};

struct Turn {
    std::uint32_t taken = 0;  // at the end of the turn or the game
    int ratings = 0;
    bool downward = true;
};

template <class Agent>
Turn play_turn(Agent& agent, bool pair_wins = false) {
    const Stones::Context context{pair_wins};
    Stones::State state;
    Rng rng{7};
    Turn turn;
    ratings_made = 0;
    for (int last = Stones::kStones; state.turn == 0 && !state.won;) {
        const Stones::Action action = agent.template choose<Stones>(context, state, rng);
        turn.taken = state.taken;
        turn.downward = turn.downward && action.stone < last;
        last = action.stone;
        Stones::apply(context, state, action, rng);
    }
    if (state.won) turn.taken = state.taken;
    turn.ratings = ratings_made;
    return turn;
}

template <class Agent>
Agent with_budget(std::int64_t nodes) {
    Agent agent;
    agent.limits.nodes = nodes;
    return agent;
}

void depth_first_enters_every_state_once_and_finds_the_best() {
    auto agent = with_budget<AllTurns>(1000);
    const Turn turn = play_turn(agent);
    CHECK(turn.taken == Stones::kBest);
    CHECK(turn.ratings == 1 << Stones::kStones);
    CHECK(play_turn(agent).ratings == turn.ratings);  // a second search does not depend on the first
}

void budgets_are_kept() {
    for (const int nodes : {1, 2, 7, 20}) {
        auto all_turns = with_budget<AllTurns>(nodes);
        CHECK(play_turn(all_turns).ratings == nodes);
        auto random_turns = with_budget<RandomTurns>(nodes);
        CHECK(play_turn(random_turns).ratings == nodes + 1);  // the empty turn is rated too
        const Stones::Context context{false};
        Rng rng{7};
        for (const int phases : {1, 2}) {
            auto tree = with_budget<Tree>(nodes);
            tree.phases = phases;
            ratings_made = 0;
            tree.choose<Stones>(context, Stones::State(), rng);
            CHECK(ratings_made == nodes);
        }
    }
}

void time_ends_a_search() {
    auto all_turns = with_budget<AllTurns>(1'000'000'000);
    auto random_turns = with_budget<RandomTurns>(1'000'000'000);
    auto tree = with_budget<Tree>(1'000'000'000);
    all_turns.limits.deadline = random_turns.limits.deadline = tree.limits.deadline = SearchLimits::Clock::now();
    play_turn(all_turns);
    CHECK(play_turn(random_turns).ratings <= 1 + kClockEvery);
    play_turn(tree);
}

void a_plan_is_followed_without_searching_again_and_dropped_elsewhere() {
    auto agent = with_budget<AllTurns>(1000);
    const Stones::Context context{false};
    Rng rng{7};
    Stones::State state;
    Stones::apply(context, state, agent.choose<Stones>(context, state, rng), rng);
    ratings_made = 0;
    agent.choose<Stones>(context, state, rng);
    CHECK(ratings_made == 0);
    const Stones::State elsewhere{.taken = 0b01000, .turn = 2};
    CHECK(agent.choose<Stones>(context, elsewhere, rng).stone == 0);
    CHECK(ratings_made == 16);
}

void searches_with_enough_playouts_find_the_best() {
    auto random_turns = with_budget<RandomTurns>(3000);
    CHECK(play_turn(random_turns).taken == Stones::kBest);
    auto tree = with_budget<Tree>(3000);
    tree.exploration = 5;
    CHECK(play_turn(tree).taken == Stones::kBest);
    tree.phases = 2;
    CHECK(play_turn(tree).taken == Stones::kBest);
}

// The stones of the best line that a RAVE search finds, in a tree of some capacity.
template <std::size_t Capacity>
std::uint32_t rave_line(RaveSearch<Stones, StonesPolicy, Capacity>& search, std::int64_t leaves) {
    Rng rng{7};
    ratings_made = 0;
    search.run({}, {}, {.exploration = 10, .smoothing = 20}, {}, leaves, {}, rng);
    CHECK(ratings_made == leaves);
    std::uint32_t taken = 0;
    search.best_line([&](Stones::Action action) {
        if (!Stones::ends_turn(action)) taken |= 1u << action.stone;
    });
    return taken;
}

void a_rave_search_finds_the_best_and_starts_each_search_again() {
    RaveSearch<Stones, StonesPolicy> search;
    const std::uint32_t taken = rave_line(search, 20'000);
    CHECK(taken == Stones::kBest);
    CHECK(rave_line(search, 20'000) == taken);
    rave_line(search, 1);
}

void a_full_rave_tree_values_leaves_without_growing() {
    constexpr std::size_t kRoomForTheRootsChildren = 1 + 1 + Stones::kStones;
    RaveSearch<Stones, StonesPolicy, kRoomForTheRootsChildren> search;
    for (const int leaves : {10, 1000}) CHECK(rave_line(search, leaves) == 1u << 4);  // the best single stone
    constexpr std::size_t kRoomForMore = 50;
    RaveSearch<Stones, StonesPolicy, kRoomForMore> larger;
    for (const int leaves : {10, 1000}) rave_line(larger, leaves);  // asserts check its memory
}

void a_won_game_ends_the_search() {
    auto all_turns = with_budget<AllTurns>(1000);
    auto random_turns = with_budget<RandomTurns>(100'000);
    auto tree = with_budget<Tree>(100'000);
    tree.exploration = 5;
    for (const Turn turn : {play_turn(all_turns, true), play_turn(random_turns, true), play_turn(tree, true)}) {
        CHECK((turn.taken & Stones::kPair) == Stones::kPair);
        CHECK(turn.ratings < 1000);
    }
}

void an_order_holds_over_several_searches_of_a_turn() {
    for (const int nodes : {3, 10, 30, 3000}) {
        auto agent = with_budget<DownwardTree>(nodes);
        agent.exploration = 20;
        const Turn turn = play_turn(agent);
        CHECK(turn.downward);
        CHECK(nodes < 3000 || turn.taken == Stones::kBest);
    }
}

void a_full_tree_goes_on_without_growing() {
    constexpr std::uint32_t kRoomForTheRootsChildren = 1 + 1 + Stones::kStones;
    for (const int nodes : {10, 1000}) {
        auto agent =
            with_budget<TreeSearchAgent<Stones, RatingLeaf<CountingRating>, AnyOrder, kRoomForTheRootsChildren>>(nodes);
        CHECK(play_turn(agent).taken == (1u << 4 | 1u << 2));  // the result of looking one stone ahead
    }
}

}  // namespace

namespace locm {
namespace {

template <class Agent>
Agent with_budget(std::int64_t nodes) {
    Agent agent;
    agent.limits.nodes = nodes;
    return agent;
}

// Asserts check every action against the rules.
void play_games(const CardTable& cards, int games) {
    for (int game = 0; game < games; ++game) {
        Rng rng{static_cast<std::uint64_t>(game)};
        Draft draft = new_draft(DraftFormat::referee, game);
        while (draft.made[0] < kPicks) {
            for (int player = 0; player < 2; ++player) pick(draft, player, static_cast<int>(rng.below(kOffered)));
        }
        const std::int64_t shuffles[2] = {game, game + 1};
        const Deal deal = shuffle_decks(cards, draft, shuffles);
        const BattleContext context{cards, deal, draft};
        BattleAgent agents[] = {with_budget<FlatAgent>(30), with_budget<FullTurnAgent>(300),
                                with_budget<RatedTreeAgent>(40), with_budget<ReplyTreeAgent>(40),
                                with_budget<OrderedReplyTreeAgent>(40)};
        Battle battle = deal_hands(deal);
        next_turn(deal, battle);
        while (!is_over(battle)) {
            BattleAgent& agent = agents[(game + (battle.turn & 1)) % std::size(agents)];
            const Action action =
                std::visit([&](auto& each) { return each.template choose<BattleGame>(context, battle, rng); }, agent);
            CHECK(is_legal(deal, battle, action));
            BattleGame::apply(context, battle, action, rng);
        }
    }
}

}  // namespace
}  // namespace locm
}  // namespace deckatlas

int main(int argc, char** argv) {
    using namespace deckatlas;
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s CARD_FILE GAMES\n", argv[0]);
        return EXIT_FAILURE;
    }
    depth_first_enters_every_state_once_and_finds_the_best();
    budgets_are_kept();
    time_ends_a_search();
    a_plan_is_followed_without_searching_again_and_dropped_elsewhere();
    searches_with_enough_playouts_find_the_best();
    a_rave_search_finds_the_best_and_starts_each_search_again();
    a_full_rave_tree_values_leaves_without_growing();
    a_won_game_ends_the_search();
    an_order_holds_over_several_searches_of_a_turn();
    a_full_tree_goes_on_without_growing();
    locm::play_games(locm::tests::load_cards(argv[1]), std::atoi(argv[2]));
    std::puts("all searches hold");
    return EXIT_SUCCESS;
}
