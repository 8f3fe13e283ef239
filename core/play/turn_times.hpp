// What turns take in the games of a match, for whoever asks. Times are no columns: no two runs agree on them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/cpu_clock.hpp"

namespace deckatlas {

// What an entrant's turns took in one game, in seconds of CPU time.
struct TurnTimes {
    double total = 0;
    double slowest = 0;
    double turns = 0;  // in which it was asked
};

// Where to note the times of the first `games` games, one row a game, seen by entrant; of none if not asked for.
struct MatchTimes {
    TurnTimes (*rows)[2] = nullptr;
    std::int64_t games = 0;

    TurnTimes* of_row(std::int64_t row) const { return row < games ? rows[row] : nullptr; }
};

// Notes the time from one turn's end to the next, so the clock is read once a turn; nothing if there is nowhere to
// note it.
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
