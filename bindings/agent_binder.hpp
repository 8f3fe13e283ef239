// Binds every agent of a list (`core/agents/options.hpp`) as a function that makes it. The options of all agents must
// be types that the including file has converters for.
#pragma once

#include <nanobind/nanobind.h>

#include "agents/options.hpp"

namespace deckatlas::bindings {

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
