// What device.cc asks of the CUDA side. no_cuda.cc answers in a build without CUDA.
#pragma once

#include <string>

namespace heed::kernels {

// Empty if there is a GPU that this build can use; else why not and what to do, for a message
// to the user.
std::string gpu_problem();

// "NVIDIA ..., cuBLAS"; only to be asked where gpu_problem() is empty.
std::string describe_gpu();

}  // namespace heed::kernels
