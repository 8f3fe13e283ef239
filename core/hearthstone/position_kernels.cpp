// Chooses the kernels of the network that rates positions at run time.
#include "hearthstone/position_kernels.hpp"

#include "common/network_kernels.hpp"

namespace deckatlas::hearthstone {

extern const PositionKernels kPortablePositionKernels;
#if defined(DECKATLAS_AVX2)
extern const PositionKernels kAvx2PositionKernels;

const PositionKernels& position_kernels(bool portable) {
    return portable || !has_vector_network_kernels() ? kPortablePositionKernels : kAvx2PositionKernels;
}
#else
const PositionKernels& position_kernels(bool) { return kPortablePositionKernels; }
#endif

}  // namespace deckatlas::hearthstone
