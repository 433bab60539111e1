#include "tensor/kernels/device.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tensor/kernels/gpu.h"
#include "tensor/kernels/kernels.h"
#include "tensor/transfer.h"

namespace heed::kernels {
namespace {

TEST(Device, CpuIsAlwaysThere) { EXPECT_EQ(choose_device("cpu"), Device::cpu); }

TEST(Device, AutoTakesTheGpuWhereThereIsOne) {
  EXPECT_EQ(choose_device("auto"), gpu_problem().empty() ? Device::cuda : Device::cpu);
}

TEST(Device, WhatIsChosenComputes) {
  Arena arena(choose_device("auto"));
  const Tensor x = arena.zeros({3});
  fill(x, 2);
  EXPECT_EQ(download(x), std::vector<Real>(3, 2));
}

TEST(Device, AnExplicitGpuNeverBecomesACpuRun) {
  if (gpu_problem().empty()) {
    EXPECT_EQ(choose_device("gpu"), Device::cuda);
    return;
  }
  try {
    choose_device("gpu");
    FAIL() << "no error";
  } catch (const UserError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("gpu"), std::string::npos) << message;
    EXPECT_NE(message.find("has to be cpu or auto"), std::string::npos) << message;
  }
}

TEST(Device, AnUnknownNameIsRefused) {
  EXPECT_THROW(choose_device("tpu"), UserError);
  EXPECT_THROW(choose_device(""), UserError);
}

TEST(Device, TheCpuIsDescribedByItsKernelsAndItsProducts) {
  const std::string text = describe_device(Device::cpu);
  EXPECT_EQ(text.rfind("CPU, ", 0), 0u) << text;
  EXPECT_NE(text.find(gemm_library()), std::string::npos) << text;
  EXPECT_EQ(text.find("AVX3"), std::string::npos)
      << "AVX-512 by the name that users know: " << text;
}

}  // namespace
}  // namespace heed::kernels
