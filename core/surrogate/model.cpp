// Frozen surrogates: whole numbers for the first layer, and predictions.
#include "surrogate/model.hpp"

#include <algorithm>
#include <cmath>

namespace deckatlas::surrogate {

namespace {

// Sums stay below this, so that they never overflow, not even while cards are exchanged.
constexpr double kLargestSum = 0x1p30;

// The largest absolute sum of an output that a deck can reach, bounded from above.
double largest_sum(const Model::Member& member, std::size_t most_cards) {
    const LayerPlace& place = member.places.front();
    double largest = 0;
    for (std::size_t panel = 0; panel < place.panels(); ++panel) {
        for (std::size_t k = 0; k < kWidth; ++k) {
            double weight = 0;
            for (std::size_t input = 0; input < place.inputs; ++input) {
                const float value = member.blocks[place.at + panel * place.inputs + input].values[k];
                weight = std::max(weight, std::abs(static_cast<double>(value)));
            }
            const double bias = member.blocks[place.biases_at() + panel].values[k];
            largest = std::max(largest, std::abs(bias) + weight * static_cast<double>(most_cards));
        }
    }
    return largest;
}

std::int32_t rounded(float value, int exponent) {
    return static_cast<std::int32_t>(std::lround(std::ldexp(static_cast<double>(value), exponent)));
}

// Chooses the power of two and rounds the first layer. One bit is kept free for roundings.
void make_whole(Model::Member& member, std::size_t most_cards) {
    constexpr int kFinest = 60;  // a limit for layers of zeros
    const double largest = largest_sum(member, most_cards);
    int exponent = kFinest;
    while (std::ldexp(largest, exponent) + static_cast<double>(most_cards) + 1 > kLargestSum / 2) --exponent;
    member.scale = static_cast<float>(std::ldexp(1.0, -exponent));
    const LayerPlace& place = member.places.front();
    const std::size_t panels = place.panels();
    member.rows.resize(place.inputs * panels);
    member.biases.resize(panels);
    for (std::size_t panel = 0; panel < panels; ++panel) {
        for (std::size_t k = 0; k < kWidth; ++k) {
            const std::size_t weights_at = place.at + panel * place.inputs;
            for (std::size_t input = 0; input < place.inputs; ++input)
                member.rows[input * panels + panel].values[k] =
                    rounded(member.blocks[weights_at + input].values[k], exponent);
            member.biases[panel].values[k] = rounded(member.blocks[place.biases_at() + panel].values[k], exponent);
        }
    }
}

}  // namespace

Model::Model(const std::vector<MemberNumbers>& members, std::size_t most_cards) : most_cards_(most_cards) {
    for (const MemberNumbers& each : members) {
        Member member;
        member.places = places_of(each.sizes);
        member.blocks = to_blocks(member.places, each.numbers.data());
        make_whole(member, most_cards);
        member.sums_at = sum_blocks_;
        sum_blocks_ += member.first_panels();
        empty_sums_.insert(empty_sums_.end(), member.biases.begin(), member.biases.end());
        members_.push_back(std::move(member));
    }
}

Predictor::Predictor(const Model& model, std::size_t most_rows, bool portable)
    : model_(&model), kernels_(&kernels(portable)) {
    for (const Model::Member& member : model.members()) {
        Layers& layers = layers_.emplace_back();
        for (const LayerPlace& place : member.places)
            layers.outputs.emplace_back(most_rows * row_stride(place.panels()));
    }
}

void Predictor::set_deck(std::size_t row, const WholeBlock* from, std::span<const std::uint16_t> removed,
                         std::span<const std::uint16_t> added, WholeBlock* sums) {
    removed_.resize(removed.size());
    added_.resize(added.size());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Model::Member& member = model_->members()[i];
        const auto row_of = [&](std::uint16_t card) { return member.row(card); };
        std::transform(removed.begin(), removed.end(), removed_.begin(), row_of);
        std::transform(added.begin(), added.end(), added_.begin(), row_of);
        const std::size_t panels = member.first_panels();
        kernels_->first_layer({.panels = panels,
                               .from = from + member.sums_at,
                               .removed = removed_.data(),
                               .removed_count = removed_.size(),
                               .added = added_.data(),
                               .added_count = added_.size(),
                               .scale = member.scale,
                               .activate = member.places.size() > 1,
                               .sums = sums + member.sums_at,
                               .out = layers_[i].outputs.front().data() + row * row_stride(panels)});
    }
}

void Predictor::set_vectors(const float* vectors, std::size_t rows) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Model::Member& member = model_->members()[i];
        kernels_->multiply(layer_product(member.places.front(), member.blocks.data(), vectors, model_->inputs(), rows,
                                         member.places.size() > 1, layers_[i].outputs.front().data()));
    }
}

void Predictor::predict(std::size_t rows, float* predictions) {
    const std::size_t targets = model_->targets();
    const std::size_t stride = row_stride(panels_of(targets));
    const auto members = static_cast<float>(layers_.size());
    std::fill_n(predictions, rows * targets, 0.0f);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Model::Member& member = model_->members()[i];
        std::vector<std::vector<Block>>& outputs = layers_[i].outputs;
        for (std::size_t layer = 1; layer < member.places.size(); ++layer) {
            const std::size_t a_row = row_stride(member.places[layer - 1].panels()) * kWidth;
            kernels_->multiply(layer_product(member.places[layer], member.blocks.data(), plain(outputs[layer - 1]),
                                             a_row, rows, layer + 1 < member.places.size(), outputs[layer].data()));
        }
        for (std::size_t row = 0; row < rows; ++row) {
            const float* const values = plain(outputs.back()) + row * stride * kWidth;
            for (std::size_t k = 0; k < targets; ++k) predictions[row * targets + k] += values[k];
        }
    }
    for (std::size_t i = 0; i < rows * targets; ++i) predictions[i] /= members;
}

}  // namespace deckatlas::surrogate
