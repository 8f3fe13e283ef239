// Distributes work over threads in blocks, while the caller stays responsive.
//
// Host only: this is how runners use all cores. One counter hands out blocks in order; a block's result may only depend
// on its index, never on which thread ran it or when.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace deckatlas {

// Calls work(worker, block) for every block in [0, blocks) on `threads` threads. The calling thread does no work
// itself: every `poll_every` it calls poll(blocks finished), which must not throw, and stops early if that returns
// false. Returns whether all blocks were done. Rethrows the first exception of a worker; throws std::system_error if
// the system gives no threads.
template <class Work, class Poll>
bool run_blocks(std::int64_t blocks, int threads, std::chrono::milliseconds poll_every, Work&& work, Poll&& poll) {
    std::atomic<std::int64_t> next{0};
    std::atomic<std::int64_t> finished{0};
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::condition_variable changed;
    int running = threads;
    std::exception_ptr failure;

    const auto worker = [&](int index) {
        std::exception_ptr mine;
        try {
            for (std::int64_t block = next++; block < blocks && !stop; block = next++) {
                work(index, block);
                ++finished;
            }
        } catch (...) {
            mine = std::current_exception();
            stop = true;
        }
        const std::lock_guard lock(mutex);
        if (mine && !failure) failure = mine;
        if (--running == 0) changed.notify_all();
    };

    std::vector<std::thread> pool;
    try {
        pool.reserve(static_cast<std::size_t>(threads));
        for (int i = 0; i < threads; ++i) pool.emplace_back(worker, i);
    } catch (...) {
        // The system gives no more threads: the started ones end before the exception reaches the caller.
        stop = true;
        for (auto& thread : pool) thread.join();
        throw;
    }
    {
        std::unique_lock lock(mutex);
        while (!changed.wait_for(lock, poll_every, [&] { return running == 0; })) {
            lock.unlock();
            if (!poll(finished.load())) stop = true;
            lock.lock();
        }
    }
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
    return finished == blocks;
}

}  // namespace deckatlas
