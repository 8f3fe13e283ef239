// The inner loop: draw children, predict, insert.
#include "surrogate/inner_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace deckatlas::surrogate {

namespace {

// Memory is copied and fetched by whole lines of the cache.
struct alignas(64) Line {
    std::uint8_t bytes[64];
};

inline void fetch_soon([[maybe_unused]] const void* from, [[maybe_unused]] std::size_t bytes) {
#if defined(__GNUC__)
    for (std::size_t at = 0; at < bytes; at += sizeof(Line)) __builtin_prefetch(static_cast<const char*>(from) + at);
#endif
}

// Decks with everything that is kept of them, row by row.
class Decks {
public:
    Decks(const Model& model, const DeckRules& rules, std::size_t measures)
        : size_(rules.size),
          cards_at_((rules.cards() + 1) / 2 * 2),
          lines_((cards_at_ + rules.size * sizeof(std::uint16_t) + sizeof(Line) - 1) / sizeof(Line)),
          blocks_(model.sum_blocks()),
          targets_(model.targets()),
          measures_(measures) {}

    void resize(std::size_t rows) {
        decks_.resize(rows * lines_);
        sums_.resize(rows * blocks_);
        predictions_.resize(rows * targets_);
        objectives_.resize(rows);
        values_.resize(rows * measures_);
    }

    DeckView deck(std::size_t row) { return {cards(row).data(), counts(row)}; }
    std::uint8_t* counts(std::size_t row) { return decks_[row * lines_].bytes; }
    std::span<std::uint16_t> cards(std::size_t row) {
        return {reinterpret_cast<std::uint16_t*>(counts(row) + cards_at_), size_};
    }
    WholeBlock* sums(std::size_t row) { return sums_.data() + row * blocks_; }
    float* predictions(std::size_t row) { return predictions_.data() + row * targets_; }
    double& objective(std::size_t row) { return objectives_[row]; }
    double* measures(std::size_t row) { return values_.data() + row * measures_; }

    void fetch_deck_soon(std::size_t row) const { fetch_soon(decks_.data() + row * lines_, lines_ * sizeof(Line)); }
    void fetch_sums_soon(std::size_t row) const {
        fetch_soon(sums_.data() + row * blocks_, blocks_ * sizeof(WholeBlock));
    }
    void copy_deck(std::size_t row, const Decks& other, std::size_t from) {
        for (std::size_t i = 0; i < lines_; ++i) decks_[row * lines_ + i] = other.decks_[from * lines_ + i];
    }
    void copy(std::size_t row, Decks& other, std::size_t from) {
        copy_deck(row, other, from);
        for (std::size_t i = 0; i < blocks_; ++i) sums(row)[i] = other.sums(from)[i];
        for (std::size_t i = 0; i < targets_; ++i) predictions(row)[i] = other.predictions(from)[i];
        for (std::size_t i = 0; i < measures_; ++i) measures(row)[i] = other.measures(from)[i];
        objective(row) = other.objective(from);
    }

private:
    std::size_t size_, cards_at_, lines_, blocks_, targets_, measures_;
    std::vector<Line> decks_;  // the count of each card, then the list of cards
    std::vector<WholeBlock> sums_;
    std::vector<float> predictions_;
    std::vector<double> objectives_, values_;
};

// How many of the boundaries are below a value, those equal to it included on the right side. Without branches, since
// nobody can foresee them: halves while there are many boundaries, and then a count over all, in vectors.
template <bool Right>
std::size_t boundaries_below(const std::vector<double>& inner, double value) {
    constexpr std::size_t kFew = 16;
    const auto is_below = [value](double boundary) { return Right ? boundary <= value : boundary < value; };
    const double* first = inner.data();
    std::size_t count = inner.size();
    while (count > kFew) {
        const std::size_t half = (count + 1) / 2;
        first += is_below(first[half - 1]) ? half : 0;
        count -= half;
    }
    std::int64_t below = first - inner.data();
    for (std::size_t i = 0; i < count; ++i) below += is_below(first[i]);
    return static_cast<std::size_t>(below);
}

// Numbers are whole and small enough that everything before the division is exact.
double value_of(const Source& source, const float* predictions, std::span<const std::uint16_t> cards) {
    if (source.kind == Source::Kind::target) return static_cast<double>(predictions[source.target]);
    const auto size = static_cast<std::int64_t>(cards.size());
    std::int64_t sum = 0, squares = 0;
    for (const std::uint16_t card : cards) {
        const std::int64_t number = source.numbers[card];
        sum += number;
        squares += number * number;
    }
    switch (source.kind) {
        case Source::Kind::mean: return static_cast<double>(sum) / static_cast<double>(size);
        case Source::Kind::variance:
            return static_cast<double>(size * squares - sum * sum) / static_cast<double>(size * size);
        default: return static_cast<double>(sum);
    }
}

class InnerMap {
public:
    InnerMap(const Model& model, const InnerMapOptions& options)
        : options_(options),
          model_(model),
          draws_(options.rules, options.seed),
          predictor_(model, options.batch, options.portable),
          children_(model, options.rules, options.measures.size()),
          elites_(model, options.rules, options.measures.size()) {
        std::size_t cells = 1;
        for (const auto& inner : options.cells.inner) cells *= inner.size() + 1;
        row_of_cell_.assign(cells, kNobody);
        children_.resize(options.batch);
        parents_.resize(options.batch);
        replaced_.resize(options.batch);
        removed_.resize(options.batch * options.rules.size);
    }

