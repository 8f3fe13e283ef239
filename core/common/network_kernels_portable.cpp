// Kernels of networks for any machine that the program runs on: vectors of two numbers, as x86-64 and ARM have them.
#define DECKATLAS_VECTOR 2
#include "common/network_kernels_source.hpp"

namespace deckatlas {
extern const NetworkKernels kPortableNetworkKernels;
const NetworkKernels kPortableNetworkKernels = kKernels;
}  // namespace deckatlas
