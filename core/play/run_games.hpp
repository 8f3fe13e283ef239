// Many games on several threads, for any game: distributed in blocks, while the caller stays responsive.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "common/parallel.hpp"

namespace deckatlas {

// Called every tenth of a second with the number of finished games; returns false to stop.
using Poll = std::function<bool(std::int64_t)>;

// The most games that one thread takes at once: games of some microseconds form large blocks; with slow agents a block
// is one game, so that all threads end together.
inline constexpr std::int64_t kQuickGames = 64;
inline constexpr std::int64_t kSlowGames = 1;

struct Workload {
    std::int64_t games = 0;
    int threads = 1;
    std::int64_t most_in_block = kQuickGames;
};

// Calls play(first, end, stop) for blocks of games that cover all of them. Once `stop` is set, results are discarded:
// blocks stop between two games, and searching agents may stop at any time. Returns whether all games were played.
template <class PlayBlock>
bool run_games(const Workload& work, const PlayBlock& play, const Poll& poll) {
    constexpr std::int64_t kBlocksPerThread = 4;  // the least number, if there are enough games
    const std::int64_t block_games =
        std::clamp<std::int64_t>(work.games / (kBlocksPerThread * work.threads), 1, work.most_in_block);
    const std::int64_t blocks = (work.games + block_games - 1) / block_games;
    const int threads = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, work.threads));
    std::atomic<bool> stop{false};
    const auto play_block = [&](int, std::int64_t block) {
        const std::int64_t first = block * block_games;
        play(first, std::min(work.games, first + block_games), std::as_const(stop));
    };
    const auto poll_games = [&](std::int64_t done) {
        if (!poll(std::min(work.games, done * block_games))) stop = true;
        return !stop;
    };
    return run_blocks(blocks, threads, std::chrono::milliseconds(100), play_block, poll_games) && !stop;
}

// The same for independent games: calls play(game, stop) for each.
template <class PlayGame>
bool run_each_game(const Workload& work, const PlayGame& play, const Poll& poll) {
    const auto play_block = [&](std::int64_t first, std::int64_t end, const std::atomic<bool>& stop) {
        for (std::int64_t game = first; game < end && !stop.load(std::memory_order_relaxed); ++game) play(game, stop);
    };
    return run_games(work, play_block, poll);
}

}  // namespace deckatlas
