// The progress of a long test program: one line for every tenth of its work.
#pragma once

#include <cstdint>
#include <cstdio>

namespace deckatlas::tests {

class Progress {
public:
    explicit Progress(std::int64_t blocks) : blocks_(blocks) {}

    // Called by run_blocks; the work always continues.
    bool operator()(std::int64_t finished) {
        const std::int64_t tenths = 10 * finished / blocks_;
        if (tenths > told_) {
            std::printf("%lld %%\n", static_cast<long long>(10 * tenths));
            std::fflush(stdout);
        }
        told_ = tenths;
        return true;
    }

private:
    std::int64_t blocks_;
    std::int64_t told_ = 0;
};

}  // namespace deckatlas::tests
