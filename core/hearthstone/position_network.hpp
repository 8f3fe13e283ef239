// Hearthstone: a learned rating of positions, a small network over sparse features, in whole numbers only.
//
// Every active feature has a row of the first layer; their sum, clipped to [0, 1], goes through two small dense layers,
// one set for each moment. A row also has one number that is added to the output directly. The result is the logit of
// the chance to win in 1024ths. Whole numbers are exact in any order: the same on every machine.
//
// A row is made for an edition: the feature's own numbers, plus its attributes times numbers that its zone shares. A
// card that was not in training has no own numbers, and a sensible row all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hearthstone/evaluation.hpp"
#include "hearthstone/position_features.hpp"
#include "hearthstone/position_kernels.hpp"

namespace deckatlas::hearthstone {

// What is one, for each kind of number; kRowBits and kDenseBits say it for the others.
inline constexpr int kOwnBits = 12;     // own numbers
inline constexpr int kSharedBits = 20;  // shared ones, which are multiplied by attributes
inline constexpr int kDirectBits = 14;  // what rows add to the output directly
inline constexpr int kLogitBits = 10;
inline constexpr int kSumBits = kRowBits + kDenseBits;  // sums of dense layers, and their biases

// Limits, so that no sum overflows: a few rows fit 16 bits, and the sums of dense layers 32.
inline constexpr int kMostRow = 4095;
inline constexpr int kMostDirect = 1 << 20;
inline constexpr int kMostShared = 1 << 27;
inline constexpr int kMostBias = 1 << 24;
inline constexpr int kMostDense = 16000;
static_assert((std::int64_t{1} << kRowBits) * kMostDense * kWidestNetwork + kMostBias < (std::int64_t{1} << 31));

// The dense layers for one moment: weights output by output.
struct DenseNumbers {
    std::vector<std::int16_t> first, second, last;
    std::vector<std::int32_t> first_bias, second_bias, last_bias;
};

// The numbers of a network for an edition; rows have `width` numbers, and one that goes to the output directly.
struct NetworkNumbers {
    std::size_t width = 0;
    std::vector<std::int16_t> own;     // a row per feature
    std::vector<std::int32_t> shared;  // a row per column of feature_attributes
    std::vector<std::int32_t> bias;    // of the sums
    DenseNumbers dense[2];             // for each moment
};

class PositionNetwork {
public:
    // Sizes and limits of the numbers were checked. The network is used while its edition lives.
    PositionNetwork(const CardSet& cards, const NetworkNumbers& numbers);

    bool is_for(const CardSet& cards) const { return cards.serial == serial_; }

    // The logit of the chance to win in 1024ths. Won and lost positions have the extreme numbers.
    int rate(const State& state, int player, Moment moment, const PositionKernels& kernels = position_kernels()) const;

    // The same number for listed features.
    int rate(const FeatureList& features, Moment moment, const PositionKernels& kernels = position_kernels()) const;

    const PositionFeatures& features() const { return features_; }
    std::size_t width() const { return width_; }
    // The numbers of a feature's row, and the one that goes to the output directly.
    std::int16_t row(Feature feature, std::size_t k) const {
        return rows_[feature * blocks_ + k / kRowBlock].values[k % kRowBlock];
    }
    std::int32_t direct(Feature feature) const { return direct_[feature]; }

private:
    friend class PositionRater;

    struct alignas(64) RowBlock {
        std::int16_t values[kRowBlock];
    };
    struct Sums {
        alignas(64) std::int32_t values[kWidestNetwork];
        std::int64_t direct = 0;
    };

    static int decided(const State& state, int player);
    void fold_rows(const NetworkNumbers& numbers);
    void begin(Sums& sums) const;
    void add_rows(const Feature* features, std::size_t count, Sums& sums, const PositionKernels& kernels) const;
    int finish(const Sums& sums, Moment moment, const PositionKernels& kernels) const;

    std::uint64_t serial_;  // of the edition
    PositionFeatures features_;
    std::size_t width_;
    std::size_t blocks_;   // of a row
    std::size_t at_once_;  // so many rows have a sum that fits 16 bits
    std::vector<RowBlock> rows_;
    std::vector<std::int32_t> direct_;
    std::vector<std::int32_t> bias_;
    DenseNumbers dense_[2];  // weights sorted by pairs of inputs, then outputs
};

// Rates positions like the network, and keeps sums of cards that seldom change in a search: those of the own deck, and
// those seen of the enemy's. For one thread.
class PositionRater {
public:
    explicit PositionRater(std::shared_ptr<const PositionNetwork> network)
        : network_(std::move(network)), kernels_(position_kernels()) {}

    int rate(const State& state, int player, Moment moment);

    const PositionNetwork& network() const { return *network_; }

private:
    // A list of cards that changes at its end, and the sums of its first cards, for the last few numbers of them.
    struct KeptList {
        static constexpr int kKept = 8;

        int size = 0;
        std::uint32_t version = 0;  // another one for other cards
        CardId cards[kDeckLimit];
        int counts[kKept] = {-1, -1, -1, -1, -1, -1, -1, -1};  // of the cards in each sum; -1 for none
        PositionNetwork::Sums sums[kKept];
    };

    // The sums of what seldom changes, with the bias.
    const PositionNetwork::Sums& kept_sums(const State& state, int player);
    const PositionNetwork::Sums& sums_of(const CardId* cards, int count, FeatureZone zone, KeptList& kept) const;

    std::shared_ptr<const PositionNetwork> network_;
    const PositionKernels& kernels_;
    // Both lists of a player together, as of the last rating.
    struct KeptSums {
        std::uint32_t versions[2] = {};
        int counts[2] = {-1, -1};
        PositionNetwork::Sums sums;
    };

    KeptList decks_[2];  // of both players
    KeptList seen_[2];
    KeptSums kept_[2];
};

// The chance to win that a logit says.
double chance_of_logit(int logit);

// The same in whole numbers, where certainty is kCertain.
inline constexpr int kCertain = 1 << 24;
inline int chance_of(int logit) { return static_cast<int>(kCertain * chance_of_logit(logit) + 0.5); }

}  // namespace deckatlas::hearthstone
