#include "common/number_text.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace deckatlas {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Adds one to the last digit before the exponent; there is a digit that can grow.
void count_up(char* written) {
    char* place = std::strchr(written, 'e') - 1;
    while (*place == '9' || !is_digit(*place)) {
        if (*place == '9') *place = '0';
        --place;
    }
    ++*place;
}

bool has_room_above(const char* written) {
    for (; *written != 'e'; ++written) {
        if (*written >= '0' && *written < '9') return true;
    }
    return false;
}

// The number with this many digits after the first, if they identify it.
bool write_short(double number, int after_first, char (&written)[32]) {
    std::snprintf(written, sizeof written, "%.*e", after_first, number);
    if (std::strtod(written, nullptr) == number) return true;
    // The numbers below a power of two lie closer to it than those above: the farther of two neighbours may be the one
    // that identifies it.
    if (!has_room_above(written)) return false;
    count_up(written);
    return std::strtod(written, nullptr) == number;
}

}  // namespace

// `std::to_chars` would do, but macOS has it only since version 13.3.
std::string number_text(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    char written[32];  // a sign, 17 digits, a point, an exponent of three digits
    for (int after_first = 0; !write_short(number, after_first, written); ++after_first) {
    }
    std::string digits;
    const char* place = written;
    for (; *place != 'e'; ++place) {
        if (is_digit(*place)) digits += *place;  // not the sign, nor the point, which may be a comma
    }
    const int exponent = std::atoi(place + 1);
    std::string text(std::signbit(number) ? 1 : 0, '-');
    if (exponent < -4 || exponent >= 16) {
        text += digits[0];
        if (digits.size() > 1) text.append(1, '.').append(digits, 1);
        return text.append(place);
    }
    if (exponent < 0) {
        text.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0');
        return text.append(digits);
    }
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) digits.append(whole - digits.size() + 1, '0');  // one digit after the point
    text.append(digits, 0, whole).append(1, '.');
    return text.append(digits, whole);
}

}  // namespace deckatlas
