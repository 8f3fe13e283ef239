// Passes the tables of compiled cards, rows of numbers, to the core.
#include "hearthstone_cards.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <list>
#include <string>
#include <vector>

#include "errors.hpp"
#include "hearthstone/card_tables.hpp"
#include "hearthstone/position_features.hpp"

namespace nb = nanobind;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

using Numbers = std::vector<std::int32_t>;

template <class T>
T value_of(const nb::dict& tables, const char* name) {
    T value{};
    if (!tables.contains(name) || !nb::try_cast(tables[name], value))
        throw CardError("the tables need " + std::string(name));
    return value;
}

// All rows of a table in one vector; all are as long as the first.
Numbers flattened(const std::vector<Numbers>& rows, const std::string& name) {
    Numbers flat;
    for (const Numbers& row : rows) {
        if (row.size() != rows[0].size()) throw CardError("the table of " + name + " has rows of different lengths");
        flat.insert(flat.end(), row.begin(), row.end());
    }
    return flat;
}

}  // namespace

CardSet read_card_set(const nb::dict& from, const std::string& edition) {
    Tables tables;
    std::list<Numbers> kept;  // the numbers, until they are read
    tables.rules = value_of<std::uint64_t>(from, "rules");
    tables.coin = value_of<CardId>(from, "coin");
    const auto names = value_of<nb::dict>(from, "names");
    tables.names.edition = edition;
    tables.names.cards = value_of<std::vector<std::string>>(names, "cards");
    tables.names.titles = value_of<std::vector<std::string>>(names, "titles");
    tables.names.attachments = value_of<std::vector<std::string>>(names, "attachments");
    tables.names.player_enchantments = value_of<std::vector<std::string>>(names, "player_enchantments");
    for (const auto& item : value_of<nb::list>(from, "lists")) {
        Numbers& list = kept.emplace_back();
        if (!nb::try_cast(item, list)) throw CardError("a list of cards is not a row of 32-bit integers");
        tables.lists.push_back({list.data(), 1, list.size()});
    }
    for (const auto& [key, value] : from) {
        std::string name;
        if (!nb::try_cast(key, name)) throw CardError("the names of card tables must be texts");
        if (name == "rules" || name == "coin" || name == "lists" || name == "names") continue;
        std::vector<Numbers> rows;
        if (!nb::try_cast(value, rows))
            throw CardError("the table of " + name + " does not have rows of 32-bit integers");
        const Numbers& table = kept.emplace_back(flattened(rows, name));
        tables.by_name[name] = {table.data(), rows.size(), rows.empty() ? 0 : rows[0].size()};
    }
    try {
        CardSet cards = read_tables(tables);
        if (cards.cards.size() > PositionFeatures::kMostCardsInEdition)
            throw CardError("an edition has at most " + std::to_string(PositionFeatures::kMostCardsInEdition) +
                            " cards, not " + std::to_string(cards.cards.size()));
        return cards;
    } catch (const TableError& error) {
        throw CardError(error.what());
    }
}

}  // namespace deckatlas::bindings