    InnerElites run(const std::function<bool(std::int64_t)>& poll) {
        bool goes_on = start(poll);
        while (goes_on && predicted_ < options_.initial + started_) {
            const std::size_t rows = next_batch(options_.initial + started_ - predicted_);
            for (std::size_t row = 0; row < rows; ++row) {
                draws_.random(children_.deck(row));
                set_whole(row);
            }
            predict_and_insert(rows);
            goes_on = poll(predicted_);
        }
        while (goes_on && predicted_ < options_.predictions && !cells_.empty()) {
            const std::size_t rows = next_batch(options_.predictions - predicted_);
            breed(rows);
            predict_and_insert(rows);
            goes_on = poll(predicted_);
        }
        return elites();
    }

private:
    static constexpr std::int32_t kNobody = -1;

    std::size_t next_batch(std::int64_t left) const { return std::min(options_.batch, static_cast<std::size_t>(left)); }

    // The given decks; returns whether to go on.
    bool start(const std::function<bool(std::int64_t)>& poll) {
        const std::size_t cards = options_.rules.cards(), targets = model_.targets();
        for (std::size_t first = 0; first < options_.starts; first += options_.batch) {
            const std::size_t rows = std::min(options_.batch, options_.starts - first);
            for (std::size_t row = 0; row < rows; ++row) {
                const std::uint8_t* const counts = options_.start_counts + (first + row) * cards;
                std::copy_n(counts, cards, children_.counts(row));
                std::uint16_t* place = children_.cards(row).data();
                for (std::size_t card = 0; card < cards; ++card)
                    place = std::fill_n(place, counts[card], static_cast<std::uint16_t>(card));
                set_whole(row);
            }
            if (options_.start_predictions == nullptr) {
                predict_and_insert(rows);
            } else {
                std::copy_n(options_.start_predictions + first * targets, rows * targets, children_.predictions(0));
                insert(rows);
            }
            if (!poll(predicted_)) return false;
        }
        started_ = predicted_;
        return true;
    }

    // Sums of a deck from nothing.
    void set_whole(std::size_t row) {
        predictor_.set_deck(row, model_.empty_sums(), {}, children_.cards(row), children_.sums(row));
    }

