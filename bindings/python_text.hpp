// Python strings in the core's form.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace deckatlas::bindings {

// A Python string as UTF-8; empty, which no parser accepts, if UTF-8 cannot encode it.
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
