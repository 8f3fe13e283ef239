// MAP-Elites over decks on the predictions of a surrogate: a million decks in a fraction of a second.
//
// Every elite's sums of the first layer are kept, so that a child costs only the rows of the cards exchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "surrogate/deck_draws.hpp"
#include "surrogate/model.hpp"

namespace deckatlas::surrogate {

// Where an objective or a measure comes from: a target of the model, or one number per card.
struct Source {
    enum class Kind : std::uint8_t { target, sum, mean, variance };

    Kind kind = Kind::target;
    std::size_t target = 0;
    std::vector<std::int64_t> numbers;  // of the cards
};

// The cells, numbered row by row: the last measure's index changes fastest.
struct MapCells {
    std::vector<std::vector<double>> inner;  // for each measure the boundaries between its cells, in order
    bool right = true;                       // whether a value on a boundary belongs to the cell on its right
};

struct InnerMapOptions {
    DeckRules rules;
    Source objective;
    std::vector<Source> measures;
    MapCells cells;
    std::int64_t predictions = 0;  // in all, those of the first decks among them
    std::int64_t initial = 0;      // random decks before any mutation
    std::size_t batch = 10;        // children that are drawn before the first of them enters the map
    std::uint64_t seed = 0;
    // Decks to start with, a count of each card: they enter the map first, with given predictions if there are any.
    std::size_t starts = 0;
    const std::uint8_t* start_counts = nullptr;
    const float* start_predictions = nullptr;
    bool portable = false;
};

// The elites in order of cells: one row each.
struct InnerElites {
    std::vector<std::int64_t> cells;
    std::vector<std::uint8_t> counts;
    std::vector<float> predictions;
    std::vector<double> objectives;
    std::vector<double> measures;
    std::int64_t predicted = 0;  // how many predictions were made
};

// A deck enters its cell if that is empty or the deck's objective is higher; predictions that are not finite enter no
// cell. Parents are drawn uniformly from the filled cells, which are numbered in the order in which they were first
// filled: those of all children of a generation, and then the children's mutations. `poll` is called between batches
// with the predictions so far; if it returns false, the map ends as it is.
InnerElites inner_map(const Model& model, const InnerMapOptions& options,
                      const std::function<bool(std::int64_t)>& poll);

}  // namespace deckatlas::surrogate
