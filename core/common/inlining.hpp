// Inlining hints where the compiler's own choice is slow: a test that usually fails belongs in the caller, the code
// behind it does not.
#pragma once

#if defined(_MSC_VER)
#define DECKATLAS_INLINE __forceinline
#define DECKATLAS_OUTLINE __declspec(noinline)
#else
#define DECKATLAS_INLINE [[gnu::always_inline]] inline
#define DECKATLAS_OUTLINE [[gnu::noinline]]
#endif
