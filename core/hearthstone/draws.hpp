// Hearthstone: sources of random draws: a stream of numbers, or a list of draws recorded by another engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/random.hpp"
#include "hearthstone/program.hpp"

namespace deckatlas::hearthstone {

// Draws from a stream.
struct StreamDraws {
    Rng& rng;

    std::uint32_t below(std::uint32_t bound) { return rng.below(bound); }
    template <class CardAt>
    std::uint32_t pick(std::uint32_t count, const CardAt&) {
        return count > 1 ? rng.below(count) : 0;
    }
};

// The same, and counts them.
struct CountedDraws {
    Rng& rng;
    std::uint32_t count = 0;

    std::uint32_t below(std::uint32_t bound) {
        ++count;
        return rng.below(bound);
    }
    template <class CardAt>
    std::uint32_t pick(std::uint32_t among, const CardAt&) {
        return among > 1 ? below(among) : 0;
    }
};

struct RecordedDraw {
    std::uint32_t bound = 0;
    std::uint32_t value = 0;
    CardId card = 0;  // the drawn card, for a draw of cards; 0 if unknown
};

// Answers as recorded. A draw of a card is matched by card, because two engines may list the cards in different orders.
class RecordedDraws {
public:
    explicit RecordedDraws(std::span<const RecordedDraw> draws) : draws_(draws) {}

    std::uint32_t below(std::uint32_t bound) {
        const RecordedDraw* draw = next();
        if (draw == nullptr || draw->value >= bound) return fail();
        if (draw->bound != bound) failed_ = true;
        return draw->value;
    }

    template <class CardAt>
    std::uint32_t pick(std::uint32_t count, const CardAt& card_at) {
        if (count == 1) return 0;  // nothing to draw
        const RecordedDraw* draw = next();
        if (draw == nullptr) return fail();
        // A repeated draw that the recording does not list: it is the same card again.
        if (draw->card == 0 && last_ != nullptr && last_->bound == draw->bound && last_->value == draw->value)
            return answer_ < count ? answer_ : fail();
        last_ = draw;
        return answer_ = place_of(*draw, count, card_at);
    }

    // Whether every draw matched the recording, and none was left over.
    bool matched() const { return !failed_ && next_ == draws_.size(); }

private:
    template <class CardAt>
    std::uint32_t place_of(const RecordedDraw& drawn, std::uint32_t count, const CardAt& card_at) {
        const RecordedDraw* draw = &drawn;
        if (draw->value < count && draw->bound == count && (draw->card == 0 || card_at(draw->value) == draw->card))
            return draw->value;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (draw->card != 0 && card_at(i) == draw->card) return i;
        }
        return fail();
    }

    const RecordedDraw* next() { return next_ < draws_.size() ? &draws_[next_++] : nullptr; }
    std::uint32_t fail() {
        failed_ = true;
        return 0;
    }

    std::span<const RecordedDraw> draws_;
    std::size_t next_ = 0;
    bool failed_ = false;
    const RecordedDraw* last_ = nullptr;
    std::uint32_t answer_ = 0;
};

}  // namespace deckatlas::hearthstone
