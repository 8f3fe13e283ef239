// The source of all kernels, compiled once for each kind of machine (kernels_portable.cpp, kernels_avx2.cpp).
//
// No template or inline function of another header may be used here: the linker would keep one copy of it for the whole
// program, perhaps the one compiled for a newer machine.
#pragma once

#include "surrogate/kernels.hpp"
#include "surrogate/lanes.hpp"

#if defined(_MSC_VER) && !defined(__clang__)
#include <math.h>
#define DECKATLAS_SQUARE_ROOT sqrtf
#else
#define DECKATLAS_SQUARE_ROOT __builtin_sqrtf
#endif

namespace {

using namespace deckatlas::surrogate;

// Registers: a tile has as many rows as share loaded weights, each with sums of two vectors. Five rows leave room in 16
// registers, and halve a generation of ten children.
constexpr std::size_t kTileRows = 5;
constexpr std::size_t kPair = 2 * kLanes;

// x above zero, and e to the power of x minus one below. With x = n ln 2 + r, this is 2^n (e^r - 1) + (2^n - 1), which
// loses no digits near zero. NaN stays NaN.
DECKATLAS_LANE Lanes elu(Lanes x) {
    constexpr float kFlat = -80.0f;  // below, the result is -1 to the last bit, and 2^n still a normal number
    constexpr float kLog2E = 1.44269504f;
    constexpr float kLn2 = 0.693147181f;   // one part is enough: where n is large, the result is close to -1
    constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: a sum with it is rounded, and has n in its lowest bits
    const auto is_negative = below(x, Lanes{});
    Lanes y = select(is_negative, x, Lanes{});
    y = select(below(y, broadcast(kFlat)), broadcast(kFlat), y);
    const Lanes rounded = y * kLog2E + kRound;
    const Lanes r = y - (rounded - kRound) * kLn2;
    const Lanes power = from_bits((to_bits(rounded) + 127u) << 23);
    // Two terms at a time, so that less has to wait; the first one left out is below one unit in the last place.
    const Lanes r2 = r * r;
    Lanes sum = r2 * (1.0f / 720) + (r * (1.0f / 120) + (1.0f / 24));
    sum = sum * r2 + (r * (1.0f / 6) + 0.5f);
    sum = sum * r2 + r;
    return select(is_negative, power * sum + (power - 1.0f), x);
}

DECKATLAS_LANE void finish(Lanes sum, const Block* biases, std::size_t at, bool activate, Block* out) {
    if (biases != nullptr) sum = sum + load<Lanes>(biases->values + at);
    if (activate) sum = elu(sum);
    store(sum, out->values + at);
}

template <std::size_t Rows>
DECKATLAS_LANE void multiply_tile(const Product& product, std::size_t row, std::size_t panel, std::size_t at) {
    Lanes low[Rows];
    Lanes high[Rows];
    DECKATLAS_UNROLL
    for (std::size_t r = 0; r < Rows; ++r) low[r] = high[r] = Lanes{};
    const float* a = product.a + row * product.a_row;
    const Block* b = product.b + panel * product.b_panel;
    const std::size_t a_row = product.a_row;
    for (std::size_t step = 0; step < product.steps; ++step, a += product.a_step, b += product.b_step) {
        const Lanes weights_low = load<Lanes>(b->values + at);
        const Lanes weights_high = load<Lanes>(b->values + at + kLanes);
        DECKATLAS_UNROLL
        for (std::size_t r = 0; r < Rows; ++r) {
            const Lanes x = broadcast(a[r * a_row]);
            low[r] = low[r] + x * weights_low;
            high[r] = high[r] + x * weights_high;
        }
    }
    const Block* const biases = product.biases == nullptr ? nullptr : product.biases + panel;
    Block* out = product.out + row * product.out_row + panel * product.out_panel;
    DECKATLAS_UNROLL
    for (std::size_t r = 0; r < Rows; ++r, out += product.out_row) {
        finish(low[r], biases, at, product.activate, out);
        finish(high[r], biases, at + kLanes, product.activate, out);
    }
}

template <std::size_t Rows>
void multiply_rows(const Product& product, std::size_t row, std::size_t panel) {
    for (std::size_t at = 0; at < kWidth; at += kPair) multiply_tile<Rows>(product, row, panel, at);
}

void multiply(const Product& product) {
    static_assert(kTileRows == 5, "one case for each number of rows");
    for (std::size_t panel = 0; panel < product.panels; ++panel) {
        std::size_t row = 0;
        for (; row + kTileRows <= product.rows; row += kTileRows) multiply_rows<kTileRows>(product, row, panel);
        switch (product.rows - row) {
            case 4: multiply_rows<4>(product, row, panel); break;
            case 3: multiply_rows<3>(product, row, panel); break;
            case 2: multiply_rows<2>(product, row, panel); break;
            case 1: multiply_rows<1>(product, row, panel); break;
            default: break;
        }
    }
}

// Leaving out zeros changes no bit: sums start at plus zero, and adding a zero to any sum leaves it as it is.
void multiply_sparse(const SparseProduct& product) {
    for (std::size_t panel = 0; panel < product.panels; ++panel) {
        const Block* const b = product.b + panel * product.inputs;
        const Block* const biases = product.biases == nullptr ? nullptr : product.biases + panel;
        for (std::size_t row = 0; row < product.rows; ++row) {
            const SparseRow sparse = product.sparse[row];
            Block* const out = product.out + row * product.out_row + panel;
            for (std::size_t at = 0; at < kWidth; at += kPair) {
                Lanes low = {};
                Lanes high = {};
                for (std::size_t i = 0; i < sparse.count; ++i) {
                    const float* const weights = b[sparse.entries[i].input].values + at;
                    const Lanes x = broadcast(sparse.entries[i].value);
                    low = low + x * load<Lanes>(weights);
                    high = high + x * load<Lanes>(weights + kLanes);
                }
                finish(low, biases, at, product.activate, out);
                finish(high, biases, at + kLanes, product.activate, out);
            }
        }
    }
}

void sparse_gradient(const SparseGradient& gradient) {
    for (std::size_t panel = 0; panel < gradient.panels; ++panel) {
        Block* const out = gradient.out + panel * gradient.inputs;
        for (std::size_t row = 0; row < gradient.rows; ++row) {
            const SparseRow sparse = gradient.sparse[row];
            const float* const d = gradient.d[row * gradient.d_row + panel].values;
            for (std::size_t at = 0; at < kWidth; at += kPair) {
                const Lanes low = load<Lanes>(d + at);
                const Lanes high = load<Lanes>(d + at + kLanes);
                for (std::size_t i = 0; i < sparse.count; ++i) {
                    float* const sums = out[sparse.entries[i].input].values + at;
                    const Lanes x = broadcast(sparse.entries[i].value);
                    store(load<Lanes>(sums) + x * low, sums);
                    store(load<Lanes>(sums + kLanes) + x * high, sums + kLanes);
                }
            }
        }
    }
}

void elu_slope(const Block* activated, Block* gradients, std::size_t blocks) {
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t at = 0; at < kWidth; at += kLanes) {
            const Lanes value = load<Lanes>(activated[block].values + at);
            const Lanes slope = select(below(value, Lanes{}), value + 1.0f, broadcast(1.0f));
            float* const gradient = gradients[block].values + at;
            store(load<Lanes>(gradient) * slope, gradient);
        }
    }
}

