// Takes the tables of compiled cards, numpy arrays, to the core.
#include "hearthstone_cards.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "errors.hpp"
#include "hearthstone/card_tables.hpp"

namespace nb = nanobind;

namespace deckatlas::bindings {
namespace {

using namespace hearthstone;

using TableArray = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ListArray = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
T value_of(const nb::dict& tables, const char* name) {
    T value{};
    if (!tables.contains(name) || !nb::try_cast(tables[name], value))
        throw CardError("the tables need " + std::string(name));
    return value;
}

}  // namespace

CardSet read_card_set(const nb::dict& from, const std::string& edition) {
    Tables tables;
    std::vector<TableArray> arrays;  // keep the numbers alive until they are read
    std::vector<ListArray> lists;
    tables.rules = value_of<std::uint64_t>(from, "rules");
    tables.coin = value_of<CardId>(from, "coin");
    const auto names = value_of<nb::dict>(from, "names");
    tables.names.edition = edition;
    tables.names.cards = value_of<std::vector<std::string>>(names, "cards");
    tables.names.titles = value_of<std::vector<std::string>>(names, "titles");
    tables.names.attachments = value_of<std::vector<std::string>>(names, "attachments");
    tables.names.player_enchantments = value_of<std::vector<std::string>>(names, "player_enchantments");
    for (const auto& item : value_of<nb::list>(from, "lists")) {
        ListArray list;
        if (!nb::try_cast(item, list)) throw CardError("a list of cards is not a 1-D array of 32-bit integers");
        tables.lists.push_back({list.data(), 1, list.shape(0)});
        lists.push_back(list);
    }
    for (const auto& [key, value] : from) {
        std::string name;
        if (!nb::try_cast(key, name)) throw CardError("tables of cards have names");
        if (name == "rules" || name == "coin" || name == "lists" || name == "names") continue;
        TableArray table;
        if (!nb::try_cast(value, table))
            throw CardError("the table of " + name + " is not a 2-D array of 32-bit integers");
        tables.by_name[name] = {table.data(), table.shape(0), table.shape(1)};
        arrays.push_back(table);
    }
    try {
        return read_tables(tables);
    } catch (const TableError& error) {
        throw CardError(error.what());
    }
}

}  // namespace deckatlas::bindings
