// Hints for the compiler where its own guess about inlining costs much: a test that most often fails belongs to the
// caller, what follows it does not.
#pragma once

#if defined(_MSC_VER)
#define DECKATLAS_INLINE __forceinline
#define DECKATLAS_OUTLINE __declspec(noinline)
#else
#define DECKATLAS_INLINE [[gnu::always_inline]] inline
#define DECKATLAS_OUTLINE [[gnu::noinline]]
#endif
