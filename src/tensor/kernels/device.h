// Which devices this build and this machine have. Without CUDA, no_cuda.cc answers.
#pragma once

#include <string>

#include "tensor/kernels/kernels.h"
#include "tensor/tensor.h"

namespace heed::kernels {

// Picks the device for "auto" | "cpu" | "gpu". Throws UserError for "gpu" where there is none,
// saying why and what to do; never falls back silently.
Device choose_device(const std::string& name);

// "CPU, AVX-512 kernels, oneDNN" for the log, `heed --version` and bench.
std::string describe_device(Device device);

// Picks the precision of packed products for "f32" | "bf16" | "int8". Where the processor has no
// instructions for it, which makes it slower than f32, or this build no such products, warns and
// gives f32. Forced: takes what is only slower, and throws UserError for what is not there.
Precision choose_precision(const std::string& name, bool forced);
const char* precision_name(Precision precision);

}  // namespace heed::kernels
