// What device.cc asks of the CUDA backend; no_cuda.cc answers in a build without one.
#pragma once

#include <string>

namespace heed::kernels {

// Empty if there is a GPU that this build has kernels for; else why not and what to do, for a
// message to the user.
std::string gpu_problem();

// "NVIDIA ..., cuBLAS". Requires that gpu_problem() is empty.
std::string describe_gpu();

}  // namespace heed::kernels
