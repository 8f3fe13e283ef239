// Commands: parsing, printing, and translation to and from the core's actions.
#include "locm/commands.hpp"

#include <charconv>

namespace deckatlas::locm {
namespace {

constexpr std::string_view kVerbs[] = {"PICK", "PASS", "SUMMON", "ATTACK", "USE"};

// Removes the part before the next space from `text` and returns it.
std::string_view take_word(std::string_view& text) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return word;
}

std::string_view trim(std::string_view word) {
    const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    while (!word.empty() && is_blank(word.front())) word.remove_prefix(1);
    while (!word.empty() && is_blank(word.back())) word.remove_suffix(1);
    return word;
}

std::optional<int> parse_int(std::string_view word) {
    if (!word.empty() && word.front() == '+') {
        word.remove_prefix(1);
        if (!word.empty() && word.front() == '-') return std::nullopt;
    }
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
}

// Deck position of `player`'s card with this instance id, or -1.
int position_of(int player, int instance) {
    if (instance < 1 || instance > 2 * kDeckSize) return -1;
    const int offset = instance - player - 1;
    return offset >= 0 && offset % 2 == 0 ? offset / 2 : -1;
}

std::optional<Slot> find_creature(const Side& side, int player, int instance) {
    const int position = position_of(player, instance);
    for (int lane = 0; lane < kLanes; ++lane) {
        for (int i = 0; i < side.count[lane]; ++i) {
            if (side.lanes[lane][i].position() == position) return slot_of(lane, i);
        }
    }
    return std::nullopt;
}

bool is_green(const State& state, int position) {
    const int player = state.battle.active();
    return (state.deal.of_type[player][static_cast<int>(CardType::green)] >> position & 1u) != 0;
}

}  // namespace

std::string format_command(const Command& command) {
    std::string text(kVerbs[static_cast<int>(command.kind)]);
    if (command.kind == CommandKind::pass) return text;
    text += ' ' + std::to_string(command.id);
    if (command.kind != CommandKind::pick) text += ' ' + std::to_string(command.target);
    return text;
}

std::optional<Command> parse_command(std::string_view text) {
    const std::string_view verb = trim(take_word(text));
    for (int kind = 0; kind < 5; ++kind) {
        if (verb != kVerbs[kind]) continue;
        Command command{static_cast<CommandKind>(kind), 0, 0};
        if (command.kind == CommandKind::pass) return command;
        const auto id = parse_int(take_word(text));
        if (!id) return std::nullopt;
        command.id = *id;
        if (command.kind == CommandKind::pick) return command;
        const auto target = parse_int(take_word(text));
        if (!target) return std::nullopt;
        command.target = *target;
        return command;
    }
    return std::nullopt;
}

Command to_command(const State& state, Action action) {
    const Battle& battle = state.battle;
    const int player = battle.active();
    const auto creature = [&](int owner, Slot slot) {
        return instance_id(owner, battle.sides[owner].at(slot).position());
    };
    switch (action.kind) {
        case ActionKind::pass: break;
        case ActionKind::summon: return {CommandKind::summon, instance_id(player, action.source), action.target};
        case ActionKind::attack:
            return {CommandKind::attack, creature(player, action.source),
                    action.target == kFace ? kFaceTarget : creature(player ^ 1, action.target)};
        case ActionKind::use: {
            const int owner = is_green(state, action.source) ? player : player ^ 1;
            return {CommandKind::use, instance_id(player, action.source),
                    action.target == kFace ? kFaceTarget : creature(owner, action.target)};
        }
    }
    return {CommandKind::pass, 0, 0};
}

std::optional<Action> to_action(const State& state, const Command& command) {
    const Battle& battle = state.battle;
    const int player = battle.active();
    const Side& own = battle.own();
    const Side& enemy = battle.enemy();
    switch (command.kind) {
        case CommandKind::pick: return std::nullopt;
        case CommandKind::pass: return pass_action();
        case CommandKind::summon: {
            const int position = position_of(player, command.id);
            if (position < 0 || command.target < 0 || command.target >= kLanes) return std::nullopt;
            return summon_action(position, command.target);
        }
        case CommandKind::attack: {
            const auto attacker = find_creature(own, player, command.id);
            if (!attacker) return std::nullopt;
            if (command.target == kFaceTarget) return attack_action(*attacker, kFace);
            const auto target = find_creature(enemy, player ^ 1, command.target);
            return target ? std::optional(attack_action(*attacker, *target)) : std::nullopt;
        }
        case CommandKind::use: break;
    }
    const int position = position_of(player, command.id);
    if (position < 0) return std::nullopt;
    if (command.target == kFaceTarget) return use_action(position, kFace);
    const bool green = is_green(state, position);
    const auto target = find_creature(green ? own : enemy, green ? player : player ^ 1, command.target);
    return target ? std::optional(use_action(position, *target)) : std::nullopt;
}

}  // namespace deckatlas::locm
