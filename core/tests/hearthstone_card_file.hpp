// Reads compiled Hearthstone cards for the test programs of the core; tests/helpers/hearthstone_card_file.py writes
// the file.
#pragma once

#include <fstream>
#include <list>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "hearthstone/card_tables.hpp"
#include "hearthstone/setup.hpp"

namespace deckatlas::hearthstone::tests {

// Tables and the numbers they point to.
struct CardFile {
    Tables tables;
    std::list<std::vector<std::int32_t>> values;
};

inline CardFile load_card_file(const char* path) {
    std::ifstream file(path);
    CardFile loaded;
    Tables& tables = loaded.tables;
    const auto read_rows = [&](std::size_t rows, std::size_t width) {
        std::vector<std::int32_t>& values = loaded.values.emplace_back(rows * width);
        for (std::int32_t& value : values) file >> value;
        return Table{values.data(), rows, width};
    };
    std::size_t count = 0;
    file >> tables.rules >> tables.coin >> count;
    for (std::size_t i = 0; i < count && file; ++i) {
        std::string name;
        std::size_t rows = 0, width = 0;
        file >> name >> rows >> width;
        if (file) tables.by_name[name] = read_rows(rows, width);
    }
    file >> count;
    for (std::size_t i = 0; i < count && file; ++i) {
        std::size_t width = 0;
        file >> width;
        if (file) tables.lists.push_back(read_rows(1, width));
    }
    if (!file) throw std::runtime_error(std::string(path) + " does not have compiled cards");
    // The file has only numbers; texts of states use them as names.
    const auto name = [&](const char* table, const char* prefix, std::vector<std::string>& names) {
        for (std::size_t i = 0; i < tables.by_name[table].rows; ++i) names.push_back(prefix + std::to_string(i));
    };
    name("cards", "C", tables.names.cards);
    name("cards", "Card ", tables.names.titles);
    name("attachments", "A", tables.names.attachments);
    name("player_enchantments", "E", tables.names.player_enchantments);
    return loaded;
}

inline CardSet load_card_set(const char* path) { return read_tables(load_card_file(path).tables); }

// A random legal deck of a random class, uniform over all copies that a deck may have.
inline DeckList random_deck(const CardSet& cards, Rng& rng) {
    constexpr int kHeroHealth = 30;  // of starting heroes
    DeckList deck;
    const auto hero_class = static_cast<HeroClass>(1 + rng.below(kClasses));
    std::vector<CardId> copies;
    for (std::size_t i = 1; i < cards.cards.size(); ++i) {
        const Card& card = cards.cards[i];
        const auto id = static_cast<CardId>(i);
        if (card.type == CardType::hero && card.hero_class == hero_class && card.health == kHeroHealth) deck.hero = id;
        if (!card.collectible || (card.hero_class != HeroClass::neutral && card.hero_class != hero_class)) continue;
        copies.insert(copies.end(), card.legendary ? 1 : 2, id);
    }
    for (; deck.size < kDeckLimit; ++deck.size) {
        const std::size_t at = rng.below(static_cast<std::uint32_t>(copies.size()));
        deck.cards[deck.size] = copies[at];
        copies[at] = copies.back();
        copies.pop_back();
    }
    return deck;
}

}  // namespace deckatlas::hearthstone::tests
