#include "base/permutation.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/random.h"

namespace heed {
namespace {

// A half with fewer bits would have too few round functions to choose from.
constexpr int kLeastHalf = 4;

}  // namespace

Permutation::Permutation(uint64_t n, uint64_t key)
    : n_(n),
      half_bits_(std::max(kLeastHalf, (static_cast<int>(std::bit_width(n - (n > 0))) + 1) / 2)) {
  check(n >> 62 == 0, "[Permutation] n must be below 2^62. Received {}", n);
  for (int round = 0; round < kRounds; ++round)
    keys_[static_cast<size_t>(round)] = mix(key, static_cast<uint64_t>(round));
}

uint64_t Permutation::operator()(uint64_t i) const {
  check(i < n_, "[Permutation] i must be below {}. Received {}", n_, i);
  do i = shuffled(i);
  while (i >= n_);
  return i;
}

uint64_t Permutation::shuffled(uint64_t number) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t left = number >> half_bits_, right = number & mask;
  for (const uint64_t key : keys_) {
    const uint64_t mixed = left ^ (mix(key, right) & mask);
    left = right;
    right = mixed;
  }
  return left << half_bits_ | right;
}

}  // namespace heed
