// Kernels for any machine that the program runs on: vectors of four floats, as x86-64 and ARM have them.
#define DECKATLAS_LANES 4
#include "surrogate/kernels_source.hpp"

namespace deckatlas::surrogate {
extern const Kernels kPortableKernels;
const Kernels kPortableKernels = kKernels;
}  // namespace deckatlas::surrogate
