// Kernels of sparse models for any machine that the program runs on: vectors of four floats.
#define DECKATLAS_LANES 4
#include "learning/row_kernels_source.hpp"

namespace deckatlas::learning {
extern const RowKernels kPortableRowKernels;
const RowKernels kPortableRowKernels = kRowKernels;
}  // namespace deckatlas::learning
