// A learned rating of positions. See position_network.hpp. In a separate file, so that its loops are compiled once.
#include "hearthstone/position_network.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/numeric.hpp"
#include "hearthstone/card_attributes.hpp"

namespace deckatlas::hearthstone {
namespace {

#if defined(__GNUC__)
using Shorts [[gnu::vector_size(16)]] = std::int16_t;
using Wholes [[gnu::vector_size(16)]] = std::int32_t;
#define DECKATLAS_UNROLL _Pragma("GCC unroll 16")
#else
using Shorts = std::int16_t;  // one at a time, for compilers without vector types
#define DECKATLAS_UNROLL
#endif
constexpr std::size_t kLaneCount = sizeof(Shorts) / sizeof(std::int16_t);
constexpr std::size_t kRowsAtOnce = 8;  // their sum fits 16 bits
static_assert(kRowsAtOnce * kMostRow < (1 << 15));

// Divides by a power of two and rounds; halves are rounded up.
template <class Whole>
constexpr Whole shifted(Whole value, int bits) {
    return (value + (Whole{1} << (bits - 1))) >> bits;
}

constexpr std::int16_t activation(std::int32_t sum) {
    return static_cast<std::int16_t>(std::clamp(sum, 0, 1 << kRowBits));
}

template <class Vector, class Number>
Vector load(const Number* from) {
    Vector values;
    std::memcpy(&values, from, sizeof values);
    return values;
}

// Adds rows to sums, `Vectors` vectors of each row. Rows are `width` numbers long.
template <std::size_t Vectors>
void add_columns(const std::int16_t* rows, std::size_t width, const Feature* from, const Feature* end,
                 std::int32_t* sums) {
    while (from != end) {
        const Feature* const to = end - from > static_cast<std::ptrdiff_t>(kRowsAtOnce) ? from + kRowsAtOnce : end;
        Shorts part[Vectors] = {};
        for (; from != to; ++from) {
            const std::int16_t* const row = rows + *from * width;
            DECKATLAS_UNROLL
            for (std::size_t k = 0; k < Vectors; ++k)
                part[k] = static_cast<Shorts>(part[k] + load<Shorts>(row + k * kLaneCount));
        }
        std::int16_t values[Vectors * kLaneCount];
        std::memcpy(values, part, sizeof values);
        for (std::size_t k = 0; k < Vectors * kLaneCount; ++k) sums[k] += values[k];
    }
}

#if defined(__GNUC__)
// Products of numbers, added up in pairs of neighbours.
inline Wholes pair_products(Shorts a, Shorts b) {
#if defined(__SSE2__)
    return reinterpret_cast<Wholes>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    Wholes sums = {};
    for (int k = 0; k < 4; ++k) sums[k] = a[2 * k] * b[2 * k] + a[2 * k + 1] * b[2 * k + 1];
    return sums;
#endif
}
#endif

// A dense layer with kNetworkHidden outputs. Its weights are sorted by pairs of inputs, then outputs.
void apply_layer(const std::int16_t* inputs, std::size_t count, const std::int16_t* weights, const std::int32_t* biases,
                 std::int16_t* outputs) {
    std::int32_t sums[kNetworkHidden];
#if defined(__GNUC__)
    constexpr std::size_t kVectors = kNetworkHidden / 4;
    Wholes parts[kVectors];
    DECKATLAS_UNROLL
    for (std::size_t k = 0; k < kVectors; ++k) parts[k] = load<Wholes>(biases + 4 * k);
    for (std::size_t i = 0; i < count; i += 2, weights += 2 * kNetworkHidden) {
        const auto pair = load<std::int32_t>(inputs + i);
        const auto both = reinterpret_cast<Shorts>(Wholes{pair, pair, pair, pair});
        DECKATLAS_UNROLL
        for (std::size_t k = 0; k < kVectors; ++k) parts[k] += pair_products(both, load<Shorts>(weights + 8 * k));
    }
    std::memcpy(sums, parts, sizeof sums);
#else
    std::copy(biases, biases + kNetworkHidden, sums);
    for (std::size_t i = 0; i < count; i += 2, weights += 2 * kNetworkHidden) {
        for (std::size_t k = 0; k < kNetworkHidden; ++k)
            sums[k] += inputs[i] * weights[2 * k] + inputs[i + 1] * weights[2 * k + 1];
    }
#endif
    for (std::size_t k = 0; k < kNetworkHidden; ++k) outputs[k] = activation(shifted(sums[k], kDenseBits));
}

// Weights sorted by outputs, then inputs, in the order that apply_layer takes.
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

PositionNetwork::PositionNetwork(std::shared_ptr<const CardSet> cards, const NetworkNumbers& numbers)
    : cards_(std::move(cards)),
      features_(*cards_),
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

void PositionNetwork::add_rows(const Feature* begin, const Feature* end, Sums& sums) const {
    constexpr std::size_t kVectors = kRowBlock / kLaneCount;
    for (const Feature* feature = begin; feature != end; ++feature) sums.direct += direct_[*feature];
    const std::int16_t* const rows = rows_.data()->values;
    std::size_t block = 0;
    for (; block + 2 <= blocks_; block += 2)
        add_columns<2 * kVectors>(rows + block * kRowBlock, width_, begin, end, sums.values + block * kRowBlock);
    if (block < blocks_)
        add_columns<kVectors>(rows + block * kRowBlock, width_, begin, end, sums.values + block * kRowBlock);
}

int PositionNetwork::finish(const Sums& sums, Moment moment) const {
    const DenseNumbers& dense = dense_[static_cast<int>(moment)];
    alignas(64) std::int16_t inputs[kWidestNetwork];
    alignas(64) std::int16_t first[kNetworkHidden];
    alignas(64) std::int16_t second[kNetworkHidden];
    for (std::size_t k = 0; k < width_; ++k) inputs[k] = activation(sums.values[k]);
    apply_layer(inputs, width_, dense.first.data(), dense.first_bias.data(), first);
    apply_layer(first, kNetworkHidden, dense.second.data(), dense.second_bias.data(), second);
    std::int32_t sum = dense.last_bias[0];
    for (std::size_t k = 0; k < kNetworkHidden; ++k) sum += second[k] * dense.last[k];
    const std::int64_t output = sum + (sums.direct << (kSumBits - kDirectBits));
    return static_cast<int>(shifted(output, kSumBits - kLogitBits));
}

int PositionNetwork::rate(const FeatureList& features, Moment moment) const {
    Sums sums;
    std::copy(bias_.begin(), bias_.end(), sums.values);
    add_rows(features.begin(), features.end(), sums);
    return finish(sums, moment);
}

int PositionNetwork::rate(const State& state, int player, Moment moment) const {
    if (state.phase == Phase::over) return decided(state, player);
    FeatureList listed;
    features_.list(state, player, moment, listed);
    return rate(listed, moment);
}

int PositionNetwork::decided(const State& state, int player) {
    if (state.winner == kNobody) return 0;
    return state.winner == player ? kWon : kLost;
}

PositionRater::PositionRater(std::shared_ptr<const PositionNetwork> network) : network_(std::move(network)), decks_(2) {
    for (Deck& deck : decks_) std::copy(network_->bias_.begin(), network_->bias_.end(), deck.sums[0].values);
}

int PositionRater::rate(const State& state, int player, Moment moment) {
    if (state.phase == Phase::over) return PositionNetwork::decided(state, player);
    const Player& own = state.players[player];
    Deck& deck = decks_[static_cast<std::size_t>(player)];
    if (own.deck_size > deck.size || !std::equal(own.deck, own.deck + own.deck_size, deck.cards)) learn(own, deck);
    PositionNetwork::Sums sums = deck.sums[own.deck_size];
    FeatureList listed;
    network_->features_.list_without_deck(state, player, moment, listed);
    network_->add_rows(listed.begin(), listed.end(), sums);
    return network_->finish(sums, moment);
}

void PositionRater::learn(const Player& own, Deck& deck) const {
    int same = 0;
    while (same < deck.size && same < own.deck_size && deck.cards[same] == own.deck[same]) ++same;
    for (int i = same; i < own.deck_size; ++i) {
        const Feature feature = network_->features_.in_deck(own.deck[i]);
        deck.cards[i] = own.deck[i];
        deck.sums[i + 1] = deck.sums[i];
        network_->add_rows(&feature, &feature + 1, deck.sums[i + 1]);
    }
    deck.size = own.deck_size;
}

double chance_of_logit(int logit) {
    if (logit == kWon) return 1;
    if (logit == kLost) return 0;
    constexpr double kUnit = 1 << kLogitBits;
    return 1 / (1 + exp_exact(-logit / kUnit));
}

}  // namespace deckatlas::hearthstone
