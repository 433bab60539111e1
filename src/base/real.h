// The element type of every tensor: float, or double in the `double` preset (for gradient checks).
#pragma once

namespace heed {

#ifdef HEED_DOUBLE
using Real = double;
#else
using Real = float;
#endif

}  // namespace heed
