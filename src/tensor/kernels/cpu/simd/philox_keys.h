// What the dropout kernels of every instruction set share of Philox4x32-10: constants and the keys
// of its rounds.
#pragma once

#include <cstdint>

#include "base/real.h"

namespace heed::kernels::cpu {

// Salmon et al. 2011, table 2 and section 4: multipliers and the Weyl increments of the key.
constexpr uint32_t kPhiloxM0 = 0xD2511F53, kPhiloxM1 = 0xCD9E8D57;
constexpr uint32_t kPhiloxW0 = 0x9E3779B9, kPhiloxW1 = 0xBB67AE85;

struct PhiloxKeys {
  static constexpr int kRounds = 10;
  uint64_t k0[kRounds], k1[kRounds];  // in the lower 32 bits
  uint64_t stream;
  uint32_t threshold;  // rate 2^31
  Real scale;          // 1 / (1 - rate)
};

}  // namespace heed::kernels::cpu
