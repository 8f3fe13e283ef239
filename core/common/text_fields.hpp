// States as lines of text: a first word and key=value fields. The part of reading that all games share.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace deckatlas {

// A wrong text; the message names the field.
struct TextError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Text from outside for an error message: one short, printable line.
std::string quote(std::string_view text);

[[noreturn]] void fail_field(std::string_view field, const std::string& why);

// The parts between separators; none for '-'.
std::vector<std::string_view> split_text(std::string_view text, char separator);

std::int64_t parse_number(std::string_view field, std::string_view text, std::int64_t low, std::int64_t high);

// The fields of a line; each can be taken once.
class TextFields {
public:
    // `first` is the word that the line must start with.
    TextFields(std::string_view text, std::string_view first);

    std::string_view take(const std::string& key);
    std::string_view take_or(const std::string& key, std::string_view absent);
    void expect_no_more() const;

private:
    std::map<std::string, std::string_view, std::less<>> values_;
};

}  // namespace deckatlas
