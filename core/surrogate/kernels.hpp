// The arithmetic of surrogate models, which exists twice: for any machine, and for x86 with AVX2.
//
// Both versions are compiled from `kernels_source.hpp` and give the same bytes: numbers are float32, every output is
// summed over its inputs in order and the bias is added last, so that vector lanes only hold different outputs. Nothing
// is fused, and nothing depends on the width of the vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace deckatlas::surrogate {

// Outputs are handled in panels of this many; layers are padded with zeros to whole panels.
inline constexpr std::size_t kWidth = 16;

struct alignas(64) Block {
    float values[kWidth];
};
struct alignas(64) WholeBlock {
    std::int32_t values[kWidth];
};

constexpr std::size_t panels_of(std::size_t outputs) { return (outputs + kWidth - 1) / kWidth; }

// A product of matrices: out[row] = sum over steps of a(row, step) times b(step), then plus biases, then activated.
// Strides of `a` are in numbers, those of `b` and `out` in blocks.
struct Product {
    std::size_t rows = 0, steps = 0, panels = 0;
    const float* a = nullptr;
    std::size_t a_row = 0, a_step = 0;
    const Block* b = nullptr;
    std::size_t b_panel = 0, b_step = 0;
    const Block* biases = nullptr;  // one for each panel, or none
    bool activate = false;
    Block* out = nullptr;
    std::size_t out_row = 0, out_panel = 0;
};

// Rows of mostly zeros: the others of each row, in order of inputs.
struct Entry {
    std::uint32_t input;
    float value;
};
struct SparseRow {
    const Entry* entries;
    std::size_t count;
};

// The same product for sparse rows; b lies panel by panel, with one block for each input.
struct SparseProduct {
    const SparseRow* sparse = nullptr;
    std::size_t rows = 0, inputs = 0, panels = 0;
    const Block* b = nullptr;
    const Block* biases = nullptr;
    bool activate = false;
    Block* out = nullptr;
    std::size_t out_row = 0;
};

// Gradients of a layer's weights from sparse inputs: out(input) += value times d(row), row after row.
struct SparseGradient {
    const SparseRow* sparse = nullptr;
    std::size_t rows = 0, inputs = 0, panels = 0;
    const Block* d = nullptr;
    std::size_t d_row = 0;
    Block* out = nullptr;  // panel by panel, one block for each input
};

// One step of Adam; `rate` has the correction of the first moment, `root_scale` that of the second.
struct AdamStep {
    float rate, root_scale, keep;  // every parameter is first multiplied by `keep`: weight decay
};

// The first layer in whole numbers: sums = from - removed rows + added rows, and what they are as floats.
struct FirstLayer {
    std::size_t panels = 0;
    const WholeBlock* from = nullptr;
    const WholeBlock* const* removed = nullptr;
    std::size_t removed_count = 0;
    const WholeBlock* const* added = nullptr;
    std::size_t added_count = 0;
    float scale = 1;
    bool activate = false;
    WholeBlock* sums = nullptr;
    Block* out = nullptr;
};

struct Kernels {
    void (*multiply)(const Product&);
    void (*multiply_sparse)(const SparseProduct&);
    void (*sparse_gradient)(const SparseGradient&);
    // Multiplies gradients by the slope of the activation, which its value tells.
    void (*elu_slope)(const Block* activated, Block* gradients, std::size_t blocks);
    void (*adam)(const AdamStep&, std::size_t count, const float* gradients, float* first, float* second,
                 float* values);
    void (*first_layer)(const FirstLayer&);
};

// The fastest kernels of this machine, or those for any machine.
const Kernels& kernels(bool portable);
// Whether this machine has faster kernels than the portable ones.
bool has_vector_kernels();

}  // namespace deckatlas::surrogate
