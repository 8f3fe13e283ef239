// Random numbers: small generators that are passed in, never global.
//
// `Rng` drives agents and searches. `JavaRandom` repeats java.util.Random, because the official Legends of Code and
// Magic referee draws drafts and shuffles with it, and the same seeds must give the same games.
#pragma once

#include <cstdint>

namespace deckatlas {

// Finalizer of SplitMix64: a bijection on 64 bits in which every input bit affects every output bit.
constexpr std::uint64_t mix64(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

// The halves of the product of two words, combined by xor: hashes two words with one multiplication.
constexpr std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
    const std::uint64_t low_a = a & 0xFFFFFFFF, high_a = a >> 32, low_b = b & 0xFFFFFFFF, high_b = b >> 32;
    const std::uint64_t low = low_a * low_b, cross = high_a * low_b, other = low_a * high_b;
    const std::uint64_t middle = (low >> 32) + (cross & 0xFFFFFFFF) + (other & 0xFFFFFFFF);
    const std::uint64_t high = high_a * high_b + (cross >> 32) + (other >> 32) + (middle >> 32);
    return (a * b) ^ high;
#endif
}

// An order-sensitive combination of two 64-bit values, used to derive game seeds and player streams.
constexpr std::uint64_t hash_combine(std::uint64_t seed, std::uint64_t value) {
    return mix64(mix64(seed + 0x9E3779B97F4A7C15ull) ^ (value + 0xD1B54A32D192ED03ull));
}

// SplitMix64: eight bytes of state, one addition and one mix per draw.
struct Rng {
    std::uint64_t state = 0;

    constexpr std::uint64_t next() {
        state += 0x9E3779B97F4A7C15ull;
        return mix64(state);
    }

    // Uniform in [0, bound), exactly: Lemire's multiplication with rejection. `bound` must be positive.
    constexpr std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = (next() >> 32) * bound;
        if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
            const std::uint32_t threshold = (0u - bound) % bound;
            while (static_cast<std::uint32_t>(product) < threshold) product = (next() >> 32) * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    // Uniform in [0, 1) with 53 random bits.
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
};

// java.util.Random, the generator behind every draft and every shuffle.
class JavaRandom {
public:
    constexpr explicit JavaRandom(std::int64_t seed)
        : state_((static_cast<std::uint64_t>(seed) ^ kMultiplier) & kMask) {}

    constexpr std::int64_t next_long() {
        const auto high = static_cast<std::uint64_t>(next(32)) << 32;
        // The low word is added as a signed 32-bit number, as Java does.
        const auto low = static_cast<std::int64_t>(static_cast<std::int32_t>(next(32)));
        return static_cast<std::int64_t>(high + static_cast<std::uint64_t>(low));
    }

    constexpr std::uint32_t next_int(std::uint32_t bound) {
        std::uint32_t bits = next(31);
        if ((bound & (bound - 1)) == 0) {
            return static_cast<std::uint32_t>((static_cast<std::uint64_t>(bound) * bits) >> 31);
        }
        std::uint32_t value = bits % bound;
        while (bits - value + (bound - 1) >= 0x80000000u) {
            bits = next(31);
            value = bits % bound;
        }
        return value;
    }

private:
    static constexpr std::uint64_t kMultiplier = 0x5DEECE66Dull;
    static constexpr std::uint64_t kMask = (1ull << 48) - 1;

    constexpr std::uint32_t next(int bits) {
        state_ = (state_ * kMultiplier + 0xB) & kMask;
        return static_cast<std::uint32_t>(state_ >> (48 - bits));
    }

    std::uint64_t state_;
};

}  // namespace deckatlas
