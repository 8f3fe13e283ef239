// Shared by the bindings of runners: checks on their options, and a calling thread that responds while others play.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/text_fields.hpp"
#include "errors.hpp"
#include "locm/draft.hpp"
#include "without_gil.hpp"

namespace deckatlas::bindings {

namespace nb = nanobind;

using ProgressFunction = nb::typed<nb::callable, nb::object(std::int64_t)>;

// While others play, the calling thread handles Ctrl-C and reports progress. The first Python error stops the match
// and is raised once all threads have ended. The end of the interpreter stops the match, too.
class Watch {
public:
    explicit Watch(std::optional<ProgressFunction> progress) : progress_(std::move(progress)) {}

    bool operator()(std::int64_t games) {
        const WithGil gil;
        if (!gil.held) return false;
        try {
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (progress_) (*progress_)(games);
        } catch (nb::python_error& error) {
            error_.emplace(std::move(error));
            return false;
        }
        return true;
    }
    void rethrow() {
        if (error_) throw nb::python_error(std::move(*error_));
    }

private:
    std::optional<ProgressFunction> progress_;
    std::optional<nb::python_error> error_;
};

inline void check_threads(int threads) {
    if (threads < 1 || threads > 1024)
        throw MatchError("threads must be between 1 and 1024, not " + std::to_string(threads));
}

inline locm::DraftFormat format_of(std::string_view format) {
    if (format == "referee") return locm::DraftFormat::referee;
    if (format == "distinct") return locm::DraftFormat::distinct;
    throw MatchError("unknown draft format " + quote(format) + ": use 'referee' or 'distinct'");
}

}  // namespace deckatlas::bindings
