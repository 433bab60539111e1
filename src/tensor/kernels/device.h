// Which devices this build can compute on, and in which precisions.
#pragma once

#include <string>

#include "tensor/kernels/kernels.h"
#include "tensor/tensor.h"

namespace heed::kernels {

// The device for "auto" | "cpu" | "gpu", to make arenas and buffers with; kernels compute where
// these are. "auto" is the GPU if this build and this machine can use one. Throws UserError for
// "gpu" if not, saying why and what to do.
Device choose_device(const std::string& name);

// "CPU, AVX-512 kernels, oneDNN" for the log, `heed --version` and bench.
std::string describe_device(Device device);

// The precision of packed products for "f32" | "bf16" | "int8". Warns and returns f32 if the
// processor has no instructions for it, which makes it slower than f32, or this build no such
// products. If `forced`, takes what is only slower and throws UserError for what does not exist.
Precision choose_precision(const std::string& name, bool forced);
const char* precision_name(Precision precision);

}  // namespace heed::kernels
