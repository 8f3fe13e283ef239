// Compiled cards from outside the core: tables of 32-bit integers, one row per entry, with columns in the order of the
// struct's fields and nested structs in place. Host only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "hearthstone/cards.hpp"

namespace deckatlas::hearthstone {

// Rows in sequence.
struct Table {
    const std::int32_t* values = nullptr;
    std::size_t rows = 0;
    std::size_t width = 0;
};

struct Tables {
    std::map<std::string, Table> by_name;
    std::vector<Table> lists;  // one row of cards each
    std::uint64_t rules = 0;
    CardId coin = 0;
    Names names;  // entries as in the tables; entry 0 of each means nothing
};

struct TableError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws TableError, with the table and the row, at impossible values.
CardSet read_tables(const Tables& tables);

}  // namespace deckatlas::hearthstone
