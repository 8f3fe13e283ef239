// Kernels of networks for x86 machines with AVX2: vectors of four numbers. Only this file is compiled for such
// machines.
#define DECKATLAS_VECTOR 4
#include "common/network_kernels_source.hpp"

namespace deckatlas {
extern const NetworkKernels kAvx2NetworkKernels;
const NetworkKernels kAvx2NetworkKernels = kKernels;
}  // namespace deckatlas
