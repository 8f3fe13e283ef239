// Every agent of Hearthstone plays whole games through the runners: matches, evaluations of decks and recorded
// positions, on threads.
//
// Asserts check the invariants of states, also those that agents carry out while they plan. The number of threads must
// not change a result. Usage: runners_hearthstone CARD_FILE GAMES
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "check.hpp"
#include "hearthstone/card_attributes.hpp"
#include "hearthstone_card_file.hpp"
#include "listed_agents.hpp"
#include "play/hearthstone_evaluation.hpp"
#include "play/hearthstone_match.hpp"
#include "play/hearthstone_positions.hpp"

namespace deckatlas::hearthstone::tests {
namespace {

using deckatlas::tests::go_on;
using deckatlas::tests::ListedAgent;

constexpr std::uint64_t kSeed = 20'140'311;

// Two lists of each class, of neutral cards that every edition has.
std::vector<ListedDeck> listed_decks() {
    std::vector<ListedDeck> decks;
    for (int number = 1; number <= kClasses; ++number) {
        const auto hero_class = static_cast<HeroClass>(number);
        decks.push_back({hero_class, std::vector<std::string>(kDeckLimit, "CS2_231")});
        decks.push_back({hero_class, std::vector<std::string>(kDeckLimit, "CS2_182")});
    }
    return decks;
}

// A learned rating with small random numbers.
std::shared_ptr<const LearnedRating> random_rating() {
    constexpr std::size_t kWidth = kRowBlock, kHidden = kNetworkHidden;
    Rng rng{kSeed};
    const auto numbers = [&]<class Number>(Number, std::size_t count) {
        std::vector<Number> drawn(count);
        for (Number& number : drawn) number = static_cast<Number>(static_cast<int>(rng.below(401)) - 200);
        return drawn;
    };
    const auto small = [&](std::size_t count) { return numbers(std::int16_t{}, count); };
    const auto large = [&](std::size_t count) { return numbers(std::int32_t{}, count); };
    RatingNumbers rating;
    rating.network.width = kWidth;
    rating.network.own = small(kFirstCardFeature * (kWidth + 1));
    rating.network.shared = large(feature_attribute_names().size() * (kWidth + 1));
    rating.network.bias = large(kWidth);
    for (DenseNumbers& dense : rating.network.dense)
        dense = {small(kHidden * kWidth), small(kHidden * kHidden), small(kHidden),
                 large(kHidden),          large(kHidden),           large(1)};
    rating.decks = listed_decks();
    return std::make_shared<const LearnedRating>(std::move(rating));
}

struct SmallBudget {
    explicit SmallBudget(const char* option) : number(std::min(deckatlas::tests::small_number(option), 30)) {}
    operator std::int64_t() const { return number; }
    operator double() const { return number; }
    operator bool() const { return true; }
    operator Information() const { return Information::honest; }
    operator Rating() const { return Rating(Score::control); }
    operator std::shared_ptr<const LearnedRating>() const { return random_rating(); }

    int number;
};

std::vector<PlayAgent> all_agents() {
    std::vector<ListedAgent<PlayAgent>> listed;
    list_agents(deckatlas::tests::AgentMaker<PlayAgent, SmallBudget>{listed});
    std::vector<PlayAgent> agents;
    for (const auto& each : listed) agents.push_back(each.agent);
    agents.push_back(random_agent(true));
    agents.push_back(planner_agent(Rating(Score::aggro), 4, 8, Information::perfect, false));
    return agents;
}

template <class Number>
auto pairs_of(std::vector<Number>& numbers) {
    return reinterpret_cast<Number(*)[2]>(numbers.data());
}

struct Match {
    explicit Match(std::size_t games)
        : seed(games), hash(games), first(games), winner(games), is_void(games), turns(games), actions(games) {
        for (auto& each : shorts) each.resize(2 * games);
        for (auto& each : ints) each.resize(2 * games);
        for (auto& each : longs) each.resize(2 * games);
        hands.resize(2 * kHandTurns * games);
    }

    MatchColumns columns() {
        return {{seed.data(), first.data(), winner.data(), hash.data()},
                is_void.data(),
                turns.data(),
                actions.data(),
                pairs_of(shorts[0]),
                pairs_of(shorts[1]),
                pairs_of(shorts[2]),
                pairs_of(ints[0]),
                pairs_of(ints[1]),
                pairs_of(ints[2]),
                pairs_of(longs[0]),
                pairs_of(ints[3]),
                reinterpret_cast<HandsOfTurns(*)[2]>(hands.data()),
                pairs_of(longs[1])};
    }
    bool operator==(const Match&) const = default;

