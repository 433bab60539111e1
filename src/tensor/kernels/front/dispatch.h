// From a kernel of kernels.h to the backend of the device on which its operands are.
#pragma once

#include "base/error.h"
#include "tensor/tensor.h"

namespace heed::kernels {

// The device of all operands. Those without memory, as optional ones may be, are ignored.
template <typename... T>
Device device_of(const char* kernel, const View<T>&... operands) {
  Device device = Device::cpu;
  bool known = false;
  const auto look_at = [&](const auto& operand) {
    if (operand.empty()) return;
    check(!known || operand.device == device, "[{}] all operands must be on one device", kernel);
    device = operand.device;
    known = true;
  };
  (look_at(operands), ...);
  return device;
}

// Runs a kernel on its device: on(device, [&] { cpu::fill(y, value); }). A second backend becomes a
// second argument, of the same call in its own namespace.
template <typename OnCpu>
void on(Device device, const OnCpu& on_cpu) {
  check(device == Device::cpu, "[kernels] this build has no backend for a GPU");
  on_cpu();
}

}  // namespace heed::kernels
