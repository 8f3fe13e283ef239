// Bindings of MAP-Elites on predictions, with every check on its options.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "columns.hpp"
#include "surrogate.hpp"
#include "surrogate/inner_map.hpp"

using namespace nanobind::literals;

namespace deckatlas::bindings {
namespace {

using surrogate::InnerElites;
using surrogate::InnerMapOptions;
using surrogate::Model;
using surrogate::Source;
using WholeVector = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// A target's number, or numbers of the cards and what of them the column is.
using AnySource = std::variant<std::int64_t, std::pair<WholeVector, std::string_view>>;

constexpr std::size_t kMostPoolCards = 1024;
constexpr std::size_t kMostDeckSize = 255;
constexpr std::size_t kMostCells = 10'000'000;
constexpr std::int64_t kLargestNumber = 100'000;  // of a card: sums of squares stay exact
constexpr std::int64_t kMostLimit = kLargestNumber * static_cast<std::int64_t>(kMostDeckSize);  // no deck has more
constexpr std::int64_t kMostPredictions = 1'000'000'000'000;

Source source_of(const AnySource& source, const Model& model) {
    if (const auto* target = std::get_if<std::int64_t>(&source)) {
        if (*target < 0 || static_cast<std::size_t>(*target) >= model.targets())
            throw ModelError("there is no target " + std::to_string(*target) + ": this model has " +
                             std::to_string(model.targets()));
        return {Source::Kind::target, static_cast<std::size_t>(*target), {}};
    }
    const auto& [numbers, of] = std::get<std::pair<WholeVector, std::string_view>>(source);
    check_width("cards", numbers.size(), model.inputs());
    Source made;
    made.kind = of == "sum"        ? Source::Kind::sum
                : of == "mean"     ? Source::Kind::mean
                : of == "variance" ? Source::Kind::variance
                                   : throw ModelError("a column of decks is a 'sum', 'mean' or 'variance'");
    made.numbers.assign(numbers.data(), numbers.data() + numbers.size());
    for (const std::int64_t number : made.numbers) {
        if (number < -kLargestNumber || number > kLargestNumber)
            throw ModelError("numbers of cards are at most " + std::to_string(kLargestNumber));
    }
    return made;
}

surrogate::DeckRules rules_of(const Model& model, const WholeVector& most_copies, std::size_t size) {
    check_width("cards", most_copies.size(), model.inputs());
    if (model.inputs() > kMostPoolCards)
        throw ModelError("a pool has at most " + std::to_string(kMostPoolCards) + " cards");
    if (size < 1 || size > kMostDeckSize || size > model.most_cards())
        throw ModelError("a deck has 1 to " + std::to_string(std::min(kMostDeckSize, model.most_cards())) +
                         " cards, not " + std::to_string(size));
    surrogate::DeckRules rules;
    rules.size = size;
    std::size_t copies = 0;
    for (std::size_t card = 0; card < most_copies.size(); ++card) {
        const std::int64_t most = most_copies.data()[card];
        if (most < 0) throw ModelError("copies of a card must not be negative");
        const auto useful = static_cast<std::uint8_t>(std::min<std::int64_t>(most, static_cast<std::int64_t>(size)));
        rules.most_copies.push_back(useful);
        copies += useful;
    }
    if (copies < size)
        throw ModelError("a deck has " + std::to_string(size) + " cards, but the pool has only " +
                         std::to_string(copies) + " copies in all");
    rules.least_copies.assign(rules.cards(), 0);
    rules.free = size;
    return rules;
}

// Adds the cards that every deck must have, and the limits.
void constrain(surrogate::DeckRules& rules, const std::optional<WholeVector>& least_copies,
               const std::vector<std::pair<WholeVector, std::int64_t>>& limits) {
    if (least_copies) {
        check_width("cards", least_copies->size(), rules.cards());
        for (std::size_t card = 0; card < rules.cards(); ++card) {
            const std::int64_t least = least_copies->data()[card];
            if (least < 0 || least > rules.most_copies[card])
                throw ModelError("a deck must have as many copies of a card as it may have, or fewer");
            rules.least_copies[card] = static_cast<std::uint8_t>(least);
            if (rules.free <= static_cast<std::size_t>(least))
                throw ModelError("some cards of a deck must be left to choose");
            rules.free -= static_cast<std::size_t>(least);
        }
    }
    for (const auto& [numbers, most] : limits) {
        check_width("cards", numbers.size(), rules.cards());
        if (most < 0) throw ModelError("a limit must not be negative, as " + std::to_string(most) + " is");
        surrogate::DeckLimit limit;
        limit.most = std::min(most, kMostLimit);
        limit.numbers.assign(numbers.data(), numbers.data() + numbers.size());
        for (const std::int64_t number : limit.numbers) {
            if (number < 0 || number > kLargestNumber)
                throw ModelError("numbers of cards with a limit are 0 to " + std::to_string(kLargestNumber));
        }
        rules.limits.push_back(std::move(limit));
    }
}

surrogate::MapCells cells_of(const std::vector<DoubleVector>& boundaries, std::string_view side) {
    if (side != "right" && side != "left") throw ModelError("a side is 'right' or 'left'");
    surrogate::MapCells cells;
    cells.right = side == "right";
    std::size_t count = 1;
    for (const DoubleVector& each : boundaries) {
        if (each.size() < 2) throw ModelError("a measure has at least one cell, and so two boundaries");
        const std::vector<double> all = copy_of(each);
        if (std::ranges::any_of(all, [](double x) { return std::isnan(x); }) || !std::ranges::is_sorted(all))
            throw ModelError("boundaries must be numbers in ascending order");
        cells.inner.emplace_back(all.begin() + 1, all.end() - 1);
        count *= each.size() - 1;
        if (count > kMostCells) throw ModelError("a map has at most " + std::to_string(kMostCells) + " cells");
    }
    return cells;
}

void check_starts(const InnerMapOptions& options) {
    const std::size_t cards = options.rules.cards();
    for (std::size_t row = 0; row < options.starts; ++row) {
        std::size_t size = 0;
        for (std::size_t card = 0; card < cards; ++card) {
            const std::uint8_t count = options.start_counts[row * cards + card];
            if (count > options.rules.most_copies[card]) throw ModelError("a deck to start with has too many copies");
            if (count < options.rules.least_copies[card]) throw ModelError("a deck to start with has too few copies");
            size += count;
        }
        for (const surrogate::DeckLimit& limit : options.rules.limits) {
            std::int64_t left = limit.most;
            for (std::size_t card = 0; card < cards; ++card)
                left -= limit.numbers[card] * options.start_counts[row * cards + card];
            if (left < 0) throw ModelError("a deck to start with exceeds a limit");
        }
        if (size != options.rules.size)
            throw ModelError("a deck to start with has " + std::to_string(size) + " cards, not " +
                             std::to_string(options.rules.size));
    }
}

nb::dict to_python(InnerElites elites, const InnerMapOptions& options, std::size_t targets) {
    const std::size_t rows = elites.cells.size();
    nb::dict found;
    found["cells"] = nb::cast(array_of(std::move(elites.cells), rows));
    found["counts"] = nb::cast(array_of(std::move(elites.counts), rows, options.rules.cards()));
    found["predictions"] = nb::cast(array_of(std::move(elites.predictions), rows, targets));
    found["objectives"] = nb::cast(array_of(std::move(elites.objectives), rows));
    found["measures"] = nb::cast(array_of(std::move(elites.measures), rows, options.measures.size()));
    return found;
}

std::pair<Columns, std::int64_t> inner_map(const Model& model, const WholeVector& most_copies, std::size_t size,
                                           const AnySource& objective, const std::vector<AnySource>& measures,
                                           const std::vector<DoubleVector>& boundaries, std::string_view side,
                                           std::int64_t predictions, std::int64_t initial, std::size_t batch,
                                           std::uint64_t seed, const std::optional<CountMatrix>& starts,
                                           const std::optional<FloatMatrix>& start_predictions,
                                           const std::optional<WholeVector>& least_copies,
                                           const std::vector<std::pair<WholeVector, std::int64_t>>& limits,
                                           bool portable, std::optional<ProgressFunction> progress) {
    InnerMapOptions options;
    options.rules = rules_of(model, most_copies, size);
    constrain(options.rules, least_copies, limits);
    if (initial > 0 && options.rules.has_constraints())
        throw ModelError("decks with constraints are not drawn at random here: they must be given");
    options.objective = source_of(objective, model);
    for (const AnySource& each : measures) options.measures.push_back(source_of(each, model));
    options.cells = cells_of(boundaries, side);
    if (measures.empty() || measures.size() != boundaries.size())
        throw ModelError("a map needs boundaries for each of its measures");
    if (batch < 1 || batch > 65'536) throw ModelError("a generation has 1 to 65536 children");
    if (initial < 0 || predictions < 0 || predictions > kMostPredictions)
        throw ModelError("the numbers of predictions and of random decks must not be negative");
    if (initial > predictions)
        throw ModelError(std::to_string(predictions) + " predictions are fewer than the " + std::to_string(initial) +
                         " decks to start with");
    options.predictions = predictions;
    options.initial = initial;
    options.batch = batch;
    options.seed = seed;
    options.portable = portable;
    std::int64_t first = initial;
    std::vector<std::uint8_t> start_counts;
    std::vector<float> known_predictions;
    if (starts) {
        check_width("cards", starts->shape(1), model.inputs());
        start_counts = copy_of(*starts);
        options.starts = starts->shape(0);
        options.start_counts = start_counts.data();
        check_starts(options);
        if (!start_predictions) first += static_cast<std::int64_t>(options.starts);
    }
    if (start_predictions) {
        check_width("targets", start_predictions->shape(1), model.targets());
        if (start_predictions->shape(0) != options.starts)
            throw ModelError("decks to start with must have as many rows as their predictions");
        known_predictions = copy_of(*start_predictions);
        options.start_predictions = known_predictions.data();
    }
    if (first > predictions)
        throw ModelError(std::to_string(predictions) + " predictions are fewer than the " + std::to_string(first) +
                         " decks to start with");
    PacedWatch watch(std::move(progress));
    InnerElites elites;
    {
        const WithoutGil without_gil;
        elites = surrogate::inner_map(model, options, [&](std::int64_t done) { return watch(done); });
    }
    watch.rethrow();
    const std::int64_t predicted = elites.predicted;
    return {Columns(to_python(std::move(elites), options, model.targets())), predicted};
}

}  // namespace

void bind_surrogate_map(nb::module_& module) {
    module.attr("MOST_POOL_CARDS") = kMostPoolCards;
    module.attr("MOST_CELLS") = kMostCells;
    module.attr("LARGEST_CARD_NUMBER") = kLargestNumber;
    module.def(
        "inner_map", &inner_map, "model"_a, "most_copies"_a, "size"_a, nb::kw_only(), "objective"_a, "measures"_a,
        "boundaries"_a, "side"_a, "predictions"_a, "initial"_a, "batch"_a, "seed"_a, "starts"_a = nb::none(),
        "start_predictions"_a = nb::none(), "least_copies"_a = nb::none(), "limits"_a = nb::list(),
        "portable"_a = false, "progress"_a = nb::none(),
        "MAP-Elites over decks on the predictions of a model. The objective and each measure is a target's number, or "
        "numbers of the cards with 'sum', 'mean' or 'variance'. Decks to start with, then `initial` random ones, enter "
        "the map first; then generations of `batch` mutants of elites, until there were `predictions` predictions in "
        "all. Decks with `start_predictions` enter with these and count as no prediction. All decks have "
        "`least_copies` of each card, and for each of the `limits` the numbers of their cards have at most that sum; "
        "with such constraints `initial` is 0. Returns the elites in order "
        "of "
        "cells, as the columns cells, counts, predictions, objectives and measures, and how many predictions were "
        "made. "
        "`progress` is called about ten times a second with that number; an exception in it ends the call.");
}

}  // namespace deckatlas::bindings
