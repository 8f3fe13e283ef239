// Hearthstone: ratings of positions for a player, as in the programs of the deck-search papers.
//
// A won position has the largest number and a lost one the smallest. Armor does not count as health.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "common/network.hpp"
#include "hearthstone/costs.hpp"
#include "hearthstone/state.hpp"

namespace deckatlas::hearthstone {

enum class Score : std::uint8_t { aggro, control, fatigue, midrange, ramp, linear, network };

inline constexpr int kWon = std::numeric_limits<std::int32_t>::max();
inline constexpr int kLost = std::numeric_limits<std::int32_t>::min();

// The sums over the minions of a side.
struct BoardTotals {
    int minions = 0;
    int attack = 0;
    int health = 0;
    int taunt_health = 0;

    BoardTotals(const State& state, int player) : minions(state.players[player].board_size) {
        for (int i = 0; i < minions; ++i) {
            const Minion& minion = state.on_board(player, i);
            const int left = minion.current_health();
            attack += minion.current_attack();
            health += left;
            taunt_health += minion.has(kTaunt) ? left : 0;
        }
    }
};

inline constexpr int kFeatures = 15;

// Health and attack of both heroes, cost and number of the own cards, the enemy's cards, both decks, then attack,
// health and health of taunts of both boards; the own value first each time. They are `stride` places apart.
inline void write_features(const CardSet& cards, const State& state, int player, double* out, std::size_t stride = 1) {
    const Player& own = state.players[player];
    const Player& enemy = state.players[player ^ 1];
    const BoardTotals mine(state, player);
    const BoardTotals theirs(state, player ^ 1);
    const Costs costs(cards, state, player);
    int hand_cost = 0;
    for (int i = 0; i < own.hand_size; ++i) hand_cost += costs.of(i);
    const int values[kFeatures] = {own.health,
                                   enemy.health,
                                   hero_attack(state, player),
                                   hero_attack(state, player ^ 1),
                                   hand_cost,
                                   own.hand_size,
                                   enemy.hand_size,
                                   own.deck_size,
                                   enemy.deck_size,
                                   mine.attack,
                                   theirs.attack,
                                   mine.health,
                                   theirs.health,
                                   mine.taunt_health,
                                   theirs.taunt_health};
    for (std::size_t i = 0; i < kFeatures; ++i) out[i * stride] = values[i];
}

// One of the published scores, or one given by weights.
class Rating {
public:
    explicit Rating(Score score) : score_(score) {}
    // A sum of the features times these weights, in thousandths.
    static Rating linear(const double (&weights)[kFeatures]) {
        Rating rating(Score::linear);
        for (int i = 0; i < kFeatures; ++i) rating.weights_[i] = weights[i];
        return rating;
    }
    // A network over the features with one output, in millionths.
    static Rating network(std::shared_ptr<const Network> network) {
        Rating rating(Score::network);
        rating.network_ = std::move(network);
        return rating;
    }

    // Whether it depends on the attack of enemy minions.
    bool sees_enemy_attack() const { return score_ >= Score::midrange; }

    int operator()(const CardSet& cards, const State& state, int player) const {
        const Player& own = state.players[player];
        const Player& enemy = state.players[player ^ 1];
        if (is_decided(state)) return decided(state, player);
        if (score_ >= Score::linear) return weighed(cards, state, player);
        const BoardTotals mine(state, player);
        const BoardTotals theirs(state, player ^ 1);
        const bool clear = theirs.minions == 0 && mine.minions > 0;
        const int health = own.health - enemy.health;
        const int minions = mine.minions - theirs.minions;
        const int taunts = mine.taunt_health - theirs.taunt_health;
        switch (score_) {
            case Score::aggro: return 1000 * clear - 1000 * theirs.taunt_health + mine.attack + 1000 * health;
            case Score::control: return 1000 * clear + 50 * minions + 25 * taunts + mine.attack + 10 * health;
            case Score::fatigue:
                return 1000 * clear + 1000 * (enemy.hand_size > 9) + 10'000 * (enemy.deck_size == 0) +
                       50 * (own.deck_size - enemy.deck_size) + 10 * minions + 10 * taunts + mine.attack + 5 * health;
            case Score::midrange:
                return 5000 * clear + 5 * minions - 1000 * theirs.taunt_health + mine.attack + 10 * health +
                       10 * (mine.health - theirs.health) + 10 * (mine.attack - theirs.attack);
            case Score::ramp:
                // As published, the own taunts count negatively if the enemy has some.
                return 5000 * clear + 50 * minions - (theirs.taunt_health > 0 ? 500 * mine.taunt_health : 0) +
                       mine.attack + 10 * health + 10 * (mine.health - theirs.health) +
                       20 * (mine.attack - theirs.attack);
            case Score::linear:
            case Score::network: break;
        }
        return 0;
    }

private:
    friend class Ratings;

    static constexpr double kLinearUnit = 1000;
    static constexpr double kNetworkUnit = 1'000'000;

    static bool is_decided(const State& state) { return state.players[0].health < 1 || state.players[1].health < 1; }
    static int decided(const State& state, int player) { return state.players[player ^ 1].health < 1 ? kWon : kLost; }

    // Truncated to a whole number, and within the range between lost and won.
    static int whole(double value) {
        constexpr double kMost = kWon - 1;
        if (!(value > -kMost)) return -kWon;
        return static_cast<int>(value < kMost ? value : kMost);
    }

    static int network_score(double output) { return whole(kNetworkUnit * output); }

    int weighed(const CardSet& cards, const State& state, int player) const {
        double features[kFeatures];
        write_features(cards, state, player, features);
        if (score_ == Score::network) {
            double output;
            network_->evaluate(features, &output);
            return network_score(output);
        }
        double sum = 0;
        for (int i = 0; i < kFeatures; ++i) sum += weights_[i] * features[i];
        return whole(kLinearUnit * sum);
    }

    Score score_;
    double weights_[kFeatures] = {};
    std::shared_ptr<const Network> network_;
};

// The ratings of several states that are wanted together: a network rates them side by side, all else one by one.
class Ratings {
public:
    static constexpr std::size_t kMost = kLanes;

    explicit Ratings(const Rating& rating)
        : rating_(rating), capacity_(rating.score_ == Score::network ? kMost : std::size_t{1}) {}

    bool is_full() const { return size_ == capacity_; }
    void clear() { size_ = 0; }

    // Adds a state, which may change afterwards.
    void add(const CardSet& cards, const State& state, int player) {
        const bool waits = capacity_ > 1 && !Rating::is_decided(state);
        waiting_[size_] = waits;
        if (waits) {
            write_features(cards, state, player, features_ + size_, kLanes);
        } else {
            scores_[size_] = rating_(cards, state, player);
        }
        ++size_;
    }

    // Call after the last state was added, before reading.
    void work_out() {
        if (capacity_ == 1) return;
        double outputs[kLanes];
        rating_.network_->evaluate_lanes(features_, outputs);
        for (std::size_t i = 0; i < size_; ++i) {
            if (waiting_[i]) scores_[i] = Rating::network_score(outputs[i]);
        }
    }

    int operator[](std::size_t i) const { return scores_[i]; }

private:
    const Rating& rating_;
    const std::size_t capacity_;
    std::size_t size_ = 0;
    bool waiting_[kMost] = {};
    int scores_[kMost] = {};
    double features_[kFeatures * kLanes] = {};  // kLanes numbers for each feature
};

}  // namespace deckatlas::hearthstone
