// A learned rating of positions. See position_network.hpp. In a separate file, so that its loops are compiled once.
#include "hearthstone/position_network.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "common/numeric.hpp"
#include "hearthstone/card_attributes.hpp"

namespace deckatlas::hearthstone {
namespace {

// Divides by a power of two and rounds; halves are rounded up.
template <class Whole>
constexpr Whole shifted(Whole value, int bits) {
    return (value + (Whole{1} << (bits - 1))) >> bits;
}

// Weights sorted by outputs, then inputs, in the order of DenseLayers.
std::vector<std::int16_t> by_pairs(const std::vector<std::int16_t>& weights) {
    const std::size_t inputs = weights.size() / kNetworkHidden;
    std::vector<std::int16_t> sorted;
    for (std::size_t i = 0; i < inputs; i += 2) {
        for (std::size_t k = 0; k < kNetworkHidden; ++k) {
            sorted.push_back(weights[k * inputs + i]);
            sorted.push_back(weights[k * inputs + i + 1]);
        }
    }
    return sorted;
}

}  // namespace

PositionNetwork::PositionNetwork(const CardSet& cards, const NetworkNumbers& numbers)
    : serial_(cards.serial),
      features_(cards),
      width_(numbers.width),
      blocks_(numbers.width / kRowBlock),
      rows_(features_.count() * blocks_),
      direct_(features_.count()),
      bias_(numbers.bias),
      dense_{numbers.dense[0], numbers.dense[1]} {
    for (DenseNumbers& dense : dense_) {
        dense.first = by_pairs(dense.first);
        dense.second = by_pairs(dense.second);
    }
    fold_rows(numbers);
    int largest = 1;
    for (const RowBlock& block : rows_) {
        for (const std::int16_t number : block.values) largest = std::max(largest, std::abs(int{number}));
    }
    at_once_ = static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max() / largest);
}

void PositionNetwork::fold_rows(const NetworkNumbers& numbers) {
    const FeatureAttributes attributes = feature_attributes(features_);
    const std::size_t columns = width_ + 1;
    std::vector<std::int64_t> sums(columns);
    for (std::size_t feature = 0; feature < features_.count(); ++feature) {
        for (std::size_t k = 0; k < columns; ++k)
            sums[k] = std::int64_t{numbers.own[feature * columns + k]} << (kSharedBits - kOwnBits);
        for (auto at = attributes.offsets[feature]; at < attributes.offsets[feature + 1]; ++at) {
            const std::int64_t value = attributes.values[static_cast<std::size_t>(at)];
            const auto column = static_cast<std::size_t>(attributes.columns[static_cast<std::size_t>(at)]);
            for (std::size_t k = 0; k < columns; ++k) sums[k] += value * numbers.shared[column * columns + k];
        }
        for (std::size_t k = 0; k < width_; ++k) {
            const std::int64_t number = shifted(sums[k], kSharedBits - kRowBits);
            rows_[feature * blocks_ + k / kRowBlock].values[k % kRowBlock] =
                static_cast<std::int16_t>(std::clamp<std::int64_t>(number, -kMostRow, kMostRow));
        }
        const std::int64_t direct = shifted(sums[width_], kSharedBits - kDirectBits);
        direct_[feature] = static_cast<std::int32_t>(std::clamp<std::int64_t>(direct, -kMostDirect, kMostDirect));
    }
}

void PositionNetwork::begin(Sums& sums) const {
    std::copy(bias_.begin(), bias_.end(), sums.values);
    sums.direct = 0;
}

void PositionNetwork::add_rows(const Feature* features, std::size_t count, Sums& sums,
                               const PositionKernels& kernels) const {
    for (std::size_t i = 0; i < count; ++i) sums.direct += direct_[features[i]];
    kernels.add_rows({rows_.data()->values, width_, at_once_}, features, count, sums.values);
}

