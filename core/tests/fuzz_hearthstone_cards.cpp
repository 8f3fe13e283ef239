// Compiled Hearthstone cards with numbers changed at random: either they are refused, or games with them end and stay
// within every capacity. No custom card can break the interpreter or stall a game.
//
// Meant for a build with asserts and sanitizers. Usage: fuzz_hearthstone_cards CARD_FILE SETS [FIRST_SET]
#include <cstdio>
#include <cstdlib>

#include "agents/simple_agents.hpp"
#include "hearthstone_card_file.hpp"
#include "hearthstone_checks.hpp"

namespace deckatlas::hearthstone::tests {
namespace {

constexpr std::uint64_t kSeed = 20'181'205;
constexpr std::uint32_t kMostChanges = 24;
constexpr int kGames = 4;  // with each set that is not refused
// Far more than a random game can have: a hundred in each of the turns before the fatigue counter overflows.
constexpr std::int64_t kLongestGame = 60'000;

// Changes one number, usually to that of the same column in another row, so that cards get each other's effects.
void change(const Table& table, std::vector<std::int32_t>& values, Rng& rng) {
    constexpr std::int32_t kBorders[] = {-1, 0, 1, 2, 7, 31, 32, 50, 99, 100, 127, 255, 1000, 32767, 65535};
    const auto at = rng.below(static_cast<std::uint32_t>(values.size()));
    const auto rows = static_cast<std::uint32_t>(table.rows);
    const auto width = static_cast<std::uint32_t>(table.width);
    switch (rng.below(20)) {
        case 0: values[at] += static_cast<std::int32_t>(rng.below(3)) - 1; break;
        case 1: values[at] = kBorders[rng.below(std::size(kBorders))]; break;
        default: values[at] = values[rng.below(rows) * width + at % width]; break;
    }
}

// Makes amounts of many cards as large as the tables allow, or negative.
void exaggerate(std::vector<std::int32_t>& numbers, Rng& rng) {
    constexpr std::size_t kWidth = 5;  // the last two columns are the factor and the offset
    for (std::size_t row = 1; row < numbers.size() / kWidth; ++row) {
        const std::int32_t factor = rng.below(2) == 0 ? 1000 : -1000;
        if (rng.below(4) == 0) numbers[row * kWidth + 3 + rng.below(2)] = factor;
    }
}

// Changes numbers all over the tables and lists, and sometimes the rules.
CardFile changed(const CardFile& file, Rng& rng) {
    CardFile out = file;
    std::vector<std::pair<Table*, std::vector<std::int32_t>*>> all;
    const auto own = [&](Table& table) {  // a copy still points to the numbers of the original
        auto copy = out.values.begin();
        for (const std::vector<std::int32_t>& original : file.values) {
            if (table.values == original.data()) {
                table.values = copy->data();
                if (!copy->empty()) all.emplace_back(&table, &*copy);
                return;
            }
            ++copy;
        }
    };
    for (auto& [name, table] : out.tables.by_name) own(table);
    for (Table& list : out.tables.lists) own(list);
    for (std::uint32_t left = 1 + rng.below(kMostChanges); left > 0; --left) {
        const auto& [table, values] = all[rng.below(static_cast<std::uint32_t>(all.size()))];
        change(*table, *values, rng);
    }
    for (const auto& [table, values] : all) {
        if (table == &out.tables.by_name["numbers"] && rng.below(3) == 0) exaggerate(*values, rng);
    }
    if (rng.below(3) == 0) out.tables.rules ^= std::uint64_t{1} << rng.below(kRuleFlags);
    return out;
}

// Any cards that a deck can have, and any hero: whatever the bindings accept.
DeckList any_deck(const CardSet& cards, Rng& rng) {
    std::vector<CardId> heroes, playable;
    for (std::size_t i = 1; i < cards.cards.size(); ++i) {
        const CardType type = cards.cards[i].type;
        if (type == CardType::hero) heroes.push_back(static_cast<CardId>(i));
        if (is_for_hand(type)) playable.push_back(static_cast<CardId>(i));
    }
    const auto one_of = [&](const std::vector<CardId>& list) {
        return list[rng.below(static_cast<std::uint32_t>(list.size()))];
    };
    DeckList deck;
    deck.hero = one_of(heroes);
    while (deck.size < kDeckLimit) deck.cards[deck.size++] = one_of(playable);
    return deck;
}

void check_capacities(const State& state) {
    if (state.is_void) CHECK(state.phase == Phase::over && state.winner == kNobody, state);
    if (!state.is_void) check_places(state);
    for (const Player& own : state.players) {
        CHECK(own.board_size <= kBoardLimit && own.hand_size <= kHandLimit && own.deck_size <= kDeckLimit, state);
        CHECK(own.secret_count <= kSecretLimit && own.enchantment_count <= kPlayerEnchantments, state);
        CHECK(own.return_count <= kReturns && own.died_count <= kDied && own.crystals <= kCrystalLimit, state);
    }
}

bool play_game(const CardSet& cards, Rng& rng) {
    StreamDraws draws{rng};
    const DeckList decks[2] = {any_deck(cards, rng), any_deck(cards, rng)};
    const bool active = rng.below(2) == 0;
    State state = new_game(cards, decks, draws);
    for (std::int64_t actions = 0; !HearthstoneGame::is_over(state); ++actions) {
        CHECK(actions < kLongestGame, state);
        ActionList list;
        HearthstoneGame::legal_actions(cards, state, list);
        check_listed(state, list);
        HearthstoneGame::apply(cards, state,
                               active ? ActiveRandomAgent{}.choose<HearthstoneGame>(cards, state, rng)
                                      : RandomAgent{}.choose<HearthstoneGame>(cards, state, rng),
                               rng);
        check_capacities(state);
    }
    return state.is_void;
}

int fuzz(const CardFile& file, long long sets, long long first) {
    long long refused = 0, voids = 0;
    for (current_game = first; current_game < first + sets; ++current_game) {
        Rng rng{hash_combine(kSeed, static_cast<std::uint64_t>(current_game))};
        const CardFile other = changed(file, rng);
        CardSet cards;
        try {
            cards = read_tables(other.tables);
        } catch (const TableError&) {
            ++refused;
            continue;
        }
        for (int game = 0; game < kGames; ++game) voids += play_game(cards, rng);
    }
    CHECK(refused < sets - sets / 4, State());  // otherwise the tables have another form
    std::printf("%lld changed sets of cards, %lld refused, %lld games with the others, %lld void\n", sets, refused,
                kGames * (sets - refused), voids);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace deckatlas::hearthstone::tests

int main(int argc, char** argv) {
    if (argc < 3 || argc > 4) {
        std::fprintf(stderr, "usage: %s CARD_FILE SETS [FIRST_SET]\n", argv[0]);
        return EXIT_FAILURE;
    }
    return deckatlas::hearthstone::tests::fuzz(deckatlas::hearthstone::tests::load_card_file(argv[1]),
                                               std::atoll(argv[2]), argc == 4 ? std::atoll(argv[3]) : 0);
}
