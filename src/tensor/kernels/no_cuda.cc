#include "base/error.h"
#include "tensor/kernels/gpu.h"

namespace heed::kernels {

std::string gpu_problem() {
  return "this build of heed has no GPU support; the device has to be cpu or auto";
}

std::string describe_gpu() { throw InternalError("[describe_gpu] " + gpu_problem()); }

}  // namespace heed::kernels
