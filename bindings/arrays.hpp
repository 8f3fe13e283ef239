// Arrays from and to Python. A caller's array is copied before it is checked: another thread may change it at any time,
// with the GIL or, inside numpy, without.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace deckatlas::bindings {

namespace nb = nanobind;

// The numbers of a caller's array, row by row.
template <class Array>
auto copy_of(const Array& array) {
    using Number = std::remove_const_t<typename Array::Scalar>;
    return std::vector<Number>(array.data(), array.data() + array.size());
}

// An array that takes over the numbers.
template <class T, class... Sizes>
nb::ndarray<nb::numpy, T> array_of(std::vector<T> numbers, Sizes... sizes) {
    auto* const kept = new std::vector<T>(std::move(numbers));
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    const std::size_t shape[] = {static_cast<std::size_t>(sizes)...};
    return {kept->data(), sizeof...(sizes), shape, owner};
}

}  // namespace deckatlas::bindings
