// Kernels of sparse models for x86 machines with AVX2: vectors of eight floats. Only kernels are compiled for such
// machines.
#define DECKATLAS_LANES 8
#include "learning/row_kernels_source.hpp"

namespace deckatlas::learning {
extern const RowKernels kAvx2RowKernels;
const RowKernels kAvx2RowKernels = kRowKernels;
}  // namespace deckatlas::learning
