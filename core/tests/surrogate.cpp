// Surrogates under sanitizers: training, predictions and the inner loop at awkward sizes, on both paths, which must
// give the same bytes; every elite must be a legal deck, and its prediction the one made from nothing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "check.hpp"
#include "surrogate/inner_map.hpp"
#include "surrogate/trainer.hpp"

namespace deckatlas::surrogate::tests {
namespace {

template <class T>
bool same_bytes(const std::vector<T>& one, const std::vector<T>& other) {
    return one.size() == other.size() &&
           (one.empty() || std::memcmp(one.data(), other.data(), one.size() * sizeof(T)) == 0);
}

float number(Rng& rng) { return static_cast<float>(2 * rng.unit() - 1); }

struct Table {
    std::vector<float> inputs, targets, weights;

    Samples samples() const { return {weights.size(), inputs.data(), targets.data(), weights.data()}; }
};

Table table(Rng& rng, const std::vector<std::size_t>& sizes, std::size_t rows, bool dense) {
    Table made;
    for (std::size_t i = 0; i < rows * sizes.front(); ++i)
        made.inputs.push_back(dense || rng.below(4) == 0 ? number(rng) : 0.0f);
    for (std::size_t i = 0; i < rows * sizes.back(); ++i) made.targets.push_back(number(rng));
    for (std::size_t i = 0; i < rows; ++i) made.weights.push_back(static_cast<float>(rng.unit()));
    return made;
}

void check_training(Rng& rng, const std::vector<std::size_t>& sizes, std::size_t rows, bool dense) {
    const Table data = table(rng, sizes, rows, dense);
    Trainer fast(sizes, 1, false), portable(sizes, 1, true);
    const FitOptions options{3, 7, 0.01, 0.001, 0.1, 5};
    const auto go_on = [] { return true; };
    CHECK(same_bytes(fast.fit(data.samples(), options, go_on), portable.fit(data.samples(), options, go_on)));
    CHECK(same_bytes(fast.state().parameters, portable.state().parameters));
    CHECK(same_bytes(fast.state().second, portable.state().second));
    Trainer restored(sizes, fast.state(), false);
    std::vector<float> gradients, others;
    CHECK(fast.loss_and_gradients(data.samples(), gradients) == restored.loss_and_gradients(data.samples(), others));
    CHECK(same_bytes(gradients, others));
    std::vector<float> predictions(rows * sizes.back()), more(rows * sizes.back());
    fast.predict(data.inputs.data(), rows, predictions.data());
    portable.predict(data.inputs.data(), rows, more.data());
    CHECK(same_bytes(predictions, more));
}

MemberNumbers member(Rng& rng, const std::vector<std::size_t>& sizes) {
    MemberNumbers made{sizes, {}};
    for (std::size_t i = 0; i < numbers_of(places_of(sizes)); ++i) made.numbers.push_back(number(rng));
    return made;
}

InnerMapOptions options_for(Rng& rng, std::size_t cards, std::size_t targets) {
    InnerMapOptions options;
    std::size_t copies = 0;
    for (std::size_t card = 0; card < cards; ++card) {
        options.rules.most_copies.push_back(static_cast<std::uint8_t>(1 + rng.below(3)));
        copies += options.rules.most_copies.back();
    }
    options.rules.size = 1 + rng.below(static_cast<std::uint32_t>(std::min<std::size_t>(copies, 255)));
    for (std::size_t k = 0; k < 2; ++k) {
        Source source;
        source.kind = static_cast<Source::Kind>(rng.below(4));
        source.target = rng.below(static_cast<std::uint32_t>(targets));
        for (std::size_t card = 0; card < cards; ++card) source.numbers.push_back(rng.below(9));
        options.measures.push_back(source);
        std::vector<double> inner;
        for (std::uint32_t i = rng.below(30); i > 0; --i) inner.push_back(20 * rng.unit() - 10);
        std::sort(inner.begin(), inner.end());
        options.cells.inner.push_back(inner);
    }
    options.cells.right = rng.below(2) == 0;
    options.initial = 1 + rng.below(40);
    options.predictions = options.initial + rng.below(2000);
    options.batch = 1 + rng.below(23);
    options.seed = rng.next();
    return options;
}

void check_map(Rng& rng) {
    const std::size_t cards = 1 + rng.below(200), targets = 1 + rng.below(20);
    std::vector<MemberNumbers> members;
    for (std::uint32_t i = 1 + rng.below(3); i > 0; --i) {
        std::vector<std::size_t> sizes{cards};
        for (std::uint32_t k = rng.below(4); k > 0; --k) sizes.push_back(1 + rng.below(140));
        sizes.push_back(targets);
        members.push_back(member(rng, sizes));
    }
    InnerMapOptions options = options_for(rng, cards, targets);
    const Model model(members, options.rules.size);
    const auto go_on = [](std::int64_t) { return true; };
    const InnerElites fast = inner_map(model, options, go_on);
    options.portable = true;
    const InnerElites portable = inner_map(model, options, go_on);
    CHECK(fast.predicted == options.predictions && portable.predicted == options.predictions);
    CHECK(same_bytes(fast.cells, portable.cells) && same_bytes(fast.counts, portable.counts));
    CHECK(same_bytes(fast.predictions, portable.predictions) && same_bytes(fast.measures, portable.measures));
    Predictor predictor(model, 1, rng.below(2) == 0);
    std::vector<WholeBlock> sums(model.sum_blocks());
    std::vector<float> prediction(targets);
    for (std::size_t row = 0; row < fast.cells.size(); ++row) {
        std::vector<std::uint16_t> deck;
        for (std::size_t card = 0; card < cards; ++card) {
            const std::uint8_t count = fast.counts[row * cards + card];
            CHECK(count <= options.rules.most_copies[card]);
            deck.insert(deck.end(), count, static_cast<std::uint16_t>(card));
        }
        CHECK(deck.size() == options.rules.size);
        predictor.set_deck(0, model.empty_sums(), {}, deck, sums.data());
        predictor.predict(1, prediction.data());
        CHECK(std::memcmp(prediction.data(), fast.predictions.data() + row * targets, targets * sizeof(float)) == 0);
    }
    // The found decks as a start, with their predictions and without.
    options.starts = fast.cells.size();
    options.start_counts = fast.counts.data();
    options.predictions += static_cast<std::int64_t>(options.starts);
    CHECK(inner_map(model, options, go_on).cells.size() >= fast.cells.size());
    options.start_predictions = fast.predictions.data();
    CHECK(inner_map(model, options, go_on).cells.size() >= fast.cells.size());
}

}  // namespace
}  // namespace deckatlas::surrogate::tests

int main(int argc, char** argv) {
    using namespace deckatlas::surrogate::tests;
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
    deckatlas::Rng rng{17};
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::size_t> sizes{1 + rng.below(70)};
        for (std::uint32_t i = 1 + rng.below(4); i > 0; --i) sizes.push_back(1 + rng.below(50));
        check_training(rng, sizes, 1 + rng.below(80), rng.below(2) == 0);
        check_map(rng);
    }
    std::printf("%d rounds of surrogates\n", rounds);
}
