// Python texts as the core reads them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace deckatlas::bindings {

// A Python text as UTF-8; empty, which nothing accepts, if it holds what UTF-8 cannot.
inline std::string utf8_or_empty(const nanobind::str& text) {
    Py_ssize_t size = 0;
    const char* const data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) {
        PyErr_Clear();
        return {};
    }
    return {data, static_cast<std::size_t>(size)};
}

}  // namespace deckatlas::bindings
