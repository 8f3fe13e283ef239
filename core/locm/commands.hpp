// Legends of Code and Magic: commands, the form of actions outside the core.
//
// A command is an action of the official protocol ("ATTACK 11 -1"). It names cards by instance id, so it means the same
// to both players. An `Action` is the core's own form, with deck positions and slots.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "locm/state.hpp"

namespace deckatlas::locm {

enum class CommandKind : std::uint8_t { pick = 0, pass = 1, summon = 2, attack = 3, use = 4 };

inline constexpr int kFaceTarget = -1;

struct Command {
    CommandKind kind = CommandKind::pass;
    int id = 0;      // pick: 0 to 2; otherwise an instance id
    int target = 0;  // summon: lane; attack, use: instance id or kFaceTarget

    friend bool operator==(const Command&, const Command&) = default;
};

std::string format_command(const Command& command);

// Parses one command like the referee: a verb in capitals and integers, separated by single spaces; the rest is a
// comment. Empty if it is malformed.
std::optional<Command> parse_command(std::string_view text);

// The command for `action` by the player to move.
Command to_command(const State& state, Action action);

// The action of a battle command, if there is one; it may still be illegal.
std::optional<Action> to_action(const State& state, const Command& command);

}  // namespace deckatlas::locm
