// Kernels of the network that rates positions for any machine: vectors of 16 bytes, as x86-64 and ARM have them.
#define DECKATLAS_VECTOR_BYTES 16
#include "hearthstone/position_kernels_source.hpp"

namespace deckatlas::hearthstone {
extern const PositionKernels kPortablePositionKernels;
const PositionKernels kPortablePositionKernels = kKernels;
}  // namespace deckatlas::hearthstone
