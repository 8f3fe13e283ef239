// Arguments of wrong types for functions of the core: an `ArgumentError` of one line instead of nanobind's `TypeError`.
//
// The build lets nanobind call the function below wherever it would set an error by PyErr_SetString (CMakeLists.txt),
// so that all functions have it, and calls that are right cost nothing.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace nb = nanobind;

namespace {

constexpr std::string_view kIncompatible = "(): incompatible function arguments.";
constexpr std::string_view kInvoked = "\nInvoked with types: ";

// "deckatlas._core.locm.State" is shown as "State".
std::string without_modules(std::string_view text) {
    constexpr std::string_view kCore = "deckatlas._core.";
    std::string shown;
    while (!text.empty()) {
        if (text.starts_with(kCore)) {
            text.remove_prefix(kCore.size());
            const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
            if (end != std::string_view::npos && text[end] == '.') text.remove_prefix(end + 1);
        } else {
            shown += text.front();
            text.remove_prefix(1);
        }
    }
    return shown;
}

// The lines "    1. apply(self, action: Action) -> None", as far as the arrow, one after the other.
std::string forms_in(std::string_view lines) {
    std::string forms;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        const std::size_t number = line.find(". ");
        if (!line.starts_with("    ") || number == std::string_view::npos) continue;
        line = line.substr(number + 2);
        forms += (forms.empty() ? "" : " or ") + without_modules(line.substr(0, line.rfind(" -> ")));
    }
    return forms;
}

// The error in one line; empty if the text is about something else.
std::string line_of(std::string_view text) {
    const std::size_t begin = text.find(kIncompatible), given = text.find(kInvoked);
    if (begin == std::string_view::npos || given == std::string_view::npos || given < begin) return {};
    const std::string types = without_modules(text.substr(given + kInvoked.size()));
    return forms_in(text.substr(begin, given - begin)) + " does not take (" + types + ")";
}

}  // namespace

extern "C" void deckatlas_set_error(PyObject* type, const char* text) {
    const std::string line = type == PyExc_TypeError ? line_of(text) : std::string();
    if (!line.empty()) {
        PyObject* const errors = PyImport_ImportModule("deckatlas.errors");
        PyObject* const own = errors == nullptr ? nullptr : PyObject_GetAttrString(errors, "ArgumentError");
        Py_XDECREF(errors);
        if (own != nullptr) {
            PyErr_SetString(own, line.c_str());
            Py_DECREF(own);
            return;
        }
        PyErr_Clear();
    }
    PyErr_SetString(type, text);
}
