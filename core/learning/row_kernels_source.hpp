// The source of the kernels for sparse models, compiled once for each kind of machine (row_kernels_portable.cpp,
// row_kernels_avx2.cpp).
//
// No template or inline function of another header may be used here: see surrogate/kernels_source.hpp.
#pragma once

#include "learning/row_kernels.hpp"
#include "surrogate/lanes.hpp"

namespace {

using namespace deckatlas::learning;

constexpr std::size_t kVectors = deckatlas::surrogate::kWidth / kLanes;  // of a block

struct Sums {
    Lanes lanes[kVectors];
};

DECKATLAS_LANE Sums load_block(const Block& block) {
    Sums sums;
    DECKATLAS_UNROLL
    for (std::size_t k = 0; k < kVectors; ++k) sums.lanes[k] = load<Lanes>(block.values + k * kLanes);
    return sums;
}

DECKATLAS_LANE void store_block(const Sums& sums, Block& block) {
    DECKATLAS_UNROLL
    for (std::size_t k = 0; k < kVectors; ++k) store(sums.lanes[k], block.values + k * kLanes);
}

DECKATLAS_LANE Lanes bounded(Lanes value, Lanes low, Lanes high) {
    value = select(below(value, low), low, value);
    return select(below(high, value), high, value);
}

void gather(const Block* rows, const Block& bias, const FeatureSpan* samples, std::size_t count, Block* out,
            std::size_t out_stride) {
    for (std::size_t i = 0; i < count; ++i) {
        const FeatureSpan sample = samples[i];
        Sums sums = load_block(bias);
        for (std::size_t j = 0; j < sample.count; ++j) {
            const Block& row = rows[sample.features[j]];
            DECKATLAS_UNROLL
            for (std::size_t k = 0; k < kVectors; ++k)
                sums.lanes[k] = sums.lanes[k] + load<Lanes>(row.values + k * kLanes);
        }
        store_block(sums, out[i * out_stride]);
    }
}

void scatter(const Block* slopes, const FeatureSpan* samples, std::size_t count, Block* rows) {
    for (std::size_t i = 0; i < count; ++i) {
        const FeatureSpan sample = samples[i];
        const Sums slope = load_block(slopes[i]);
        for (std::size_t j = 0; j < sample.count; ++j) {
            float* const row = rows[sample.features[j]].values;
            DECKATLAS_UNROLL
            for (std::size_t k = 0; k < kVectors; ++k)
                store(load<Lanes>(row + k * kLanes) + slope.lanes[k], row + k * kLanes);
        }
    }
}

void combine(const AttributeTable& table, const Block* shared, std::size_t features, float limit, bool fit_own,
             Block* own, Block* rows) {
    constexpr float kRounded = 1.00001f;  // a row that was just bounded may be off by rounding
    const Lanes high = broadcast(limit), low = broadcast(-limit);
    const Lanes highest = broadcast(kRounded * limit), lowest = broadcast(-kRounded * limit);
    for (std::size_t feature = 0; feature < features; ++feature) {
        Sums sums = {};
        for (std::size_t i = table.starts[feature]; i < table.starts[feature + 1]; ++i) {
            const Lanes value = broadcast(table.values[i]);
            const float* const row = shared[table.attributes[i]].values;
            DECKATLAS_UNROLL
            for (std::size_t k = 0; k < kVectors; ++k)
                sums.lanes[k] = sums.lanes[k] + value * load<Lanes>(row + k * kLanes);
        }
        DECKATLAS_UNROLL
        for (std::size_t k = 0; k < kVectors; ++k) {
            float* const mine = own[feature].values + k * kLanes;
            const Lanes part = load<Lanes>(mine);
            const Lanes sum = part + sums.lanes[k];
            const Lanes fitted = bounded(part + (bounded(sum, low, high) - sum), low + low, high + high);
            const Lanes kept = fit_own ? fitted : part;
            store(kept, mine);
            store(bounded(kept + sums.lanes[k], lowest, highest), rows[feature].values + k * kLanes);
        }
    }
}

void distribute(const AttributeTable& table, const Block* rows, std::size_t features, Block* shared) {
    for (std::size_t feature = 0; feature < features; ++feature) {
        const Sums row = load_block(rows[feature]);
        for (std::size_t i = table.starts[feature]; i < table.starts[feature + 1]; ++i) {
            const Lanes value = broadcast(table.values[i]);
            float* const sums = shared[table.attributes[i]].values;
            DECKATLAS_UNROLL
            for (std::size_t k = 0; k < kVectors; ++k)
                store(load<Lanes>(sums + k * kLanes) + value * row.lanes[k], sums + k * kLanes);
        }
    }
}

void clip(Block* values, std::size_t blocks) {
    const Lanes one = broadcast(1.0f);
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t k = 0; k < kVectors; ++k) {
            float* const at = values[block].values + k * kLanes;
            store(bounded(load<Lanes>(at), Lanes{}, one), at);
        }
    }
}

void clip_slope(const Block* clipped, Block* slopes, std::size_t blocks) {
    const Lanes one = broadcast(1.0f);
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t k = 0; k < kVectors; ++k) {
            const Lanes value = load<Lanes>(clipped[block].values + k * kLanes);
            float* const at = slopes[block].values + k * kLanes;
            const Lanes slope = select(below(Lanes{}, value), load<Lanes>(at), Lanes{});
            store(select(below(value, one), slope, Lanes{}), at);
        }
    }
}

void bound(float limit, float* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const float value = values[i] < -limit ? -limit : values[i];
        values[i] = value > limit ? limit : value;
    }
}

constexpr RowKernels kRowKernels = {gather, scatter, combine, distribute, clip, clip_slope, bound};

}  // namespace
