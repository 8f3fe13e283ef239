// The CPU time that the calling thread has used. Host only.
#pragma once

#include <chrono>
#include <ctime>

namespace deckatlas {

// In seconds from some fixed point. One reading is a system call, some tenths of a microsecond. On systems without such
// a clock this is wall-clock time.
inline double thread_cpu_seconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#else
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

}  // namespace deckatlas
