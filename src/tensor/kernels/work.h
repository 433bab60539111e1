// The work that kernels have done so far, counted from the shapes of their operands, for profiles.
#pragma once

#include "tensor/tensor.h"

namespace heed::kernels {

struct Work {
  double operations = 0;   // of matrix products; a multiplication and an addition are two
  double bytes = 0;        // read and written once each, as if no cache held any of them
  double evaluations = 0;  // of exp, tanh or sigmoid, and random numbers drawn

  Work& operator+=(const Work& other) {
    operations += other.operations;
    bytes += other.bytes;
    evaluations += other.evaluations;
    return *this;
  }
  Work operator-(const Work& other) const {
    return {operations - other.operations, bytes - other.bytes, evaluations - other.evaluations};
  }
};

// The sum over all kernels that the calling thread has called; it never decreases.
const Work& work_done();

// Adds the work of a kernel that is called.
void count_work(const Work& work);
// The same, given as elements that are read or written, and evaluations.
inline void count_elements(int64_t elements, int64_t evaluations = 0) {
  count_work({0, static_cast<double>(elements) * sizeof(Real), static_cast<double>(evaluations)});
}

}  // namespace heed::kernels