    std::vector<std::uint64_t> seed, hash;
    std::vector<std::uint8_t> first, winner, is_void;
    std::vector<std::int32_t> turns, actions;
    std::vector<std::int16_t> shorts[3];
    std::vector<std::int32_t> ints[4];
    std::vector<std::int64_t> longs[2];
    std::vector<std::int8_t> hands;
};

Match match_of(const CardSet& cards, const PlayAgent& a, const PlayAgent& b, std::span<const DeckList> decks, int games,
               int threads) {
    const Entrant entrants[2] = {{a, decks}, {b, decks.subspan(1)}};
    Match match(static_cast<std::size_t>(games));
    CHECK(play_match(cards, entrants, {{0, games, kSeed, true, threads}, Mulligan::own}, match.columns(), {}, go_on));
    return match;
}

// Each agent meets the next one. Returns the number of actions.
std::int64_t matches_do_not_depend_on_threads(const CardSet& cards, const std::vector<PlayAgent>& agents,
                                              std::span<const DeckList> decks, int games) {
    std::int64_t actions = 0;
    for (std::size_t i = 0; i < agents.size(); ++i) {
        const PlayAgent& other = agents[(i + 1) % agents.size()];
        const Match match = match_of(cards, agents[i], other, decks, games, 3);
        CHECK(match == match_of(cards, agents[i], other, decks, games, 1));
        for (const std::int32_t count : match.actions) actions += 2 * count;
    }
    return actions;
}

// What an evaluation notes, with the events of every card.
struct Evaluation {
    std::vector<std::int64_t> notes, plays;
    std::vector<std::uint8_t> events;
    bool operator==(const Evaluation&) const = default;
};

Evaluation evaluation_of(const CardSet& cards, const std::vector<PlayAgent>& agents, std::span<const DeckList> decks,
                         int threads) {
    std::vector<Opponent> opponents;
    std::vector<std::int32_t> opponent;
    std::vector<std::uint8_t> seat;
    std::vector<std::uint64_t> seed;
    for (const PlayAgent& agent : agents) {
        const auto number = static_cast<std::int32_t>(opponents.size());
        opponents.push_back({agent, decks[opponents.size() % decks.size()]});
        opponent.push_back(number);
        seat.push_back(static_cast<std::uint8_t>(number % 2));
        seed.push_back(hash_combine(kSeed, static_cast<std::uint64_t>(number)));
    }
    const std::span<const DeckList> evaluated = decks.first(2);
    Evaluation found;
    found.notes.resize(evaluated.size() * seed.size() * kNoted);
    found.plays.resize(evaluated.size() * kDeckLimit);
    found.events.resize(evaluated.size() * seed.size() * kDeckLimit * sizeof(CardEvents));
    CHECK(evaluate_decks(
        cards, agents.back(), evaluated, opponents, {opponent, seat, seed}, {Mulligan::cheap, threads},
        {found.notes.data(), found.plays.data(), reinterpret_cast<CardEvents(*)[kDeckLimit]>(found.events.data())},
        go_on));
    return found;
}

// Positions of a game of each agent against the next.
RecordedPositions positions_of(const CardSet& cards, const std::vector<PlayAgent>& agents,
                               std::span<const DeckList> decks, int threads) {
    const auto games = static_cast<std::int32_t>(agents.size());
    std::vector<std::int32_t> pilots, deck_numbers;
    std::vector<std::uint64_t> seeds;
    for (std::int32_t game = 0; game < games; ++game) {
        pilots.insert(pilots.end(), {game, (game + 1) % games});
        deck_numbers.insert(deck_numbers.end(), {0, game % static_cast<std::int32_t>(decks.size())});
        seeds.push_back(hash_combine(kSeed, static_cast<std::uint64_t>(game)));
    }
    std::vector<std::uint8_t> winner(seeds.size()), is_void(seeds.size());
    std::vector<std::int32_t> turns(seeds.size());
    const PlayAgent explorer = random_agent(false);
    return record_positions(cards, {agents, decks, pairs_of(pilots), pairs_of(deck_numbers), seeds},
                            {Mulligan::own, 0.5, &explorer, 0.1, threads},
                            {winner.data(), is_void.data(), turns.data()}, go_on);
}

void positions_do_not_depend_on_threads(const CardSet& cards, const std::vector<PlayAgent>& agents,
                                        std::span<const DeckList> decks) {
    const RecordedPositions one = positions_of(cards, agents, decks, 1), three = positions_of(cards, agents, decks, 3);
    CHECK(!one.features.empty());
    CHECK(one.features == three.features && one.offsets == three.offsets && one.plan_scores == three.plan_scores);
}

}  // namespace
}  // namespace deckatlas::hearthstone::tests

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s CARD_FILE GAMES\n", argv[0]);
        return EXIT_FAILURE;
    }
    using namespace deckatlas;
    using namespace deckatlas::hearthstone::tests;
    const auto cards = load_card_set(argv[1]);
    const auto agents = all_agents();
    std::vector<hearthstone::DeckList> decks;
    for (Rng rng{kSeed}; decks.size() < 5;) decks.push_back(random_deck(cards, rng));
    decks.insert(decks.begin(), decks.front());  // the first game: both pilots count their own deck among the enemy's
    const std::int64_t actions = matches_do_not_depend_on_threads(cards, agents, decks, std::atoi(argv[2]));
    CHECK(evaluation_of(cards, agents, decks, 3) == evaluation_of(cards, agents, decks, 1));
    positions_do_not_depend_on_threads(cards, agents, decks);
    std::printf("%zu agents, %lld actions in matches, all results hold\n", agents.size(),
                static_cast<long long>(actions));
    return EXIT_SUCCESS;
}
