// Working memory of a search: taken at first use, kept from turn to turn, and not copied with its owner.
//
// Agents are copied for every game. Their memory of the game is copied with them; tables and pools that every search
// fills again are not: a thread keeps those of agents that are gone for the next ones.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace deckatlas {

template <class T>
class Scratch {
public:
    Scratch() = default;
    Scratch(const Scratch&) {}
    Scratch(Scratch&&) = default;
    Scratch& operator=(const Scratch&) { return *this; }
    Scratch& operator=(Scratch&&) = default;
    ~Scratch() {
        if (memory_ && !closed_ && kept().size() < kMostKept) kept().push_back(std::move(memory_));
    }

    // With what another owner left in it, at first.
    T& get() {
        if (!memory_) memory_ = taken();
        return *memory_;
    }

private:
    static constexpr std::size_t kMostKept = 4;  // of a thread

    // Closes when its thread ends: an owner may live longer.
    struct Kept : std::vector<std::unique_ptr<T>> {
        ~Kept() { closed_ = true; }
    };

    static Kept& kept() {
        thread_local Kept memory;
        return memory;
    }

    static std::unique_ptr<T> taken() {
        if (closed_ || kept().empty()) return std::make_unique_for_overwrite<T>();
        std::unique_ptr<T> memory = std::move(kept().back());
        kept().pop_back();
        return memory;
    }

    static inline thread_local bool closed_ = false;

    std::unique_ptr<T> memory_;
};

}  // namespace deckatlas