    // Draws all parents, then the mutations. Memory is fetched ahead of its use, since parents lie anywhere.
    void breed(std::size_t rows) {
        const auto filled = static_cast<std::uint32_t>(cells_.size());
        for (std::size_t row = 0; row < rows; ++row) {
            parents_[row] = draws_.below(filled);
            elites_.fetch_deck_soon(parents_[row]);
        }
        for (std::size_t row = 0; row < rows; ++row) {
            elites_.fetch_sums_soon(parents_[row]);
            children_.copy_deck(row, elites_, parents_[row]);
            replaced_[row] = draws_.mutate(children_.deck(row), removed(row));
        }
        for (std::size_t row = 0; row < rows; ++row) {
            predictor_.set_deck(row, elites_.sums(parents_[row]), {removed(row), replaced_[row]},
                                children_.cards(row).last(replaced_[row]), children_.sums(row));
        }
    }
    std::uint16_t* removed(std::size_t row) { return removed_.data() + row * options_.rules.size; }

    void predict_and_insert(std::size_t rows) {
        predictor_.predict(rows, children_.predictions(0));
        predicted_ += static_cast<std::int64_t>(rows);
        insert(rows);
    }

    void insert(std::size_t rows) {
        for (std::size_t row = 0; row < rows; ++row) {
            const float* const predictions = children_.predictions(row);
            if (!std::all_of(predictions, predictions + model_.targets(), [](float x) { return std::isfinite(x); }))
                continue;
            const std::span<const std::uint16_t> cards = children_.cards(row);
            const double objective = children_.objective(row) = value_of(options_.objective, predictions, cards);
            std::size_t cell = 0;
            for (std::size_t k = 0; k < options_.measures.size(); ++k) {
                const std::vector<double>& inner = options_.cells.inner[k];
                const double value = children_.measures(row)[k] = value_of(options_.measures[k], predictions, cards);
                cell = cell * (inner.size() + 1) + index_of(inner, value);
            }
            std::int32_t& elite = row_of_cell_[cell];
            if (elite == kNobody) {
                elite = static_cast<std::int32_t>(cells_.size());
                cells_.push_back(static_cast<std::int64_t>(cell));
                elites_.resize(cells_.size());
            } else if (!(objective > elites_.objective(static_cast<std::size_t>(elite)))) {
                continue;
            }
            elites_.copy(static_cast<std::size_t>(elite), children_, row);
        }
    }

    std::size_t index_of(const std::vector<double>& inner, double value) const {
        return options_.cells.right ? boundaries_below<true>(inner, value) : boundaries_below<false>(inner, value);
    }

    InnerElites elites() {
        InnerElites found;
        found.predicted = predicted_;
        for (std::size_t cell = 0; cell < row_of_cell_.size(); ++cell) {
            if (row_of_cell_[cell] == kNobody) continue;
            const auto row = static_cast<std::size_t>(row_of_cell_[cell]);
            found.cells.push_back(static_cast<std::int64_t>(cell));
            found.counts.insert(found.counts.end(), elites_.counts(row), elites_.counts(row) + options_.rules.cards());
            found.predictions.insert(found.predictions.end(), elites_.predictions(row),
                                     elites_.predictions(row) + model_.targets());
            found.objectives.push_back(elites_.objective(row));
            found.measures.insert(found.measures.end(), elites_.measures(row),
                                  elites_.measures(row) + options_.measures.size());
        }
        return found;
    }

    const InnerMapOptions& options_;
    const Model& model_;
    DeckDraws draws_;
    Predictor predictor_;
    Decks children_, elites_;
    // Of the children of a generation: their parents, how many cards were replaced, and which.
    std::vector<std::size_t> parents_, replaced_;
    std::vector<std::uint16_t> removed_;
    std::vector<std::int64_t> cells_;        // of each elite, in the order in which they were filled
    std::vector<std::int32_t> row_of_cell_;  // the elite of each cell
    std::int64_t predicted_ = 0;
    std::int64_t started_ = 0;  // predictions of the given decks
};

}  // namespace

InnerElites inner_map(const Model& model, const InnerMapOptions& options,
                      const std::function<bool(std::int64_t)>& poll) {
    return InnerMap(model, options).run(poll);
}

}  // namespace deckatlas::surrogate
