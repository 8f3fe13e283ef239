// The parameters of a sparse model: what they are, and their order.
#pragma once

#include <cstddef>
#include <vector>

#include "learning/row_kernels.hpp"
#include "surrogate/layers.hpp"

namespace deckatlas::learning {

// What a model is made of. `hidden` is a multiple of surrogate::kWidth.
struct SparseShape {
    std::size_t features = 0;  // with a part of their own
    std::size_t variants = 0;  // features that share the own part of another: numbered after those
    std::size_t attributes = 0;
    std::size_t hidden = 0;
    std::vector<std::size_t> layers;  // outputs of the dense layers before the last one
    std::size_t stacks = 1;

    std::size_t panels() const { return hidden / surrogate::kWidth; }
    std::size_t rows() const { return features + variants; }
    // Of a stack: its inputs, then the outputs of each layer.
    std::vector<std::size_t> sizes() const {
        std::vector<std::size_t> sizes = {hidden};
        sizes.insert(sizes.end(), layers.begin(), layers.end());
        sizes.push_back(1);
        return sizes;
    }
    std::size_t parameters() const {
        return (features + attributes) * (hidden + 1) + hidden +
               stacks * surrogate::numbers_of(surrogate::places_of(sizes()));
    }
};

// One number for each parameter, as kernels read them: rows lie panel by panel.
struct SparseNumbers {
    explicit SparseNumbers(const SparseShape& shape)
        : own(shape.panels() * shape.features),
          shared(shape.panels() * shape.attributes),
          bias(shape.panels()),
          own_weights(shape.features),
          shared_weights(shape.attributes),
          stacks(shape.stacks, std::vector<Block>(surrogate::places_of(shape.sizes()).back().end())) {}

    std::vector<Block> own, shared, bias;
    std::vector<float> own_weights, shared_weights;
    std::vector<std::vector<Block>> stacks;
};

// Calls use(number) for every number in plain order: own rows feature by feature, shared rows attribute by attribute,
// the bias, own weights, shared weights, then the layers of each stack (see surrogate/layers.hpp).
template <class Numbers, class Use>
void in_plain_order(const SparseShape& shape, Numbers& numbers, const Use& use) {
    const auto rows_in_order = [&](auto& rows, std::size_t count) {
        for (std::size_t row = 0; row < count; ++row) {
            for (std::size_t panel = 0; panel < shape.panels(); ++panel) {
                for (auto& number : rows[panel * count + row].values) use(number);
            }
        }
    };
    rows_in_order(numbers.own, shape.features);
    rows_in_order(numbers.shared, shape.attributes);
    rows_in_order(numbers.bias, 1);
    for (auto& weight : numbers.own_weights) use(weight);
    for (auto& weight : numbers.shared_weights) use(weight);
    const auto places = surrogate::places_of(shape.sizes());
    for (auto& stack : numbers.stacks) surrogate::in_plain_order(places, stack, use);
}

inline SparseNumbers from_plain(const SparseShape& shape, const std::vector<float>& plain) {
    SparseNumbers numbers(shape);
    const float* from = plain.data();
    in_plain_order(shape, numbers, [&](float& number) { number = *from++; });
    return numbers;
}

inline std::vector<float> to_plain(const SparseShape& shape, const SparseNumbers& numbers) {
    std::vector<float> plain;
    plain.reserve(shape.parameters());
    in_plain_order(shape, numbers, [&](float number) { plain.push_back(number); });
    return plain;
}

}  // namespace deckatlas::learning
