// CHECK for test programs without a game: prints a condition that does not hold, and ends the program.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(condition) ((condition) ? void() : deckatlas::tests::fail_check(#condition, __FILE__, __LINE__))

namespace deckatlas::tests {

[[noreturn]] inline void fail_check(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: not true: %s\n", file, line, condition);
    std::abort();
}

}  // namespace deckatlas::tests
