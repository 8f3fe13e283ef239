// Turn times in the games of a match, on request. Times are not columns, because they differ between runs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/cpu_clock.hpp"

namespace deckatlas {

// An entrant's turn times in one game, in seconds of CPU time.
struct TurnTimes {
    double total = 0;
    double slowest = 0;
    double turns = 0;  // turns with a decision
};

// Where to record the times of the first `games` games, one row per game, seen by entrant; none if not requested.
struct MatchTimes {
    TurnTimes (*rows)[2] = nullptr;
    std::int64_t games = 0;

    TurnTimes* of_row(std::int64_t row) const { return row < games ? rows[row] : nullptr; }
};

// Records the time from one turn's end to the next, so the clock is read once per turn; does nothing without a place
// for it.
class TurnTimer {
public:
    // `seats` has an entry for each seat.
    explicit TurnTimer(TurnTimes* seats) : seats_(seats), last_(seats ? thread_cpu_seconds() : 0) {}

    void turn_ended(int seat) {
        if (!seats_) return;
        const double now = thread_cpu_seconds();
        TurnTimes& times = seats_[seat];
        times.total += now - last_;
        times.slowest = std::max(times.slowest, now - last_);
        times.turns += 1;
        last_ = now;
    }

private:
    TurnTimes* seats_;
    double last_;
};

}  // namespace deckatlas
