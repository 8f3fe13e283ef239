// Kernels of the network that rates positions for x86 machines with AVX2: vectors of 32 bytes. Only kernels are
// compiled for such machines.
#define DECKATLAS_VECTOR_BYTES 32
#include "hearthstone/position_kernels_source.hpp"

namespace deckatlas::hearthstone {
extern const PositionKernels kAvx2PositionKernels;
const PositionKernels kAvx2PositionKernels = kKernels;
}  // namespace deckatlas::hearthstone
