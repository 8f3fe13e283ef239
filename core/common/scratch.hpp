// Working memory of a search: allocated at first use, kept from turn to turn, and not copied with its owner.
//
// Agents are copied for every game. Their memory of the game is copied with them; tables and pools that every search
// fills again are not.
#pragma once

#include <memory>

namespace deckatlas {

template <class T>
class Scratch {
public:
    Scratch() = default;
    Scratch(const Scratch&) {}
    Scratch(Scratch&&) = default;
    Scratch& operator=(const Scratch&) { return *this; }
    Scratch& operator=(Scratch&&) = default;
    ~Scratch() = default;

    T& get() {
        if (!memory_) memory_ = std::make_unique_for_overwrite<T>();
        return *memory_;
    }

private:
    std::unique_ptr<T> memory_;
};

}  // namespace deckatlas
