// Real numbers as text.
#pragma once

#include <string>

namespace deckatlas {

// As Python prints it: the fewest digits that identify the number.
std::string number_text(double number);

}  // namespace deckatlas
