// Kernels for x86 machines with AVX2: vectors of eight floats. Only this file is compiled for such machines.
#define DECKATLAS_LANES 8
#include "surrogate/kernels_source.hpp"

namespace deckatlas::surrogate {
extern const Kernels kAvx2Kernels;
const Kernels kAvx2Kernels = kKernels;
}  // namespace deckatlas::surrogate