int PositionNetwork::finish(const Sums& sums, Moment moment, const PositionKernels& kernels) const {
    const DenseNumbers& dense = dense_[static_cast<int>(moment)];
    const DenseLayers layers{dense.first.data(), dense.second.data(), dense.last.data(), dense.first_bias.data(),
                             dense.second_bias.data()};
    const std::int32_t sum = dense.last_bias[0] + kernels.apply_layers(layers, sums.values, width_);
    const std::int64_t output = sum + (sums.direct << (kSumBits - kDirectBits));
    return static_cast<int>(shifted(output, kSumBits - kLogitBits));
}

int PositionNetwork::rate(const FeatureList& features, Moment moment, const PositionKernels& kernels) const {
    Sums sums;
    begin(sums);
    add_rows(features.begin(), features.size(), sums, kernels);
    return finish(sums, moment, kernels);
}

int PositionNetwork::rate(const State& state, int player, Moment moment, const PositionKernels& kernels) const {
    if (state.phase == Phase::over) return decided(state, player);
    FeatureList listed;
    features_.list(state, player, moment, listed);
    return rate(listed, moment, kernels);
}

int PositionNetwork::decided(const State& state, int player) {
    if (state.winner == kNobody) return 0;
    return state.winner == player ? kWon : kLost;
}

int PositionRater::rate(const State& state, int player, Moment moment) {
    if (state.phase == Phase::over) return PositionNetwork::decided(state, player);
    const PositionNetwork::Sums& kept = kept_sums(state, player);
    PositionNetwork::Sums sums;
    std::copy_n(kept.values, network_->width_, sums.values);
    sums.direct = kept.direct;
    FeatureList listed;
    network_->features_.list_what_changes(state, player, moment, listed);
    network_->add_rows(listed.begin(), listed.size(), sums, kernels_);
    return network_->finish(sums, moment, kernels_);
}

const PositionNetwork::Sums& PositionRater::kept_sums(const State& state, int player) {
    const Player& own = state.players[player];
    const Player& enemy = state.players[player ^ 1];
    const PositionNetwork::Sums& deck = sums_of(own.deck, own.deck_size, FeatureZone::deck, decks_[player]);
    const PositionNetwork::Sums& seen = sums_of(enemy.seen, enemy.seen_count, FeatureZone::enemy_seen, seen_[player]);
    KeptSums& kept = kept_[player];
    const bool same = kept.versions[0] == decks_[player].version && kept.versions[1] == seen_[player].version &&
                      kept.counts[0] == own.deck_size && kept.counts[1] == enemy.seen_count;
    if (same) return kept.sums;
    kept.versions[0] = decks_[player].version;
    kept.versions[1] = seen_[player].version;
    kept.counts[0] = own.deck_size;
    kept.counts[1] = enemy.seen_count;
    network_->begin(kept.sums);
    for (std::size_t k = 0; k < network_->width_; ++k) kept.sums.values[k] += deck.values[k] + seen.values[k];
    kept.sums.direct = deck.direct + seen.direct;
    return kept.sums;
}

const PositionNetwork::Sums& PositionRater::sums_of(const CardId* cards, int count, FeatureZone zone,
                                                    KeptList& kept) const {
    if (count > kept.size || !std::equal(cards, cards + count, kept.cards)) {
        kept.size = count;
        ++kept.version;
        std::copy_n(cards, count, kept.cards);
        std::fill_n(kept.counts, KeptList::kKept, -1);
    }
    const int place = count % KeptList::kKept;
    PositionNetwork::Sums& sums = kept.sums[place];
    if (kept.counts[place] != count) {
        kept.counts[place] = count;
        Feature features[kDeckLimit];
        for (int i = 0; i < count; ++i) features[i] = network_->features_.of_card(zone, cards[i]);
        sums = {};
        network_->add_rows(features, static_cast<std::size_t>(count), sums, kernels_);
    }
    return sums;
}

double chance_of_logit(int logit) {
    if (logit == kWon) return 1;
    if (logit == kLost) return 0;
    constexpr double kUnit = 1 << kLogitBits;
    return 1 / (1 + exp_exact(-logit / kUnit));
}

}  // namespace deckatlas::hearthstone
