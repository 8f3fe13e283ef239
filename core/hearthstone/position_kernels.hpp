// Hearthstone: the inner loops of the network that rates positions, for any machine and for those with AVX2. They
// calculate with whole numbers, so both give the same result.
#pragma once

#include <cstddef>
#include <cstdint>

namespace deckatlas::hearthstone {

inline constexpr std::size_t kNetworkHidden = 32;  // outputs of both dense layers
inline constexpr std::size_t kWidestNetwork = 128;
inline constexpr std::size_t kRowBlock = 32;  // the width is a multiple of it
inline constexpr int kRowBits = 10;           // what is one, for rows, sums and activations
inline constexpr int kDenseBits = 11;         // and for weights of dense layers

// Rows of 16-bit numbers, one for each feature.
struct FeatureRows {
    const std::int16_t* numbers;
    std::size_t width;
    std::size_t at_once;  // so many rows have a sum that fits 16 bits
};

// Dense layers. The weights of both hidden ones are sorted by pairs of inputs, then outputs.
struct DenseLayers {
    const std::int16_t* first;
    const std::int16_t* second;
    const std::int16_t* last;
    const std::int32_t* first_bias;
    const std::int32_t* second_bias;
};

struct PositionKernels {
    // Adds the rows of features to sums.
    void (*add_rows)(const FeatureRows& rows, const std::uint16_t* features, std::size_t count, std::int32_t* sums);
    // The output for the sums of rows, without the last bias.
    std::int32_t (*apply_layers)(const DenseLayers& layers, const std::int32_t* sums, std::size_t width);
};

// The fastest ones for this machine, or the portable ones.
const PositionKernels& position_kernels(bool portable = false);

}  // namespace deckatlas::hearthstone
