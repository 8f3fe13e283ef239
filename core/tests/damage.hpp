// Small random changes to lines of text, to fuzz their parsers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/random.hpp"

namespace deckatlas::tests {

// A random place in a random word, so that short fields are hit as often as long ones.
inline std::size_t place_in(const std::string& text, Rng& rng) {
    std::vector<std::size_t> starts = {0};
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i - 1] == ' ') starts.push_back(i);
    }
    const auto word = rng.below(static_cast<std::uint32_t>(starts.size()));
    const std::size_t end = word + 1 < starts.size() ? starts[word + 1] : text.size();
    return starts[word] + rng.below(static_cast<std::uint32_t>(end - starts[word]));
}

inline char random_character(Rng& rng) {
    constexpr std::string_view kTelling = "0123456789.,/=- ?+:BCDGLWratfdxue_";
    return rng.below(8) == 0 ? static_cast<char>(rng.below(256)) : kTelling[rng.below(kTelling.size())];
}

// Replaces a number of the text with a nearby one, or with a limit value.
inline void change_number(std::string& text, Rng& rng) {
    constexpr const char* kLimits[] = {"-1",
                                       "0",
                                       "1",
                                       "2",
                                       "3",
                                       "7",
                                       "8",
                                       "9",
                                       "12",
                                       "13",
                                       "14",
                                       "29",
                                       "30",
                                       "31",
                                       "32",
                                       "60",
                                       "61",
                                       "91",
                                       "99",
                                       "100",
                                       "127",
                                       "128",
                                       "160",
                                       "161",
                                       "255",
                                       "256",
                                       "511",
                                       "512",
                                       "999",
                                       "1000",
                                       "1001",
                                       "1000000",
                                       "1000001",
                                       "-1000000",
                                       "2147483647",
                                       "2147483648",
                                       "-2147483648",
                                       "-2147483649",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "-9223372036854775808",
                                       "-9223372036854775809",
                                       "00",
                                       "+1",
                                       "1e3",
                                       "0x1"};
    const std::size_t digit = text.find_first_of("0123456789", place_in(text, rng));
    if (digit == std::string::npos) return;
    std::size_t end = text.find_first_not_of("0123456789", digit);
    if (end == std::string::npos) end = text.size();
    std::string number = kLimits[rng.below(std::size(kLimits))];
    if (rng.below(2) == 0 && end - digit < 9) {
        number = std::to_string(std::stoi(text.substr(digit, end - digit)) + static_cast<int>(rng.below(5)) - 2);
    }
    text.replace(digit, end - digit, number);
}

inline std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t start = 0, end = 0; end != std::string::npos; start = end + 1) {
        end = text.find(' ', start);
        words.push_back(text.substr(start, end - start));
    }
    return words;
}

// Drops or repeats a word, gives it the value of another, or takes it from another text.
inline void change_words(std::string& text, const std::string& other, Rng& rng) {
    std::vector<std::string> words = words_of(text);
    const std::vector<std::string> donors = words_of(other);
    const auto i = rng.below(static_cast<std::uint32_t>(words.size()));
    switch (rng.below(4)) {
        case 0: words.erase(words.begin() + i); break;
        case 1: words.push_back(words[i]); break;
        case 2: {
            const std::string& from = words[rng.below(static_cast<std::uint32_t>(words.size()))];
            words[i] = words[i].substr(0, words[i].find('=') + 1) + from.substr(from.find('=') + 1);
            break;
        }
        default: words[i] = donors[i % donors.size()];
    }
    text.clear();
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
}

inline std::string damaged(std::string text, const std::string& other, Rng& rng) {
    for (int changes = 1 + static_cast<int>(rng.below(3)); changes > 0 && !text.empty(); --changes) {
        switch (rng.below(8)) {
            case 0: text[place_in(text, rng)] = random_character(rng); break;
            case 1: text.erase(place_in(text, rng), 1 + rng.below(3)); break;
            case 2:
                text.insert(text.begin() + static_cast<std::ptrdiff_t>(place_in(text, rng)), random_character(rng));
                break;
            case 3: change_words(text, other, rng); break;
            case 4: text.resize(rng.below(20) == 0 ? place_in(text, rng) : text.size()); break;
            default: change_number(text, rng);
        }
    }
    return text;
}

}  // namespace deckatlas::tests
