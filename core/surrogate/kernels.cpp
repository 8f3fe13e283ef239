// Chooses the kernels at run time.
#include "surrogate/kernels.hpp"

namespace deckatlas::surrogate {

extern const Kernels kPortableKernels;
#if defined(DECKATLAS_AVX2)
extern const Kernels kAvx2Kernels;

bool has_vector_kernels() { return __builtin_cpu_supports("avx2") != 0; }

const Kernels& kernels(bool portable) { return portable || !has_vector_kernels() ? kPortableKernels : kAvx2Kernels; }
#else
bool has_vector_kernels() { return false; }

const Kernels& kernels(bool) { return kPortableKernels; }
#endif

}  // namespace deckatlas::surrogate
