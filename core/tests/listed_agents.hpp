// Makes every agent of a list (`core/agents/options.hpp`) with small budgets: an agent that joins the list joins the
// tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "agents/options.hpp"

namespace deckatlas::tests {

// A small number for an option that must be given.
inline int small_number(std::string_view option) {
    if (option == "nodes") return 300;
    if (option == "playouts") return 60;
    return 4;  // such as widths, depths and finalists
}

template <class Agent>
struct ListedAgent {
    std::string name;
    Agent agent;
};

// Adds agents to `made`. `Given` is made from the name of an option that must be given, and converts to its value.
template <class Agent, class Given>
struct AgentMaker {
    std::vector<ListedAgent<Agent>>& made;

    template <class Make, class... Options>
    void operator()(const char* name, const Make& make, const Options&... options) const {
        made.push_back({name, std::apply(make, std::tuple_cat(value_of(options)...))});
    }

private:
    static std::tuple<Given> value_of(const Option& option) { return {Given(option.name)}; }
    static std::tuple<> value_of(const ByNameOnly&) { return {}; }
    template <class Value>
    static std::tuple<Value> value_of(const OptionWithDefault<Value>& option) {
        return {option.value};
    }
};

// A poll that never stops the games.
inline bool go_on(std::int64_t) { return true; }

}  // namespace deckatlas::tests