// Left to the compiler's own vectors: division and square root are exactly rounded, alone or in lanes.
void adam(const AdamStep& step, std::size_t count, const float* __restrict gradients, float* __restrict first,
          float* __restrict second, float* __restrict values) {
    constexpr float kKeepFirst = 0.9f, kTakeFirst = 0.1f, kKeepSecond = 0.999f, kTakeSecond = 0.001f;
    constexpr float kEpsilon = 1e-8f;
    // Moments of inputs that no longer occur would fade into numbers with which machines calculate slowly.
    constexpr float kNothing = 1e-30f;
    const float rate = step.rate, root_scale = step.root_scale, keep = step.keep;
    for (std::size_t i = 0; i < count; ++i) {
        const float gradient = gradients[i];
        float m = kKeepFirst * first[i] + kTakeFirst * gradient;
        float v = kKeepSecond * second[i] + kTakeSecond * (gradient * gradient);
        m = (m < 0 ? -m : m) < kNothing ? 0.0f : m;
        v = v < kNothing ? 0.0f : v;
        first[i] = m;
        second[i] = v;
        values[i] = values[i] * keep - rate * (m / (DECKATLAS_SQUARE_ROOT(v) * root_scale + kEpsilon));
    }
}

template <std::size_t Panels>
DECKATLAS_LANE void first_layer_of(const FirstLayer& layer, std::size_t panel) {
    constexpr std::size_t kVectors = Panels * kWidth / kLanes;
    const auto numbers = [panel](const WholeBlock* row) { return reinterpret_cast<const std::int32_t*>(row + panel); };
    Wholes sums[kVectors];
    const std::int32_t* const from = numbers(layer.from);
    DECKATLAS_UNROLL
    for (std::size_t k = 0; k < kVectors; ++k) sums[k] = load<Wholes>(from + k * kLanes);
    for (std::size_t i = 0; i < layer.removed_count; ++i) {
        const std::int32_t* const row = numbers(layer.removed[i]);
        DECKATLAS_UNROLL
        for (std::size_t k = 0; k < kVectors; ++k) sums[k] = sums[k] - load<Wholes>(row + k * kLanes);
    }
    for (std::size_t i = 0; i < layer.added_count; ++i) {
        const std::int32_t* const row = numbers(layer.added[i]);
        DECKATLAS_UNROLL
        for (std::size_t k = 0; k < kVectors; ++k) sums[k] = sums[k] + load<Wholes>(row + k * kLanes);
    }
    for (std::size_t k = 0; k < kVectors; ++k) {
        store(sums[k], reinterpret_cast<std::int32_t*>(layer.sums + panel) + k * kLanes);
        const Lanes value = to_floats(sums[k]) * layer.scale;
        store(layer.activate ? elu(value) : value, reinterpret_cast<float*>(layer.out + panel) + k * kLanes);
    }
}

void first_layer(const FirstLayer& layer) {
    constexpr std::size_t kAtOnce = kLanes < 8 ? 2 : 4;  // their sums stay in registers
    std::size_t panel = 0;
    for (; panel + kAtOnce <= layer.panels; panel += kAtOnce) first_layer_of<kAtOnce>(layer, panel);
    for (; panel < layer.panels; ++panel) first_layer_of<1>(layer, panel);
}

constexpr Kernels kKernels = {multiply, multiply_sparse, sparse_gradient, elu_slope, adam, first_layer};

}  // namespace
