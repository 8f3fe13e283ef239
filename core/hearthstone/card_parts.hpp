// The steps of reading compiled cards that follow the rows: see card_tables.hpp. Host only.
#pragma once

#include "hearthstone/cards.hpp"

namespace deckatlas::hearthstone {

// Throws TableError at anything that would break the interpreter.
void check_tables(const CardSet& cards);

// Adds the entries that stand for hidden cards.
void add_unknown(CardSet& cards);

// Fills in the derived values.
void work_out_the_rest(CardSet& cards);

}  // namespace deckatlas::hearthstone
