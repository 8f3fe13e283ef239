// The parts of reading compiled cards that come after the rows: see card_tables.hpp. Host only.
#pragma once

#include "hearthstone/cards.hpp"

namespace deckatlas::hearthstone {

// Throws TableError at what would lead the interpreter astray.
void check_tables(const CardSet& cards);

// Adds what stands for the cards that somebody cannot see.
void add_unknown(CardSet& cards);

// Fills in what follows from the rest.
void work_out_the_rest(CardSet& cards);

}  // namespace deckatlas::hearthstone
