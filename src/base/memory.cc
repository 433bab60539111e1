#include "base/memory.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
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

int64_t resident_bytes() {
  std::ifstream sizes("/proc/self/statm");  // in pages: total size, resident size, ...
  int64_t whole = 0, resident = 0;
  if (!(sizes >> whole >> resident)) return 0;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace heed
