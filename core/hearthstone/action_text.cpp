// Actions in words: printing and parsing.
#include "hearthstone/action_text.hpp"

namespace deckatlas::hearthstone {
namespace {

constexpr std::string_view kHero = "hero";
constexpr std::string_view kNothing = "nothing";

std::string target_text(TargetCode target) {
    if (target == kNoTarget) return "";
    const bool enemy = target >= kEnemyHero;
    const int place = target - (enemy ? kEnemyHero : kOwnHero);
    return std::string(" at ") + (enemy ? "enemy " : "own ") +
           (place == 0 ? std::string(kHero) : std::to_string(place - 1));
}

std::string kept_text(std::uint8_t kept) {
    std::string text;
    for (int i = 0; i < kOpeningHands[1]; ++i) {
        if ((kept >> i & 1) != 0) text += ' ' + std::to_string(i);
    }
    return text.empty() ? ' ' + std::string(kNothing) : text;
}

// The words of a text, read one by one.
class Words {
public:
    explicit Words(std::string_view text) : left_(text) { advance(); }

    bool at_end() const { return word_.data() == nullptr; }
    // Takes the next word if it is this one.
    bool take(std::string_view word) {
        if (at_end() || word_ != word) return false;
        advance();
        return true;
    }
    // Takes the next word if it is a number below `bound`; all numbers have one digit.
    std::optional<std::uint8_t> number(int bound) {
        if (at_end() || word_.size() != 1 || word_[0] < '0' || word_[0] - '0' >= bound) return std::nullopt;
        const auto value = static_cast<std::uint8_t>(word_[0] - '0');
        advance();
        return value;
    }

private:
    void advance() {
        if (left_.data() == nullptr) {
            word_ = {};
            return;
        }
        const std::size_t end = left_.find(' ');
        word_ = left_.substr(0, end);
        left_ = end == std::string_view::npos ? std::string_view() : left_.substr(end + 1);
    }

    std::string_view left_;
    std::string_view word_;
};

// A target, if the next word is `at`.
bool parse_target(Words& words, Action& action) {
    if (!words.take("at")) return true;
    const bool enemy = words.take("enemy");
    if (!enemy && !words.take("own")) return false;
    const TargetCode hero = enemy ? kEnemyHero : kOwnHero;
    action.target = hero;
    if (words.take(kHero)) return true;
    const auto place = words.number(kBoardLimit);
    if (place) action.target = static_cast<TargetCode>(hero + 1 + *place);
    return place.has_value();
}

bool parse_play(Words& words, Action& action) {
    const auto source = words.number(kHandLimit);
    if (!source) return false;
    action.source = *source;
    if (words.take("as")) {
        const auto choice = words.number(3);
        if (!choice || *choice == 0) return false;
        action.choice = *choice;
    }
    if (!parse_target(words, action)) return false;
    if (!words.take("to")) return true;
    const auto position = words.number(kBoardLimit);
    if (position) action.position = *position;
    return position.has_value();
}

bool parse_attack(Words& words, Action& action) {
    if (!words.take(kHero)) {
        const auto place = words.number(kBoardLimit);
        if (!place) return false;
        action.source = static_cast<std::uint8_t>(1 + *place);
    }
    return parse_target(words, action) && action.target >= kEnemyHero;
}

bool parse_kept(Words& words, Action& action) {
    if (words.take(kNothing)) return true;
    int last = -1;
    while (!words.at_end()) {
        const auto place = words.number(kOpeningHands[1]);
        if (!place || *place <= last) return false;
        last = *place;
        action.source = static_cast<std::uint8_t>(action.source | 1 << last);
    }
    return last >= 0;
}

bool parse_choice(Words& words, Action& action) {
    const auto place = words.number(kChoices);
    if (place) action.source = *place;
    return place.has_value();
}

}  // namespace

std::string format_action(const Action& action) {
    switch (action.kind) {
        case ActionKind::end_turn: return "end";
        case ActionKind::play:
            return "play " + std::to_string(action.source) +
                   (action.choice != 0 ? " as " + std::to_string(action.choice) : "") + target_text(action.target) +
                   (action.position < kRightmost ? " to " + std::to_string(action.position) : "");
        case ActionKind::power: return "power" + target_text(action.target);
        case ActionKind::attack:
            return "attack " + (action.source == 0 ? std::string(kHero) : std::to_string(action.source - 1)) +
                   target_text(action.target);
        case ActionKind::choose: return "choose " + std::to_string(action.source);
        case ActionKind::keep: return "keep" + kept_text(action.source);
    }
    return "";
}

std::optional<Action> parse_action(std::string_view text) {
    if (text.data() == nullptr) return std::nullopt;
    Words words(text);
    Action action;
    bool good = false;
    if (words.take("end")) {
        good = true;
    } else if (words.take("play")) {
        action.kind = ActionKind::play;
        good = parse_play(words, action);
    } else if (words.take("power")) {
        action.kind = ActionKind::power;
        good = parse_target(words, action);
    } else if (words.take("attack")) {
        action.kind = ActionKind::attack;
        good = parse_attack(words, action);
    } else if (words.take("choose")) {
        action.kind = ActionKind::choose;
        good = parse_choice(words, action);
    } else if (words.take("keep")) {
        action.kind = ActionKind::keep;
        good = parse_kept(words, action);
    }
    return good && words.at_end() ? std::optional(action) : std::nullopt;
}

}  // namespace deckatlas::hearthstone
