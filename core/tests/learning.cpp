// Training of sparse models under sanitizers, at awkward sizes: both paths and every number of threads must give the
// same bytes, and a restored trainer must continue as the first one does.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "check.hpp"
#include "common/random.hpp"
#include "learning/sparse_trainer.hpp"

namespace deckatlas::learning::tests {
namespace {

bool same_bytes(const std::vector<float>& one, const std::vector<float>& other) {
    return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size() * sizeof(float)) == 0;
}

bool same_state(const SparseTrainer& one, const SparseTrainer& other) {
    const SparseState a = one.state(), b = other.state();
    return a.steps == b.steps && same_bytes(a.parameters, b.parameters) && same_bytes(a.first, b.first) &&
           same_bytes(a.second, b.second);
}

struct Table {
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::uint16_t> features;
    std::vector<std::uint8_t> stacks;
    std::vector<float> targets, weights;

    SparseSamples samples() const {
        return {targets.size(), offsets.data(), features.data(), stacks.data(), targets.data(), weights.data()};
    }
};

Table table(Rng& rng, const SparseShape& shape, std::size_t count) {
    Table made;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::uint32_t left = rng.below(9); left > 0; --left)
            made.features.push_back(static_cast<std::uint16_t>(rng.below(static_cast<std::uint32_t>(shape.rows()))));
        made.offsets.push_back(static_cast<std::int64_t>(made.features.size()));
        made.stacks.push_back(static_cast<std::uint8_t>(rng.below(static_cast<std::uint32_t>(shape.stacks))));
        made.targets.push_back(static_cast<float>(rng.unit()));
        made.weights.push_back(static_cast<float>(rng.unit()));
    }
    return made;
}

FeatureAttributes attributes(Rng& rng, const SparseShape& shape) {
    FeatureAttributes made{.starts = {0}, .attributes = {}, .values = {}, .bases = {}};
    for (std::size_t row = 0; row < shape.rows(); ++row) {
        for (std::uint32_t left = shape.attributes == 0 ? 0 : rng.below(3); left > 0; --left) {
            const auto attribute = rng.below(static_cast<std::uint32_t>(shape.attributes));
            made.attributes.push_back(static_cast<std::uint16_t>(attribute));
            made.values.push_back(static_cast<float>(2 * rng.unit() - 1));
        }
        made.starts.push_back(static_cast<std::uint32_t>(made.attributes.size()));
    }
    for (std::size_t i = 0; i < shape.variants; ++i)
        made.bases.push_back(static_cast<std::uint16_t>(rng.below(static_cast<std::uint32_t>(shape.features))));
    return made;
}

void check_training(Rng& rng, const SparseShape& shape, std::size_t count) {
    const FeatureAttributes own = attributes(rng, shape);
    const Table data = table(rng, shape, count);
    const SparseLimits limits{.rows = 0.5f, .dense = 1.0f};
    SparseTrainer fast(shape, own, limits, 1, false), portable(shape, own, limits, 1, true);
    const SparseFitOptions options{
        .batch_size = 150, .rate = 0.02, .final_rate = 0.001, .weight_decay = 0.1, .seed = 5, .threads = 1};
    SparseFitOptions threaded = options;
    threaded.threads = 3;
    const auto go_on = [] { return true; };
    CHECK(fast.fit(data.samples(), options, go_on) == portable.fit(data.samples(), threaded, go_on));
    CHECK(same_state(fast, portable));
    SparseTrainer restored(shape, own, limits, fast.state(), false);
    CHECK(fast.fit(data.samples(), threaded, go_on) == restored.fit(data.samples(), options, go_on));
    CHECK(same_state(fast, restored));
    std::vector<float> gradients, others, logits(count), more(count);
    CHECK(fast.loss_and_gradients(data.samples(), 1, gradients) ==
          restored.loss_and_gradients(data.samples(), 2, others));
    CHECK(same_bytes(gradients, others));
    fast.predict(data.samples(), 1, logits.data());
    restored.predict(data.samples(), 2, more.data());
    CHECK(same_bytes(logits, more));
}

}  // namespace

int run(int rounds) {
    Rng rng{1};
    for (int round = 0; round < rounds; ++round) {
        SparseShape shape{.features = 1 + rng.below(60),
                          .variants = rng.below(4),
                          .attributes = rng.below(9),
                          .hidden = surrogate::kWidth * (1 + rng.below(3)),
                          .layers = {},
                          .stacks = 1 + rng.below(3)};
        for (std::uint32_t left = rng.below(3); left > 0; --left) shape.layers.push_back(1 + rng.below(40));
        check_training(rng, shape, 1 + rng.below(400));
    }
    std::printf("%d models\n", rounds);
    return 0;
}

}  // namespace deckatlas::learning::tests

int main(int count, char** words) { return deckatlas::learning::tests::run(count > 1 ? std::atoi(words[1]) : 20); }
