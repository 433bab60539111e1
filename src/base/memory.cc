#include "base/memory.h"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace heed {

void return_large_blocks() {
#ifdef __GLIBC__
  constexpr int kLarge = 256 * 1024;
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

}  // namespace heed
