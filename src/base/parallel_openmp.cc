#ifdef HEED_OPENMP

#include <omp.h>

#include "base/parallel_backend.h"

namespace heed {
namespace {

// oneDNN asks OpenMP how many threads to use. It must get the answer "one" in the main thread even
// before the first parallel_for. Our own regions state their number of threads.
[[maybe_unused]] const bool kSerialByDefault = (omp_set_num_threads(1), true);

}  // namespace

void run_in_threads(int count, void (*task)(void* context), void* context) {
#pragma omp parallel num_threads(count)
  task(context);
}

void keep_libraries_serial() { omp_set_num_threads(1); }

const char* backend_name() { return "OpenMP"; }

}  // namespace heed

#endif
