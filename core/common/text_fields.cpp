// Reads lines of key=value fields.
#include "common/text_fields.hpp"

#include <charconv>

namespace deckatlas {

std::string quote(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    std::string quoted = "'";
    for (const char c : text.substr(0, kLongest)) quoted += c >= ' ' && c <= '~' ? c : '?';
    return quoted + (text.size() > kLongest ? "...'" : "'");
}

void fail_field(std::string_view field, const std::string& why) {
    throw TextError("state text: " + std::string(field) + ": " + why);
}

std::vector<std::string_view> split_text(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    if (text == "-") return parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::int64_t parse_number(std::string_view field, std::string_view text, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        fail_field(field, quote(text) + " is not a whole number");
    }
    if (value < low || value > high) {
        fail_field(field,
                   std::to_string(value) + " is not between " + std::to_string(low) + " and " + std::to_string(high));
    }
    return value;
}

TextFields::TextFields(std::string_view text, std::string_view first) {
    const auto words = split_text(text, ' ');
    if (words.size() < 2 || words[0] != first) fail_field("start", "expected '" + std::string(first) + "' and fields");
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        if (equals == std::string_view::npos) fail_field(quote(words[i]), "expected key=value");
        if (!values_.emplace(words[i].substr(0, equals), words[i].substr(equals + 1)).second) {
            fail_field(quote(words[i].substr(0, equals)), "given twice");
        }
    }
}

std::string_view TextFields::take(const std::string& key) {
    const auto found = values_.find(key);
    if (found == values_.end()) fail_field(key, "missing");
    const std::string_view value = found->second;
    values_.erase(found);
    return value;
}

std::string_view TextFields::take_or(const std::string& key, std::string_view absent) {
    return values_.contains(key) ? take(key) : absent;
}

void TextFields::expect_no_more() const {
    if (!values_.empty()) fail_field(quote(values_.begin()->first), "unknown field");
}

}  // namespace deckatlas
