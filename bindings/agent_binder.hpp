// What the agents of all games share: copies for new games, and the binding of every agent of a list
// (`core/agents/options.hpp`) as a function that makes it. The options of all agents must
// be types that the including file has converters for.
#pragma once

#include <nanobind/nanobind.h>

#include "agents/options.hpp"

namespace deckatlas::bindings {

// A copy of an agent for a new game, with what Python has noted of it: the text that it was made from.
template <class Agent>
nanobind::object fresh(nanobind::handle_t<Agent> self) {
    nanobind::object copy = nanobind::cast(Agent(nanobind::cast<const Agent&>(self)));
    copy.attr("__dict__").attr("update")(self.attr("__dict__"));
    return copy;
}

struct AgentBinder {
    nanobind::module_& module;

    template <class Make, class... Options>
    void operator()(const char* name, const Make& make, const Options&... options) const {
        module.def(name, make, argument(options)...);
    }

private:
    static nanobind::arg argument(const Option& option) { return nanobind::arg(option.name); }
    static nanobind::kw_only argument(const ByNameOnly&) { return {}; }

    template <class Value>
    static nanobind::arg_v argument(const OptionWithDefault<Value>& option) {
        return nanobind::arg(option.name) = option.value;
    }
};

}  // namespace deckatlas::bindings
