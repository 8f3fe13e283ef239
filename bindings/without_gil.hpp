// Calculations without the GIL, and the way back to Python, which may be ending meanwhile.
//
// A thread that asks for the GIL once the interpreter is being torn down is ended by Python in the middle of our
// frames, which ends the process with an abort. So nobody asks then. A function that Python calls before it ends,
// `leave_python`, stops all games and waits until no thread is on its way back; whoever comes later waits for the end
// of the process.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace deckatlas::bindings {

// What threads do in the core, counted. There is one of it, in the module.
class Leaving {
public:
    static Leaving& instance() {
        static Leaving leaving;
        return leaving;
    }

    bool is_ending() const { return ending_; }

    // A calculation begins, with the GIL held, or has returned to Python or given up.
    void begin() { ++inside_; }
    void end() { --inside_; }

    // Asks whether the thread may take the GIL; if so, it says `arrived` when it has it and is done with our frames.
    bool may_return() {
        ++returning_;
        if (!ending_ || std::this_thread::get_id() == ending_thread_) return true;
        --returning_;
        return false;
    }
    void arrived() { --returning_; }

    // Called once, by Python, before it ends.
    void leave_python() {
        ending_thread_ = std::this_thread::get_id();
        ending_ = true;
        const nanobind::gil_scoped_release release;  // this thread is the one that ends Python
        const auto start = std::chrono::steady_clock::now();
        const auto passed = [&](std::chrono::seconds time) { return std::chrono::steady_clock::now() - start > time; };
        while ((inside_ > 0 && !passed(kForCalculations)) || (returning_ > 0 && !passed(kForCallbacks)))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    // In the child of a fork only the forking thread lives on.
    void forget_other_threads() {
        inside_ = 0;
        returning_ = 0;
    }

    [[noreturn]] static void wait_for_the_end() {
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }

private:
    static constexpr std::chrono::seconds kForCalculations{1};  // games stop within a tenth of a second, training too
    static constexpr std::chrono::seconds kForCallbacks{10};    // functions of the caller that report progress

    std::atomic<bool> ending_{false};
    std::atomic<std::thread::id> ending_thread_{};
    std::atomic<int> inside_{0};
    std::atomic<int> returning_{0};
};

// Releases the GIL for a scope.
class WithoutGil {
public:
    WithoutGil() {
        Leaving::instance().begin();
        state_ = PyEval_SaveThread();
    }
    ~WithoutGil() {
        Leaving& leaving = Leaving::instance();
        if (!leaving.may_return()) {
            leaving.end();
            Leaving::wait_for_the_end();
        }
        PyEval_RestoreThread(state_);
        leaving.arrived();
        leaving.end();
    }
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

private:
    PyThreadState* state_;
};

// Takes the GIL back for a scope inside of one without it. `held` is false if Python is ending: then nothing of Python
// may be touched, and the calculation should stop.
class WithGil {
public:
    WithGil() : held(Leaving::instance().may_return()) {
        if (held) acquired_.emplace();
    }
    ~WithGil() {
        if (!held) return;
        acquired_.reset();
        Leaving::instance().arrived();
    }
    WithGil(const WithGil&) = delete;
    WithGil& operator=(const WithGil&) = delete;

    const bool held;

private:
    std::optional<nanobind::gil_scoped_acquire> acquired_;
};

}  // namespace deckatlas::bindings
