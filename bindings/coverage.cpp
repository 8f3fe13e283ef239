// Counts the places of the bindings that were reached: gcc calls a hook at every branch of instrumented files. Only in
// builds for fuzzing (DECKATLAS_COVERAGE).
#include <nanobind/nanobind.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace nb = nanobind;

namespace {

constexpr std::size_t kPlaces = std::size_t{1} << 20;  // far more than the bindings have, so few share an entry
std::atomic<bool> reached[kPlaces];
std::atomic<std::int64_t> count{0};

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() {
    const auto address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    std::atomic<bool>& place = reached[address % kPlaces];
    if (!place.load(std::memory_order_relaxed) && !place.exchange(true, std::memory_order_relaxed))
        count.fetch_add(1, std::memory_order_relaxed);
}

namespace deckatlas::bindings {

void bind_coverage(nb::module_& module) {
    module.def("reached", [] { return count.load(); }, "The number of places of the bindings that were ever reached.");
}

}  // namespace deckatlas::bindings
