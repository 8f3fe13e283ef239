// A trained surrogate, frozen: one network or the mean of several, for decks (counts of cards) and for real vectors.
//
// For decks, the first layer is calculated in whole numbers: its weights are multiplied by a power of two and rounded
// once. The sums of a changed deck are then exactly those of its parent less the cards removed plus the cards added, in
// any order, and no digit is lost over millions of changes. All other layers are as in training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "surrogate/layers.hpp"

namespace deckatlas::surrogate {

// One network: its sizes, as the inputs and the outputs of each layer, and its numbers in plain order.
struct MemberNumbers {
    std::vector<std::size_t> sizes;
    std::vector<float> numbers;
};

class Model {
public:
    // All members have the same inputs and targets, and finite numbers; a deck has at most `most_cards` cards.
    Model(const std::vector<MemberNumbers>& members, std::size_t most_cards);

    struct Member {
        std::vector<LayerPlace> places;
        std::vector<Block> blocks;
        std::vector<WholeBlock> rows;    // of the first layer, card by card
        std::vector<WholeBlock> biases;  // of the first layer
        float scale = 1;                 // what a whole number counts
        std::size_t sums_at = 0;         // the place of its sums among those of all members

        std::size_t first_panels() const { return places.front().panels(); }
        const WholeBlock* row(std::size_t card) const { return rows.data() + card * first_panels(); }
    };

    const std::vector<Member>& members() const { return members_; }
    std::size_t inputs() const { return members_.front().places.front().inputs; }
    std::size_t targets() const { return members_.front().places.back().outputs; }
    std::size_t most_cards() const { return most_cards_; }
    std::size_t sum_blocks() const { return sum_blocks_; }
    // The sums of a deck without cards: the biases.
    const WholeBlock* empty_sums() const { return empty_sums_.data(); }

private:
    std::vector<Member> members_;
    std::vector<WholeBlock> empty_sums_;
    std::size_t most_cards_;
    std::size_t sum_blocks_ = 0;
};

// Predicts rows with a model. It has memory of its own, so every thread needs one.
class Predictor {
public:
    Predictor(const Model& model, std::size_t most_rows, bool portable);

    // Sets a row to a deck that differs from another by cards: `from` are the sums of the other, `sums` will be those
    // of this one. Both have as many blocks as `sum_blocks` of the model.
    void set_deck(std::size_t row, const WholeBlock* from, std::span<const std::uint16_t> removed,
                  std::span<const std::uint16_t> added, WholeBlock* sums);
    // Sets the first rows to real vectors.
    void set_vectors(const float* vectors, std::size_t rows);
    // Writes the targets of the first rows.
    void predict(std::size_t rows, float* predictions);

private:
    struct Layers {
        std::vector<std::vector<Block>> outputs;
    };

    const Model* model_;
    const Kernels* kernels_;
    std::vector<Layers> layers_;  // of each member
    std::vector<const WholeBlock*> removed_, added_;
};

}  // namespace deckatlas::surrogate
