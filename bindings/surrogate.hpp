// Shared by the bindings of surrogates: arrays, checks on their numbers, and a caller that responds to Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "errors.hpp"
#include "running.hpp"

namespace deckatlas::bindings {

namespace nb = nanobind;

using FloatMatrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FloatVector = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using DoubleVector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CountMatrix = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t kWidestLayer = 4096;
constexpr std::size_t kMostLayers = 16;
constexpr std::size_t kMostRows = 100'000'000;

template <class Numbers>
void check_finite(const Numbers& numbers, const char* what) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!std::isfinite(numbers.data()[i])) throw ModelError(std::string(what) + " must be finite numbers");
    }
}

inline void check_width(const char* what, std::size_t width, std::size_t expected) {
    if (width != expected)
        throw ModelError("this model has " + std::to_string(expected) + " " + what + ", not " + std::to_string(width));
}

// Watches a calculation that the calling thread does itself, without the GIL: about ten times a second.
class PacedWatch {
public:
    explicit PacedWatch(std::optional<ProgressFunction> progress) : watch_(std::move(progress)) {}

    bool operator()(std::int64_t done) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(100)) return true;
        last_ = now;
        return watch_(done);
    }
    void rethrow() { watch_.rethrow(); }

private:
    Watch watch_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace deckatlas::bindings
