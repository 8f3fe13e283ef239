// Shared by the bindings of runners: columns of results as numpy arrays, and the time to copy a value.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "errors.hpp"
#include "play/turn_times.hpp"

namespace deckatlas::bindings {

namespace nb = nanobind;

using Columns = nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy>>;

// A column with one row per game and optional further dimensions, shared with the returned numpy array. The system
// provides its zeroed memory page by page as games are played, so even a huge match starts at once.
template <class T>
struct Column {
    template <class... Sizes>
    explicit Column(Sizes... sizes) : data(nullptr), shape{static_cast<std::size_t>(sizes)...} {
        std::size_t count = 1;
        for (const std::size_t size : shape) {
            if (size > 0 && count > kMostNumbers / size) throw std::bad_alloc();
            count *= size;
        }
        data = static_cast<T*>(std::calloc(std::max<std::size_t>(count, 1), sizeof(T)));
        if (data == nullptr) throw std::bad_alloc();
        owner = nb::capsule(data, [](void* p) noexcept { std::free(p); });
    }

    template <class... Kind>
    nb::ndarray<nb::numpy, T, Kind...> array() const {
        return {data, shape.size(), shape.data(), owner};
    }
    nb::object to_numpy() const { return nb::cast(array()); }
    T (*pairs() const)[2] { return reinterpret_cast<T(*)[2]>(data); }

    static constexpr std::size_t kMostNumbers = std::size_t{1} << 48;

    T* data;
    std::vector<std::size_t> shape;
    nb::capsule owner;
};

// Where a match records turn times: one row per game, one entry per entrant, with the fields of TurnTimes.
using Times = nb::ndarray<double, nb::shape<-1, 2, 3>, nb::c_contig, nb::device::cpu>;
static_assert(sizeof(TurnTimes) == 3 * sizeof(double));

inline MatchTimes times_in(const std::optional<Times>& times) {
    if (!times) return {};
    return {reinterpret_cast<TurnTimes(*)[2]>(times->data()), static_cast<std::int64_t>(times->shape(0))};
}

// Nanoseconds of CPU time to copy one value, over a ring of copies, so that the compiler cannot skip the work.
template <class T>
double copy_nanoseconds(const T& value, int copies) {
    constexpr int kRing = 16, kMostCopies = 100'000'000;
    if (copies < 1 || copies > kMostCopies)
        throw MatchError("copies must be between 1 and " + std::to_string(kMostCopies) + ", not " +
                         std::to_string(copies));
    T ring[kRing];
    ring[0] = value;
    const std::clock_t start = std::clock();
    for (int i = 0; i < copies; ++i) {
        ring[(i + 1) % kRing] = ring[i % kRing];
#if defined(__GNUC__)
        asm volatile("" : : "r"(&ring[(i + 1) % kRing]) : "memory");
#endif
    }
    return 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / copies;
}

}  // namespace deckatlas::bindings
