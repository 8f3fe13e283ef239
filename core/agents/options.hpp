// The options of an agent: how a list of agents names them, and the checks of their values.
//
// A list of agents calls `add(name, make, options...)` for each: `make` is a function that checks its arguments and
// returns the agent, `options` are what its parameters are called, in their order.
#pragma once

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "common/number_text.hpp"

namespace deckatlas {

// An option that must be given.
struct Option {
    const char* name;
};

template <class Value>
struct OptionWithDefault {
    const char* name;
    Value value;
};

// The options after it are given by name only.
struct ByNameOnly {};

// An option has a value that its agent does not allow.
struct OptionError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <std::integral Number>
std::string shown(Number number) {
    return std::to_string(number);
}

inline std::string shown(double number) { return number_text(number); }

template <class Number, class Bound>
void check_range(const char* what, Number value, Bound low, Bound high) {
    if (value >= low && value <= high) return;  // not the opposite test, which a value that is no number would pass
    throw OptionError(std::string(what) + " must be between " + shown(low) + " and " + shown(high) + ", not " +
                      shown(value));
}

// The value in the type of its bounds.
template <class Number, class Bound>
Bound in_range(const char* what, Number value, Bound low, Bound high) {
    check_range(what, value, low, high);
    return static_cast<Bound>(value);
}

// A searching agent with its budget, counted in nodes or playouts.
template <class Agent>
Agent with_limit(const char* what, std::int64_t amount) {
    Agent agent;
    agent.limits.nodes = in_range(what, amount, 1, 1'000'000'000);
    return agent;
}

}  // namespace deckatlas
