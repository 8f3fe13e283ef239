// Chooses the kernels of networks at run time.
#include "common/network_kernels.hpp"

namespace deckatlas {

extern const NetworkKernels kPortableNetworkKernels;
#if defined(DECKATLAS_AVX2)
extern const NetworkKernels kAvx2NetworkKernels;

bool has_vector_network_kernels() { return __builtin_cpu_supports("avx2") != 0; }

const NetworkKernels& network_kernels(bool portable) {
    return portable || !has_vector_network_kernels() ? kPortableNetworkKernels : kAvx2NetworkKernels;
}
#else
bool has_vector_network_kernels() { return false; }

const NetworkKernels& network_kernels(bool) { return kPortableNetworkKernels; }
#endif

}  // namespace deckatlas
