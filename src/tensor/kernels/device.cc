#include "tensor/kernels/device.h"

#include <hwy/highway.h>

#include "base/error.h"
#include "base/log.h"
#include "tensor/kernels/gpu.h"
#include "tensor/kernels/kernels.h"

namespace heed::kernels {
namespace {

// The best instruction set of this processor among those that our kernels were compiled for;
// Highway gives better ones lower bits. AVX3, AVX3_DL, AVX3_ZEN4 and so on are its names for
// kinds of AVX-512.
std::string instruction_set() {
  const auto usable = hwy::SupportedTargets() & HWY_TARGETS;
  const std::string name = hwy::TargetName(usable & -usable);
  return name.starts_with("AVX3") ? "AVX-512" : name;
}

}  // namespace

Device choose_device(const std::string& name) {
  if (name == "cpu") return Device::cpu;
  if (name != "auto" && name != "gpu") fail("device '{}' is unknown: use auto, cpu or gpu", name);
  const std::string problem = gpu_problem();
  if (problem.empty()) return Device::cuda;
  if (name == "gpu") fail("device gpu can't be used: {}", problem);
  return Device::cpu;
}

Precision choose_precision(const std::string& name, bool forced) {
  Precision precision = Precision::f32;
  if (name == "bf16") {
    precision = Precision::bf16;
  } else if (name == "int8") {
    precision = Precision::int8;
  } else if (name != "f32") {
    fail("precision '{}' is unknown: use f32, bf16 or int8", name);
  }
  if (has_precision(precision) && is_native(precision)) return precision;
  if (has_precision(precision) && forced) {
    spdlog::warn("this processor has no instructions for {}: slower than f32{}", name,
                 precision == Precision::int8 ? ", and large sums may be cut short" : "");
    return precision;
  }
  const std::string reason =
      has_precision(precision)
          ? fmt::format("this processor has no instructions for {}, which would be slower", name)
          : fmt::format(
                "there are no {} products here (they need oneDNN, package libdnnl-dev, and for "
                "bf16 a processor with AVX-512)",
                name);
  if (forced) fail("{}: leave the precision at f32", reason);
  spdlog::warn("{}: staying in f32", reason);
  return Precision::f32;
}

const char* precision_name(Precision precision) {
  if (precision == Precision::bf16) return "bf16";
  return precision == Precision::int8 ? "int8" : "f32";
}

std::string describe_device(Device device) {
  if (device == Device::cuda) return describe_gpu();
  return fmt::format("CPU, {} kernels, {}", instruction_set(), gemm_library());
}

}  // namespace heed::kernels
