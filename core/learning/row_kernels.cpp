// Chooses the kernels of sparse models at run time.
#include "learning/row_kernels.hpp"

namespace deckatlas::learning {

extern const RowKernels kPortableRowKernels;
#if defined(DECKATLAS_AVX2)
extern const RowKernels kAvx2RowKernels;

const RowKernels& row_kernels(bool portable) {
    return portable || !surrogate::has_vector_kernels() ? kPortableRowKernels : kAvx2RowKernels;
}
#else
const RowKernels& row_kernels(bool) { return kPortableRowKernels; }
#endif

}  // namespace deckatlas::learning
