// A set of 64-bit hashes that is filled and emptied often: open addressing; keeps its memory between uses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace deckatlas {

class HashSet {
public:
    // Empties the set. If it has far more memory than it last needed, it gives up half: emptying takes time.
    void clear() {
        const bool wide = slots_.size() > kFirstSlots && 16 * size_ < slots_.size();
        slots_.assign(wide ? slots_.size() / 2 : slots_.size(), kEmpty);
        size_ = 0;
    }

    // Adds a hash; returns whether it is new.
    bool insert(std::uint64_t hash) {
        if (hash == kEmpty) hash = 1;  // the value of an empty slot is not a hash
        if (2 * (size_ + 1) > slots_.size()) grow();
        std::uint64_t& slot = find(hash);
        if (slot == hash) return false;
        slot = hash;
        ++size_;
        return true;
    }

private:
    static constexpr std::uint64_t kEmpty = 0;
    static constexpr std::size_t kFirstSlots = 256;  // a power of two, as all sizes are

    std::uint64_t& find(std::uint64_t hash) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = static_cast<std::size_t>(hash) & mask;
        while (slots_[i] != kEmpty && slots_[i] != hash) i = (i + 1) & mask;
        return slots_[i];
    }

    void grow() {
        const std::vector<std::uint64_t> before = std::move(slots_);
        slots_.assign(std::max(kFirstSlots, 2 * before.size()), kEmpty);
        for (const std::uint64_t hash : before) {
            if (hash != kEmpty) find(hash) = hash;
        }
    }

    std::vector<std::uint64_t> slots_;
    std::size_t size_ = 0;
};

}  // namespace deckatlas
